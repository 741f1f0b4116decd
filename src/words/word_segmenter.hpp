// Words of normalised text, in two granularities: tokens, which all methods compare, and dictionary words,
// for spots and methods.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "core/hash.hpp"
#include "core/result.hpp"
#include "reading/extraction.hpp"

namespace nd::text {

// A unit of comparison: a run of letters, marks and digits of a script that writes spaces, or one character
// of a script that does not (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar; with the combining marks
// that follow it). Punctuation, symbols and spaces are no tokens.
struct Token {
  Range text;
  uint32_t hash;   // the low 32 bits of stable_hash() of its bytes; stable across machines and versions
  uint16_t width;  // in units of the LCS partition: 2 for a wide character, else 1; capped at 65535
};

// Token::hash of a word.
inline uint32_t token_hash(std::string_view word) noexcept {
  // One ideograph or kana: known to be three bytes, it needs no choice among XXH3's ways.
  const uint64_t hash = word.size() == 3 ? stable_hash({word.data(), 3}) : stable_hash(word);
  return static_cast<uint32_t>(hash);
}

inline Token unhashed_token(size_t begin, size_t end, uint32_t width) noexcept {
  constexpr uint32_t kWidestToken = 0xffff;
  return {{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)},
          0,
          static_cast<uint16_t>(std::min(width, kWidestToken))};
}

// Appends the tokens of a piece of normalised text, ranges shifted by `offset`. Cost: O(n), a few ns per
// byte.
void append_tokens(std::string_view text, uint32_t offset, Vector<Token>& out);

// Words in the dictionary sense: ICU's word boundaries, found by a plain tokenizer and, for Chinese and
// Japanese, by our own look-up in ICU's dictionary; ICU itself is used only where these cannot decide.
// Threads: one object, one thread at a time.
class WordSegmenter {
 public:
  static Result<WordSegmenter> create();
  WordSegmenter(WordSegmenter&&) noexcept;
  WordSegmenter& operator=(WordSegmenter&&) noexcept;
  ~WordSegmenter();

  // Appends the words of normalised text (shorter than 2 GiB), ranges shifted by `offset`: the segments with
  // a letter or digit (general category L or N, ideographs and kana among them).
  void append_words(std::string_view text, uint32_t offset, Vector<Range>& out);

  // The same by ICU's iterator (root locale) over the whole text: the test oracle.
  void append_words_icu(std::string_view text, uint32_t offset, Vector<Range>& out);

  // The size of its buffers, proportional to the longest text; without ICU's memory.
  uint64_t memory_bytes() const noexcept;
  // Since the object was created: bytes read, bytes read once more by ICU, and words of the dictionary tried.
  uint64_t work() const noexcept;

 private:
  struct State;
  explicit WordSegmenter(Owned<State> state) noexcept;
  Owned<State> state_;
};

struct Word {
  Range text;
  uint32_t hash;  // as Token::hash
};

// The words of tokens: those of WordSegmenter in scripts without spaces, the tokens themselves elsewhere.
// Reusable buffers. Threads: one object, one thread at a time.
class DictionaryWords {
 public:
  static Result<DictionaryWords> create();

  // Appends the words of consecutive tokens of `text`, in order, never more than there are tokens. Each
  // stretch of tokens of scripts without spaces is segmented with the punctuation between them; any other
  // token is a word as it stands. Cost: O(n); some 40 ns a character of Chinese and Japanese, what ICU costs
  // (some hundred nanoseconds, and its own memory for the call) of other such scripts, a few ns per token of
  // the rest.
  void append(std::string_view text, std::span<const Token> tokens, Vector<Word>& out);

  uint64_t memory_bytes() const noexcept {
    return segmenter_.memory_bytes() + segments_.capacity() * sizeof(Range);
  }
  // See WordSegmenter.
  uint64_t work() const noexcept { return segmenter_.work(); }

 private:
  explicit DictionaryWords(WordSegmenter segmenter) noexcept : segmenter_(std::move(segmenter)) {}

  WordSegmenter segmenter_;
  Vector<Range> segments_;
};

}  // namespace nd::text
