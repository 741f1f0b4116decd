#include "engine/spot_builder.hpp"

#include "engine/candidate_keys.hpp"

namespace nd::engine {

Result<SpotBuilder> SpotBuilder::create() {
  Result<text::DictionaryWords> dictionary = text::DictionaryWords::create();
  if (!dictionary) return std::move(dictionary).failure();
  return SpotBuilder(*std::move(dictionary));
}

void SpotBuilder::append_block(const text::Document& document, uint32_t index,
                               const FeatureSpotParameters& parameters, Vector<FeatureBlockSpot>& out) {
  const text::Range tokens = document.blocks[index].tokens;
  words_.clear();
  dictionary_.append(document.text, std::span(document.tokens).subspan(tokens.begin, tokens.size()), words_);
  spot_words_.clear();
  for (const text::Word& word : words_)
    spot_words_.push_back({word.hash, spotsigs::word_kind(word.hash)});
  spots_.clear();
  extractor_.append_spots(
      spot_words_, {parameters.enabled != 0, parameters.distance, parameters.chain, parameters.signatures},
      spots_);
  spotsigs::unite(spots_, spots_.size());
  for (const spotsigs::Spot& spot : spots_)
    out.push_back({spot.hash, index, spot.count});
}

// [6] Spot signatures, from the blocks that give keys.
bool SpotBuilder::build(std::span<const FeatureBlock> blocks, bool all_text,
                        std::span<const FeatureBlockSpot> spots, const FeatureSpotParameters& parameters,
                        Vector<PackedSpot>& packed) {
  spots_.clear();
  for (const FeatureBlockSpot& spot : spots) {
    if (KeyBuilder::gives_keys(blocks[spot.block], all_text)) spots_.push_back({spot.hash, spot.count});
  }
  const bool cut = spotsigs::unite(spots_, parameters.signatures);
  packed.clear();
  for (const spotsigs::Spot& spot : spots_)
    packed.push_back(make_packed_spot(spot));
  return cut;
}

}  // namespace nd::engine
