// Reads header, block and end of a record, and searches for the next one when a length is wrong, at bounded
// cost.
#include "archives/sized_record_reader.hpp"

#include <algorithm>
#include <utility>

namespace ndc {
namespace {

// By how much a length may be wrong and the record still be given.
constexpr size_t kLengthSlack = 3;
// The most bytes of an empty line: CR LF behind a CR LF.
constexpr size_t kMostTerminatorBytes = 4;
constexpr size_t kNearBytes = kLengthSlack + kMostTerminatorBytes;
// Line ends behind a record that still count as its own.
constexpr size_t kMaxLineEndBytes = 1024;
// Behind a record that something else follows.
constexpr size_t kLookedAtBytes = size_t{64} << 10;
// After damage, bytes may be searched a second time; on hostile input at most this often as many as came in.
constexpr uint64_t kRescanAllowanceBytes = uint64_t{256} << 20;
constexpr uint64_t kRescanFactor = 2;

bool is_line_end(char c) {
  return c == '\r' || c == '\n';
}

}  // namespace

SizedRecordReader::SizedRecordReader(InputStream& stream, size_t max_block_bytes, RecordStart start,
                                     size_t line_ends)
    : stream_(stream), max_block_bytes_(max_block_bytes), record_start_(start), line_ends_(line_ends) {}

RecordReader::Outcome SizedRecordReader::next(WarcRecord& record, RecordDamage& damage) {
  stream_.skip_line_ends();
  start_ = stream_.offset();
  block_start_.reset();
  has_own_end_ = false;
  cut_.reset();
  if (take_damage_before(start_, damage)) return Outcome::kDamaged;
  if (stream_.ahead().empty()) return stream_.read_error().empty() ? Outcome::kEnd : Outcome::kReadError;

  cut_ = stream_.record_start_after(start_, record_start_);
  const std::optional<std::string> record_reason = read_record(record);
  if (record_reason && !stream_.read_error().empty()) return Outcome::kReadError;
  const InputPosition position = stream_.position_of(start_);
  std::optional<MemberDamage> member_damage = take_damage_of_record();
  // Damage of the end of a member's data may look like more data.
  const bool more_follows = !stream_.ahead().empty() && stream_.is_inside_member() && !begins_record(0) &&
                            !(has_own_end_ && shows_no_damage(0));
  if (more_follows && !member_damage && !record_reason)
    member_damage = {"something else follows the record in its " +
                     std::string(member_name_of(stream_.packing()))};
  if (!record_reason && !member_damage) {
    record.position = position;
    return Outcome::kRecord;
  }
  damage = {position, member_damage ? member_damage->reason : *record_reason};
  // A record of the right form is not searched for others, unless a part of it is missing.
  const bool searches = record_reason || (member_damage && member_damage->is_inside);
  const bool at_line_start = searches && rewind();
  if (cut_ && (searches || more_follows)) {
    stream_.seek(*cut_);
  } else if (searches || more_follows) {
    find_next_record(at_line_start);
  }
  // One report is enough for what lies between the record and the next one.
  RecordDamage same;
  while (take_damage_before(stream_.offset(), same))
    damage.reason = std::move(same.reason);
  return Outcome::kDamaged;
}

std::string_view SizedRecordReader::ahead() const {
  const std::string_view bytes = stream_.ahead();
  return cut_ ? bytes.substr(0, static_cast<size_t>(*cut_ - stream_.offset())) : bytes;
}

bool SizedRecordReader::fill() {
  if (cut_) return false;
  if (!stream_.fill()) return false;
  cut_ = stream_.record_start_after(start_, record_start_);
  return true;
}

bool SizedRecordReader::require(size_t count) {
  while (ahead().size() < count) {
    if (!fill()) return false;
  }
  return ahead().size() >= count;
}

std::optional<std::string> SizedRecordReader::read_record(WarcRecord& record) {
  uint64_t length = 0;
  const std::optional<std::string> header_reason = read_header(record, length);
  if (stream_.offset() > start_) block_start_ = stream_.offset();
  if (header_reason) return header_reason;
  if (auto reason = read_block(length, record)) return reason;
  if (!read_end(record)) return "the block is longer than its length of " + std::to_string(length) + " bytes";
  // The checksum of a gzip member shows with the first byte behind it.
  if (ahead().empty()) fill();
  take_block(record);
  return std::nullopt;
}

std::optional<std::string> SizedRecordReader::read_block(uint64_t length, WarcRecord& record) {
  const auto cut = [length](uint64_t present) {
    return "the record is cut: " + std::to_string(present) + " of the " + std::to_string(length) +
           " bytes of its block are there";
  };
  const std::optional<uint64_t> remaining = stream_.remaining();
  if (remaining && *remaining < length) return cut(*remaining);
  const size_t kept = static_cast<size_t>(std::min<uint64_t>(length, max_block_bytes_));
  record.block_cut = kept < length;
  // Where a member begins with another record, this one has ended.
  const auto is_near = [this](uint64_t missing) { return cut_ && missing <= kLengthSlack; };
  if (!require(kept) && !is_near(length - ahead().size())) {
    const size_t present = ahead().size();
    stream_.consume(present);
    return cut(present);
  }
  record.block.assign(ahead().substr(0, kept));
  uint64_t rest = length - record.block.size();
  stream_.consume(record.block.size());
  // From here on there is no way back to the record's start, in whatever pieces the rest comes.
  if (kept < length) release_read();
  while (rest > 0 && kept < length) {
    const size_t count = static_cast<size_t>(std::min<uint64_t>(rest, ahead().size()));
    take_rest(ahead().substr(0, count));
    stream_.consume(count);
    rest -= count;
    if (rest == 0) break;
    release_read();
    if (fill()) continue;
    if (is_near(rest)) break;
    return cut(length - rest);
  }
  return std::nullopt;
}

// Lets go of what was read, but for what step_back() may want.
void SizedRecordReader::release_read() {
  const uint64_t here = stream_.offset();
  stream_.seek(here - std::min<uint64_t>(here - stream_.oldest_offset(), kLengthSlack));
  stream_.release();
  stream_.seek(here);
}

// Whether something ends the record at the cursor, or near it; steps over it.
bool SizedRecordReader::read_end(WarcRecord& record) {
  record.is_separate = stream_.is_packed() && (!require(1) || !stream_.is_inside_member());
  if (record.is_separate || begins_record(0, true)) return true;
  if (const size_t count = line_ends_ahead(); count > 0) {
    record.is_separate = has_own_end_ = true;
    stream_.consume(count);
    // A line end with which another member begins is not this record's: that member may be damaged.
    for (size_t more = 0; more < kMaxLineEndBytes && require(1) && stream_.is_inside_member(); ++more) {
      if (!is_line_end(ahead().front())) break;
      stream_.consume(1);
    }
    return true;
  }
  if (step_back(record) || begins_record(0)) return true;
  size_t others = 0;
  for (size_t at = 0; at <= kNearBytes && require(at + 1); ++at) {
    if (at > 0 && begins_record(at, true)) {
      stream_.consume(at);
      return true;
    }
    if (!is_line_end(ahead()[at]) && ++others > kLengthSlack) break;
  }
  const bool has_end = !require(kNearBytes + 1) && !ahead().empty() && (cut_ || ahead().back() == '\n');
  if (has_end && others <= kLengthSlack) {
    stream_.consume(ahead().size());
    return true;
  }
  for (size_t count = 0; count < kMaxLineEndBytes && require(1) && is_line_end(ahead().front()); ++count)
    stream_.consume(1);
  return !require(1) || begins_record(0);
}

// How many bytes the line ends ahead have that end a record; 0: there are too few.
size_t SizedRecordReader::line_ends_ahead() {
  require(kMostTerminatorBytes);
  const std::string_view bytes = ahead();
  size_t count = 0;
  for (size_t found = 0; found < line_ends_; ++found) {
    if (bytes.substr(count).starts_with("\r\n")) {
      count += 2;
    } else if (bytes.substr(count).starts_with('\n')) {
      count += 1;
    } else {
      return 0;
    }
  }
  return count;
}

// Whether the next record begins a little before the cursor; takes what is its own from this one.
bool SizedRecordReader::step_back(WarcRecord& record) {
  const uint64_t here = stream_.offset();
  for (uint64_t back = 1; back <= kLengthSlack && here - back > start_; ++back) {
    if (stream_.oldest_offset() > here - back) break;
    stream_.seek(here - back);
    if (begins_record(0, true)) {
      if (!record.block_cut)
        record.block.resize(record.block.size() - std::min<size_t>(record.block.size(), back));
      return true;
    }
  }
  stream_.seek(here);
  return false;
}

// Damage that ended before anything that is still to be read.
bool SizedRecordReader::take_damage_before(uint64_t offset, RecordDamage& damage) {
  const InputStream::Damage* first = stream_.first_damage();
  if (first == nullptr || first->end > offset) return false;
  damage = {first->position, first->reason};
  damaged_end_ = first->end;
  stream_.drop_first_damage();
  return true;
}

// Damage at the end of a gzip member belongs to the last record of it.
std::optional<SizedRecordReader::MemberDamage> SizedRecordReader::take_damage_of_record() {
  const InputStream::Damage* first = stream_.first_damage();
  const uint64_t end = stream_.offset();
  if (first == nullptr || first->begin >= end || first->end > end || first->end <= start_)
    return std::nullopt;
  MemberDamage damage{first->reason, first->end < end};
  damaged_end_ = first->end;
  stream_.drop_first_damage();
  return damage;
}

bool SizedRecordReader::shows_no_damage(size_t at) {
  const uint64_t place = stream_.offset() + at;
  if (place < damaged_end_) return false;
  // The next member's start would cut what is to be searched.
  while (stream_.ahead().size() < at + kLookedAtBytes && stream_.fill_within_member()) {
  }
  const InputStream::Damage* first = stream_.first_damage();
  return first == nullptr || first->begin > place;
}

// Back to the block of the damaged record, or to behind its first byte, if that is still there and was not
// done too often. True: a line begins there.
bool SizedRecordReader::rewind() {
  const uint64_t distance = stream_.offset() - start_;
  const uint64_t allowance = kRescanAllowanceBytes + kRescanFactor * start_;
  if (cut_ || stream_.oldest_offset() > start_ || rescanned_bytes_ + distance > allowance) return false;
  rescanned_bytes_ += distance;
  stream_.seek(block_start_.value_or(start_));
  if (!block_start_) stream_.consume(std::min<size_t>(stream_.ahead().size(), 1));
  return block_start_.has_value();
}

}  // namespace ndc
