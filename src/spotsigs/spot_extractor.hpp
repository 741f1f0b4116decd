// Spot signatures: short chains of content words that follow the commonest function words, which are frequent
// in running text and rare in menus and advertisements (Theobald et al., SIGIR 2008, "Spot Signature
// Extraction").
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "spotsigs/antecedents.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

struct SpotParameters {
  bool enabled = true;
  uint32_t distance = 1;  // d: words from the antecedent to the chain, and from link to link (the paper's)
  uint32_t chain = 2;     // c: content words of a signature (the paper's)
  uint32_t signatures = 1024;  // distinct ones kept per page
};

struct SpotWord {
  uint32_t hash;  // text::Word::hash
  WordKind kind;
};

// Reusable buffers. Threads: one object, one thread at a time.
class SpotExtractor {
 public:
  // Appends {hash, 1} for each signature of one piece of running text, in order of the antecedents. At each
  // antecedent i, k = i + d; then, c times, k moves to the next content word, which joins the chain, and on
  // by d. A chain that reaches the end of the text is left out. Returns the words looked at: at most
  // words.size() · (c + 1), however many stop words follow each other.
  uint64_t append_spots(std::span<const SpotWord> words, const SpotParameters& parameters, Vector<Spot>& out);

  uint64_t memory_bytes() const noexcept {
    return (content_before_.capacity() + antecedents_.capacity()) * sizeof(uint32_t) +
           content_.capacity() * sizeof(ContentWord);
  }

 private:
  struct ContentWord {
    uint32_t hash;
    uint32_t place;  // among all words
  };
  Vector<uint32_t> content_before_;  // by word: the number of content words before it
  Vector<ContentWord> content_;
  Vector<uint32_t> antecedents_;  // their places
};

// Sorts by hash, adds up the counts of equal hashes (up to 2^32 − 1), and keeps the `limit` smallest hashes,
// so that two similar pages keep the same ones. True if any were dropped. Cost: O(n log n), no allocation.
bool unite(Vector<Spot>& spots, size_t limit);

}  // namespace nd::spotsigs
