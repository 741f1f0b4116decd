// Reads the line before a record and searches for the next one after damage, where "ttp:" may be all that is
// left of a scheme.
#include "archives/arc_reader.hpp"

#include <algorithm>
#include <utility>

#include "archives/arc_line.hpp"
#include "archives/header_fields.hpp"

namespace ndc {
namespace {

constexpr std::string_view kFileScheme = "filedesc:";
constexpr size_t kLineEndsOfArcRecord = 1;

// "ttp:" is the scheme of a URL too.
bool begins_known_scheme(std::string_view bytes) {
  static constexpr std::string_view kSchemes[] = {"http:", "https:", "filedesc:", "dns:", "ftp:", "whois:"};
  return std::any_of(std::begin(kSchemes), std::end(kSchemes),
                     [bytes](std::string_view scheme) { return starts_with_ignoring_case(bytes, scheme); });
}

}  // namespace

ArcReader::ArcReader(InputStream& stream, size_t max_block_bytes)
    : SizedRecordReader(stream, max_block_bytes, RecordStart::kArc, kLineEndsOfArcRecord) {}

// Where the line at byte `at` ends; nullopt: it has no end, or is too long.
std::optional<size_t> ArcReader::line_end(size_t at) {
  size_t end = ahead().find('\n', at);
  while (end == std::string_view::npos && ahead().size() <= at + kMaxArcLineBytes) {
    const size_t searched = ahead().size();
    if (!fill()) return std::nullopt;
    end = ahead().find('\n', std::max(searched, at));
  }
  return end != std::string_view::npos && end - at <= kMaxArcLineBytes ? std::optional<size_t>(end)
                                                                       : std::nullopt;
}

bool ArcReader::begins_record(size_t at, bool surely) {
  // Most of what is asked about is no letter.
  if (!require(at + 1) || static_cast<unsigned char>(ahead()[at]) < ' ') return false;
  const std::optional<size_t> end = line_end(at);
  if (!end || (surely && !begins_known_scheme(ahead().substr(at)))) return false;
  return parse_arc_line(ahead().substr(at, *end - at)).has_value();
}

std::optional<std::string> ArcReader::read_header(WarcRecord& record, uint64_t& length) {
  const std::optional<size_t> end = line_end(0);
  std::optional<ArcLine> line;
  if (end) line = parse_arc_line(ahead().substr(0, *end));
  if (!line) return "no ARC record begins here";
  // The checksum of packed data tells more.
  if (const auto at = arc_line_cut_by(ahead().substr(0, *end)); at && !stream_.is_packed()) {
    stream_.consume(*at);
    return "the record's line is cut by another record";
  }
  stream_.consume(*end + 1);
  record.record_id.clear();
  record.is_revisit = false;
  record.refers_to = {};
  record.concurrent_to.clear();
  record.payload_digest.clear();
  record.truncated = false;
  record.target_uri = std::move(line->url);
  record.date = std::move(line->date);
  record.content_type = std::move(line->content_type);
  length = line->length;
  return std::nullopt;
}

void ArcReader::take_block(WarcRecord& record) {
  if (record.target_uri.starts_with(kFileScheme)) {
    record.type = "warcinfo";
  } else if (starts_with_ignoring_case(record.block, "HTTP/")) {
    record.type = "response";
    record.content_type = "application/http; msgtype=response";
  } else {
    record.type = "resource";
  }
}

void ArcReader::find_next_record(bool at_line_start) {
  for (size_t searched = 0;;) {
    const std::string_view bytes = stream_.ahead();
    const uint64_t offset = stream_.offset();
    size_t begin = 0;
    for (size_t end = bytes.find('\n', searched); end != std::string_view::npos;
         end = bytes.find('\n', begin)) {
      // What a damaged member gave last is no part of the line with which the next one begins.
      for (auto member = stream_.record_start_after(offset + begin, RecordStart::kArc);
           member && *member <= offset + end;
           member = stream_.record_start_after(offset + begin, RecordStart::kArc)) {
        begin = static_cast<size_t>(*member - offset);
        at_line_start = true;
      }
      const size_t longest = end - std::min(end, kMaxArcLineBytes);
      at_line_start = at_line_start && begin >= longest;
      begin = std::max(begin, longest);
      if (const auto at = arc_line_within(bytes.substr(begin, end - begin), at_line_start)) {
        stream_.consume(begin + *at);
        return;
      }
      begin = end + 1;
      at_line_start = true;
    }
    // A line that lies across the end is looked at again.
    const size_t longest = bytes.size() - std::min(bytes.size(), kMaxArcLineBytes);
    at_line_start = at_line_start && begin >= longest;
    begin = std::max(begin, longest);
    searched = bytes.size() - begin;
    stream_.consume(begin);
    stream_.release();
    if (!stream_.fill()) {
      stream_.consume(stream_.ahead().size());
      return;
    }
  }
}

}  // namespace ndc
