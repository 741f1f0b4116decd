// The table of names, compared eight bytes at a time, because every element of a page may have a class.
#include "reading/class_names.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "reading/extraction.hpp"

namespace nd::text {
namespace {

struct NamedContext {
  std::string_view beginning;  // of a word, in lower case
  uint16_t context;
};

// In alphabetical order. The model weighs them as features of a block; they decide nothing by themselves.
constexpr NamedContext kNamedContexts[] = {
    {"advert", kNamedAside},     {"article", kNamedContent},  {"aside", kNamedAside},
    {"banner", kNamedMargin},    {"body", kNamedContent},     {"breadcrumb", kNamedNavigation},
    {"comment", kNamedAside},    {"content", kNamedContent},  {"cookie", kNamedAside},
    {"copyright", kNamedMargin}, {"entry", kNamedContent},    {"foot", kNamedMargin},
    {"header", kNamedMargin},    {"login", kNamedAside},      {"main", kNamedContent},
    {"masthead", kNamedMargin},  {"menu", kNamedNavigation},  {"nav", kNamedNavigation},
    {"newsletter", kNamedAside}, {"pager", kNamedNavigation}, {"pagination", kNamedNavigation},
    {"popular", kNamedAside},    {"post", kNamedContent},     {"promo", kNamedAside},
    {"recommend", kNamedAside},  {"related", kNamedAside},    {"search", kNamedAside},
    {"share", kNamedAside},      {"sidebar", kNamedAside},    {"social", kNamedAside},
    {"sponsor", kNamedAside},    {"story", kNamedContent},    {"subscri", kNamedAside},
    {"teaser", kNamedAside},     {"text", kNamedContent},     {"toc", kNamedNavigation},
    {"trending", kNamedAside},   {"widget", kNamedAside},
};

// By first letter: the first row that begins with it or a later one.
constexpr auto kFirstRows = [] {
  std::array<uint8_t, 27> rows{};
  size_t row = 0;
  for (size_t letter = 0; letter < rows.size(); ++letter) {
    while (row < std::size(kNamedContexts) &&
           static_cast<size_t>(kNamedContexts[row].beginning.front() - 'a') < letter)
      ++row;
    rows[letter] = static_cast<uint8_t>(row);
  }
  return rows;
}();

// By first letter: the second letters of its rows.
constexpr auto kSecondLetters = [] {
  std::array<uint32_t, 26> letters{};
  for (const NamedContext& row : kNamedContexts)
    letters[static_cast<size_t>(row.beginning[0] - 'a')] |= 1U << (row.beginning[1] - 'a');
  return letters;
}();

constexpr uint64_t kBytes = 0x0101010101010101;
constexpr uint64_t kFold = 0x20 * kBytes;  // makes capitals small, and turns no other byte into a letter

// The first eight bytes of each beginning, to be compared at once; the first byte is the lowest.
struct Leading {
  uint64_t bytes = 0;
  uint64_t mask = 0;
};
constexpr auto kLeadings = [] {
  std::array<Leading, std::size(kNamedContexts)> leadings{};
  for (size_t row = 0; row < leadings.size(); ++row) {
    const std::string_view beginning = kNamedContexts[row].beginning;
    for (size_t i = 0; i < std::min<size_t>(beginning.size(), 8); ++i) {
      leadings[row].bytes |= static_cast<uint64_t>(static_cast<unsigned char>(beginning[i])) << 8 * i;
      leadings[row].mask |= uint64_t{0xff} << 8 * i;
    }
  }
  return leadings;
}();

uint64_t load(const char* at) noexcept {
  uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  return bytes;
}

// `behind_eight`: the word from its ninth byte on, at least as long as the rest of any beginning.
bool begins_with_rest(const char* behind_eight, std::string_view beginning) noexcept {
  for (size_t i = 8; i < beginning.size(); ++i) {
    if ((behind_eight[i - 8] | 0x20) != beginning[i]) return false;
  }
  return true;
}

// The context of a word, which begins with a letter; kReadAhead bytes can be read.
uint16_t context_of_word(const char* word) noexcept {
  const uint64_t folded = load(word) | kFold;
  const size_t letter = (folded & 0xff) - 'a';
  const size_t second = (folded >> 8 & 0xff) - 'a';
  if (second >= 26 || (kSecondLetters[letter] >> second & 1) == 0) return 0;
  uint16_t context = 0;
  for (size_t row = kFirstRows[letter]; row < kFirstRows[letter + 1]; ++row) {
    if ((folded & kLeadings[row].mask) == kLeadings[row].bytes &&
        begins_with_rest(word + 8, kNamedContexts[row].beginning))
      context |= kNamedContexts[row].context;
  }
  return context;
}

constexpr size_t kReadAhead = 16;
static_assert(std::ranges::all_of(kNamedContexts, [](const NamedContext& row) {
  return row.beginning.size() <= kReadAhead;
}));

}  // namespace

std::string_view names_of_context(uint16_t context) noexcept {
  static_assert(kNamedAny == 0xf * kNamedNavigation);
  // By bit: navigation, margin, aside, content.
  constexpr std::string_view kNames[16] = {"",
                                           "nav",
                                           "foot",
                                           "nav-foot",
                                           "aside",
                                           "nav-aside",
                                           "foot-aside",
                                           "nav-foot-aside",
                                           "main",
                                           "nav-main",
                                           "foot-main",
                                           "nav-foot-main",
                                           "aside-main",
                                           "nav-aside-main",
                                           "foot-aside-main",
                                           "nav-foot-aside-main"};
  return kNames[(context & kNamedAny) / kNamedNavigation];
}

// Eight bytes at a time; the highest bit of each byte is its result.
uint16_t context_of_names(std::string_view names) noexcept {
  constexpr uint64_t kAnswers = 0x80 * kBytes;
  std::array<char, kMaxNamesBytes + kReadAhead> text;
  const size_t size = std::min(names.size(), kMaxNamesBytes);
  std::copy_n(names.begin(), size, text.begin());  // an attribute without a value has no bytes to read from
  std::fill_n(text.begin() + static_cast<ptrdiff_t>(size), kReadAhead, '\0');
  uint16_t context = 0;
  uint64_t letter_before = 0;  // of the last byte of the eight before
  uint64_t upper_before = 0;
  for (size_t begin = 0; begin < size; begin += sizeof(uint64_t)) {
    const uint64_t bytes = load(text.data() + begin);
    const uint64_t folded = (bytes | kFold) & ~kAnswers;
    const uint64_t from_a = folded + (0x80 - 'a') * kBytes;
    const uint64_t behind_z = folded + (0x7f - 'z') * kBytes;
    const uint64_t letters = from_a & ~behind_z & ~bytes & kAnswers;
    const uint64_t upper = letters & ~(bytes << 2);  // 0x20 tells small letters from capitals
    const uint64_t lower = letters & ~upper;
    // A capital begins a word behind anything but a capital, a small letter behind what is no letter.
    uint64_t begins = (upper & ~(upper << 8 | upper_before)) | (lower & ~(letters << 8 | letter_before));
    letter_before = letters >> 56;
    upper_before = upper >> 56;
    for (; begins != 0; begins &= begins - 1)
      context |= context_of_word(text.data() + begin + static_cast<size_t>(std::countr_zero(begins)) / 8);
  }
  return context;
}

}  // namespace nd::text
