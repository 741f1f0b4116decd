// Reads styles, roles and URLs of attributes as browsers do, without copying them.
#include "reading/html_attributes.hpp"

#include <algorithm>
#include <bit>

#include "reading/ascii.hpp"
#include "reading/extraction.hpp"

namespace nd::text {
namespace {

// `declaration` is in lower case and without white space.
bool contains_declaration(std::string_view style, std::string_view declaration) noexcept {
  for (size_t begin = 0; begin + declaration.size() <= style.size(); ++begin) {
    if (ascii_lower(style[begin]) != declaration.front()) continue;
    size_t matched = 0;
    size_t at = begin;
    while (at < style.size() && matched < declaration.size()) {
      if (ascii_lower(style[at]) == declaration[matched]) {
        ++matched;
      } else if (!is_ascii_space(style[at])) {
        break;
      }
      ++at;
    }
    if (matched == declaration.size()) return true;
  }
  return false;
}

// Whether the style has a value like those of both declarations; most styles do not.
bool has_value_like_none_or_hidden(std::string_view style) noexcept {
  for (size_t at = style.find(':'); at != std::string_view::npos; at = style.find(':', at)) {
    ++at;
    while (at < style.size() && is_ascii_space(style[at]))
      ++at;
    if (at < style.size() && (ascii_lower(style[at]) == 'n' || ascii_lower(style[at]) == 'h')) return true;
  }
  return false;
}

template <typename Visit>
void for_each_token(std::string_view list, Visit visit) {
  size_t at = 0;
  while (at < list.size()) {
    while (at < list.size() && is_ascii_space(list[at]))
      ++at;
    const size_t begin = at;
    while (at < list.size() && !is_ascii_space(list[at]))
      ++at;
    if (at > begin) visit(list.substr(begin, at - begin));
  }
}

}  // namespace

Attribute find_attribute(std::string_view name) noexcept {
  if (name.empty() || name.size() >= kAttributeLikeness.by_size.size()) return Attribute::kOther;
  for (uint32_t like = attributes_like(name.front(), name.size()); like != 0; like &= like - 1) {
    const auto attribute = static_cast<size_t>(std::countr_zero(like));
    if (equals_ignoring_case(name, kAttributeNames[attribute])) return static_cast<Attribute>(attribute);
  }
  return Attribute::kOther;
}

bool style_hides(std::string_view style) noexcept {
  return has_value_like_none_or_hidden(style) &&
         (contains_declaration(style, "display:none") || contains_declaration(style, "visibility:hidden"));
}

bool aria_hides(std::string_view aria_hidden) noexcept {
  return equals_ignoring_case(trim_blanks(aria_hidden), "true");
}

// An enumerated attribute, as the standard has them: no white space is trimmed.
bool makes_shadow_root(std::string_view mode) noexcept {
  return equals_ignoring_case(mode, "open") || equals_ignoring_case(mode, "closed");
}

// HTML Living Standard, 4.10.5: an unknown type is text.
bool shows_value(std::string_view type) noexcept {
  static constexpr std::string_view kOthers[] = {"hidden", "password", "checkbox", "radio",
                                                 "file",   "submit",   "image",    "reset",
                                                 "button", "range",    "color",    "search"};
  return std::ranges::none_of(kOthers,
                              [&](std::string_view other) { return equals_ignoring_case(type, other); });
}

uint16_t context_of_role(std::string_view role) noexcept {
  const std::string_view name = trim_blanks(role);
  if (equals_ignoring_case(name, "navigation")) return kInNavigation;
  if (equals_ignoring_case(name, "complementary")) return kInAside;
  if (equals_ignoring_case(name, "main")) return kInArticle;
  return 0;
}

MetaField meta_field(std::string_view name, std::string_view property, std::string_view http_equiv) noexcept {
  const std::string_view key = trim_blanks(name);
  if (equals_ignoring_case(key, "description")) return MetaField::kDescription;
  if (equals_ignoring_case(key, "keywords")) return MetaField::kKeywords;
  if (equals_ignoring_case(key, "og:description") ||
      equals_ignoring_case(trim_blanks(property), "og:description")) {
    return MetaField::kOpenGraphDescription;
  }
  if (equals_ignoring_case(trim_blanks(http_equiv), "content-language")) return MetaField::kLanguage;
  return MetaField::kNone;
}

uint8_t link_types(std::string_view rel) noexcept {
  uint8_t types = 0;
  for_each_token(rel, [&types](std::string_view token) {
    if (equals_ignoring_case(token, "canonical")) types |= kCanonical;
    if (equals_ignoring_case(token, "alternate")) types |= kAlternate;
  });
  return types;
}

}  // namespace nd::text
