// The words of tokens: what WordSegmenter finds where a script writes no spaces, the tokens themselves
// elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "core/result.hpp"
#include "text/words.hpp"

namespace nd::text {

struct Word {
  Range text;
  uint32_t hash;  // as Token::hash
};

// Reusable buffers. Threads: one object, one thread at a time.
class DictionaryWords {
 public:
  static Result<DictionaryWords> create();

  // Appends the words of consecutive tokens of `text`, in order, never more than there are tokens. Each
  // stretch of tokens of scripts without spaces is segmented with the punctuation between them; any other
  // token is a word as it stands. Cost: O(n); some 40 ns a character of Chinese and Japanese, what ICU costs
  // (some hundred nanoseconds, and its own memory for the call) of other such scripts, a few ns a token of
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
