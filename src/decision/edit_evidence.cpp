// Walks the hunks of a script and counts exchanged words and numbers, with a filter over the other text to
// keep it linear.
#include "decision/edit_evidence.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <string_view>

#include "core/hash.hpp"
#include "words/word_segmenter.hpp"

namespace nd::engine {
namespace {

constexpr uint32_t kNumberDigits = 4;
constexpr size_t kNumbers = 10 + 100 + 1000 + 10000;  // leading zeros count: 07 is not 7

// The symbols of all runs of up to four digits, ascending; most other symbols differ from each of them in
// their first 16 bits.
struct Numbers {
  std::array<Symbol, kNumbers> symbols{};
  std::bitset<size_t{1} << 16> begins;
};

Numbers make_numbers() noexcept {
  Numbers numbers;
  size_t at = 0;
  uint32_t end = 1;
  for (uint32_t digits = 1; digits <= kNumberDigits; ++digits) {
    end *= 10;
    for (uint32_t value = 0; value < end; ++value) {
      std::array<char, kNumberDigits> text{};
      uint32_t rest = value;
      for (uint32_t i = digits; i-- > 0; rest /= 10)
        text[i] = static_cast<char>('0' + rest % 10);
      const Symbol symbol = make_symbol(text::token_hash({text.data(), digits}), digits);
      numbers.symbols[at++] = symbol;
      numbers.begins.set(symbol >> 16);
    }
  }
  std::ranges::sort(numbers.symbols);
  return numbers;
}

// One of 4,096 bits for each symbol, chosen by its hash. Pages of a site exchange dozens of words: 64 bits
// would all be set, and each token of the other text would be looked up.
class SymbolFilter {
 public:
  void add(Symbol symbol) noexcept { words_[word_of(symbol)] |= bit_of(symbol); }
  bool may_have(Symbol symbol) const noexcept { return (words_[word_of(symbol)] & bit_of(symbol)) != 0; }

