#include "archive_reader.hpp"

#include <algorithm>
#include <utility>

namespace ndc {

ArchiveReader::ArchiveReader(std::vector<std::string> paths, size_t max_block_bytes)
    : paths_(std::move(paths)), max_block_bytes_(max_block_bytes) {}

bool ArchiveReader::check() {
  total_bytes_ = 0;
  sizes_.clear();
  for (const std::string& path : paths_) {
    std::string reason;
    std::optional<uint64_t> size;
    if (!FileSource::check(path, size, reason)) {
      error_ = path + ": " + reason;
      return false;
    }
    sizes_.push_back(size.value_or(0));
    if (!size) total_bytes_.reset();
    if (total_bytes_) *total_bytes_ += *size;
  }
  return true;
}

void ArchiveReader::start_at(const ArchivePlace& place) {
  next_index_ = std::min(place.input, paths_.size());
  start_ = place.position;
  for (size_t i = 0; i < next_index_; ++i)
    finished_bytes_ += sizes_[i];
  bytes_read_.store(finished_bytes_ + start_.file_offset, std::memory_order_relaxed);
}

ArchiveReader::Outcome ArchiveReader::next(WarcRecord& record, RecordDamage& damage) {
  for (;;) {
    if (!reader_) {
      if (next_index_ == paths_.size()) return Outcome::kEnd;
      if (!begin_file()) return Outcome::kReadError;
    }
    const Outcome outcome = reader_->next(record, damage);
    bytes_read_.store(finished_bytes_ + stream_->source_offset(), std::memory_order_relaxed);
    if (outcome == Outcome::kReadError) error_ = path() + ": " + stream_->read_error();
    if (outcome != Outcome::kEnd) return outcome;
    end_file();
  }
}

bool ArchiveReader::begin_file() {
  index_ = next_index_++;
  std::string reason;
  source_ = FileSource::open(path(), reason);
  if (!source_) {
    error_ = path() + ": " + reason;
    return false;
  }
  const InputPosition start = std::exchange(start_, {});
  // Standard input is read from where it stands.
  if (start.file_offset > 0 && !source_->seek(start.file_offset)) {
    error_ = path() + ": " + source_->error();
    return false;
  }
  stream_ = std::make_unique<InputStream>(*source_, start.file_offset);
  if (!stream_->skip(start.member_offset)) {
    const std::string& failure = stream_->read_error();
    error_ = path() + ": " + (failure.empty() ? to_text(start) + " is behind its end" : failure);
    return false;
  }
  reader_ = std::make_unique<WarcReader>(*stream_, max_block_bytes_);
  return true;
}

void ArchiveReader::end_file() {
  finished_bytes_ += stream_->source_offset();
  reader_.reset();
  stream_.reset();
  source_.reset();
}

}  // namespace ndc
