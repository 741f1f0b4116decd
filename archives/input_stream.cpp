// Inflates member by member, and searches for the next one behind damage, with bounds on what a hostile file
// may cost.
#include "archives/input_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "archives/zstd_inflater.hpp"

namespace ndc {
namespace {

constexpr size_t kChunkBytes = size_t{256} << 10;
// How far before the point of failure the search for the next member begins: damaged deflate data may be
// misread across the end of its member, but invalid codes and distances show within kilobytes.
constexpr size_t kHistoryBytes = size_t{1} << 20;
constexpr size_t kInputCapacity = kHistoryBytes + 4 * kChunkBytes;
// Between two streams, and at the end (The .xz File Format 1.2.0, 2.2).
constexpr std::string_view kXzPadding("\0\0\0\0", 4);
// Enough of a gzip member for its header, the table of its first deflate block, and the beginning of a
// record.
constexpr size_t kLeastTrialBytes = 4096;
// What is tried of a member of another form than gzip: the largest block of zstd with its headers. The first
// block of bzip2 or lz4 may be larger: then is_member() unpacks more.
constexpr size_t kBlockTrialBytes = (size_t{128} << 10) + 64;
// A member that begins with no record is inflated up to so many bytes, or to its end, to check that it is
// one.
constexpr size_t kWholeTrialBytes = kChunkBytes;
// Trials of members may cost this many bytes, read and given, beside some for each byte of the file: data may
// be full of what looks like the beginning of one.
constexpr uint64_t kFreeSearchBytes = uint64_t{8} << 20;
constexpr uint64_t kSearchFactor = 8;
// Which may hold gzip WARC files as they are.
constexpr std::string_view kZipMagic = "PK\x03\x04";
constexpr std::string_view kTarMagic = "ustar";
constexpr size_t kTarMagicOffset = 257;
// The first frame of a file with a dictionary; other frames to be skipped have another first half byte.
constexpr std::string_view kDictionaryMagic = "\x5d\x2a\x4d\x18";
constexpr size_t kMaxDictionaryBytes = size_t{4} << 20;

bool begins_line_with_record(std::string_view bytes) {
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n\f\xEF\xBB\xBF"), bytes.size()));
  return record_start_of(bytes) != RecordStart::kNone;
}

bool has_record_line(std::string_view bytes) {
  for (size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (record_start_of(bytes.substr(at + 1)) != RecordStart::kNone) return true;
  }
  return false;
}

}  // namespace

std::string to_text(const InputPosition& position) {
  std::string text = "byte " + std::to_string(position.file_offset);
  if (position.member_offset > 0) {
    text += " + " + std::to_string(position.member_offset) + " decompressed";
  }
  return text;
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
  if (!packing_ && !detect_packing()) return false;
  if (is_over_expansion()) {
    end_expansion();
    return false;
  }
  return packing_ == Packing::kNone ? fill_plain() : fill_members();
}

bool InputStream::fill_within_member() {
  const uint64_t before = end_offset();
  while (in_member_ && end_offset() == before && !is_over_expansion()) {
    make_room();
    if (!inflate_some()) break;
    note_member_start();
  }
  return end_offset() > before;
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
                          " times its size, the limit; the rest of the file is left out"});
  in_member_ = false;
}

