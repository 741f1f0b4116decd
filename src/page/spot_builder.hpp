// The spot signatures of a page, block by block, so that those of boilerplate can be left out, and as a
// whole.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/result.hpp"
#include "page/features.hpp"
#include "spotsigs/spot_extractor.hpp"
#include "text/document.hpp"
#include "words/word_segmenter.hpp"

namespace nd::engine {

// [6] Replaces `packed` by the signatures of the blocks that give keys, at most parameters.signatures.
// `united`: memory that is used again. True if some were cut.
bool unite_spots(std::span<const FeatureBlock> blocks, bool all_text, std::span<const FeatureBlockSpot> spots,
                 const FeatureSpotParameters& parameters, Vector<spotsigs::Spot>& united,
                 Vector<PackedSpot>& packed);

// Reusable buffers. Threads: one object, one thread at a time.
class SpotBuilder {
 public:
  static Result<SpotBuilder> create();

  // For the signatures of a page without those of each block: clear(), then add_block() for the blocks that
  // give keys, then take() like unite() below.
  void clear() noexcept { spots_.clear(); }
  // `words`: of the option, in normal form, separated by single spaces; empty, the initial state: the lists
  // of ndc. Throws std::bad_alloc.
  void use_antecedents(std::string_view words);
  void add_block(const text::Document& document, uint32_t index, bool is_ascii,
                 const FeatureSpotParameters& parameters);
  bool take(const FeatureSpotParameters& parameters, Vector<PackedSpot>& packed);

  // Appends the signatures of block `index` of the document, ascending and distinct. A chain never continues
  // into the next block: that may be another column, a caption or an advertisement, and a signature must be
  // dropped with its block when the block turns out to be boilerplate. `is_ascii`: all of its tokens are
  // ASCII.
  void append_block(const text::Document& document, uint32_t index, bool is_ascii,
                    const FeatureSpotParameters& parameters, Vector<FeatureBlockSpot>& out);

  // unite_spots(), with the memory of the builder.
  bool unite(std::span<const FeatureBlock> blocks, bool all_text, std::span<const FeatureBlockSpot> spots,
             const FeatureSpotParameters& parameters, Vector<PackedSpot>& packed) {
    return unite_spots(blocks, all_text, spots, parameters, spots_, packed);
  }

  // Frees what grows with a page; the dictionary stays.
  void release() noexcept {
    SpotBuilder fresh(std::move(dictionary_));
    fresh.words_of_own_ = std::move(words_of_own_);
    fresh.own_ = std::move(own_);
    *this = std::move(fresh);
  }
  // Steps of segmentation and extraction since the object was created or released (Work::kWords).
  uint64_t work() const noexcept { return dictionary_.work() + steps_; }
  uint64_t memory_bytes() const noexcept {
    return dictionary_.memory_bytes() + extractor_.memory_bytes() + words_.capacity() * sizeof(text::Word) +
           spot_words_.capacity() * sizeof(spotsigs::SpotWord) + spots_.capacity() * sizeof(spotsigs::Spot) +
           (hashes_.capacity() + sorted_.capacity()) * sizeof(uint64_t) + words_of_own_.capacity() +
           (own_ ? own_->memory_bytes() : 0);
  }

 private:
  explicit SpotBuilder(text::DictionaryWords dictionary) noexcept : dictionary_(std::move(dictionary)) {}

  text::DictionaryWords dictionary_;
  String words_of_own_;  // of own_
  std::optional<spotsigs::OwnAntecedents> own_;
  spotsigs::SpotExtractor extractor_;
  Vector<text::Word> words_;
  Vector<spotsigs::SpotWord> spot_words_;
  Vector<spotsigs::Spot> spots_;
  Vector<uint64_t> hashes_;  // of spots_
  Vector<uint64_t> sorted_;  // for sort_hashes()
  uint64_t steps_ = 0;
};

}  // namespace nd::engine
