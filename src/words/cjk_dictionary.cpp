// Reads ICU's dictionary once into the table, and finds the cheapest path through its words with the costs
// that ICU has.
#include "words/cjk_dictionary.hpp"

#include <unicode/ucharstrie.h>
#include <unicode/udata.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>

#include "core/memory.hpp"

namespace nd::text {

namespace {

// The head of a dictionary's data: int32 indexes, of which these two are of interest.
constexpr size_t kTrieOffset = 0;
constexpr size_t kTrieType = 4;
constexpr int32_t kTrieTypeMask = 7;
constexpr int32_t kUnitsTrie = 1;  // the trie is a UCharsTrie
constexpr uint8_t kFormatVersion = 1;
constexpr size_t kFirstCharacters = CjkDictionary::kEndCharacter - CjkDictionary::kFirstCharacter;

struct CloseData {
  void operator()(UDataMemory* data) const noexcept { udata_close(data); }
};
using Data = std::unique_ptr<UDataMemory, CloseData>;

bool is_known_format(const UDataMemory* data) noexcept {
  UDataInfo info{};
  info.size = sizeof(info);
  udata_getInfo(const_cast<UDataMemory*>(data), &info);
  return info.isBigEndian == U_IS_BIG_ENDIAN && info.sizeofUChar == sizeof(UChar) &&
         std::memcmp(info.dataFormat, "Dict", sizeof(info.dataFormat)) == 0 &&
         info.formatVersion[0] == kFormatVersion;
}

// The units of the trie, or nullptr if it is of another type.
const UChar* units_of(const UDataMemory* data) noexcept {
  const auto* const indexes = static_cast<const int32_t*>(udata_getMemory(const_cast<UDataMemory*>(data)));
  if (indexes == nullptr || (indexes[kTrieType] & kTrieTypeMask) != kUnitsTrie) return nullptr;
  return reinterpret_cast<const UChar*>(reinterpret_cast<const char*>(indexes) + indexes[kTrieOffset]);
}

}  // namespace

// Reads the words in ascending order into one list of nodes for each length.
class CjkDictionary::Reader {
 public:
  // False if the words do not fit the table. Throws std::bad_alloc.
  bool read(const UChar* units) {
    levels_[0].resize(kFirstCharacters);
    UErrorCode status = U_ZERO_ERROR;
    icu::UCharsTrie::Iterator words(units, 0, status);
    while (words.next(status)) {
      if (!add(words.getString(), words.getValue())) return false;
    }
    if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
    return U_SUCCESS(status) && node_count() <= kNodesLimit;
  }

  void write(CjkDictionary& dictionary) const noexcept {
    uint32_t* node = dictionary.nodes_.data();
    char16_t* character = dictionary.characters_.data();
    auto child = static_cast<uint32_t>(levels_[0].size());
    for (const Vector<Entry>& level : levels_) {
      for (const Entry& entry : level) {
        *node++ = child << 8 | entry.cost;
        *character++ = entry.character;
        child += entry.child_count;
      }
    }
    *node = child << 8;
  }

 private:
  struct Entry {
    uint32_t child_count;
    char16_t character;
    uint8_t cost;
  };

  size_t node_count() const noexcept {
    size_t count = 0;
    for (const Vector<Entry>& level : levels_)
      count += level.size();
    return count;
  }

  bool add(const icu::UnicodeString& word, int32_t cost) {
    const auto length = static_cast<size_t>(word.length());
    if (length == 0 || cost < 1 || cost > 255) return false;
    const UChar* const characters = word.getBuffer();
    // A character that no run to be looked up can contain.
    if (length > kLongestWord || characters[0] < kFirstCharacter || characters[0] >= kEndCharacter)
      return true;
    size_t depth = 0;
    while (depth < std::min(length, last_length_) && last_[depth] == characters[depth])
      ++depth;
    for (; depth < length; ++depth) {
      last_[depth] = characters[depth];
      if (depth == 0) continue;
      levels_[depth].push_back({0, characters[depth], 0});
      ++parent(depth).child_count;
    }
    last_length_ = length;
    (length == 1 ? levels_[0][characters[0] - kFirstCharacter] : levels_[length - 1].back()).cost =
        static_cast<uint8_t>(cost);
    return true;
  }

