// The attributes that the extraction reads, and what their values mean. The prefilter asks the same questions
// of the values as written, so that it drops only what the extraction would not use.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "text/html_elements.hpp"

namespace nd::text {

enum class Attribute : uint8_t {
  kOther,
  kAriaHidden,
  kContent,
  kHidden,
  kHref,
  kHreflang,
  kHttpEquiv,
  kLang,
  kName,
  kProperty,
  kRel,
  kRole,
  kStyle,
  kXmlLang,
  kCount
};

Attribute find_attribute(std::string_view name) noexcept;

// The values of one start tag; the first of several of one name counts.
class Attributes {
 public:
  void clear() noexcept { present_ = 0; }
  // False if there was one of this name.
  bool set(Attribute name, std::string_view value) noexcept {
    if (has(name)) return false;
    present_ |= bit(name);
    values_[static_cast<size_t>(name)] = value;
    return true;
  }
  bool has(Attribute name) const noexcept { return (present_ & bit(name)) != 0; }
  bool empty() const noexcept { return present_ == 0; }
  // "" if absent.
  std::string_view operator[](Attribute name) const noexcept {
    return has(name) ? values_[static_cast<size_t>(name)] : std::string_view{};
  }

 private:
  static constexpr uint32_t bit(Attribute name) noexcept { return 1U << static_cast<uint32_t>(name); }
  uint32_t present_ = 0;
  std::array<std::string_view, static_cast<size_t>(Attribute::kCount)> values_;
};

// ASCII only, as names and keywords of HTML are.
bool equals_ignoring_case(std::string_view text, std::string_view lower_case) noexcept;
std::string_view trim_blanks(std::string_view text) noexcept;

// display:none or visibility:hidden stands in a style attribute.
bool style_hides(std::string_view style) noexcept;
bool aria_hides(std::string_view aria_hidden) noexcept;

// The BlockContext bits of a role; 0 for most.
uint16_t context_of_role(std::string_view role) noexcept;

enum class MetaField : uint8_t { kNone, kKeywords, kDescription, kOpenGraphDescription, kLanguage };
MetaField meta_field(std::string_view name, std::string_view property, std::string_view http_equiv) noexcept;

// Bits of the link types that are used, of the white-space separated list in rel.
enum LinkType : uint8_t { kCanonical = 1 << 0, kAlternate = 1 << 1 };
uint8_t link_types(std::string_view rel) noexcept;

}  // namespace nd::text
