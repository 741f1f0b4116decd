#include "arc_reader.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "header_fields.hpp"

namespace ndc {
namespace {

constexpr size_t kMaxArcLineBytes = size_t{64} << 10;
constexpr size_t kFieldsOfVersion1 = 5;
constexpr size_t kFieldsOfVersion2 = 10;
constexpr size_t kShortestDateDigits = 8;
constexpr size_t kDateDigits = 14;
constexpr std::string_view kFileScheme = "filedesc:";

bool is_date(std::string_view text) {
  return text.size() >= kShortestDateDigits && text.size() <= kDateDigits && text.size() % 2 == 0 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "20080430204825" as WARC writes dates.
std::string warc_form(std::string_view date) {
  std::string text(date.substr(0, 4));
  static constexpr std::string_view kSeparators = "--T::";
  size_t separator = 0;
  for (size_t at = 4; at + 2 <= date.size(); at += 2)
    text.append(1, kSeparators[separator++]).append(date.substr(at, 2));
  if (date.size() == kDateDigits - 4) text += ":00";
  return date.size() > kShortestDateDigits ? text + "Z" : text;
}

bool has_scheme(std::string_view url) {
  const size_t colon = url.find(':');
  return colon != std::string_view::npos && colon > 1 &&
         std::all_of(url.begin(), url.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
                  c == '-' || c == '.';
         });
}

}  // namespace

struct ArcReader::Line {
  std::string url;
  std::string date;
  std::string content_type;
  uint64_t length = 0;
};

// The URL may hold spaces, so the fields are counted from the end.
std::optional<ArcReader::Line> ArcReader::parse_line(std::string_view text) {
  text = trimmed(text);
  if (!has_scheme(text)) return std::nullopt;
  for (const size_t count : {kFieldsOfVersion1, kFieldsOfVersion2}) {
    std::vector<std::string_view> fields;
    std::string_view rest = text;
    while (fields.size() + 1 < count) {
      const size_t blank = rest.rfind(' ');
      if (blank == std::string_view::npos) break;
      fields.push_back(rest.substr(blank + 1));
      rest = rest.substr(0, blank);
    }
    if (fields.size() + 1 < count) continue;
    std::reverse(fields.begin(), fields.end());
    const std::optional<unsigned long long> length = parse_decimal(fields.back());
    if (!length || !is_date(fields[1])) continue;
    return Line{std::string(rest), warc_form(fields[1]), std::string(fields[2]), *length};
  }
  return std::nullopt;
}

bool begins_arc_record(std::string_view bytes) {
  const size_t end = std::min(bytes.find('\n'), bytes.size());
  return end < bytes.size() && ArcReader::parse_line(bytes.substr(0, end)).has_value();
}

ArcReader::ArcReader(InputStream& stream, size_t max_block_bytes)
    : stream_(stream), max_block_bytes_(max_block_bytes) {}

ArcReader::Outcome ArcReader::next(WarcRecord& record, RecordDamage& damage) {
  const bool more = stream_.skip_line_ends();
  if (const InputStream::Damage* first = stream_.first_damage();
      first != nullptr && first->end <= stream_.offset()) {
    damage = {first->position, first->reason};
    stream_.drop_first_damage();
    return Outcome::kDamaged;
  }
  if (!more) return stream_.read_error().empty() ? Outcome::kEnd : Outcome::kReadError;
  record.position = stream_.position_of(stream_.offset());
  std::optional<std::string> reason = read_record(record);
  if (!reason) return Outcome::kRecord;
  if (!stream_.read_error().empty()) return Outcome::kReadError;
  damage = {record.position, std::move(*reason)};
  find_next_record();
  return Outcome::kDamaged;
}

bool ArcReader::require(size_t count) {
  while (stream_.ahead().size() < count) {
    if (!stream_.fill()) return false;
  }
  return true;
}

std::optional<std::string> ArcReader::read_record(WarcRecord& record) {
  size_t end = stream_.ahead().find('\n');
  while (end == std::string_view::npos && stream_.ahead().size() <= kMaxArcLineBytes && stream_.fill())
    end = stream_.ahead().find('\n');
  std::optional<Line> line;
  if (end <= kMaxArcLineBytes) line = parse_line(stream_.ahead().substr(0, end));
  if (!line) return "no ARC record begins here";
  stream_.consume(end + 1);
  record.record_id.clear();
  record.is_revisit = false;
  record.refers_to = {};
  record.concurrent_to.clear();
  record.payload_digest.clear();
  record.truncated = false;
  if (auto reason = read_block(line->length, record)) return reason;
  record.target_uri = std::move(line->url);
  record.date = std::move(line->date);
  if (record.target_uri.starts_with(kFileScheme)) {
    record.type = "warcinfo";
    record.content_type = std::move(line->content_type);
  } else if (starts_with_ignoring_case(record.block, "HTTP/")) {
    record.type = "response";
    record.content_type = "application/http; msgtype=response";
  } else {
    record.type = "resource";
    record.content_type = std::move(line->content_type);
  }
  return std::nullopt;
}

std::optional<std::string> ArcReader::read_block(uint64_t length, WarcRecord& record) {
  const auto cut = [length](uint64_t present) {
    return "the record is cut: " + std::to_string(present) + " of its " + std::to_string(length) +
           " bytes are there";
  };
  const size_t kept = static_cast<size_t>(std::min<uint64_t>(length, max_block_bytes_));
  record.block_cut = kept < length;
  if (!require(kept)) {
    const size_t present = stream_.ahead().size();
    return cut(present);
  }
  record.block.assign(stream_.ahead().substr(0, kept));
  stream_.consume(kept);
  for (uint64_t rest = length - kept; rest > 0;) {
    stream_.release();
    if (stream_.ahead().empty() && !stream_.fill()) return cut(length - rest);
    const size_t count = static_cast<size_t>(std::min<uint64_t>(rest, stream_.ahead().size()));
    stream_.consume(count);
    rest -= count;
  }
  // The last record needs no line end.
  require(1);
  const std::string_view behind = stream_.ahead();
  if (behind.empty() || behind.front() == '\n' || behind.front() == '\r') return std::nullopt;
  return "the record is longer than its length of " + std::to_string(length);
}

// Puts the cursor to the next line that may begin a record, or to the end.
void ArcReader::find_next_record() {
  for (;;) {
    require(2 * kMaxArcLineBytes);
    const std::string_view bytes = stream_.ahead();
    // A line that lies across the end is looked at again.
    const bool last = bytes.size() < 2 * kMaxArcLineBytes;
    const size_t searched = last ? bytes.size() : bytes.size() - kMaxArcLineBytes;
    for (size_t at = bytes.find('\n'); at < searched; at = bytes.find('\n', at + 1)) {
      if (!begins_arc_record(bytes.substr(at + 1, kMaxArcLineBytes))) continue;
      stream_.consume(at + 1);
      return;
    }
    stream_.consume(searched);
    stream_.release();
    if (last) return;
  }
}

}  // namespace ndc
