// Collects the signatures of blocks, bounds their number, and packs them in ascending order.
#include "page/spot_builder.hpp"

#include <algorithm>
#include <utility>

#include "core/hash.hpp"
#include "page/candidate_keys.hpp"

namespace nd::engine {

bool unite_spots(std::span<const FeatureBlock> blocks, bool all_text, std::span<const FeatureBlockSpot> spots,
                 const FeatureSpotParameters& parameters, Vector<spotsigs::Spot>& united,
                 Vector<PackedSpot>& packed) {
  united.clear();
  for (const FeatureBlockSpot& spot : spots) {
    if (KeyBuilder::gives_keys(blocks[spot.block], all_text)) united.push_back({spot.hash, spot.count});
  }
  const bool cut = spotsigs::unite(united, parameters.signatures);
  packed.resize(united.size());
  std::transform(united.begin(), united.end(), packed.begin(), make_packed_spot);
  return cut;
}

Result<SpotBuilder> SpotBuilder::create() {
  Result<text::DictionaryWords> dictionary = text::DictionaryWords::create();
  if (!dictionary) return std::move(dictionary).failure();
  return SpotBuilder(*std::move(dictionary));
}

void SpotBuilder::use_antecedents(std::string_view words) {
  if (words_of_own_ == words) return;
  String kept(words);
  own_ = words.empty() ? std::nullopt : std::optional(spotsigs::OwnAntecedents(words));
  words_of_own_ = std::move(kept);
}

void SpotBuilder::add_block(const text::Document& document, uint32_t index, bool is_ascii,
                            const FeatureSpotParameters& parameters) {
  const text::Range range = document.blocks[index].tokens;
  const auto tokens = std::span(document.tokens).subspan(range.begin, range.size());
  const auto classify_by = [&](const auto& kinds, const auto& words) {
    spot_words_.resize(words.size());
    for (size_t i = 0; i < words.size(); ++i)
      spot_words_[i] = {words[i].hash, kinds.of(words[i].hash)};
  };
  const auto classify = [&](const auto& words) {
    own_ ? classify_by(*own_, words) : classify_by(spotsigs::WordKinds::instance(), words);
  };
  if (is_ascii) {
    classify(tokens);
  } else {
    words_.clear();
    dictionary_.append(document.text, tokens, words_);
    classify(words_);
  }
  steps_ += extractor_.append_spots(
      spot_words_, {parameters.enabled != 0, parameters.distance, parameters.chain, parameters.signatures},
      spots_);
}

void SpotBuilder::append_block(const text::Document& document, uint32_t index, bool is_ascii,
                               const FeatureSpotParameters& parameters, Vector<FeatureBlockSpot>& out) {
  clear();
  add_block(document, index, is_ascii, parameters);
  // No page keeps more of a block; one more shows that some were cut.
  spotsigs::unite(spots_, parameters.signatures + size_t{1});
  for (const spotsigs::Spot& spot : spots_)
    out.push_back({spot.hash, index, spot.count});
}

// If every count is 1, as add_block() finds them, only the hashes are sorted.
bool SpotBuilder::take(const FeatureSpotParameters& parameters, Vector<PackedSpot>& packed) {
  hashes_.resize(spots_.size());
  for (size_t i = 0; i < spots_.size(); ++i)
    hashes_[i] = make_packed_spot({spots_[i].hash, 0});
  sort_hashes(hashes_, sorted_);
  packed.clear();
  for (const uint64_t hash : hashes_) {
    const bool is_new = packed.empty() || hash != (packed.back() & ~PackedSpot{kSpotCountLimit});
    if (is_new && packed.size() == parameters.signatures) return true;
    if (is_new) packed.push_back(hash);
    if ((packed.back() & kSpotCountLimit) != kSpotCountLimit) ++packed.back();
  }
  return false;
}

}  // namespace nd::engine
