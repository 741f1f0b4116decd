// The line before each record of an ARC file, of which there are several versions and more spellings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ndc {

// Longer ones are none.
inline constexpr size_t kMaxArcLineBytes = size_t{64} << 10;

struct ArcLine {
  std::string url;
  std::string date;          // as WARC writes it; empty if it cannot be read
  std::string content_type;  // as written, with its parameters; empty if missing
  uint64_t length = 0;
};

// What a line, without its end, says:
//   version 1   URL IP-address Archive-date Content-type Archive-length
//   version 2   URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename
//   Archive-length
// URL and content type may hold spaces. Behind an IP address, or "-", the date may be any that begins with a
// digit, or "-", and the content type may be missing.
std::optional<ArcLine> parse_arc_line(std::string_view line);

// Whether these bytes begin with such a line and its end.
bool begins_arc_record(std::string_view bytes);

// Where in a line, without its end, the line of a record begins: at its start, if that is there, or behind
// other text, if the record before has no line end. nullopt: nowhere.
std::optional<size_t> arc_line_within(std::string_view line, bool has_start = true);

// Where in a line that begins a record the line of another one surely begins, because what is before it was
// cut. A URL may hold another one behind a mark: that is none.
std::optional<size_t> arc_line_cut_by(std::string_view line);

}  // namespace ndc
