// The spot signatures of a page, block by block and as a whole.
#pragma once

#include <cstdint>
#include <span>

#include "core/result.hpp"
#include "engine/features.hpp"
#include "spotsigs/spot_extractor.hpp"
#include "text/dictionary_words.hpp"
#include "text/document.hpp"

namespace nd::engine {

// Reusable buffers. Threads: one object, one thread at a time.
class SpotBuilder {
 public:
  static Result<SpotBuilder> create();

  // The signatures of a page without those of each block: clear(), then add_block() for the blocks that give
  // keys, then take() as build() below.
  void clear() noexcept { spots_.clear(); }
  void add_block(const text::Document& document, uint32_t index, bool is_ascii,
                 const FeatureSpotParameters& parameters);
  bool take(const FeatureSpotParameters& parameters, Vector<PackedSpot>& packed);

  // Appends the signatures of block `index` of the document, ascending and distinct. A chain never runs on
  // into the next block: that may be another column, a caption or an advertisement, and a signature must go
  // with its block when the block turns out to be frame.
  // `is_ascii`: all of its tokens are ASCII.
  void append_block(const text::Document& document, uint32_t index, bool is_ascii,
                    const FeatureSpotParameters& parameters, Vector<FeatureBlockSpot>& out);

  // Replaces `packed` by the signatures of the blocks that give keys, at most parameters.signatures. True if
  // some were cut.
  bool build(std::span<const FeatureBlock> blocks, bool all_text, std::span<const FeatureBlockSpot> spots,
             const FeatureSpotParameters& parameters, Vector<PackedSpot>& packed);

  // Gives back what grows with a page; the dictionary stays.
  void release() noexcept { *this = SpotBuilder(std::move(dictionary_)); }
  // Steps of segmentation and extraction since it was made or released (Work::kWords).
  uint64_t work() const noexcept { return dictionary_.work() + steps_; }
  uint64_t memory_bytes() const noexcept {
    return dictionary_.memory_bytes() + extractor_.memory_bytes() + words_.capacity() * sizeof(text::Word) +
           spot_words_.capacity() * sizeof(spotsigs::SpotWord) + spots_.capacity() * sizeof(spotsigs::Spot) +
           (hashes_.capacity() + sorted_.capacity()) * sizeof(uint64_t);
  }

 private:
  explicit SpotBuilder(text::DictionaryWords dictionary) noexcept : dictionary_(std::move(dictionary)) {}

  text::DictionaryWords dictionary_;
  spotsigs::SpotExtractor extractor_;
  Vector<text::Word> words_;
  Vector<spotsigs::SpotWord> spot_words_;
  Vector<spotsigs::Spot> spots_;
  Vector<uint64_t> hashes_;  // of spots_
  Vector<uint64_t> sorted_;  // for sort_hashes()
  uint64_t steps_ = 0;
};

}  // namespace nd::engine
