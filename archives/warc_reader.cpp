// Reads headers and finds the next version line after damage, without taking one inside of a page for a
// record.
#include "archives/warc_reader.hpp"

#include <algorithm>

namespace ndc {
namespace {

constexpr size_t kMaxHeaderBytes = size_t{1} << 20;
constexpr size_t kLineEndsOfWarcRecord = 2;
// "WARC/1.1.2", which some write, a number more, and a CR.
constexpr size_t kLongestVersionBytes = 14;
// A version with its line end, and the beginning of a field's name.
constexpr size_t kVersionLineBytes = 20;

// A version line before the first field of another record. URLs of profiles end like one; the field behind
// them is no second one of its name.
bool holds_other_header(std::string_view header) {
  for (size_t at = find_warc_version(header, 1); at != std::string_view::npos;
       at = find_warc_version(header, at + 1)) {
    const size_t end = header.find('\n', at);
    if (end > at + kLongestVersionBytes || !begins_warc_record(header.substr(at))) continue;
    const std::string_view behind = header.substr(end + 1);
    if (!starts_with_ignoring_case(behind, "WARC-")) continue;
    const std::string field = '\n' + std::string(behind.substr(0, behind.find(':') + 1));
    if (header[at - 1] != '/' || header.substr(0, at).find(field) != std::string_view::npos) return true;
  }
  return false;
}

std::string_view without_angle_brackets(std::string_view uri) {
  if (uri.size() >= 2 && uri.front() == '<' && uri.back() == '>') return uri.substr(1, uri.size() - 2);
  return uri;
}

}  // namespace

WarcReader::WarcReader(InputStream& stream, size_t max_block_bytes, RecordCopy* copy)
    : SizedRecordReader(stream, max_block_bytes, RecordStart::kWarc, kLineEndsOfWarcRecord), copy_(copy) {}

bool WarcReader::begins_record(size_t at, bool) {
  return require(at + kWarcMagicBytes) && begins_warc_record(ahead().substr(at));
}

std::optional<std::string> WarcReader::read_header(WarcRecord& record, uint64_t& length) {
  if (!begins_record(0)) {
    return find_warc_version(ahead()) == 0 && !ahead().substr(kWarcMagicBytes - 2).starts_with('1')
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
  // The checksum of packed data tells more.
  if (!stream_.is_packed() && holds_other_header(header))
    return "the record's header is cut by another record";
  fields_.parse(header.substr(header.find('\n') + 1));
  std::string_view number = fields_.find("Content-Length");
  if (number.starts_with('+')) number.remove_prefix(1);
  const std::optional<unsigned long long> declared = parse_decimal(number);
  if (!declared) return "the record has no usable Content-Length";
  // Where the version between two headers is lost, they look like one.
  if (fields_.has_two("WARC-Record-ID")) return "the record's header runs into that of another record";
  length = *declared;
  if (copy_ != nullptr) copy_->take_header(header, fields_);
  stream_.consume(end);
  take_fields(record);
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

void WarcReader::take_rest(std::string_view piece) {
  if (copy_ != nullptr) copy_->take_rest(piece);
}

// Whether the first field of a header follows the version at byte `at`: junk before it may have no line end.
bool WarcReader::is_before_field(size_t at) {
  while (stream_.ahead().size() < at + kVersionLineBytes && stream_.fill()) {
  }
  const std::string_view bytes = stream_.ahead().substr(at, kVersionLineBytes);
  const size_t end = bytes.find('\n');
  if (end == std::string_view::npos) return false;
  return starts_with_ignoring_case(bytes.substr(end + 1), "WARC-") ||
         starts_with_ignoring_case(bytes.substr(end + 1), "Content-");
}

void WarcReader::find_next_record(bool at_line_start) {
  for (;;) {
    std::string_view bytes = stream_.ahead();
    for (size_t at = find_warc_version(bytes); at != std::string_view::npos;
         at = find_warc_version(bytes, at + 1)) {
      if (!begins_warc_record(bytes.substr(at))) continue;
      const bool begins_line = at > 0 ? bytes[at - 1] == '\n' : at_line_start;
      if (begins_line || stream_.is_record_start(stream_.offset() + at) ||
          (is_before_field(at) && (!stream_.is_packed() || shows_no_damage(at)))) {
        stream_.consume(at);
        return;
      }
      bytes = stream_.ahead();
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
