// Features made by hand, for tests that must not depend on the text layer.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/parameters.hpp"
#include "page/candidate_keys.hpp"
#include "page/features.hpp"

namespace nd::engine {

inline constexpr uint32_t kWordWidth = 5;

// Words are numbers; every one is kWordWidth wide.
struct BlockSample {
  std::vector<uint32_t> words;
  uint8_t weight = 255;
  uint8_t dropped = 0;
  uint8_t heading = 0;
  uint8_t context = 0;
};

inline Symbol symbol_of(uint32_t word) {
  return make_symbol(static_cast<uint32_t>(mix(word + 1)), kWordWidth);
}

// The tokens of a block end here.
inline uint32_t token_end(const Features& features, size_t block) {
  const auto blocks = features.blocks();
  return block + 1 < blocks.size() ? blocks[block + 1].token_begin : features.header().symbol_count;
}

inline std::vector<uint32_t> words(uint32_t first, uint32_t count) {
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < count; ++i)
    out.push_back(first + i);
  return out;
}

inline std::vector<uint32_t> joined(std::vector<uint32_t> a, const std::vector<uint32_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct FeatureSample {
  std::vector<BlockSample> blocks;
  std::string site;
  std::string url;
  std::vector<uint64_t> keys;
  std::vector<FeatureSentence> sentences;
  std::string text;
  uint32_t fingerprint_count = 0;
  std::vector<PackedSpot> spots{};
  std::vector<FeatureBlockSpot> block_spots{};
  std::vector<uint32_t> title{};  // words
  std::vector<CountedPart> on_site{};

  Features features() const {
    std::vector<FeatureBlock> described;
    std::vector<Symbol> symbols, title_symbols;
    uint64_t mass = 0;
    for (const BlockSample& block : blocks) {
      uint64_t hash = 7;
      const auto begin = static_cast<uint32_t>(symbols.size());
      for (uint32_t word : block.words) {
        hash = mix(hash ^ word);
        symbols.push_back(symbol_of(word));
      }
      described.push_back({hash, begin, block.weight, block.dropped, block.heading, block.context});
      mass += uint64_t{block.weight} * block.words.size() * kWordWidth;
    }
    for (uint32_t word : title)
      title_symbols.push_back(symbol_of(word));
    const std::string_view bytes(reinterpret_cast<const char*>(symbols.data()),
                                 symbols.size() * sizeof(Symbol));
    const Hash128 digest = stable_hash_128(bytes);
    FeatureHeader header{};
    header.key_parameters = key_parameters_of(Parameters{});
    header.spot_parameters = feature_spot_parameters_of({}, {});
    header.digest_low = digest.low;
    header.digest_high = digest.high;
    header.width = symbols.size() * kWordWidth;
    header.content_width = mass / 255;
    header.fingerprint_count = fingerprint_count;
    header.flags = symbols.empty() ? uint32_t{kFeatureNoText} : 0;
    return Features::build(header, {described,
                                    keys,
                                    spots,
                                    block_spots,
                                    sentences,
                                    symbols,
                                    title_symbols,
                                    url,
                                    site,
                                    text,
                                    {},
                                    on_site});
  }
};

inline Features one_block(std::vector<uint32_t> text, const std::string& site = "a.example",
                          uint8_t weight = 255) {
  FeatureSample sample;
  sample.blocks.push_back({std::move(text), weight});
  sample.site = site;
  return sample.features();
}

}  // namespace nd::engine
