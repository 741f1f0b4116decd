// What differs between two texts, counted from the script of their comparison. How much they share does not
// distinguish an edited copy from a sibling (release notes of two versions, two functions of one manual): an
// editor changes a word here and there, a template exchanges the same words and numbers everywhere.
#pragma once

#include <cstdint>
#include <span>

#include "lcs/sequence.hpp"
#include "page/feature_layout.hpp"

namespace nd::engine {

// A hunk wider than this many tokens on either side is a passage of its own rather than exchanged words: the
// page templates of two sites differ in such passages.
inline constexpr uint32_t kHunkTokens = 64;

// Counts are in tokens.
struct EditEvidence {
  uint32_t matched = 0;        // in the first comparison's runs, of either text
  uint32_t substitutions = 0;  // hunks in which both texts have tokens
  // Words in these hunks that the other text lacks altogether and that are in two or more hunks: the subject
  // that was exchanged. Counted once per hunk, for the text that has fewer of them, so that neither text's
  // additions count. Numbers are not words here: each edition has numbers of its own. Two adjacent wide
  // characters are a word, and so is each of them.
  uint32_t exchanged_words = 0;
  // Numbers in these hunks, for the text that has fewer of them: the data in a template. A number that occurs
  // in another hunk of the other text counts too, since tables of data repeat the same small numbers.
  uint32_t exchanged_numbers = 0;
};

// Whether a symbol is a run of one to four digits. Judged by its hash alone: one in ten thousand other words
// may be mistaken for a number.
bool is_number(Symbol symbol) noexcept;

// Reusable buffers. Threads: one object, one thread at a time.
class EvidenceCounter {
 public:
  struct Text {
    std::span<const Symbol> symbols;
    std::span<const FeatureBlock> blocks;  // what weighs nothing counts in headings only; may be empty
  };
  // `matches`: as in lcs::Comparison. Hunks are between matches that are adjacent in a and in order in b,
  // before the first and behind the last; moved text is not a hunk. Cost: O(n log n) in the tokens of the
  // hunks, and at most one pass over each text.
  EditEvidence count(const Text& a, const Text& b, std::span<const lcs::Match> matches);

  uint64_t memory_bytes() const noexcept {
    return (words_a_.capacity() + words_b_.capacity() + sorted_.capacity()) * sizeof(HunkWord) +
           candidates_.capacity() * sizeof(Candidate);
  }
  // Steps of the last count().
  uint64_t work() const noexcept { return work_; }

 private:
  // A symbol, in the high half, and the number of a hunk that it is in.
  using HunkWord = uint64_t;
  struct Candidate {
    Symbol symbol;
    uint32_t hunks;
    bool shared;  // the other text has it
  };
  static uint32_t sort_out(const Text& text, uint32_t begin, uint32_t end, uint32_t hunk,
                           Vector<HunkWord>& words);
  // Counts the words of the hunks that `other` lacks.
  uint32_t count_exchanged(Vector<HunkWord>& words, std::span<const Symbol> other);
  void gather_candidates(const Vector<HunkWord>& words);

  Vector<HunkWord> words_a_, words_b_;
  Vector<HunkWord> sorted_;  // for sort_hashes()
  Vector<Candidate> candidates_;
  uint64_t work_ = 0;
};

}  // namespace nd::engine
