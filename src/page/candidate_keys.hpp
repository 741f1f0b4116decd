// The candidate keys of a page: the fingerprints of the LCS partition, and the relaxed path of shingles.
#pragma once

#include <cstdint>
#include <span>

#include "lcs/fingerprints.hpp"
#include "page/feature_parameters.hpp"
#include "page/features.hpp"

namespace nd::engine {

// `portable`: of features for elsewhere. If the options do not say it, these have the fingerprints of all 7
// buckets (TR2007012), because the batch order and its ranking go by the number of keys; an engine, which
// finds as many groups by four of one, has those.
KeyParameters key_parameters_of(const FeatureParameters& parameters, bool portable = false) noexcept;

// Reusable buffers. Threads: one object, one thread at a time.
class KeyBuilder {
 public:
  // Whether a block gives keys: blocks of main content do; all blocks do if the page has less main content
  // than content_width.
  static bool uses_all_text(std::span<const FeatureBlock> blocks, std::span<const Symbol> symbols,
                            const KeyParameters& parameters) noexcept;
  // The same, given the width of each block's symbols.
  static bool uses_all_text(std::span<const FeatureBlock> blocks, std::span<const uint64_t> widths,
                            const KeyParameters& parameters) noexcept;
  static bool gives_keys(const FeatureBlock& block, bool all_text) noexcept;

  // Replaces `keys` by the distinct fingerprints, ascending, then the smallest shingle hashes, ascending.
  // Sentences of blocks that give no keys are skipped. Returns the number of fingerprints.
  uint32_t build(std::span<const FeatureBlock> blocks, std::span<const FeatureSentence> sentences,
                 std::span<const Symbol> symbols, const KeyParameters& parameters, Vector<uint64_t>& keys);
  // The same when uses_all_text() has already been called.
  uint32_t build(std::span<const FeatureBlock> blocks, std::span<const FeatureSentence> sentences,
                 std::span<const Symbol> symbols, const KeyParameters& parameters, bool all_text,
                 Vector<uint64_t>& keys);

  // The size of the buffers.
  uint64_t memory_bytes() const noexcept;
  // Counts of the last build(): places whose digests were compared, symbols of shingles, keys.
  uint64_t work() const noexcept { return work_; }

 private:
  void add_shingles(std::span<const Symbol> text, const KeyParameters& parameters);
  void add_shingle(uint64_t hash, uint32_t limit);

  lcs::Fingerprinter fingerprinter_;
  Vector<lcs::SentenceDigest> digests_;
  Vector<lcs::Fingerprint> fingerprints_;
  Vector<Symbol> run_;         // the text of a short page
  Vector<uint64_t> sorted_;    // for sort_hashes()
  Vector<uint64_t> prefixes_;  // hashes of the text up to each symbol
  Vector<uint64_t> shingles_;  // a max-heap of the smallest
  uint64_t work_ = 0;
};

}  // namespace nd::engine
