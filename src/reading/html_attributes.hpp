// The attributes that the extraction reads, and the meaning of their values. The prefilter applies the same
// functions to the values as written, so that it drops only what the extraction would not use.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "reading/html_elements.hpp"

namespace nd::text {

// clang-format off
enum class Attribute : uint8_t {
  kOther, kAriaHidden, kClass, kContent, kHidden, kHref, kHreflang, kHttpEquiv, kId, kLang, kName, kProperty,
  kRel, kRole, kShadowRootMode, kSrcdoc, kStyle, kType, kValue, kXmlLang, kCount
};
// clang-format on

// "" for kOther.
inline constexpr std::array<std::string_view, static_cast<size_t>(Attribute::kCount)> kAttributeNames = {
    "",      "aria-hidden", "class", "content",  "hidden", "href", "hreflang",       "http-equiv",
    "id",    "lang",        "name",  "property", "rel",    "role", "shadowrootmode", "srcdoc",
    "style", "type",        "value", "xml:lang"};

// Ignores the case of letters.
Attribute find_attribute(std::string_view name) noexcept;

// A set of attributes.
using AttributeBits = uint32_t;
constexpr AttributeBits bit_of(Attribute attribute) noexcept {
  return static_cast<AttributeBits>(1U << static_cast<uint32_t>(attribute));
}

// The names again; all are at most 16 bytes long.
inline constexpr std::array<NameKey, kAttributeNames.size()> kAttributeKeys = [] {
  std::array<NameKey, kAttributeNames.size()> keys{};
  for (size_t i = 0; i < keys.size(); ++i)
    keys[i] = name_key(kAttributeNames[i]);
  return keys;
}();

struct AttributeLikeness {
  std::array<AttributeBits, 16> by_size{};
  std::array<AttributeBits, 32> by_first{};  // the byte's last five bits, so that case makes no difference
};
inline constexpr AttributeLikeness kAttributeLikeness = [] {
  AttributeLikeness likeness;
  for (size_t i = 1; i < kAttributeNames.size(); ++i) {
    const AttributeBits bit = bit_of(static_cast<Attribute>(i));
    likeness.by_size[kAttributeNames[i].size()] |= bit;
    likeness.by_first[static_cast<unsigned char>(kAttributeNames[i].front()) % 32] |= bit;
  }
  return likeness;
}();

// The attributes that a name may be, by its size (below 16) and its first byte. Tells most names apart from
// all that are of interest.
constexpr AttributeBits attributes_like(char first, size_t size) noexcept {
  return kAttributeLikeness.by_size[size] &
         kAttributeLikeness.by_first[static_cast<unsigned char>(first) % 32];
}

// The values of one start tag; the first of several of one name counts.
class Attributes {
 public:
  void clear() noexcept { present_ = 0; }
  // False if there was one of this name.
  bool set(Attribute name, std::string_view value) noexcept {
    if (has(name)) return false;
    present_ |= bit_of(name);
    values_[static_cast<size_t>(name)] = value;
    return true;
  }
  void remove(Attribute name) noexcept { present_ &= ~bit_of(name); }
  bool has(Attribute name) const noexcept { return (present_ & bit_of(name)) != 0; }
  bool empty() const noexcept { return present_ == 0; }
  // "" if absent.
  std::string_view operator[](Attribute name) const noexcept {
    return has(name) ? values_[static_cast<size_t>(name)] : std::string_view{};
  }

 private:
  AttributeBits present_ = 0;
  std::array<std::string_view, static_cast<size_t>(Attribute::kCount)> values_;
};

// Whether a style attribute contains display:none or visibility:hidden.
bool style_hides(std::string_view style) noexcept;
bool aria_hides(std::string_view aria_hidden) noexcept;

// Whether the template that has this shadowrootmode is a shadow root, if its parent takes one.
bool makes_shadow_root(std::string_view mode) noexcept;

// Whether an input element of this type shows its value as text that somebody entered: no button, no search.
bool shows_value(std::string_view type) noexcept;

// The BlockContext bits of a role; 0 for most.
uint16_t context_of_role(std::string_view role) noexcept;

enum class MetaField : uint8_t { kNone, kKeywords, kDescription, kOpenGraphDescription, kLanguage };
MetaField meta_field(std::string_view name, std::string_view property, std::string_view http_equiv) noexcept;

// Bits of the link types that are used, of the white-space separated list in rel.
enum LinkType : uint8_t { kCanonical = 1 << 0, kAlternate = 1 << 1 };
uint8_t link_types(std::string_view rel) noexcept;

}  // namespace nd::text
