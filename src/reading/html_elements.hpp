// The elements of HTML that the extraction treats specially, and their names as keys that compare in two
// words.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace nd::text {

// In alphabetical order of the names. Elements that are not here are inline containers of text.
// clang-format off
enum class Element : uint8_t {
  kUnknown, kA, kAbbr, kAcronym, kAddress, kAnnotation, kApplet, kArea, kArticle, kAside, kAudio, kB,
  kBase, kBasefont, kBdo, kBig, kBlockquote, kBody, kBr, kButton, kCanvas, kCaption, kCenter, kCite,
  kCode, kCol, kColgroup, kDd, kDel, kDetails, kDfn, kDialog, kDir, kDiv, kDl, kDt, kEm, kEmbed,
  kFieldset, kFigcaption, kFigure, kFont, kFooter, kForm, kFrame, kFrameset, kG, kH1, kH2, kH3, kH4, kH5,
  kH6, kHead, kHeader, kHgroup, kHr, kHtml, kI, kIframe, kImg, kInput, kIns, kIsindex, kKbd, kLabel,
  kLegend, kLi, kLink, kListing, kMain, kMap, kMark, kMenu, kMeta, kNav, kNoembed, kNoframes, kNoscript,
  kObject, kOl, kOptgroup, kOption, kP, kParam, kPath, kPicture, kPlaintext, kPre, kQ, kS, kSamp, kScript,
  kSearch, kSection, kSelect, kSmall, kSource, kSpan, kStrike, kStrong, kStyle, kSub, kSummary, kSup,
  kSvg, kTable, kTbody, kTd, kTemplate, kTextarea, kTfoot, kTh, kThead, kTime, kTitle, kTr, kTt, kU, kUl,
  kVar, kVideo, kWbr, kXmp, kCount
};
// clang-format on

inline constexpr size_t kElements = static_cast<size_t>(Element::kCount);

// A set of known elements.
struct ElementSet {
  std::array<uint64_t, (kElements + 63) / 64> words{};
  constexpr void insert(Element element) noexcept {
    words[static_cast<size_t>(element) / 64] |= uint64_t{1} << (static_cast<size_t>(element) % 64);
  }
  constexpr void insert(const ElementSet& others) noexcept {
    for (size_t i = 0; i < words.size(); ++i)
      words[i] |= others.words[i];
  }
  constexpr bool contains(Element element) const noexcept {
    return (words[static_cast<size_t>(element) / 64] >> (static_cast<size_t>(element) % 64) & 1) != 0;
  }
};

// Bits of ElementTraits::flags.
enum ElementFlag : uint8_t {
  kSeparates = 1 << 0,        // text before, inside and behind it is never in the same block
  kHoldsBlocks = 1 << 1,      // gets an entry in Extraction::containers
  kHides = 1 << 2,            // its content is no page text
  kIsVoid = 1 << 3,           // libxml2 closes it at once (empty in the HTML 4 DTD)
  kIsShell = 1 << 4,          // html, head or body
  kTakesShadowRoot = 1 << 5,  // may be a shadow host (DOM Standard, "attach a shadow root")
};

struct ElementTraits {
  std::string_view name;
  uint8_t flags = 0;
  uint8_t heading_level = 0;
  uint8_t end_priority = 100;  // an end tag closes nothing across an element of higher priority (libxml2)
  uint16_t context = 0;        // BlockContext bits of the text inside
  ElementSet closes;           // open elements that its start tag closes when innermost (libxml2)
};

extern const std::array<ElementTraits, kElements> kElementTraits;

inline const ElementTraits& traits_of(Element element) noexcept {
  return kElementTraits[static_cast<size_t>(element)];
}

// A lower-case name, zero-padded, as two little-endian words; names longer than 16 bytes have no key of their
// own and are never known.
struct NameKey {
  uint64_t low = 0;
  uint64_t high = 0;
  friend constexpr bool operator==(const NameKey&, const NameKey&) = default;
};

constexpr NameKey name_key(std::string_view lower_case) noexcept {
  NameKey key;
  for (size_t i = 0; i < lower_case.size() && i < 16; ++i) {
    const auto byte = static_cast<uint64_t>(static_cast<unsigned char>(lower_case[i]));
    (i < 8 ? key.low : key.high) |= byte << (i % 8 * 8);
  }
  return key;
}

// The key of a name of letters, digits and : . _ - once it is in lower case. `readable`: bytes from the
// beginning of the name that may be read, at least its own.
inline NameKey lower_case_key(std::string_view name, size_t readable) noexcept {
  uint64_t words[2] = {0, 0};
  std::memcpy(words, name.data(), readable < 16 ? readable : 16);
  if constexpr (std::endian::native == std::endian::big) {
    for (uint64_t& word : words)
      word = __builtin_bswap64(word);
  }
  const size_t size = name.size() < 16 ? name.size() : 16;
  const auto mask = [](size_t bytes) { return bytes >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes)) - 1; };
  // All bytes are below 0x80: those from 'A' to 'Z' carry into the top bit of one sum and not of the other.
  const auto to_lower = [](uint64_t word) {
    constexpr uint64_t kOnes = 0x0101010101010101U;
    const uint64_t from_a = word + kOnes * (0x80 - 'A');
    const uint64_t beyond_z = word + kOnes * (0x80 - 'Z' - 1);
    return word | ((from_a & ~beyond_z & kOnes * 0x80) >> 2);
  };
  return NameKey{to_lower(words[0] & mask(size)), size <= 8 ? 0 : to_lower(words[1] & mask(size - 8))};
}

constexpr uint64_t mix(const NameKey& key) noexcept {
  const uint64_t sum = key.low * 0x9e3779b97f4a7c15U ^ key.high * 0xc2b2ae3d27d4eb4fU;
  return sum ^ sum >> 29;
}

// A hash table built at compile time, in which no two names collide.
inline constexpr unsigned kElementSlotBits = 10;
struct ElementIndex {
  std::array<Element, size_t{1} << kElementSlotBits> elements{};
  std::array<NameKey, kElements> keys{};
};
extern const ElementIndex kElementIndex;

constexpr size_t element_slot(const NameKey& key) noexcept {
  // Found by trial; a number that does not fit the current names does not compile.
  constexpr uint64_t kMultiplier = 0x1b37de3bf8cc20b9U;
  return ((key.low ^ key.high) * kMultiplier) >> (64 - kElementSlotBits);
}

inline const NameKey& key_of(Element element) noexcept {
  return kElementIndex.keys[static_cast<size_t>(element)];
}

inline Element find_element(const NameKey& key) noexcept {
  const Element element = kElementIndex.elements[element_slot(key)];
  return kElementIndex.keys[static_cast<size_t>(element)] == key ? element : Element::kUnknown;
}

}  // namespace nd::text
