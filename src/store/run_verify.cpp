// Verifies a run from its first byte to its last, including what look-ups never reach: order, filter,
// directory and padding.
#include <algorithm>
#include <utility>

#include "store/entry_layout.hpp"
#include "store/run_file.hpp"
#include "store/run_layout.hpp"

namespace nd::store {
namespace {

// Reads a part of a file from its beginning to its end. Errors set the offset.
class SectionReader {
 public:
  SectionReader(const File& file, uint64_t offset, uint64_t end, uint64_t& fault_offset)
      : file_(file),
        offset_(offset),
        end_(end),
        fault_offset_(fault_offset),
        buffer_(static_cast<size_t>(std::min(kBufferBytes, end - offset))) {}

  uint64_t offset() const noexcept { return offset_ - (filled_ - used_); }

  // The next bytes, up to `count` (at most kBufferBytes), fewer at the end. Valid until the next call.
  Result<Bytes> next(uint64_t count) {
    if (filled_ - used_ < count) {
      if (Result<void> read = fill(); !read) return std::move(read).failure();
    }
    const Bytes bytes = Bytes(buffer_).subspan(used_, std::min<size_t>(count, filled_ - used_));
    used_ += bytes.size();
    return bytes;
  }

  static constexpr uint64_t kBufferBytes = 4 * kBlockBytes;

 private:
  Result<void> fill() {
    std::copy(buffer_.begin() + static_cast<ptrdiff_t>(used_),
              buffer_.begin() + static_cast<ptrdiff_t>(filled_), buffer_.begin());
    filled_ -= std::exchange(used_, 0);
    const size_t wanted = std::min<size_t>(kBufferBytes - filled_, end_ - offset_);
    fault_offset_ = offset_;
    const Result<size_t> read = file_.read(offset_, std::span(buffer_).subspan(filled_, wanted));
    if (!read) return read.failure();
    if (*read != wanted) return error(Status::kCorrupt, "the file ends early");
    offset_ += wanted;
    filled_ += wanted;
    return {};
  }

