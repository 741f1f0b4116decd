// Generated pages as the engine takes them: features, keys and spot signatures both, without HTML and text.
#pragma once

#include <cstdint>

#include "options/parameters.hpp"
#include "page/candidate_keys.hpp"
#include "page/features.hpp"
#include "page/spot_builder.hpp"
#include "page_generator.hpp"

namespace ndc::bench {

// Reusable buffers. Threads: one object, one thread at a time. Cost: some 50 microseconds a page.
class FeatureMaker {
 public:
  explicit FeatureMaker(const nd::engine::Parameters& parameters);
  nd::engine::Features operator()(const Page& page, uint64_t number);

 private:
  void add_sentences(uint32_t begin, uint32_t block);
  void add_spots(const Words& words, uint32_t block);

  const nd::engine::KeyParameters key_parameters_;
  nd::engine::KeyBuilder key_builder_;
  const nd::engine::FeatureSpotParameters spot_parameters_;
  nd::spotsigs::SpotExtractor extractor_;
  nd::engine::SpotBuilder spot_builder_;
  nd::Vector<nd::spotsigs::SpotWord> spot_words_;
  nd::Vector<nd::spotsigs::Spot> found_;
  nd::Vector<nd::engine::FeatureBlockSpot> block_spots_;
  nd::Vector<nd::engine::PackedSpot> spots_;
  nd::Vector<nd::engine::FeatureBlock> blocks_;
  nd::Vector<nd::engine::FeatureSentence> sentences_;
  nd::Vector<nd::engine::Symbol> symbols_;
  nd::Vector<uint64_t> keys_;
};

}  // namespace ndc::bench
