#include "input_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gzip_inflater.hpp"
#include "zstd_inflater.hpp"

namespace ndc {
namespace {

constexpr size_t kChunkBytes = size_t{256} << 10;
// How far before the point of failure the search for the next member begins: damaged deflate data may be
// misread across the end of its member, but invalid codes and distances show within kilobytes.
constexpr size_t kHistoryBytes = size_t{1} << 20;
constexpr size_t kInputCapacity = kHistoryBytes + 4 * kChunkBytes;
// Enough of a member for its header, the table of its first deflate block, and the first bytes it gives; zstd
// gives whole blocks of up to 128 KiB.
constexpr size_t kGzipTrialBytes = 4096;
constexpr size_t kZstdTrialBytes = (size_t{128} << 10) + 64;
constexpr std::string_view kGzipMagic = "\x1f\x8b\x08";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
// Which may hold gzip WARC files as they are.
constexpr std::string_view kZipMagic = "PK\x03\x04";
// The first frame of a file with a dictionary; other frames to be skipped have another first half byte.
constexpr std::string_view kDictionaryMagic = "\x5d\x2a\x4d\x18";
constexpr std::string_view kExtensionMagicTail = "\x2a\x4d\x18";
constexpr size_t kExtensionHeaderBytes = 8;
constexpr size_t kMaxDictionaryBytes = size_t{64} << 20;

bool is_extension_frame(std::string_view bytes) {
  return bytes.size() >= 4 && bytes.substr(1).starts_with(kExtensionMagicTail) &&
         (static_cast<unsigned char>(bytes.front()) & 0xf0) == 0x50;
}

// Of the data of an extension frame, by its header.
uint32_t extension_size(std::string_view header) {
  uint32_t size = 0;
  for (size_t i = 0; i < 4; ++i)
    size |= static_cast<uint32_t>(static_cast<unsigned char>(header[4 + i])) << (8 * i);
  return size;
}

}  // namespace

std::string to_text(const InputPosition& position) {
  std::string text = "byte " + std::to_string(position.file_offset);
  if (position.member_offset > 0) {
    text += " + " + std::to_string(position.member_offset) + " decompressed";
  }
  return text;
}

bool begins_warc_record(std::string_view bytes) {
  return bytes.starts_with("WARC/1.") || bytes.starts_with("WARC/0.");
}

InputStream::InputStream(ByteSource& source, uint64_t first_offset, std::string dictionary,
                         uint64_t max_expansion)
    : source_(source),
      first_offset_(first_offset),
      source_offset_(first_offset),
      input_base_(first_offset),
      input_next_(first_offset),
      dictionary_(std::move(dictionary)),
      max_expansion_(max_expansion) {}

bool InputStream::fill() {
  if (format_ == Format::kUnknown && !detect_format()) return false;
  if (is_over_expansion()) {
    end_expansion();
    return false;
  }
  return format_ == Format::kPlain ? fill_plain() : fill_members();
}

bool InputStream::is_over_expansion() const {
  const uint64_t given = end_offset();
  if (given < kFreeExpansionBytes) return false;
  const double read = static_cast<double>(source_offset_ - first_offset_) * source_.stored_share();
  return static_cast<double>(given - kFreeExpansionBytes) > read * static_cast<double>(max_expansion_);
}

// Called once: nothing is read any more.
void InputStream::end_expansion() {
  if (std::exchange(expanded_, true)) return;
  damages_.push_back({end_offset(), end_offset(), position_of(end_offset()),
                      "the data expands to more than " + std::to_string(max_expansion_) +
                          " times its size (--max-expansion); the rest of the file is left out"});
  in_member_ = false;
}

std::string_view InputStream::member_name() const {
  return format_ == Format::kZstd ? "zstd frame" : "gzip member";
}

std::string_view InputStream::member_magic() const {
  return format_ == Format::kZstd ? kZstdMagic : kGzipMagic;
}

std::unique_ptr<MemberInflater> InputStream::new_inflater() const {
  if (format_ == Format::kZstd) return std::make_unique<ZstdInflater>(dictionary_);
  return std::make_unique<GzipInflater>();
}

void InputStream::release() {
  released_ = cursor_;
  const uint64_t offset = base_ + released_;
  // One member at or before the offset stays: positions are counted from it.
  while (record_members_.size() > 1 && record_members_[1].start <= offset)
    record_members_.pop_front();
}

bool InputStream::skip_line_ends() {
  release();
  while (!ahead().empty() || fill()) {
    const std::string_view bytes = ahead();
    const size_t count = std::min(bytes.find_first_not_of("\r\n"), bytes.size());
    consume(count);
    release();
    if (count < bytes.size()) return true;
  }
  return false;
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
  if (!is_packed() || here == member_.start || is_record_start(here)) return false;
  return std::none_of(damages_.begin(), damages_.end(),
                      [here](const Damage& damage) { return damage.begin == here; });
}

InputPosition InputStream::position_of(uint64_t offset) const {
  if (!is_packed()) return {offset, 0};
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
  fill_input(kGzipTrialBytes);
  if (input_filled_ == 0) {
    read_error_ = failure_;
    return false;
  }
  format_ = Format::kPlain;
  const std::string_view first = input_from(first_offset_);
  if (first.starts_with(kGzipMagic)) {
    format_ = Format::kGzip;
  } else if (first.starts_with(kZstdMagic) || is_extension_frame(first)) {
    format_ = Format::kZstd;
  } else if (!has_printable_start() && !first.starts_with(kZipMagic)) {
    // A gzip file whose first bytes are damaged still has members near its start.
    fill_input(kChunkBytes);
    const std::string_view start = input_from(first_offset_);
    for (size_t at = start.find(kGzipMagic); at != std::string_view::npos;
         at = start.find(kGzipMagic, at + 1)) {
      format_ = Format::kGzip;
      if (holds_record(first_offset_ + at)) break;
      format_ = Format::kPlain;
    }
  }
  if (format_ == Format::kPlain) {
    // The bytes read to find the kind are the first that fill_plain returns.
    buffer_ = std::move(input_);
    capacity_ = kInputCapacity;
    filled_ = input_filled_;
    base_ = first_offset_;
    return true;
  }
  fill_input(kChunkBytes);
  if (input_from(first_offset_).starts_with(kDictionaryMagic) && first_offset_ == 0 && !take_dictionary()) {
    damages_.push_back({0, 0, {0, 0}, "the zstd dictionary cannot be read"});
  }
  inflater_ = new_inflater();
  return true;
}

// Text needs no search for members behind damage.
bool InputStream::has_printable_start() const {
  constexpr size_t kLooked = 8;
  const std::string_view start = input_from(first_offset_).substr(0, kLooked);
  return start.starts_with("\xEF\xBB\xBF") || std::all_of(start.begin(), start.end(), [](char c) {
           return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
         });
}

// Reads the dictionary frame with which the file begins. False: it is damaged or too long.
bool InputStream::take_dictionary() {
  const std::string_view header = input_from(first_offset_).substr(0, kExtensionHeaderBytes);
  if (header.size() < kExtensionHeaderBytes) return false;
  const uint32_t size = extension_size(header);
  if (size > kMaxDictionaryBytes) return false;
  input_next_ = first_offset_ + kExtensionHeaderBytes;
  std::string data;
  while (data.size() < size) {
    if (input_from(input_next_).empty() && !read_input(input_next_)) return false;
    const std::string_view piece = input_from(input_next_).substr(0, size - data.size());
    data.append(piece);
    input_next_ += piece.size();
  }
  std::optional<std::string> dictionary = zstd_dictionary(data, kMaxDictionaryBytes);
  if (dictionary) dictionary_ = std::move(*dictionary);
  return dictionary.has_value();
}

// Steps over frames that hold no data of the file. False: the file ends in one.
bool InputStream::skip_extension_frames() {
  while (is_extension_frame(input_from(input_next_))) {
    while (input_from(input_next_).size() < kExtensionHeaderBytes) {
      if (!read_input(input_next_)) return false;
    }
    const uint64_t size = extension_size(input_from(input_next_));
    if (!skip_input(kExtensionHeaderBytes + size)) return false;
    while (input_from(input_next_).size() < kZstdMagic.size() && read_input(input_next_)) {
    }
  }
  return true;
}

bool InputStream::skip_input(uint64_t count) {
  while (count > 0) {
    if (input_from(input_next_).empty() && !read_input(input_next_)) return false;
    const uint64_t step = std::min<uint64_t>(count, input_from(input_next_).size());
    input_next_ += step;
    count -= step;
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

bool InputStream::fill_members() {
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
  if (input.empty() && !inflater_->holds_output()) {
    const uint64_t history = input_next_ > kHistoryBytes ? input_next_ - kHistoryBytes : 0;
    if (!read_input(std::max(member_.file_offset, history))) {
      // A failed read says nothing about the member.
      if (!read_error_.empty()) return false;
      end_damaged_member("the " + std::string(member_name()) + " is cut by the end of the file");
      return true;
    }
    input = input_from(input_next_);
  }
  const MemberInflater::Progress progress = inflater_->run(input, buffer_.get() + filled_, kChunkBytes);
  filled_ += progress.given;
  input_next_ += progress.taken;
  if (progress.outcome == MemberInflater::Outcome::kEnded) {
    in_member_ = false;
  } else if (progress.outcome == MemberInflater::Outcome::kDamaged) {
    end_damaged_member("the " + std::string(member_name()) + " is damaged (" +
                       std::string(inflater_->reason()) + ")");
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
  if (count < kWarcMagicBytes && in_member_) return;
  member_noted_ = true;
  const std::string_view bytes(buffer_.get() + (member_.start - base_), static_cast<size_t>(count));
  if (begins_warc_record(bytes)) record_members_.push_back(member_);
}

bool InputStream::begin_member() {
  const std::string_view magic = member_magic();
  if (input_from(input_next_).size() < magic.size()) {
    while (input_from(input_next_).size() < magic.size() && read_input(input_next_)) {
    }
    // What a failed read leaves of a member's first bytes says nothing about the member.
    if (input_from(input_next_).empty() || !read_error_.empty()) return false;
  }
  if (format_ == Format::kZstd) {
    const uint64_t start = input_next_;
    if (!skip_extension_frames() && read_error_.empty()) {
      damages_.push_back(
          {end_offset(), end_offset(), {start, 0}, "a zstd frame is cut by the end of the file"});
      input_next_ += input_from(input_next_).size();  // or the same bytes would be reported again and again
      return false;
    }
    if (input_from(input_next_).empty() || !read_error_.empty()) return false;
  }
  if (!input_from(input_next_).starts_with(magic)) {
    // Tapes and block devices pad with zeros.
    if (skip_zero_padding()) return false;
    damages_.push_back(
        {end_offset(), end_offset(), {input_next_, 0}, "no " + std::string(member_name()) + " begins here"});
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
  const std::string_view magic = member_magic();
  input_next_ = from;
  for (;;) {
    const std::string_view input = input_from(input_next_);
    const size_t at = input.find(magic);
    if (at != std::string_view::npos) {
      input_next_ += at;
      if (holds_record(input_next_)) return true;
      ++input_next_;
      continue;
    }
    if (input.size() >= magic.size()) input_next_ += input.size() - (magic.size() - 1);
    if (!read_input(input_next_)) {
      input_next_ = input_base_ + input_filled_;
      return false;
    }
  }
}

// Whether the member at this file offset begins with a WARC record.
bool InputStream::holds_record(uint64_t at) {
  const size_t trial_bytes = format_ == Format::kZstd ? kZstdTrialBytes : kGzipTrialBytes;
  while (input_from(at).size() < trial_bytes && read_input(at)) {
  }
  const std::string_view input = input_from(at);
  if (!trial_inflater_) trial_inflater_ = new_inflater();
  trial_inflater_->start();
  char start[kWarcMagicBytes];
  const MemberInflater::Progress progress = trial_inflater_->run(input, start, sizeof start);
  return begins_warc_record({start, progress.given});
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