 private:
  static size_t word_of(Symbol symbol) noexcept { return symbol >> (32 - 6); }
  static uint64_t bit_of(Symbol symbol) noexcept { return uint64_t{1} << (symbol >> (32 - 12) & 63); }
  std::array<uint64_t, 64> words_{};
};

// In a script without spaces a token is one character. That is weak evidence, because the characters of an
// exchanged word mostly occur elsewhere in the other text too. So two adjacent characters in a hunk count as
// a word as well.
constexpr uint16_t kWideCharacter = 2;

bool is_wide(Symbol symbol) noexcept {
  return symbol_width(symbol) == kWideCharacter;
}

constexpr uint64_t hunk_word(Symbol symbol, uint32_t hunk) noexcept {
  return uint64_t{symbol} << 32 | hunk;
}
constexpr Symbol symbol_of(uint64_t word) noexcept {
  return static_cast<Symbol>(word >> 32);
}

Symbol pair_of(Symbol first, Symbol second) noexcept {
  return static_cast<Symbol>(mix(uint64_t{first} << 32 | second));
}

}  // namespace

bool is_number(Symbol symbol) noexcept {
  static const Numbers numbers = make_numbers();
  return symbol_width(symbol) <= kNumberDigits && numbers.begins[symbol >> 16] &&
         std::ranges::binary_search(numbers.symbols, symbol);
}

EditEvidence EvidenceCounter::count(const Text& a, const Text& b, std::span<const lcs::Match> matches) {
  EditEvidence evidence;
  words_a_.clear();
  words_b_.clear();
  work_ = matches.size();
  uint32_t numbers_a = 0;
  uint32_t numbers_b = 0;
  const auto look = [&](uint32_t begin_a, uint32_t end_a, uint32_t begin_b, uint32_t end_b) {
    if (end_a <= begin_a || end_b <= begin_b) return;  // moved, or nothing on one side
    if (std::max(end_a - begin_a, end_b - begin_b) > kHunkTokens) return;
    const uint32_t hunk = evidence.substitutions++;
    work_ += end_a - begin_a + (end_b - begin_b);
    numbers_a += sort_out(a, begin_a, end_a, hunk, words_a_);
    numbers_b += sort_out(b, begin_b, end_b, hunk, words_b_);
  };
  uint32_t end_a = 0;
  uint32_t end_b = 0;
  for (const lcs::Match& match : matches) {
    look(end_a, match.a, end_b, match.b);
    evidence.matched += match.count;
    end_a = match.a + match.count;
    end_b = match.b + match.count;
  }
  look(end_a, static_cast<uint32_t>(a.symbols.size()), end_b, static_cast<uint32_t>(b.symbols.size()));
  evidence.exchanged_numbers = std::min(numbers_a, numbers_b);
  const uint32_t of_a = count_exchanged(words_a_, b.symbols);
  if (of_a != 0) evidence.exchanged_words = std::min(of_a, count_exchanged(words_b_, a.symbols));
  return evidence;
}

// Appends the words of a hunk that can count; returns the number of its numbers. Text with the weight of
// boilerplate is no evidence, except for headings: lists of links repeat their words.
uint32_t EvidenceCounter::sort_out(const Text& text, uint32_t begin, uint32_t end, uint32_t hunk,
                                   Vector<HunkWord>& words) {
  auto block = std::ranges::upper_bound(text.blocks, begin, {}, &FeatureBlock::token_begin);
  bool in_heading = block != text.blocks.begin() && (block - 1)->is_title();
  uint32_t numbers = 0;
  bool in_content = block == text.blocks.begin() || (block - 1)->weight != 0;
  for (uint32_t at = begin; at < end; ++at) {
    for (; block != text.blocks.end() && block->token_begin <= at; ++block) {
      in_heading = block->is_title();
      in_content = block->weight != 0;
    }
    const Symbol symbol = text.symbols[at];
    if (!in_heading && !in_content) continue;
    if (is_number(symbol)) {
      ++numbers;
      continue;
    }
    words.push_back(hunk_word(symbol, hunk));
    if (at > begin && is_wide(symbol) && is_wide(text.symbols[at - 1]))
      words.push_back(hunk_word(pair_of(text.symbols[at - 1], symbol), hunk));
  }
  return numbers;
}

// Words in two or more hunks. `words`: ascending.
void EvidenceCounter::gather_candidates(const Vector<HunkWord>& words) {
  candidates_.clear();
  for (size_t begin = 0; begin < words.size();) {
    Candidate candidate{symbol_of(words[begin]), 1, false};
    size_t next = begin + 1;
    for (; next < words.size() && symbol_of(words[next]) == candidate.symbol; ++next)
      candidate.hunks += words[next] != words[next - 1] ? 1 : 0;
    if (candidate.hunks >= 2) candidates_.push_back(candidate);
    begin = next;
  }
}

uint32_t EvidenceCounter::count_exchanged(Vector<HunkWord>& words, std::span<const Symbol> other) {
  work_ += words.size() * std::bit_width(words.size());
  sort_hashes(words, sorted_);
  gather_candidates(words);
  if (candidates_.empty()) return 0;
  SymbolFilter filter;
  for (const Candidate& candidate : candidates_)
    filter.add(candidate.symbol);
  work_ += other.size();
  const auto mark_shared = [&](Symbol symbol) {
    if (!filter.may_have(symbol)) return;
    const auto found = std::ranges::lower_bound(candidates_, symbol, {}, &Candidate::symbol);
    if (found != candidates_.end() && found->symbol == symbol) found->shared = true;
  };
  Symbol before = 0;
  for (const Symbol symbol : other) {
    mark_shared(symbol);
    if (is_wide(symbol) && is_wide(before)) mark_shared(pair_of(before, symbol));
    before = symbol;
  }
  uint32_t exchanged = 0;
  for (const Candidate& candidate : candidates_)
    exchanged += candidate.shared ? 0 : candidate.hunks;
  return exchanged;
}

}  // namespace nd::engine
