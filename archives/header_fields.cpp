// Parses lines of fields, folded and damaged ones too, without regard to the locale.
#include "archives/header_fields.hpp"

#include <algorithm>
#include <charconv>

namespace ndc {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  return equals_ignoring_case(text.substr(0, prefix.size()), prefix);
}

bool ends_with_ignoring_case(std::string_view text, std::string_view suffix) {
  return equals_ignoring_case(text.substr(text.size() - std::min(text.size(), suffix.size())), suffix);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::optional<unsigned long long> parse_decimal(std::string_view text) {
  unsigned long long value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void HeaderFields::parse(std::string_view lines) {
  fields_.clear();
  bool continuable = false;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size() - 1);
    const std::string_view line = lines.substr(0, end + 1);
    lines.remove_prefix(end + 1);
    const std::string_view text = trimmed(line);
    if (is_blank(line.front())) {
      if (continuable && !text.empty()) fields_.back().value.append(" ").append(text);
      continue;
    }
    const size_t colon = text.find(':');
    continuable = colon != std::string_view::npos;
    if (continuable) {
      fields_.push_back(
          {std::string(trimmed(text.substr(0, colon))), std::string(trimmed(text.substr(colon + 1)))});
    }
  }
}

std::string_view HeaderFields::find(std::string_view name) const {
  for (const Field& field : fields_) {
    if (equals_ignoring_case(field.name, name)) return trimmed(field.value);
  }
  return {};
}

bool HeaderFields::has(std::string_view name) const {
  return std::any_of(fields_.begin(), fields_.end(),
                     [name](const Field& field) { return equals_ignoring_case(field.name, name); });
}

bool HeaderFields::has_two(std::string_view name) const {
  const std::string_view first = find(name);
  return std::any_of(fields_.begin(), fields_.end(), [name, first](const Field& field) {
    return equals_ignoring_case(field.name, name) && trimmed(field.value) != first;
  });
}

std::string HeaderFields::join(std::string_view name) const {
  std::string joined;
  for (const Field& field : fields_) {
    if (!equals_ignoring_case(field.name, name)) continue;
    if (!joined.empty()) joined += ',';
    joined += field.value;
  }
  return joined;
}

size_t header_end(std::string_view text, size_t search_from) {
  for (size_t at = text.find('\n', search_from); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    // Some writers end their lines with CR CR LF.
    for (size_t next = at + 1; next < text.size() && next <= at + kMostLineEndBytes; ++next) {
      if (text[next] == '\n') return next + 1;
      if (text[next] != '\r') break;
    }
  }
  return std::string_view::npos;
}

}  // namespace ndc
