// "Name: value" lines, as WARC and HTTP headers have them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ndc {

// ASCII only, independent of the locale.
bool equals_ignoring_case(std::string_view a, std::string_view b);
bool starts_with_ignoring_case(std::string_view text, std::string_view prefix);
bool ends_with_ignoring_case(std::string_view text, std::string_view suffix);

// Without the spaces, tabs and line ends at both ends.
std::string_view trimmed(std::string_view text);

// Decimal digits only; nullopt for anything else and beyond 64 bits.
std::optional<unsigned long long> parse_decimal(std::string_view text);

// The fields of one header, in order.
class HeaderFields {
 public:
  // Reads the lines behind the first line (the version or status line). A line that begins with a space or a
  // tab continues the one before, joined by one space; lines without a colon are ignored. CRLF and LF both
  // end lines.
  void parse(std::string_view lines);

  // The first value of this name, trimmed; empty if there is none. Names are compared without regard to case.
  std::string_view find(std::string_view name) const;
  bool has(std::string_view name) const;
  // Whether it is there with different values.
  bool has_two(std::string_view name) const;

  // All values of this name joined by commas, which is what repeated list fields mean (RFC 9110,
  // section 5.3).
  std::string join(std::string_view name) const;

 private:
  struct Field {
    std::string name;
    std::string value;
  };

  std::vector<Field> fields_;
};

// "\r\r\n"; of more of them none is known.
inline constexpr size_t kMostLineEndBytes = 3;

// Where a header that begins at the start of `text` ends: behind its empty line. npos: not in `text`; what
// comes to it later may be searched from kMostLineEndBytes before its end.
size_t header_end(std::string_view text, size_t search_from = 0);

}  // namespace ndc
