// Takes the fields of the line from its end, because URLs in it may contain spaces, and damage may stand
// before it.
#include "archives/arc_line.hpp"

#include <algorithm>
#include <vector>

#include "archives/header_fields.hpp"

namespace ndc {
namespace {

constexpr size_t kFieldsOfVersion1 = 5;
constexpr size_t kFieldsOfVersion2 = 10;
// Between the date and the length.
constexpr size_t kWordsOfVersion2 = 6;
constexpr size_t kMostWordsOfType = 12;
constexpr size_t kShortestDateDigits = 8;
constexpr size_t kDateDigits = 14;
constexpr size_t kLongestDateDigits = 17;  // with milliseconds

bool is_decimal_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_date(std::string_view text) {
  return text.size() >= kShortestDateDigits && text.size() <= kLongestDateDigits &&
         (text.size() % 2 == 0 || text.size() > kDateDigits) &&
         std::all_of(text.begin(), text.end(), is_decimal_digit);
}

// "20080430204825" as WARC writes dates.
std::string warc_form(std::string_view date) {
  date = date.substr(0, kDateDigits);
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
           return is_ascii_letter(c) || is_decimal_digit(c) || c == '+' || c == '-' || c == '.';
         });
}

// An IP address of version 4 or 6, or "-".
bool is_address(std::string_view text) {
  if (text == "-") return true;
  const auto dots = std::count(text.begin(), text.end(), '.');
  const auto colons = std::count(text.begin(), text.end(), ':');
  const std::string_view allowed = colons >= 2 ? "0123456789abcdefABCDEF:." : "0123456789.";
  return (dots == 3 || colons >= 2) && text.find_first_not_of(allowed) == std::string_view::npos;
}

// Whether a line that is cut here may be one URL up to here, which goes on with another one: behind a mark,
// or an escape.
bool may_be_within_url(std::string_view before) {
  const char last = before.back();
  const bool is_word = is_ascii_letter(last) || is_decimal_digit(last) || last == '.';
  return !is_word || (before.size() > 2 && before[before.size() - 3] == '%');
}

// Whether a blank and an address, of numbers, stand in it.
bool holds_address(std::string_view text) {
  for (size_t blank = text.find(' '); blank != std::string_view::npos; blank = text.find(' ', blank + 1)) {
    const std::string_view word = text.substr(blank + 1, text.find(' ', blank + 1) - blank - 1);
    if (word != "-" && is_address(word)) return true;
  }
  return false;
}

// The fields are counted from the end, because the URL may hold spaces.
std::optional<ArcLine> parse_regular(std::string_view text, size_t count) {
  std::vector<std::string_view> fields;
  std::string_view rest = text;
  while (fields.size() + 1 < count) {
    const size_t blank = rest.rfind(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    fields.push_back(rest.substr(blank + 1));
    rest = rest.substr(0, blank);
  }
  std::reverse(fields.begin(), fields.end());
  const std::optional<unsigned long long> length = parse_decimal(fields.back());
  if (!length || !is_date(fields[1])) return std::nullopt;
  return ArcLine{std::string(trimmed(rest)), warc_form(fields[1]), std::string(fields[2]), *length};
}

// The fields are found by the address.
std::optional<ArcLine> parse_odd(std::string_view text) {
  const size_t last = text.rfind(' ');
  if (last == std::string_view::npos) return std::nullopt;
  const std::optional<unsigned long long> length = parse_decimal(text.substr(last + 1));
  if (!length) return std::nullopt;
  for (size_t blank = text.find(' '); blank < last; blank = text.find(' ', blank + 1)) {
    const size_t address_end = text.find(' ', blank + 1);
    const size_t date_at = text.find_first_not_of(' ', address_end);
    if (date_at > last) break;
    if (!is_address(text.substr(blank + 1, address_end - blank - 1))) continue;
    const size_t date_end = text.find(' ', date_at);
    const std::string_view date = text.substr(date_at, date_end - date_at);
    if (date != "-" && (date.empty() || !is_decimal_digit(date.front()))) continue;
    std::string_view type = date_end < last ? text.substr(date_end + 1, last - date_end - 1) : "";
    const size_t words = static_cast<size_t>(std::count(type.begin(), type.end(), ' ')) + 1;
    if (words > kMostWordsOfType) return std::nullopt;
    if (words >= kWordsOfVersion2) type = type.substr(0, type.find(' '));
    return ArcLine{std::string(trimmed(text.substr(0, blank))),
                   is_date(date) ? warc_form(date) : std::string(), std::string(trimmed(type)), *length};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ArcLine> parse_arc_line(std::string_view line) {
  line = trimmed(line);
  if (line.empty() || !is_decimal_digit(line.back()) || !has_scheme(line)) return std::nullopt;
  for (const size_t count : {kFieldsOfVersion1, kFieldsOfVersion2}) {
    if (std::optional<ArcLine> parsed = parse_regular(line, count)) return parsed;
  }
  return parse_odd(line);
}

bool begins_arc_record(std::string_view bytes) {
  const size_t end = bytes.find('\n');
  return end <= kMaxArcLineBytes && end != std::string_view::npos &&
         parse_arc_line(bytes.substr(0, end)).has_value();
}

std::optional<size_t> arc_line_within(std::string_view line, bool has_start) {
  while (line.ends_with('\r'))
    line.remove_suffix(1);
  if (line.empty() || !is_decimal_digit(line.back())) return std::nullopt;
  if (has_start && parse_arc_line(line)) return 0;
  // No URL goes on across these; one may hold another, behind one of its own marks.
  const size_t from = line.find_last_of("<>\"\t") + 1;
  std::optional<size_t> embedded;
  for (size_t at = line.rfind("http"); at != std::string_view::npos && at >= from && at > 0;
       at = line.rfind("http", at - 1)) {
    const std::string_view rest = line.substr(at + 4);
    if (!rest.starts_with("://") && !rest.starts_with("s://")) continue;
    if (!parse_arc_line(line.substr(at))) return std::nullopt;
    if (std::string_view("/=?&:").find(line[at - 1]) == std::string_view::npos) return at;
    if (!embedded) embedded = at;
  }
  return embedded;
}

std::optional<size_t> arc_line_cut_by(std::string_view line) {
  const std::optional<size_t> at = arc_line_within(line, false);
  if (!at) return std::nullopt;
  const std::string_view before = line.substr(0, *at);
  return holds_address(before) || !may_be_within_url(before) ? at : std::nullopt;
}

}  // namespace ndc