  Entry& parent(size_t depth) noexcept {
    return depth == 1 ? levels_[0][last_[0] - kFirstCharacter] : levels_[depth - 1].back();
  }

  std::array<Vector<Entry>, kLongestWord> levels_;
  std::array<char16_t, kLongestWord> last_{};
  size_t last_length_ = 0;
};

CjkDictionary::CjkDictionary() : is_usable_(false) {
  UErrorCode status = U_ZERO_ERROR;
  const Data data(udata_open(U_ICUDATA_NAME "-brkitr", "dict", "cjdict", &status));
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status) || !is_known_format(data.get())) return;
  const UChar* const units = units_of(data.get());
  Reader reader;
  if (units == nullptr || !reader.read(units)) return;
  reader.write(*this);
  note_pairs();
  is_usable_ = true;
}

void CjkDictionary::note_pairs() noexcept {
  pairs_.fill(0);
  for (uint32_t node = 0; node < kFirstCharacters; ++node) {
    const auto first = static_cast<char16_t>(kFirstCharacter + node);
    for (uint32_t child = nodes_[node] >> 8; child < nodes_[node + 1] >> 8; ++child) {
      const uint32_t bit = pair_bit(first, characters_[child]);
      pairs_[bit / 64] |= uint64_t{1} << (bit % 64);
    }
  }
}

const CjkDictionary* CjkDictionary::instance() {
  static const CjkDictionary dictionary;
  return dictionary.is_usable_ ? &dictionary : nullptr;
}

namespace {

// All the numbers of this file are ICU's (dictbe.cpp, ICU 72).

// The cost of a character that is not a word of the dictionary.
constexpr uint32_t kUnknownCost = 255;

// The cost of a run of Katakana that is taken for a word, by its length. Longer runs cost 8192, more than
// their single characters together (ICU gives up at 20), so they are never taken for one.
constexpr std::array<uint32_t, 9> kKatakanaCosts{0, 984, 408, 240, 204, 252, 300, 372, 480};

constexpr bool is_katakana(char16_t c) noexcept {
  return c >= 0x30a1 && c <= 0x30fe && c != 0x30fb;
}

// The cheapest ways to the next positions. A ring: no word reaches further than kLongestWord.
class Ways {
 public:
  explicit Ways(uint8_t* lengths) noexcept : lengths_(lengths) { costs_.fill(kNone); }

  // Returns the cost of the cheapest way to `position` and frees its place.
  uint32_t take(size_t position) noexcept {
    const uint32_t cost = costs_[position % kSize];
    costs_[position % kSize] = kNone;
    return cost;
  }

  // Offers the way to `position` by a word of `length`. Among equal ones the first wins: the longest word.
  void offer(size_t position, uint32_t cost, size_t length) noexcept {
    uint32_t& least = costs_[position % kSize];
    if (cost >= least) return;
    least = cost;
    lengths_[position - 1] = static_cast<uint8_t>(length);
  }

 private:
  static constexpr size_t kSize = 32;
  static constexpr uint32_t kNone = UINT32_MAX;
  static_assert(kSize > CjkDictionary::kLongestWord);

  std::array<uint32_t, kSize> costs_{};
  uint8_t* const lengths_;  // of the last word on the way to the position behind each character
};

constexpr bool is_first(char16_t c) noexcept {
  return c >= CjkDictionary::kFirstCharacter && c < CjkDictionary::kEndCharacter;
}

// The nodes of the first two characters of the words that may begin at the next places of a run. Most of a
// look-up is waiting for memory, and these look-ups wait together.
class FirstPairs {
 public:
  static constexpr size_t kPlaces = 64;