  const File& file_;
  uint64_t offset_;  // of the next read from the file
  uint64_t end_;
  uint64_t& fault_offset_;
  Vector<uint8_t> buffer_;
  size_t used_ = 0;
  size_t filled_ = 0;
};

bool is_zero(Bytes bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

class RunVerification {
 public:
  RunVerification(const File& file, const RunTrailer& trailer, uint64_t& fault_offset)
      : trailer_(trailer),
        layout_(trailer),
        fault_offset_(fault_offset),
        blocks_(file, 0, trailer.checksums_offset, fault_offset),
        values_(file, kValuesOffset, trailer.entries_offset, fault_offset),
        entries_(file, trailer.entries_offset, trailer.directory_offset, fault_offset),
        directory_(file, trailer.directory_offset, directory_section_end(trailer), fault_offset),
        filter_(file, directory_section_end(trailer), trailer.checksums_offset, fault_offset) {}

  Result<void> check_blocks(std::span<const uint64_t> checksums) {
    for (const uint64_t checksum : checksums) {
      const uint64_t offset = blocks_.offset();
      const Result<Bytes> block = blocks_.next(kBlockBytes);
      if (!block) return block.failure();
      if (offset == 0) {
        if (std::memcmp(block->data(), &trailer_.head, sizeof trailer_.head) != 0) {
          return fault(0, "this is not the beginning of a run");
        }
      }
      if (checksum_of(*block) != checksum) return fault(offset, "a block of the run has a wrong checksum");
    }
    return {};
  }

  // Reads values, entries and directory in step: each determines where the next of the others must be.
  Result<void> check_entries() {
    if (has_filter(trailer_)) {
      Result<void> checked =
          check_padding(filter_, filter_offset(trailer_) - directory_section_end(trailer_));
      if (!checked) return checked;
    }
    if (Result<void> checked = begin_directory(); !checked) return checked;
    uint64_t erased_count = 0;
    uint64_t previous_key = 0;
    for (uint64_t position = 0; position < trailer_.entry_count; ++position) {
      if (Result<void> checked = go_to_bucket_of(position); !checked) return checked;
      const uint64_t offset = entries_.offset();
      const Result<Bytes> entry = entries_.next(layout_.entry_bytes());
      if (!entry) return entry.failure();
      const std::optional<uint64_t> key = layout_.key(entry->data(), bucket_);
      if (!key) return fault(offset, "an entry of the run has a key of another bucket");
      if (position == 0 ? *key != trailer_.least_key : *key <= previous_key) {
        return fault(offset, "the keys of the run do not ascend from the least");
      }
      if (*key > trailer_.greatest_key) return fault(offset, "a key is greater than the greatest");
      if (bucket_of(trailer_, *key) != bucket_) return misdirected();
      previous_key = *key;
      const EntryPlace place = layout_.place(entry->data());
      if (place.kind == kErased) ++erased_count;
      if (Result<void> checked = check_place(place, offset); !checked) return checked;
      if (Result<void> checked = check_filter(*key); !checked) return checked;
    }
    if (previous_key != trailer_.greatest_key) {
      return fault(trailer_.directory_offset, "the greatest key is not the last");
    }
    if (erased_count != trailer_.erased_count) {
      return fault(trailer_.entries_offset, "the number of erased entries is another one");
    }
    return check_ends();
  }

 private:
  Error fault(uint64_t offset, std::string_view sentence) {
    fault_offset_ = offset;
    return error(Status::kCorrupt, sentence);
  }

  Result<void> check_place(EntryPlace place, uint64_t offset) {
    if (place.kind == kOutOfLine) return check_value(layout_.offset(place), offset);
    if (place.kind > layout_.data_bytes() && place.kind != kErased)
      return fault(offset, "an entry of the run is of no known kind");
    const uint32_t used_bytes = place.kind == kErased ? 0 : place.kind;
    if (uint64_t{place.data} >> 8 * used_bytes != 0) return fault(offset, "bytes that must be 0 are not");
    return {};
  }

  // Values must follow each other in the order of their keys.
  Result<void> check_value(uint64_t value_offset, uint64_t entry_offset) {
    const uint64_t offset = values_.offset();
    if (value_offset != offset) return fault(entry_offset, "an entry does not point to the next value");
    const Result<Bytes> bytes = values_.next(sizeof(ValueHead));
    if (!bytes) return bytes.failure();
    ValueHead head{0, 0};
    if (bytes->size() == sizeof head) std::memcpy(&head, bytes->data(), sizeof head);
    if (head.size <= kInlineBytes || head.reserved != 0 ||
        head.size > trailer_.entries_offset - values_.offset()) {
      return fault(offset, "a value of the run has an impossible size");
    }
    for (uint64_t rest = head.size; rest != 0;) {
      const Result<Bytes> part = values_.next(std::min(rest, SectionReader::kBufferBytes));
      if (!part) return part.failure();
      rest -= part->size();
    }
    return check_padding(values_, round_up(head.size, 8) - head.size);
  }

  Result<void> check_padding(SectionReader& section, uint64_t count) {
    const uint64_t offset = section.offset();
    const Result<Bytes> padding = section.next(count);
    if (!padding) return padding.failure();
    if (padding->size() != count || !is_zero(*padding)) return fault(offset, "bytes that must be 0 are not");
    return {};
  }

  // Before the first entry: the directory begins with its position.
  Result<void> begin_directory() {
    if (Result<void> read = read_position(); !read) return read;
    if (bucket_end_ != 0) return misdirected();
    return read_position();
  }

  Result<void> go_to_bucket_of(uint64_t position) {
    while (position >= bucket_end_) {
      if (++bucket_ == trailer_.bucket_count) return misdirected();
      if (Result<void> read = read_position(); !read) return read;
    }
    return {};
  }

  // Where the next bucket ends.
  Result<void> read_position() {
    const Result<Bytes> bytes = directory_.next(trailer_.position_bytes);
    if (!bytes) return bytes.failure();
    const uint64_t position = load_number(bytes->data(), static_cast<uint32_t>(bytes->size()));
    if (position < bucket_end_ || position > trailer_.entry_count) return misdirected();
    bucket_end_ = position;
    return {};
  }

  // The last position that was read.
  Error misdirected() {
    return fault(directory_.offset() - trailer_.position_bytes, "the directory of the run points elsewhere");
  }

  // Each part must have the bits of its keys and no others.
  Result<void> check_filter(uint64_t key) {
    if (!has_filter(trailer_)) return {};
    const uint64_t part = filter_part_of(trailer_, key);
    for (; filter_part_ < part; ++filter_part_) {
      if (Result<void> checked = check_filter_part(); !checked) return checked;
      expected_part_ = FilterPart();
    }
    expected_part_.add(key);
    return {};
  }

  Result<void> check_filter_part() {
    const uint64_t offset = filter_.offset();
    const Result<Bytes> bytes = filter_.next(sizeof expected_part_);
    if (!bytes) return bytes.failure();
    if (bytes->size() != sizeof expected_part_ ||
        std::memcmp(bytes->data(), &expected_part_, sizeof expected_part_) != 0) {
      return fault(offset, "the filter of the run has other keys");
    }
    return {};
  }

  Result<void> check_ends() {
    if (values_.offset() != trailer_.entries_offset) {
      return fault(values_.offset(), "a value belongs to no entry");
    }
    Result<void> checked = check_padding(entries_, trailer_.directory_offset - entries_.offset());
    if (!checked) return checked;
    if (bucket_end_ != trailer_.entry_count) return misdirected();
    checked = check_padding(directory_, directory_section_end(trailer_) - directory_.offset());
    return checked && has_filter(trailer_) ? check_filter_part() : checked;
  }

  const RunTrailer& trailer_;
  EntryLayout layout_;
  uint64_t& fault_offset_;
  SectionReader blocks_;
  SectionReader values_;
  SectionReader entries_;
  SectionReader directory_;
  SectionReader filter_;
  uint64_t bucket_ = 0;      // of the entry
  uint64_t bucket_end_ = 0;  // its last position and one
  FilterPart expected_part_;
  uint64_t filter_part_ = 0;  // the number of the expected one
};

}  // namespace

Result<void> verify_run(FileSystem& files, std::string_view directory, const RunDescription& description,
                        uint64_t& fault_offset) {
  const Result<OpenedRun> run = open_run_file(files, directory, description, fault_offset);
  if (!run) return run.failure();
  const Result<Vector<uint64_t>> checksums = read_block_checksums(*run->file, run->trailer, fault_offset);
  if (!checksums) return checksums.failure();
  RunVerification verification(*run->file, run->trailer, fault_offset);
  if (Result<void> checked = verification.check_blocks(*checksums); !checked) return checked;
  return verification.check_entries();
}

Result<void> find_damaged_blocks(FileSystem& files, std::string_view directory,
                                 const RunDescription& description,
                                 const std::function<void(uint64_t offset, uint64_t bytes)>& visit) {
  uint64_t fault_offset = 0;
  const Result<OpenedRun> run = open_run_file(files, directory, description, fault_offset);
  if (!run) return run.failure();
  const Result<Vector<uint64_t>> checksums = read_block_checksums(*run->file, run->trailer, fault_offset);
  if (!checksums) return checksums.failure();
  Vector<uint8_t> block;
  uint64_t offset = 0;
  for (const uint64_t checksum : *checksums) {
    block.resize(std::min(kBlockBytes, run->trailer.checksums_offset - offset));
    const Result<size_t> read = run->file->read(offset, block);
    if (!read || *read != block.size() || checksum_of(Bytes(block)) != checksum) visit(offset, block.size());
    offset += block.size();
  }
  return {};
}

}  // namespace nd::store
