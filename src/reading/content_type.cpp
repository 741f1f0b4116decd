// Takes a header apart as RFC 9110 has it, and as servers write it: several values, quotes left open, a
// charset without a type.
#include "reading/content_type.hpp"

#include <algorithm>
#include <cstddef>

#include "reading/ascii.hpp"

namespace nd::text {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";  // HTTP white space

std::string_view without_blanks(std::string_view text) noexcept {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// A token of RFC 9110, 5.6.2.
bool is_token(std::string_view text) noexcept {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_ascii_letter(c) || (c >= '0' && c <= '9') || kMarks.find(c) != std::string_view::npos;
  });
}

}  // namespace

std::string_view take_header_value(std::string_view& values) noexcept {
  bool quoted = false;
  size_t end = 0;
  for (; end < values.size() && (quoted || values[end] != ','); ++end) {
    if (values[end] == '"') quoted = !quoted;
    if (quoted && values[end] == '\\') ++end;
  }
  end = std::min(end, values.size());
  const std::string_view value = values.substr(0, end);
  values.remove_prefix(std::min(end + 1, values.size()));
  return value;
}

std::string_view media_type_essence(std::string_view value) noexcept {
  const std::string_view essence = without_blanks(value.substr(0, value.find(';')));
  const size_t slash = essence.find('/');
  if (slash == std::string_view::npos || essence.find('*') != std::string_view::npos) return {};
  return is_token(essence.substr(0, slash)) && is_token(essence.substr(slash + 1)) ? essence
                                                                                   : std::string_view();
}

std::string_view declared_charset(std::string_view content_type) noexcept {
  constexpr std::string_view kName = "charset";
  size_t at = find_ignoring_case(content_type, kName, 0);
  for (; at != std::string_view::npos; at = find_ignoring_case(content_type, kName, at)) {
    at += kName.size();
    const size_t sign = content_type.find_first_not_of(kBlanks, at);
    if (sign == std::string_view::npos) return {};
    if (content_type[sign] != '=' && content_type[sign] != ':') continue;
    const size_t begin = content_type.find_first_not_of("\"' \t\r\n", sign + 1);
    if (begin == std::string_view::npos) return {};
    const size_t end = std::min(content_type.find_first_of("\"';, \t\r\n\f", begin), content_type.size());
    return content_type.substr(begin, end - begin);
  }
  return {};
}

}  // namespace nd::text