void InputStream::release() {
  released_ = cursor_;
  const uint64_t offset = base_ + released_;
  // One member at or before the offset stays: positions are counted from it.
  while (members_.size() > 1 && members_[1].start <= offset)
    members_.pop_front();
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

std::optional<uint64_t> InputStream::record_start_after(uint64_t offset, RecordStart start) const {
  for (const Member& member : members_) {
    if (member.start > offset && member.record == start) return member.start;
  }
  return std::nullopt;
}

bool InputStream::is_record_start(uint64_t offset) const {
  return std::any_of(members_.begin(), members_.end(), [offset](const Member& member) {
    return member.start == offset && member.record != RecordStart::kNone;
  });
}

bool InputStream::is_inside_member() const {
  const uint64_t here = offset();
  if (!is_packed() || here == member_.start) return false;
  for (const Member& member : members_) {
    if (member.start == here) return false;
  }
  return std::none_of(damages_.begin(), damages_.end(),
                      [here](const Damage& damage) { return damage.begin == here; });
}

InputPosition InputStream::position_of(uint64_t offset) const {
  if (!is_packed()) return {offset, 0};
  Member nearest;
  nearest.file_offset = first_offset_;
  for (const Member& member : members_) {
    if (member.start <= offset) nearest = member;
  }
  for (const Damage& damage : damages_) {
    if (damage.begin <= offset && offset < damage.end)
      nearest = {damage.begin, damage.position.file_offset, {}};
  }
  if (member_.start <= offset && member_.start >= nearest.start) nearest = member_;
  return {nearest.file_offset, offset - nearest.start};
}

std::optional<uint64_t> InputStream::remaining() const {
  const std::optional<uint64_t> size = source_.size();
  if (packing_ != Packing::kNone || !size || *size < offset()) return std::nullopt;
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

bool InputStream::detect_packing() {
  input_ = std::make_unique_for_overwrite<char[]>(kInputCapacity);
  fill_input(kLeastTrialBytes);
  if (input_filled_ == 0) {
    read_error_ = failure_;
    return false;
  }
  packing_ = packing_of(input_from(first_offset_));
  if (packing_ == Packing::kNone) packing_ = packing_behind_junk();
  if (packing_ == Packing::kNone) {
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
  inflater_ = new_inflater(*packing_, dictionary_);
  return true;
}

// The packing of a file that begins with no member: its first member may be damaged, or stand behind junk or
// zeros. Archives of other kinds may hold members too.
Packing InputStream::packing_behind_junk() {
  const std::string_view first = input_from(first_offset_);
  if (begins_line_with_record(first) || first.starts_with(kZipMagic) ||
      first.substr(std::min(first.size(), kTarMagicOffset)).starts_with(kTarMagic))
    return Packing::kNone;
  fill_input(kChunkBytes);
  for (const Packing packing : kPackings) {
    packing_ = packing;
    trial_inflater_.reset();
    const std::string_view start = input_from(first_offset_);
    for (size_t at = start.find(magic_of(*packing_)); at != std::string_view::npos && !search_over_;
         at = start.find(magic_of(*packing_), at + 1)) {
      if (try_record(first_offset_ + at) == RecordStart::kNone) continue;
      return has_record_line(start.substr(0, at)) ? Packing::kNone : packing;
    }
  }
  search_over_ = false;
  return Packing::kNone;
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
    while (input_from(input_next_).size() < magic_of(*packing_).size() && read_input(input_next_)) {
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
      end_damaged_member("the " + std::string(member_name_of(*packing_)) + " is cut by the end of the file",
                         true);
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
    end_damaged_member("the " + std::string(member_name_of(*packing_)) + " is damaged (" +
                           std::string(inflater_->reason()) + ")",
                       false);
  }
  return true;
}

void InputStream::end_damaged_member(std::string reason, bool is_cut) {
  damages_.push_back({member_.start, end_offset(), {member_.file_offset, 0}, std::move(reason), is_cut});
  note_member_start();
  in_member_ = false;
  const uint64_t history = input_next_ > kHistoryBytes ? input_next_ - kHistoryBytes : 0;
  find_member(std::max(member_.file_offset + 1, history));
}

// Remembers the member once enough bytes show that a record begins with it.
void InputStream::note_member_start() {
  if (member_noted_) return;
  const size_t count = static_cast<size_t>(end_offset() - member_.start);
  const std::string_view bytes(buffer_.get() + (member_.start - base_), count);
  if (count < kRecordStartBytes && in_member_ && bytes.find('\n') == std::string_view::npos) return;
  member_noted_ = true;
  member_.record = record_start_of(bytes);
  if (count > 0) members_.push_back(member_);
  if (seen_record_ == RecordStart::kNone) seen_record_ = member_.record;
}

bool InputStream::begin_member() {
  if (search_over_) return false;
  const std::string_view magic = magic_of(*packing_);
  if (packing_ == Packing::kXz && input_next_ > first_offset_) {
    while (has_input(kXzPadding.size()) && input_from(input_next_).starts_with(kXzPadding))
      input_next_ += kXzPadding.size();
  }
  if (!has_input(magic.size())) {
    // What a failed read leaves of a member's first bytes says nothing about the member.
    if (input_from(input_next_).empty() || !read_error_.empty()) return false;
  }
  if (has_extension_frames(*packing_)) {
    const uint64_t start = input_next_;
    if (!skip_extension_frames() && read_error_.empty()) {
      damages_.push_back({end_offset(),
                          end_offset(),
                          {start, 0},
                          "a " + std::string(member_name_of(*packing_)) + " is cut by the end of the file",
                          true});
      input_next_ += input_from(input_next_).size();  // or the same bytes would be reported again and again
      return false;
    }
    if (input_from(input_next_).empty() || !read_error_.empty()) return false;
  }
  if (!input_from(input_next_).starts_with(magic)) {
    // Tapes and block devices pad with zeros.
    if (skip_zero_padding()) return false;
    damages_.push_back({end_offset(),
                        end_offset(),
                        {input_next_, 0},
                        "no " + std::string(member_name_of(*packing_)) + " begins here"});
    if (!find_member(input_next_)) return false;
  }
  member_ = {end_offset(), input_next_, {}};
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

// Sets input_next_ to the next member from `from` on, or to the end.
bool InputStream::find_member(uint64_t from) {
  const std::string_view magic = magic_of(*packing_);
  input_next_ = from;
  for (;;) {
    const std::string_view input = input_from(input_next_);
    const size_t at = input.find(magic);
    if (at != std::string_view::npos) {
      input_next_ += at;
      if (is_member(input_next_)) return true;
      if (search_over_) {
        damages_.push_back({end_offset(),
                            end_offset(),
                            {input_next_, 0},
                            "too much looks like the beginning of a " +
                                std::string(member_name_of(*packing_)) +
                                " here, and is none; the rest of the file is left out"});
        return false;
      }
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

// Whether a member begins at this file offset: with a record, as those before it do, or it is whole and
// another one, or the end, follows. What the archived content holds of members is followed by something else.
bool InputStream::is_member(uint64_t at) {
  const RecordStart start = try_record(at);
  if (start != RecordStart::kNone && (seen_record_ == RecordStart::kNone || start == seen_record_))
    return true;
  if (search_over_ || trial_.outcome == MemberInflater::Outcome::kDamaged) return false;
  while (input_from(at).size() < kWholeTrialBytes + kExtensionHeaderBytes && read_input(at)) {
  }
  if (!scratch_) scratch_ = std::make_unique_for_overwrite<char[]>(kChunkBytes);
  size_t taken = trial_.taken;
  while (trial_.outcome == MemberInflater::Outcome::kGoesOn) {
    if (taken >= kWholeTrialBytes) return true;
    const std::string_view input = input_from(at).substr(taken);
    trial_ = trial_inflater_->run(input.substr(0, kLeastTrialBytes), scratch_.get(), kChunkBytes);
    taken += trial_.taken;
    if (input.empty() && trial_.given == 0) return false;
    if (!may_search(trial_.taken + trial_.given)) return false;
  }
  const std::string_view behind = input_from(at).substr(taken);
  return trial_.outcome == MemberInflater::Outcome::kEnded &&
         (behind.empty() || behind.front() == '\0' || behind.starts_with(magic_of(*packing_)) ||
          (has_extension_frames(*packing_) && is_extension_frame(behind)));
}

// What the member at this file offset begins with, if one does; leaves it at hand for more trials.
RecordStart InputStream::try_record(uint64_t at) {
  const size_t trial_bytes = packing_ == Packing::kGzip ? kLeastTrialBytes : kBlockTrialBytes;
  while (input_from(at).size() < trial_bytes && read_input(at)) {
  }
  std::string_view input = input_from(at).substr(0, trial_bytes);
  uint64_t cost = input.size();
  trial_ = {MemberInflater::Outcome::kDamaged, 0, 0};
  if (packing_ == Packing::kZstd) {
    const std::optional<ZstdBlock> block = first_zstd_block(input);
    if (!block) return RecordStart::kNone;
    input = input.substr(0, block->end);
    // Its tables take time too, however short it is.
    cost = block->end + block->most_given + kLeastTrialBytes;
  }
  if (!may_search(cost)) return RecordStart::kNone;
  if (!trial_inflater_) trial_inflater_ = new_inflater(*packing_, dictionary_);
  trial_inflater_->start();
  char start[kRecordStartBytes];
  trial_ = trial_inflater_->run(input, start, sizeof start);
  return record_start_of({start, trial_.given});
}

// Counts what trials cost. False: no more may be tried.
bool InputStream::may_search(uint64_t bytes) {
  searched_bytes_ += bytes;
  search_over_ = searched_bytes_ > kFreeSearchBytes + kSearchFactor * (source_offset_ - first_offset_);
  return !search_over_;
}

// Whether so many bytes are left behind input_next_; reads them.
bool InputStream::has_input(size_t size) {
  while (input_from(input_next_).size() < size) {
    if (!read_input(input_next_)) return false;
  }
  return true;
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
