#include "input_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ndc {
namespace {

constexpr size_t kChunkBytes = size_t{256} << 10;
// How far back of the point of failure the next member is looked for: damaged deflate data may be misread
// across the end of its member, but invalid codes and distances show within kilobytes.
constexpr size_t kHistoryBytes = size_t{1} << 20;
constexpr size_t kInputCapacity = kHistoryBytes + 4 * kChunkBytes;
// Enough of a member for its header, the table of its first deflate block, and the first bytes it gives.
constexpr size_t kTrialBytes = 4096;
constexpr std::string_view kRecordMagic = "WARC/1.";
constexpr std::string_view kGzipMagic = "\x1f\x8b\x08";

}  // namespace

std::string to_text(const InputPosition& position) {
  std::string text = "byte " + std::to_string(position.file_offset);
  if (position.member_offset > 0) {
    text += " + " + std::to_string(position.member_offset) + " decompressed";
  }
  return text;
}

InputStream::InputStream(ByteSource& source, uint64_t first_offset)
    : source_(source),
      first_offset_(first_offset),
      source_offset_(first_offset),
      input_base_(first_offset),
      input_next_(first_offset) {}

bool InputStream::fill() {
  if (format_ == Format::kUnknown && !detect_format()) return false;
  return format_ == Format::kPlain ? fill_plain() : fill_gzip();
}

void InputStream::release() {
  released_ = cursor_;
  const uint64_t offset = base_ + released_;
  // One member at or before the offset stays: positions are counted from it.
  while (record_members_.size() > 1 && record_members_[1].start <= offset)
    record_members_.pop_front();
}

bool InputStream::skip(uint64_t count) {
  while (count > 0) {
    if (ahead().empty() && !fill()) return false;
    const size_t step = static_cast<size_t>(std::min<uint64_t>(count, ahead().size()));
    consume(step);
    release();
    count -= step;
  }
  while (!damages_.empty() && damages_.front().end <= offset())
    damages_.pop_front();
  return true;
}

std::optional<uint64_t> InputStream::record_start_after(uint64_t offset) const {
  for (const Member& member : record_members_) {
    if (member.start > offset) return member.start;
  }
  return std::nullopt;
}

bool InputStream::is_record_start(uint64_t offset) const {
  return std::any_of(record_members_.begin(), record_members_.end(),
                     [offset](const Member& member) { return member.start == offset; });
}

bool InputStream::is_inside_member() const {
  const uint64_t here = offset();
  if (format_ != Format::kGzip || here == member_.start || is_record_start(here)) return false;
  return std::none_of(damages_.begin(), damages_.end(),
                      [here](const Damage& damage) { return damage.begin == here; });
}

InputPosition InputStream::position_of(uint64_t offset) const {
  if (format_ != Format::kGzip) return {offset, 0};
  Member nearest{0, first_offset_};
  for (const Member& member : record_members_) {
    if (member.start <= offset) nearest = member;
  }
  for (const Damage& damage : damages_) {
    if (damage.begin <= offset && offset < damage.end) nearest = {damage.begin, damage.position.file_offset};
  }
  if (member_.start <= offset && member_.start >= nearest.start) nearest = member_;
  return {nearest.file_offset, offset - nearest.start};
}

std::optional<uint64_t> InputStream::remaining() const {
  const std::optional<uint64_t> size = source_.size();
  if (format_ != Format::kPlain || !size || *size < offset()) return std::nullopt;
  return *size - offset();
}

// Makes room for a chunk behind filled_: first at the cost of released bytes, then of memory.
void InputStream::make_room() {
  if (capacity_ - filled_ >= kChunkBytes) return;
  const size_t alive = filled_ - released_;
  if (capacity_ < alive + kChunkBytes || released_ < alive) {
    const size_t capacity = std::max(4 * kChunkBytes, 2 * (alive + kChunkBytes));
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (alive > 0) std::memcpy(larger.get(), buffer_.get() + released_, alive);
    buffer_ = std::move(larger);
    capacity_ = capacity;
  } else if (alive > 0) {
    std::memmove(buffer_.get(), buffer_.get() + released_, alive);
  }
  base_ += released_;
  cursor_ -= released_;
  filled_ = alive;
  released_ = 0;
}

