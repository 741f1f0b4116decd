// How likely each block is main content: soft weights from the block itself, from its neighbours and from the
// container that holds it.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core/memory.hpp"
#include "text/block_features.hpp"
#include "text/block_model.hpp"
#include "text/document.hpp"

namespace nd::text {

// weigh() sets DocumentBlock::weight, 0..1, for every block; for HTML by the model (block_model.hpp), whose
// features include what the rules find; for plain text, and without a model, by the rules:
//   weight = 0.4 · good + 0.3 · in the densest run + 0.3 · in the container with most good text
// A block is good if it reads like prose: little of it is linked, it is long enough, and it has the share of
// function words that running text has. The densest run is the maximum-sum run of blocks where good ones
// count their width and others a penalty. A block that repeats one further up weighs nothing. What the model
// gives beside the rules: docs/quality.md. Cost: O(blocks log blocks + containers).
//
// Reusable buffers. Threads: one object, one thread at a time.
class ContentWeigher {
 public:
  // `model`: null for the rules alone.
  void weigh(Document& document, const BlockModel* model = &kBlockModel);
  // What the rules found in the last weighed document; refers to buffers of this object.
  ContentStructure structure() const noexcept { return structure_; }
  bool is_repeated(size_t block) const noexcept { return repeated_[block] != 0; }
  uint64_t memory_bytes() const noexcept {
    return good_.capacity() + repeated_.capacity() + hashed_.capacity() * sizeof hashed_[0] +
           score_.capacity() * sizeof(uint64_t) + inside_.capacity() + features_.memory_bytes();
  }

 private:
  using HashedBlock = std::pair<uint64_t, uint32_t>;  // hash of a block's text, index of the block

  void find_repeated(const Document& document);
  void mark_repeated(const Document& document, std::span<HashedBlock> blocks);
  uint32_t best_container(const Document& document);
  void find_inside(const Extraction& extraction, uint32_t container);
  void weigh_by_rules(Document& document);
  void weigh_by_model(Document& document, const BlockModel& model);

  Vector<uint8_t> good_;      // by block
  Vector<uint8_t> repeated_;  // by block
  Vector<HashedBlock> hashed_;
  Vector<uint64_t> score_;  // by container
  Vector<uint8_t> inside_;  // by container: of the best one, or itself
  ContentStructure structure_;
  BlockFeatures features_;
};

}  // namespace nd::text
