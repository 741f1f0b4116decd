#include "text/cjk_words.hpp"

#include <algorithm>
#include <array>

namespace nd::text {
namespace {

// All the numbers of this file are ICU's (dictbe.cpp, ICU 72).

// Of a character that is no word of the dictionary.
constexpr uint32_t kUnknownCost = 255;

// Of a run of Katakana that is taken for a word, by its length. Longer runs cost 8192, more than their single
// characters together (ICU gives up at 20), so they are never taken for one.
constexpr std::array<uint32_t, 9> kKatakanaCosts{0, 984, 408, 240, 204, 252, 300, 372, 480};

constexpr bool is_katakana(char16_t c) noexcept {
  return c >= 0x30a1 && c <= 0x30fe && c != 0x30fb;
}

// The cheapest ways to the next positions. A ring: no word reaches further than kLongestWord.
class Ways {
 public:
  explicit Ways(uint8_t* lengths) noexcept : lengths_(lengths) { costs_.fill(kNone); }

  // The cost of the cheapest way to `position`, whose place is free from then on.
  uint32_t take(size_t position) noexcept {
    const uint32_t cost = costs_[position % kSize];
    costs_[position % kSize] = kNone;
    return cost;
  }

  // Offers the way to `position` by a word of `length`. Of equal ones the first counts: the longest word.
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
// look-up is waiting for memory; these wait together.
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