bool InputStream::detect_format() {
  input_ = std::make_unique_for_overwrite<char[]>(kInputCapacity);
  fill_input(kTrialBytes);
  if (input_filled_ == 0) {
    read_error_ = failure_;
    return false;
  }
  format_ = Format::kPlain;
  if (input_from(first_offset_).starts_with(kGzipMagic)) {
    format_ = Format::kGzip;
  } else if (!input_from(first_offset_).starts_with(kRecordMagic)) {
    // A gzip file whose first bytes are damaged still has members near its start.
    fill_input(kChunkBytes);
    const std::string_view start = input_from(first_offset_);
    for (size_t at = start.find(kGzipMagic); at != std::string_view::npos;
         at = start.find(kGzipMagic, at + 1)) {
      if (holds_record(first_offset_ + at)) {
        format_ = Format::kGzip;
        break;
      }
    }
  }
  if (format_ == Format::kGzip) {
    inflater_ = std::make_unique<GzipInflater>();
    fill_input(kChunkBytes);
  } else {
    // What was read to tell is the first that fill_plain gives.
    buffer_ = std::move(input_);
    capacity_ = kInputCapacity;
    filled_ = input_filled_;
    base_ = first_offset_;
  }
  return true;
}

bool InputStream::fill_plain() {
  if (input_filled_ > 0) {
    input_filled_ = 0;
    return true;
  }
  make_room();
  const size_t count = read_piece(buffer_.get() + filled_, kChunkBytes);
  filled_ += count;
  if (count == 0) read_error_ = failure_;
  return count > 0;
}

bool InputStream::fill_gzip() {
  const uint64_t before = end_offset();
  while (end_offset() == before || (in_member_ && !member_noted_)) {
    if (!in_member_) {
      if (end_offset() > before || !begin_member()) break;
      continue;
    }
    make_room();
    if (!inflate_some()) break;
    note_member_start();
  }
  return end_offset() > before;
}

// Inflates what fits into one chunk. False: the member's data or the file ended before any byte came.
bool InputStream::inflate_some() {
  std::string_view input = input_from(input_next_);
  if (input.empty()) {
    const uint64_t history = input_next_ > kHistoryBytes ? input_next_ - kHistoryBytes : 0;
    if (!read_input(std::max(member_.file_offset, history))) {
      // A failed read says nothing about the member.
      if (!read_error_.empty()) return false;
      end_damaged_member("the gzip member is cut by the end of the file");
      return true;
    }
    input = input_from(input_next_);
  }
  const GzipInflater::Progress progress = inflater_->run(input, buffer_.get() + filled_, kChunkBytes);
  filled_ += progress.given;
  input_next_ += progress.taken;
  if (progress.outcome == GzipInflater::Outcome::kEnded) {
    in_member_ = false;
  } else if (progress.outcome == GzipInflater::Outcome::kDamaged) {
    end_damaged_member("the gzip member is damaged (" + std::string(inflater_->reason()) + ")");
  }
  return true;
}

void InputStream::end_damaged_member(std::string reason) {
  damages_.push_back({member_.start, end_offset(), {member_.file_offset, 0}, std::move(reason)});
  note_member_start();
  in_member_ = false;
  const uint64_t history = input_next_ > kHistoryBytes ? input_next_ - kHistoryBytes : 0;
  find_member(std::max(member_.file_offset + 1, history));
}

// Remembers the member once enough bytes show that a record begins with it.
void InputStream::note_member_start() {
  if (member_noted_) return;
  const uint64_t count = end_offset() - member_.start;
  if (count < kRecordMagic.size() && in_member_) return;
  member_noted_ = true;
  const std::string_view bytes(buffer_.get() + (member_.start - base_), static_cast<size_t>(count));
  if (bytes.starts_with(kRecordMagic)) record_members_.push_back(member_);
}

