// Picks the attributes that matter from a tag of any number of them, the first of each name, and cuts their
// values.
#include "reading/needed_attributes.hpp"

#include <bit>

#include "core/utf8.hpp"
#include "reading/class_names.hpp"
#include "reading/leading_name.hpp"
#include "reading/site.hpp"

namespace nd::text {
namespace {

constexpr size_t kMaxValueBytes = 65536;
constexpr size_t kMaxDocumentBytes = 4 << 20;  // libxml2 takes no value above 10 MB

constexpr size_t most_bytes(Attribute attribute) noexcept {
  return attribute == Attribute::kSrcdoc ? kMaxDocumentBytes : kMaxValueBytes;
}

template <typename... Attributes>
constexpr AttributeBits bits_of(Attributes... attributes) noexcept {
  return static_cast<AttributeBits>((bit_of(attributes) | ...));
}

// Needed for every element that can have content, and for those whose other attributes matter.
constexpr AttributeBits kAlwaysWanted =
    bits_of(Attribute::kHidden, Attribute::kRole, Attribute::kAriaHidden, Attribute::kStyle);

AttributeBits wanted_by(Element element) noexcept {
  switch (element) {
    case Element::kA:
      return kAlwaysWanted | bits_of(Attribute::kHref);
    case Element::kLink:
      return kAlwaysWanted | bits_of(Attribute::kHref, Attribute::kRel, Attribute::kHreflang);
    case Element::kHtml:
      return kAlwaysWanted | bits_of(Attribute::kLang, Attribute::kXmlLang);
    case Element::kIframe:
      return kAlwaysWanted | bits_of(Attribute::kSrcdoc);
    case Element::kInput:
      return kAlwaysWanted | bits_of(Attribute::kType, Attribute::kValue);
    case Element::kTemplate:
      return kAlwaysWanted | bits_of(Attribute::kShadowRootMode);
    case Element::kMeta:
      return kAlwaysWanted |
             bits_of(Attribute::kName, Attribute::kProperty, Attribute::kHttpEquiv, Attribute::kContent);
    default:
      if (names_blocks(element)) return kAlwaysWanted | bits_of(Attribute::kClass, Attribute::kId);
      return (traits_of(element).flags & kIsVoid) != 0 ? 0 : kAlwaysWanted;
  }
}

bool has_reference(std::string_view value) noexcept {
  return value.find('&') != std::string_view::npos;
}

Attribute attribute_of(const NameKey& name, AttributeBits like) noexcept {
  for (uint32_t left = like; left != 0; left &= left - 1) {
    const auto attribute = static_cast<size_t>(std::countr_zero(left));
    if (kAttributeKeys[attribute] == name) return static_cast<Attribute>(attribute);
  }
  return Attribute::kOther;
}

// Precondition: it is the first attribute of its name, and wanted.
bool is_needed(Attribute attribute, std::string_view value) noexcept {
  switch (attribute) {
    case Attribute::kRole:
      return context_of_role(value) != 0 || has_reference(value);
    case Attribute::kClass:
    case Attribute::kId:
      return has_reference(value);
    case Attribute::kAriaHidden:
      return aria_hides(value) || has_reference(value);
    case Attribute::kShadowRootMode:
      return makes_shadow_root(value) || has_reference(value);
    case Attribute::kStyle:
      return style_hides(value) || has_reference(value);
    default:
      return true;
  }
}

// origin_of() sees no further than the '&' at `reference`, whatever that stands for.
bool origin_ends_before(std::string_view url, size_t reference) noexcept {
  const std::string_view before = url.substr(0, reference);
  const std::string_view origin = origin_of(before);
  if (!origin.empty()) return origin.end() != before.end();
  size_t at = 0;
  while (at < before.size() && static_cast<unsigned char>(before[at]) <= ' ')
    ++at;
  const auto is_scheme_byte = [&](char c) { return is(c, kNameByte | kNameStart) || c == '+'; };
  while (at < before.size() && is_scheme_byte(before[at]))
    ++at;
  return at + 2 < before.size();
}

// At most so many bytes of it, in whole characters.
std::string_view cut_value(std::string_view value, size_t most) noexcept {
  if (value.size() <= most) return value;
  size_t size = most;
  while ((static_cast<unsigned char>(value[size]) & 0xc0) == 0x80)
    --size;
  return value.substr(0, size);
}

// A '&' that begins no reference costs the parser an error message; it is written as "&amp;". A number that
// is no character ends the value: libxml2 2.9 takes it for a NUL.
void write_value(String& out, std::string_view value, EntityNames& entities) {
  const char* const end = value.data() + value.size();
  for (const char* at = value.data();;) {
    const char* const next = find_near_byte(at, end, '&');
    out.append(at, next);
    if (next == end) return;
    const CharacterReference found = entities.reference(next, end, EntityNames::Place::kAttribute);
    if (found.end == next) {
      out.append("&amp;");
      at = next + 1;
      continue;
    }
    if (!found.valid) return;
    write_reference(out, found);
    at = found.end;
  }
}

void write_attribute(String& out, const MarkupAttribute& attribute, size_t most, EntityNames& entities) {
  out.push_back(' ');
  const std::string_view value = cut_value(attribute.value, most);
  const bool is_whole = value.size() == attribute.value.size();
  if (is_whole && !has_reference(value)) {
    out.append(attribute.written);
  } else {
    out.append(
        attribute.written.substr(0, static_cast<size_t>(attribute.value.data() - attribute.written.data())));
    const size_t before = out.size();
    write_value(out, value, entities);
    // Otherwise what follows would be the value.
    if (attribute.quote == '\0' && out.size() == before) out.append("\"\"");
    // The end of an unclosed value is the page's end.
    const bool is_closed = attribute.written.data() + attribute.written.size() !=
                           attribute.value.data() + attribute.value.size();
    if (attribute.quote != '\0' && (is_closed || !is_whole)) out.push_back(attribute.quote);
  }
  if (attribute.quote == '\0') out.push_back(' ');
}

// Only the origin of an anchor's target is of interest. False if a reference might hide it.
bool find_origin(std::string_view url, std::string_view& origin) noexcept {
  const size_t reference = url.find('&');
  if (reference != std::string_view::npos && !origin_ends_before(url, reference)) return false;
  origin = origin_of(url);
  return origin.size() <= kMaxValueBytes;
}

// Appends what the parser reads from the output of write_value().
void append_decoded(String& out, std::string_view value, EntityNames& entities) {
  const char* const end = value.data() + value.size();
  for (const char* at = value.data();;) {
    const char* next = find_near_byte(at, end, '&');
    out.append(at, next);
    if (next == end) return;
    const CharacterReference found = entities.reference(next, end, EntityNames::Place::kAttribute);
    if (found.end == next) {
      out.push_back('&');
      at = next + 1;
      continue;
    }
    if (!found.valid) return;
    append_utf8(out, found.value);
    if (found.second != 0) append_utf8(out, found.second);
    at = found.end;
  }
}

bool write_target(String& out, std::string_view url) {
  std::string_view origin;
  if (!find_origin(url, origin) || origin.find('"') != std::string_view::npos) return false;
  out.append(" href");
  if (!origin.empty()) {
    out.append("=\"");
    out.append(origin);
    out.push_back('"');
  }
  return true;
}

}  // namespace

const char* NeededAttributes::read_some(const char* at, const char* end, Element element) {
  AttributeBits wanted = wanted_by(element);
  at = skip_blanks(at, end);
  while (!ends_tag(at, end)) {
    if (static_cast<size_t>(end - at) >= kNameBlockBytes && is(*at, kNameStart)) {
      const size_t size = leading_name_size(at);
      const AttributeBits like = size < kNameBlockBytes ? wanted & attributes_like(*at, size) : 0;
      if (like == 0) {
        // name_end() never stands still here, whatever the size is taken for.
        const bool is_whole = size != 0 && size < kNameBlockBytes;
        at = skip_attribute(is_whole ? at + size : name_end(at, end), end);
        continue;
      }
      const Attribute attribute = attribute_of(leading_name(at).key, like);
      note(attribute, read_attribute_named(at, size, end), wanted);
    } else {
      const MarkupAttribute markup = read_attribute(at, end);
      note(find_attribute(markup.name), markup, wanted);
    }
  }
  return at;
}

inline void NeededAttributes::note(Attribute attribute, const MarkupAttribute& markup,
                                   AttributeBits& wanted) noexcept {
  if ((wanted & bit_of(attribute)) == 0) return;
  wanted = static_cast<AttributeBits>(wanted & ~bit_of(attribute));
  const bool is_name = attribute == Attribute::kClass || attribute == Attribute::kId;
  if (is_name && !has_reference(markup.value)) {
    names_ |= context_of_names(markup.value);
    return;
  }
  if (!is_needed(attribute, markup.value)) return;
  attributes_[count_].attribute = attribute;
  attributes_[count_++].markup = markup;
}

// Rules that is_needed() cannot apply to one attribute alone.
bool NeededAttributes::are_needed(Element element, bool stays) const noexcept {
  if (element == Element::kHtml) return true;
  if (element == Element::kLink) {
    const std::string_view rel = value_of(Attribute::kRel);
    const uint8_t types = link_types(rel);
    return (types & kCanonical) != 0 || has_reference(rel) ||
           ((types & kAlternate) != 0 && !value_of(Attribute::kHreflang).empty());
  }
  if (element == Element::kMeta) {
    const std::string_view name = value_of(Attribute::kName);
    const std::string_view property = value_of(Attribute::kProperty);
    const std::string_view http_equiv = value_of(Attribute::kHttpEquiv);
    return meta_field(name, property, http_equiv) != MetaField::kNone || has_reference(name) ||
           has_reference(property) || has_reference(http_equiv);
  }
  if (element == Element::kInput) {
    const std::string_view type = value_of(Attribute::kType);
    return !value_of(Attribute::kValue).empty() && (shows_value(type) || has_reference(type));
  }
  return stays;
}

std::string_view NeededAttributes::value_of(Attribute attribute) const noexcept {
  for (const Needed& needed : chosen()) {
    if (needed.attribute == attribute) return needed.markup.value;
  }
  return {};
}

// The bits of class and id are written as one value, under whichever of the two names no value with
// references needs.
void NeededAttributes::write_names(String& out) const {
  if (names_ == 0) return;
  out.append(value_of(Attribute::kClass).empty() ? " class=\"" : " id=\"");
  out.append(names_of_context(names_));
  out.push_back('"');
}

void NeededAttributes::write(String& out, Element element, EntityNames& entities) const {
  write_names(out);
  for (const Needed& needed : chosen()) {
    const bool is_target = element == Element::kA && needed.attribute == Attribute::kHref;
    if (!is_target || !write_target(out, needed.markup.value))
      write_attribute(out, needed.markup, most_bytes(needed.attribute), entities);
  }
}

void NeededAttributes::decode(Element element, EntityNames& entities, DecodedValues& decoded,
                              Attributes& out) const {
  out.clear();
  for (const Needed& needed : chosen()) {
    std::string_view value = cut_value(needed.markup.value, most_bytes(needed.attribute));
    std::string_view origin;
    if (element == Element::kA && needed.attribute == Attribute::kHref &&
        find_origin(needed.markup.value, origin)) {
      value = origin;
    } else if (has_reference(value)) {
      String& text = decoded[static_cast<size_t>(needed.attribute)];
      text.clear();
      append_decoded(text, value, entities);
      value = text;
    }
    out.set(needed.attribute, value);
  }
}

}  // namespace nd::text