  void look_up(const CjkDictionary& dictionary, std::span<const char16_t> run, size_t begin) noexcept {
    begin_ = begin;
    const size_t count = std::min(kPlaces, run.size() - begin);
    const std::span<const char16_t> at = run.subspan(begin);
    const auto second = [&](size_t i) { return i + 1 < at.size() ? at[i + 1] : char16_t{0}; };
    for (size_t i = 0; i < count; ++i)
      dictionary.prefetch_pair(at[i], second(i));
    std::array<uint8_t, kPlaces> places;  // of those that may begin a word of two characters or more
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
      nodes_[i] = kNone;
      if (!is_first(at[i]) || i + 1 == at.size() || !dictionary.may_begin(at[i], at[i + 1])) continue;
      places[found++] = static_cast<uint8_t>(i);
      dictionary.prefetch_children(CjkDictionary::first(at[i]));
    }
    for (const uint8_t i : std::span(places).first(found)) {
      CjkDictionary::Node node = CjkDictionary::first(at[i]);
      if (!dictionary.next(node, at[i + 1u])) continue;
      nodes_[i] = node;
      dictionary.prefetch(node);
    }
    for (const uint8_t i : std::span(places).first(found)) {
      if (nodes_[i].index != kNone.index) dictionary.prefetch_children(nodes_[i]);
    }
  }
  // False if no word of two characters begins there.
  bool get(size_t place, CjkDictionary::Node& node) const noexcept {
    node = nodes_[place - begin_];
    return node.index != kNone.index;
  }

 private:
  static constexpr CjkDictionary::Node kNone{0};  // of a first character, never of a second

  size_t begin_ = 0;
  std::array<CjkDictionary::Node, kPlaces> nodes_;
};

// Returns how many characters were looked at.
size_t offer_words(const CjkDictionary& dictionary, std::span<const char16_t> run, const FirstPairs& pairs,
                   size_t begin, uint32_t cost, Ways& ways) noexcept {
  const char16_t first = run[begin];
  const uint32_t single = is_first(first) ? dictionary.cost(CjkDictionary::first(first)) : 0;
  ways.offer(begin + 1, cost + (single != 0 ? single : kUnknownCost), 1);
  CjkDictionary::Node node;
  if (!pairs.get(begin, node)) return 1;
  const size_t longest = std::min(run.size() - begin, CjkDictionary::kLongestWord);
  size_t length = 2;
  for (;; ++length) {
    const uint32_t word = dictionary.cost(node);
    if (word != 0) ways.offer(begin + length, cost + word, length);
    if (length == longest || !dictionary.next(node, run[begin + length])) return length;
  }
}

void offer_katakana(std::span<const char16_t> run, size_t begin, uint32_t cost, Ways& ways) noexcept {
  size_t length = 1;
  while (length < kKatakanaCosts.size() && begin + length < run.size() && is_katakana(run[begin + length]))
    ++length;
  if (length < kKatakanaCosts.size()) ways.offer(begin + length, cost + kKatakanaCosts[length], length);
}

// From the length of each word at its last character to the same at its first.
void turn_around(std::span<uint8_t> lengths) noexcept {
  size_t end = lengths.size();
  uint8_t length = end == 0 ? 0 : lengths[end - 1];
  while (end != 0) {
    const size_t begin = end - length;
    const uint8_t before = begin == 0 ? 0 : lengths[begin - 1];
    lengths[begin] = length;
    length = before;
    end = begin;
  }
}

}  // namespace

uint64_t split_cjk_run(const CjkDictionary& dictionary, std::span<const char16_t> run,
                       Vector<uint8_t>& lengths) {
  lengths.resize(run.size());
  Ways ways(lengths.data());
  bool after_katakana = false;
  uint32_t cost = 0;
  uint64_t tried = 0;
  FirstPairs pairs;
  for (size_t begin = 0; begin < run.size(); ++begin) {
    if (begin % FirstPairs::kPlaces == 0) pairs.look_up(dictionary, run, begin);
    tried += offer_words(dictionary, run, pairs, begin, cost, ways);
    const bool at_katakana = is_katakana(run[begin]);
    if (at_katakana && !after_katakana) offer_katakana(run, begin, cost, ways);
    after_katakana = at_katakana;
    cost = ways.take(begin + 1);
  }
  turn_around(lengths);
  return tried;
}

}  // namespace nd::text