bool InputStream::begin_member() {
  if (input_from(input_next_).size() < kGzipMagic.size()) {
    while (input_from(input_next_).size() < kGzipMagic.size() && read_input(input_next_)) {
    }
    // What a failed read leaves of a member's first bytes says nothing about the member.
    if (input_from(input_next_).empty() || !read_error_.empty()) return false;
  }
  if (!input_from(input_next_).starts_with(kGzipMagic)) {
    // Tapes and block devices pad with zeros.
    if (skip_zero_padding()) return false;
    damages_.push_back({end_offset(), end_offset(), {input_next_, 0}, "no gzip member begins here"});
    if (!find_member(input_next_)) return false;
  }
  member_ = {end_offset(), input_next_};
  member_noted_ = false;
  in_member_ = true;
  inflater_->start();
  return true;
}

// True if nothing but zeros follow; the cursor stays at the first byte that is not.
bool InputStream::skip_zero_padding() {
  const uint64_t start = input_next_;
  for (;;) {
    const std::string_view input = input_from(input_next_);
    const size_t count = std::min(input.find_first_not_of('\0'), input.size());
    input_next_ += count;
    if (count < input.size()) {
      // Zeros before garbage are a part of it, and the report names where that begins.
      if (start >= input_base_) input_next_ = start;
      return false;
    }
    if (!read_input(input_next_)) return true;
  }
}

// Sets input_next_ to the next member from `from` on that begins with a record, or to the end.
bool InputStream::find_member(uint64_t from) {
  input_next_ = from;
  for (;;) {
    const std::string_view input = input_from(input_next_);
    const size_t at = input.find(kGzipMagic);
    if (at != std::string_view::npos) {
      input_next_ += at;
      if (holds_record(input_next_)) return true;
      ++input_next_;
      continue;
    }
    if (input.size() >= kGzipMagic.size()) input_next_ += input.size() - (kGzipMagic.size() - 1);
    if (!read_input(input_next_)) {
      input_next_ = input_base_ + input_filled_;
      return false;
    }
  }
}

// Whether the gzip member at this file offset begins with a WARC record.
bool InputStream::holds_record(uint64_t at) {
  while (input_from(at).size() < kTrialBytes && read_input(at)) {
  }
  const std::string_view input = input_from(at);
  if (!trial_inflater_) trial_inflater_ = std::make_unique<GzipInflater>();
  trial_inflater_->start();
  char start[kRecordMagic.size()];
  const GzipInflater::Progress progress = trial_inflater_->run(input, start, sizeof start);
  return std::string_view(start, progress.given) == kRecordMagic;
}

std::string_view InputStream::input_from(uint64_t file_offset) const {
  const size_t at = std::min(static_cast<size_t>(file_offset - input_base_), input_filled_);
  return {input_.get() + at, input_filled_ - at};
}

// Appends a chunk to the compressed bytes and keeps those from `keep_from` on. False at the end or on a read
// error.
bool InputStream::read_input(uint64_t keep_from) {
  if (kInputCapacity - input_filled_ < kChunkBytes) {
    const size_t dropped = std::min(static_cast<size_t>(keep_from - input_base_), input_filled_);
    std::memmove(input_.get(), input_.get() + dropped, input_filled_ - dropped);
    input_base_ += dropped;
    input_filled_ -= dropped;
  }
  const size_t before = input_filled_;
  fill_input(before + kChunkBytes);
  if (input_filled_ == before) read_error_ = failure_;
  return input_filled_ > before;
}

// Up to `size` bytes of input_ or the end, in whatever pieces the source gives them: how much can be had of a
// damaged member depends on how many bytes the inflater is given together with the damage.
void InputStream::fill_input(size_t size) {
  while (input_filled_ < size) {
    const size_t count = read_piece(input_.get() + input_filled_, size - input_filled_);
    if (count == 0) return;
    input_filled_ += count;
  }
}

// What the source gives at once. 0 at the end or on a read error.
size_t InputStream::read_piece(char* out, size_t size) {
  if (source_ended_) return 0;
  const std::optional<size_t> count = source_.read(out, size);
  if (!count) failure_ = source_.error();
  source_ended_ = !count || *count == 0;
  source_offset_ += count.value_or(0);
  return count.value_or(0);
}

}  // namespace ndc
