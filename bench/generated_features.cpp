// Makes sentences, keys and signatures of generated words directly, so that a million pages take minutes.
#include "generated_features.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace ndc::bench {

using nd::mix;

FeatureMaker::FeatureMaker(const nd::engine::Parameters& parameters)
    : key_parameters_(nd::engine::key_parameters_of(parameters)),
      spot_parameters_(nd::engine::feature_spot_parameters_of(nd::engine::spot_parameters_of(parameters),
                                                              parameters.antecedents)),
      spot_builder_(*nd::engine::SpotBuilder::create()) {}

nd::engine::Features FeatureMaker::operator()(const Page& page, uint64_t number) {
  blocks_.clear();
  symbols_.clear();
  sentences_.clear();
  block_spots_.clear();
  uint64_t mass = 0;
  nd::engine::FeatureHeader header{};
  for (const Block& block : page.blocks) {
    const auto begin = static_cast<uint32_t>(symbols_.size());
    uint64_t hash = 0;
    for (uint32_t word : block.words) {
      const uint32_t width = 2 + word % 9;
      symbols_.push_back(nd::engine::make_symbol(static_cast<uint32_t>(mix(word + 1)), width));
      hash = mix(hash ^ word) + 1;
      mass += uint64_t{width} * block.weight;
      header.width += width;
    }
    add_sentences(begin, static_cast<uint32_t>(blocks_.size()));
    add_spots(block.words, static_cast<uint32_t>(blocks_.size()));
    blocks_.push_back({hash, begin, block.weight, 0, {}});
  }
  header.key_parameters = key_parameters_;
  header.spot_parameters = spot_parameters_;
  header.content_width = mass / 255;
  header.fetched_at_ms = 1;
  header.fingerprint_count = key_builder_.build(blocks_, sentences_, symbols_, key_parameters_, keys_);
  const bool all_text = nd::engine::KeyBuilder::uses_all_text(blocks_, symbols_, key_parameters_);
  if (spot_builder_.unite(blocks_, all_text, block_spots_, spot_parameters_, spots_))
    header.flags |= nd::engine::kFeatureSpotsLimited;
  const nd::Hash128 digest = nd::stable_hash_128(
      {reinterpret_cast<const char*>(symbols_.data()), symbols_.size() * sizeof(nd::engine::Symbol)});
  header.digest_low = digest.low;
  header.digest_high = digest.high;
  const std::string site = "site" + std::to_string(page.site) + ".example";
  const std::string url = "https://" + site + "/" + std::to_string(number);
  return nd::engine::Features::build(header, {.blocks = blocks_,
                                              .keys = keys_,
                                              .spots = spots_,
                                              .block_spots = {},
                                              .sentences = {},
                                              .symbols = symbols_,
                                              .url = url,
                                              .site = site,
                                              .text = {}});
}

void FeatureMaker::add_sentences(uint32_t begin, uint32_t block) {
  for (size_t at = begin; at < symbols_.size(); at += kSentenceWords) {
    const size_t count = std::min<size_t>(kSentenceWords, symbols_.size() - at);
    uint32_t width = 0;
    for (size_t i = at; i < at + count; ++i)
      width += nd::engine::symbol_width(symbols_[i]) + 1U;
    const auto* bytes = reinterpret_cast<const char*>(symbols_.data() + at);
    const std::string_view message(bytes, count * sizeof(nd::engine::Symbol));
    nd::md5_side_by_side(
        {&message, 1},
        &sentences_.emplace_back(nd::engine::FeatureSentence{nd::Md5Digest{}, width, block}).digest);
  }
}

void FeatureMaker::add_spots(const Words& words, uint32_t block) {
  spot_words_.clear();
  for (uint32_t word : words) {
    const auto kind = word < kAntecedents ? nd::spotsigs::WordKind::kAntecedent
                      : word < kStopWords ? nd::spotsigs::WordKind::kStopWord
                                          : nd::spotsigs::WordKind::kContent;
    spot_words_.push_back({static_cast<uint32_t>(mix(word + 1)), kind});
  }
  found_.clear();
  extractor_.append_spots(spot_words_,
                          {spot_parameters_.enabled != 0, spot_parameters_.distance, spot_parameters_.chain,
                           spot_parameters_.signatures},
                          found_);
  nd::spotsigs::unite(found_, found_.size());
  for (const nd::spotsigs::Spot& spot : found_)
    block_spots_.push_back({spot.hash, block, spot.count});
}

}  // namespace ndc::bench
