// Opens the inputs in turn and reads again the records that revisits refer to, within a bound on hostile
// archives.
#include "archives/archive_reader.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "archives/arc_reader.hpp"
#include "archives/archive_page.hpp"
#include "archives/file_page_reader.hpp"
#include "archives/header_fields.hpp"
#include "archives/http_message.hpp"
#include "archives/json_lines_reader.hpp"
#include "archives/warc_reader.hpp"

namespace ndc {
namespace {

constexpr int kNotModifiedStatus = 304;
// How often revisits may have read again all that the archives hold. Daily crawls of a month in one run come
// to this if no page of them has changed.
constexpr uint64_t kReadAgainFactor = 32;
// More than any archive has; a number of 64 bits holds it.
constexpr double kMostBytes = 1e18;
// Room for the HTTP header of a record, and more.
constexpr size_t kStatusBlockBytes = size_t{64} << 10;

// Equal payloads come with any status: an error page may be the same for all. 304 says only that nothing is
// new.
void take_own_status(WarcRecord& revisit) {
  std::string_view block = revisit.block;
  revisit.own_status = parse_http_header(block).status;
  if (revisit.own_status != kNotModifiedStatus) return;
  revisit.is_not_modified = true;
  revisit.own_status = 0;
}

std::string ended_early(uint64_t end, uint64_t size) {
  return "the file ends at byte " + std::to_string(end) + ", before byte " + std::to_string(size);
}

bool is_before(const InputPosition& a, const InputPosition& b) {
  return std::tie(a.file_offset, a.member_offset) < std::tie(b.file_offset, b.member_offset);
}

}  // namespace

ArchiveReader::ArchiveReader(std::vector<std::string> paths, size_t max_block_bytes,
                             const InputLimits& limits)
    : paths_(std::move(paths)), max_block_bytes_(max_block_bytes), limits_(limits) {}

ArchiveReader::ArchiveReader(std::string name, std::shared_ptr<StoredBytes> bytes, size_t max_block_bytes,
                             const InputLimits& limits)
    : paths_{std::move(name)}, bytes_(std::move(bytes)), max_block_bytes_(max_block_bytes), limits_(limits) {}

bool ArchiveReader::check() {
  checked_ = true;
  total_bytes_ = 0;
  files_.clear();
  for (const std::string& path : paths_) {
    const bool added =
        bytes_ ? add_stored(path, bytes_, limits_, files_, error_) : add_input(path, limits_, files_, error_);
    if (!added) return false;
  }
  for (const auto& file : files_) {
    if (!file->size) total_bytes_.reset();
    if (total_bytes_) *total_bytes_ += *file->size;
  }
  return true;
}

std::vector<std::string> ArchiveReader::file_paths() const {
  std::vector<std::string> all;
  for (const auto& file : files_) {
    if (all.empty() || all.back() != file->path()) all.push_back(file->path());
  }
  return all;
}

std::vector<std::string> ArchiveReader::read_paths() const {
  std::vector<std::string> all = file_paths();
  all.insert(all.end(), paths_.begin(), paths_.end());
  return all;
}

void ArchiveReader::start_at(const ArchivePlace& place) {
  next_index_ = std::min(place.input, files_.size());
  start_ = place.position;
  unread_before_ = place;
  for (size_t i = 0; i < next_index_; ++i)
    finished_bytes_ += files_[i]->size.value_or(0);
  finished_stored_bytes_ = static_cast<double>(finished_bytes_);
  finished_content_bytes_ = finished_bytes_;
  bytes_read_.store(finished_bytes_ + start_.file_offset, std::memory_order_relaxed);
}

void ArchiveReader::select(size_t input, uint64_t begin) {
  next_index_ = std::min(input, files_.size());
  end_index_ = next_index_ + 1;
  start_ = {begin, 0};
}

ArchiveReader::Outcome ArchiveReader::next(WarcRecord& record, RecordDamage& damage) {
  if (!checked_ && !check()) return Outcome::kReadError;
  for (;;) {
    if (!current_.reader) {
      if (next_index_ >= std::min(end_index_, files_.size())) return Outcome::kEnd;
      const InputFile& file = *files_[next_index_];
      if (!is_read(next_index_)) {
        index_ = next_index_++;
        return give_unreadable(file, record, damage);
      }
      if (!begin_file(damage)) return error_.empty() ? Outcome::kDamaged : Outcome::kReadError;
      if (!current_.reader) continue;
    }
    Outcome outcome = current_.reader->next(record, damage);
    bytes_read_.store(finished_bytes_ + current_.stream->source_offset(), std::memory_order_relaxed);
    if (outcome == Outcome::kReadError && files_[index_]->is_listed) {
      // The other files of the folder, or entries of the ZIP file, may well be whole.
      const std::string& failure = current_.stream->read_error();
      const bool is_entry = files_[index_]->form == InputFile::Form::kZipEntry;
      damage = {current_.stream->position_of(current_.stream->offset()),
                is_entry ? "the entry of the ZIP file is damaged (" + failure + ")" : failure};
      end_file();
      return Outcome::kDamaged;
    }
    if (outcome == Outcome::kReadError) error_ = shown_name(path()) + ": " + current_.stream->read_error();
    if (outcome == Outcome::kEnd) {
      const std::optional<uint64_t> early_end = current_.source->early_end();
      if (early_end) damage = {{*early_end, 0}, ended_early(*early_end, *current_.source->size())};
      end_file();
      if (early_end) return Outcome::kDamaged;
      continue;
    }
    if (outcome == Outcome::kRecord && current_.detected.kind == InputKind::kWarc) {
      if (equals_ignoring_case(record.type, "revisit")) {
        resolve_revisit(record);
      } else if (may_be_page(record)) {
        revisits_.note(record, index_, limits_.max_files);
      }
    }
    return outcome;
  }
}

// A folder entry that cannot be read.
ArchiveReader::Outcome ArchiveReader::give_unreadable(const InputFile& file, WarcRecord& record,
                                                      RecordDamage& damage) {
  if (file.form == InputFile::Form::kUnreadable) {
    damage = {{}, file.reason};
    return Outcome::kDamaged;
  }
  record = {};
  record.type = kNotFollowedType;
  return Outcome::kRecord;
}

// Opens the next file. False: it is damaged, and the others may well be whole; or error() says why.
bool ArchiveReader::begin_file(RecordDamage& damage) {
  index_ = next_index_++;
  const InputPosition start = std::exchange(start_, {});
  std::string reason;
  if (open(index_, start, current_, reason)) return true;
  if (!current_.stream || current_.detected.kind != InputKind::kText || current_.stream->is_packed()) {
    if (files_[index_]->is_listed && start.file_offset == 0 && start.member_offset == 0) {
      damage = {start, reason};
    } else {
      error_ = shown_name(path()) + ": " + reason;
    }
    return false;
  }
  // Standard input, or a pipe, which could not be examined before.
  const bool inserted = insert_listed(*current_.stream);
  end_file();
  return inserted;
}

// Replaces a list by the files that it names.
bool ArchiveReader::insert_listed(InputStream& list) {
  InputFiles listed;
  if (!add_listed(list, shown_name(path()), limits_, listed, error_)) return false;
  files_.insert(files_.begin() + static_cast<std::ptrdiff_t>(next_index_),
                std::make_move_iterator(listed.begin()), std::make_move_iterator(listed.end()));
  return true;
}

bool ArchiveReader::open(size_t index, const InputPosition& start, OpenInput& opened, std::string& reason) {
  const InputFile& file = *files_[index];
  opened = {};
  std::string dictionary;
  if (start.file_offset > 0 && current_.stream && index == index_) {
    opened.detected = current_.detected;
    dictionary = current_.stream->dictionary();
  } else if (start.file_offset > 0) {
    // The beginning of a file shows its kind and what its frames need.
    opened.source = open_source(file, file.begin, reason);
    if (!opened.source) return false;
    InputStream beginning(*opened.source, file.begin);
    opened.detected = detect_input(beginning, limits_.json_fields);
    dictionary = beginning.dictionary();
  }
  const uint64_t begin = std::max(start.file_offset, file.begin);
  opened.source = open_source(file, begin, reason);
  if (!opened.source) return false;
  opened.stream =
      std::make_unique<InputStream>(*opened.source, begin, std::move(dictionary), limits_.max_expansion);
  if (start.file_offset == 0) opened.detected = detect_input(*opened.stream, limits_.json_fields);
  // Damage before the first byte must still be reported.
  if (start.member_offset > 0 && !opened.stream->skip(start.member_offset)) {
    const std::string& failure = opened.stream->read_error();
    reason = failure.empty() ? to_text(start) + " is behind its end" : failure;
    return false;
  }
  return choose_reader(file, opened, max_block_bytes_, reason);
}

// The ZIP file that the entry is in, which may itself be within another one.
std::shared_ptr<ZipArchive> ArchiveReader::open_zip(const InputFile& file, ZipFault& fault) {
  const std::shared_ptr<ZipArchive> zip = file.bytes
                                              ? ZipArchive::open(file.bytes, limits_.max_files, fault)
                                              : ZipArchive::open(file.zip_path, limits_.max_files, fault);
  if (!zip || !file.outer_index) return zip;
  for (const ZipEntry& entry : zip->entries()) {
    if (entry.index == *file.outer_index)
      return zip->open_within(entry, limits_.max_files, limits_.max_expansion, fault);
  }
  fault.reason = "has changed while it was read";
  return nullptr;
}

std::unique_ptr<ByteSource> ArchiveReader::open_source(const InputFile& file, uint64_t offset,
                                                       std::string& reason) {
  if (file.form == InputFile::Form::kZipEntry) {
    if (!zip_ || zip_path_ != file.zip_path || zip_outer_index_ != file.outer_index) {
      ZipFault fault;
      zip_ = open_zip(file, fault);
      if (!zip_) reason = fault.reason;
      zip_path_ = file.zip_path;
      zip_outer_index_ = file.outer_index;
    }
    return zip_ ? zip_->read(file.zip_index, offset, reason) : nullptr;
  }
  if (file.bytes) return std::make_unique<StoredSource>(file.bytes, offset);
  std::unique_ptr<FileSource> source = FileSource::open(file.name, reason);
  // Standard input is read from its current position.
  if (source && offset > 0 && !source->seek(offset)) {
    reason = source->error();
    return nullptr;
  }
  return source;
}

bool ArchiveReader::choose_reader(const InputFile& file, OpenInput& opened, size_t max_block_bytes,
                                  std::string& reason) {
  InputStream& stream = *opened.stream;
  switch (opened.detected.kind) {
    case InputKind::kEmpty:
    case InputKind::kWarc:
      opened.reader = std::make_unique<WarcReader>(stream, max_block_bytes);
      return true;
    case InputKind::kArc:
      opened.reader = std::make_unique<ArcReader>(stream, max_block_bytes);
      return true;
    case InputKind::kJsonLines:
      opened.reader = std::make_unique<JsonLinesReader>(stream, max_block_bytes, limits_.json_fields);
      return true;
    case InputKind::kHtml:
    case InputKind::kText:
    case InputKind::kPacked:
    case InputKind::kOther:
      break;
  }
  const bool is_known = opened.detected.kind != InputKind::kPacked;
  if ((file.is_listed && is_known) || opened.detected.kind == InputKind::kHtml) {
    opened.reader = std::make_unique<FilePageReader>(stream, file.name, max_block_bytes);
    return true;
  }
  reason = "looks like " + opened.detected.looks_like + ", not like an archive of pages";
  if (is_zip(stream.ahead())) reason += "; a WACZ file wants its name, since it is not read in one go";
  return false;
}

void ArchiveReader::end_file() {
  finished_bytes_ += current_.stream->source_offset();
  finished_stored_bytes_ += current_.stored_bytes();
  finished_content_bytes_ += current_.stream->offset();
  // Each part refers to the one before it.
  current_.reader.reset();
  current_.stream.reset();
  current_ = {};
}

// Gives the revisit the content of the page that it refers to, if that is available.
void ArchiveReader::resolve_revisit(WarcRecord& revisit) {
  revisit.too_costly = false;
  revisit.content_at.reset();
  take_own_status(revisit);
  if (unread_before_) note_earlier_records();
  const std::optional<ArchivePlace> place = revisits_.find(revisit);
  if (!place || !files_[place->input]->can_be_read_again()) return;
  // After the start of a deflated ZIP entry, or of a gzip member, only what was already inflated can be
  // reached.
  const uint64_t before =
      (files_[place->input]->is_deflated ? place->position.file_offset : 0) + place->position.member_offset;
  if (!may_read_again(before)) {
    revisit.too_costly = true;
    return;
  }
  read_again_bytes_ += before;
  OpenInput opened;
  std::string reason;
  RecordDamage damage;
  WarcRecord original;
  if (!open(place->input, place->position, opened, reason) ||
      opened.reader->next(original, damage) != Outcome::kRecord)
    return;
  read_again_bytes_ += original.block.size();
  // The last text of a URL may be that of another one, if a revisit has said so.
  if (!RevisitIndex::is_meant(revisit, original) && !(revisit.is_not_modified && may_be_page(original)))
    return;
  revisits_.note_found(revisit);
  revisit.content_at = place;
  revisit.type = std::move(original.type);
  revisit.content_type = std::move(original.content_type);
  revisit.block = std::move(original.block);
  revisit.block_cut = original.block_cut;
  revisit.truncated = original.truncated;
}

uint64_t ArchiveReader::allowed_expansion() const {
  const double read = finished_stored_bytes_ + (current_.stream ? current_.stored_bytes() : 0);
  const double allowed = read * static_cast<double>(limits_.max_expansion);
  return kFreeExpansionBytes + static_cast<uint64_t>(std::min(allowed, kMostBytes));
}

bool ArchiveReader::may_read_again(uint64_t bytes) const {
  const uint64_t held = finished_content_bytes_ + current_.stream->offset();
  const uint64_t allowed = std::min(kFreeExpansionBytes + held * kReadAgainFactor, allowed_expansion());
  return read_again_bytes_ <= allowed && bytes <= allowed - read_again_bytes_;
}

// When a run resumes in the middle: records what precedes that place, for revisits after it.
void ArchiveReader::note_earlier_records() {
  const ArchivePlace end = *std::exchange(unread_before_, std::nullopt);
  const RevisitIndex later = std::exchange(revisits_, {});
  for (size_t input = 0; input <= end.input && input < files_.size(); ++input) {
    if (!is_read(input)) continue;
    OpenInput opened;
    std::string reason;
    if (!open(input, {}, opened, reason) || opened.detected.kind != InputKind::kWarc) continue;
    // Only the HTTP status of the blocks is needed here.
    WarcReader headers(*opened.stream, kStatusBlockBytes);
    WarcRecord record;
    RecordDamage damage;
    for (;;) {
      const Outcome outcome = headers.next(record, damage);
      if (outcome == Outcome::kEnd || outcome == Outcome::kReadError) break;
      if (outcome != Outcome::kRecord) continue;
      if (input == end.input && !is_before(record.position, end.position)) break;
      if (may_be_page(record)) revisits_.note(record, input, limits_.max_files);
      if (!record.is_revisit) continue;
      take_own_status(record);
      revisits_.note_found(record);
    }
  }
  revisits_.append(later);
}

}  // namespace ndc
