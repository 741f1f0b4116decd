#include "warc_reader.hpp"

#include <algorithm>
#include <utility>

namespace ndc {
namespace {

constexpr std::string_view kVersionStart = "WARC/";   // of whatever version
constexpr std::string_view kEmptyLine = "\r\n\r\n";   // behind every record
constexpr std::string_view kShortEmptyLine = "\n\n";  // behind those of writers that know no better
constexpr size_t kMaxHeaderBytes = size_t{1} << 20;
// Line ends behind a record that still count as its own.
constexpr size_t kMaxTerminatorBytes = 1024;
// After damage, bytes may be searched a second time; on hostile input at most this often as many as came in.
constexpr uint64_t kRescanAllowanceBytes = uint64_t{256} << 20;
constexpr uint64_t kRescanFactor = 2;

std::string_view without_angle_brackets(std::string_view uri) {
  if (uri.size() >= 2 && uri.front() == '<' && uri.back() == '>') return uri.substr(1, uri.size() - 2);
  return uri;
}

}  // namespace

WarcReader::WarcReader(InputStream& stream, size_t max_block_bytes, RecordCopy* copy)
    : stream_(stream), max_block_bytes_(max_block_bytes), copy_(copy) {}

WarcReader::Outcome WarcReader::next(WarcRecord& record, RecordDamage& damage) {
  stream_.skip_line_ends();
  start_ = stream_.offset();
  cut_.reset();
  if (take_damage_before(start_, damage)) return Outcome::kDamaged;
  if (stream_.ahead().empty()) return stream_.read_error().empty() ? Outcome::kEnd : Outcome::kReadError;

  cut_ = stream_.record_start_after(start_);
  const std::optional<std::string> record_reason = read_record(record);
  if (record_reason && !stream_.read_error().empty()) return Outcome::kReadError;
  const InputPosition position = stream_.position_of(start_);
  std::optional<std::string> member_reason = take_damage_of_record();
  // Damage of the end of a member's data may look like more data.
  const bool more_follows =
      !stream_.ahead().empty() && !begins_warc_record(stream_.ahead()) && stream_.is_inside_member();
  if (more_follows && !member_reason)
    member_reason = "something else follows the record in its " + std::string(stream_.member_name());
  if (!record_reason && !member_reason) {
    record.position = position;
    return Outcome::kRecord;
  }
  damage = {position, member_reason ? *member_reason : *record_reason};
  // A record of the right form is not searched for others, whatever became of its bytes.
  if (record_reason) rewind();
  if (record_reason || more_follows) find_next_record();
  // One report is enough for what lies between the record and the next one.
  RecordDamage same;
  while (take_damage_before(stream_.offset(), same))
    damage.reason = std::move(same.reason);
  return Outcome::kDamaged;
}

// What is left of the record at hand, as far as it has been read.
std::string_view WarcReader::ahead() const {
  const std::string_view bytes = stream_.ahead();
  return cut_ ? bytes.substr(0, static_cast<size_t>(*cut_ - stream_.offset())) : bytes;
}

bool WarcReader::fill() {
  if (cut_) return false;
  if (!stream_.fill()) return false;
  cut_ = stream_.record_start_after(start_);
  return true;
}

bool WarcReader::require(size_t count) {
  while (ahead().size() < count) {
    if (!fill()) return false;
  }
  return ahead().size() >= count;
}

std::optional<std::string> WarcReader::read_record(WarcRecord& record) {
  uint64_t content_length = 0;
  if (auto reason = read_header(content_length)) return reason;
  take_fields(record);
  if (auto reason = read_block(content_length, record)) return reason;
  if (!read_terminator())
    return "the block is longer than its Content-Length of " + std::to_string(content_length);
  // The checksum of a gzip member shows with the first byte behind it.
  if (ahead().empty()) fill();
  return std::nullopt;
}

std::optional<std::string> WarcReader::read_header(uint64_t& content_length) {
  if (!require(kWarcMagicBytes) || !begins_warc_record(ahead())) {
    return ahead().starts_with(kVersionStart) && !ahead().starts_with("WARC/1")
               ? "not a version 1 WARC record"
               : "no WARC record begins here";
  }
  size_t end = header_end(ahead());
  while (end == std::string_view::npos) {
    // The empty line may lie across the end of what was searched.
    const size_t searched = ahead().size() - std::min(ahead().size(), kMostLineEndBytes);
    if (ahead().size() > kMaxHeaderBytes) return "the record's header is longer than 1 MiB";
    if (!fill()) return "the record's header has no end";
    end = header_end(ahead(), searched);
  }
  const std::string_view header = ahead().substr(0, end);
  fields_.parse(header.substr(header.find('\n') + 1));
  const std::optional<unsigned long long> length = parse_decimal(fields_.find("Content-Length"));
  if (!length) return "the record has no usable Content-Length";
  content_length = *length;
  if (copy_ != nullptr) copy_->take_header(header, fields_);
  stream_.consume(end);
  return std::nullopt;
}

void WarcReader::take_fields(WarcRecord& record) const {
  record.type = fields_.find("WARC-Type");
  record.record_id = trimmed(without_angle_brackets(fields_.find("WARC-Record-ID")));
  record.target_uri = trimmed(without_angle_brackets(fields_.find("WARC-Target-URI")));
  record.date = fields_.find("WARC-Date");
  record.content_type = fields_.find("Content-Type");
  record.truncated = fields_.has("WARC-Truncated");
  record.payload_digest = fields_.find("WARC-Payload-Digest");
  record.concurrent_to = fields_.join("WARC-Concurrent-To");
  record.refers_to = {};
  record.is_revisit = equals_ignoring_case(record.type, "revisit");
  if (!record.is_revisit) return;
  record.refers_to.record_id = trimmed(without_angle_brackets(fields_.find("WARC-Refers-To")));
  record.refers_to.target_uri = trimmed(without_angle_brackets(fields_.find("WARC-Refers-To-Target-URI")));
  record.refers_to.date = fields_.find("WARC-Refers-To-Date");
  record.is_not_modified = ends_with_ignoring_case(fields_.find("WARC-Profile"), "server-not-modified");
}

std::optional<std::string> WarcReader::read_block(uint64_t content_length, WarcRecord& record) {
  const auto cut = [content_length](uint64_t present) {
    return "the record is cut: " + std::to_string(present) + " of the " + std::to_string(content_length) +
           " bytes of its block are there";
  };
  const std::optional<uint64_t> remaining = stream_.remaining();
  if (remaining && *remaining < content_length) return cut(*remaining);
  const size_t kept = static_cast<size_t>(std::min<uint64_t>(content_length, max_block_bytes_));
  record.block_cut = kept < content_length;
  if (!require(kept)) {
    const size_t present = ahead().size();
    stream_.consume(present);
    return cut(present);
  }
  record.block.assign(ahead().substr(0, kept));
  stream_.consume(kept);
  uint64_t rest = content_length - kept;
  // From here on there is no way back to the record's start, in whatever pieces the rest comes.
  if (rest > 0) stream_.release();
  while (rest > 0) {
    const size_t count = static_cast<size_t>(std::min<uint64_t>(rest, ahead().size()));
    if (copy_ != nullptr) copy_->take_rest(ahead().substr(0, count));
    stream_.consume(count);
    rest -= count;
    if (rest == 0) break;
    stream_.release();
    if (!fill()) return cut(content_length - rest);
  }
  return std::nullopt;
}

// Whether something ends the record here; steps over the empty line.
bool WarcReader::read_terminator() {
  require(kEmptyLine.size() + kWarcMagicBytes);
  // A damaged empty line between two records costs neither.
  if (begins_warc_record(ahead().substr(std::min(ahead().size(), kEmptyLine.size())))) {
    stream_.consume(kEmptyLine.size());
    return true;
  }
  const std::string_view line_end = ahead().starts_with(kEmptyLine) ? kEmptyLine : kShortEmptyLine;
  const bool empty_line = ahead().starts_with(line_end);
  if (empty_line) stream_.consume(line_end.size());
  for (size_t count = 0; count < kMaxTerminatorBytes && require(1); ++count) {
    // A line end with which another member begins is not this record's: that member may be damaged.
    if (empty_line && !stream_.is_inside_member()) break;
    if (ahead().front() != '\r' && ahead().front() != '\n') break;
    stream_.consume(1);
  }
  if (empty_line || !require(1)) return true;
  require(kWarcMagicBytes);
  return begins_warc_record(ahead());
}

// Damage that ended before anything that is still to be read.
bool WarcReader::take_damage_before(uint64_t offset, RecordDamage& damage) {
  const InputStream::Damage* first = stream_.first_damage();
  if (first == nullptr || first->end > offset) return false;
  damage = {first->position, first->reason};
  stream_.drop_first_damage();
  return true;
}

// Damage at the end of a gzip member belongs to the last record of it.
std::optional<std::string> WarcReader::take_damage_of_record() {
  const InputStream::Damage* first = stream_.first_damage();
  const uint64_t end = stream_.offset();
  if (first == nullptr || first->begin >= end || first->end > end || first->end <= start_)
    return std::nullopt;
  std::string reason = first->reason;
  stream_.drop_first_damage();
  return reason;
}

// Back to behind the first byte of the damaged record, if that is still there and was not done too often.
void WarcReader::rewind() {
  const uint64_t distance = stream_.offset() - start_;
  const uint64_t allowance = kRescanAllowanceBytes + kRescanFactor * start_;
  if (cut_ || stream_.oldest_offset() > start_ || rescanned_bytes_ + distance > allowance) return;
  rescanned_bytes_ += distance;
  stream_.seek(start_);
  stream_.consume(std::min<size_t>(stream_.ahead().size(), 1));
}

// Puts the cursor to the next record, or to the end.
void WarcReader::find_next_record() {
  if (cut_) {
    stream_.seek(*cut_);
    return;
  }
  bool at_line_start = false;
  for (;;) {
    const std::string_view bytes = stream_.ahead();
    for (size_t at = bytes.find(kVersionStart); at != std::string_view::npos;
         at = bytes.find(kVersionStart, at + 1)) {
      if (!begins_warc_record(bytes.substr(at))) continue;
      const bool begins_line = at > 0 ? bytes[at - 1] == '\n' : at_line_start;
      if (begins_line || stream_.is_record_start(stream_.offset() + at)) {
        stream_.consume(at);
        return;
      }
    }
    const size_t searched = bytes.size() - std::min(bytes.size(), kWarcMagicBytes - 1);
    if (searched > 0) at_line_start = bytes[searched - 1] == '\n';
    stream_.consume(searched);
    stream_.release();
    if (!stream_.fill()) {
      stream_.consume(stream_.ahead().size());
      return;
    }
  }
}

}  // namespace ndc
