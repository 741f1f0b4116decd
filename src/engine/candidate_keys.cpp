#include "engine/candidate_keys.hpp"

#include <algorithm>

namespace nd::engine {
namespace {

// Prose, or a neighbour of prose in the same container (main_content.hpp), in 1/255.
constexpr uint8_t kKeyWeight = 102;

uint32_t block_end(std::span<const FeatureBlock> blocks, size_t block, size_t symbol_count) noexcept {
  return block + 1 < blocks.size() ? blocks[block + 1].token_begin : static_cast<uint32_t>(symbol_count);
}

uint64_t shingle_hash(std::span<const Symbol> shingle) noexcept {
  uint64_t hash = shingle.size();
  for (Symbol symbol : shingle)
    hash = mix(hash ^ symbol) + 0x9e3779b97f4a7c15ULL;
  return hash;
}

}  // namespace

KeyParameters key_parameters_of(const Parameters& parameters) noexcept {
  const auto u16 = [](uint32_t value) {
    return static_cast<uint16_t>(std::min<uint32_t>(value, UINT16_MAX));
  };
  const lcs::FingerprintParameters& f = parameters.fingerprints;
  const RelaxedParameters& r = parameters.relaxed;
  return {u16(f.sentence_width),
          u16(f.sentences),
          u16(f.cover_width),
          u16(f.buckets),
          u16(r.enabled),
          u16(r.keys),
          u16(r.shingle_tokens),
          u16(r.wide_shingle_tokens),
          parameters.decision.content_width};
}

Result<KeyBuilder> KeyBuilder::create() {
  Result<lcs::Fingerprinter> fingerprinter = lcs::Fingerprinter::create();
  if (!fingerprinter) return std::move(fingerprinter).failure();
  return KeyBuilder(*std::move(fingerprinter));
}

bool KeyBuilder::uses_all_text(std::span<const FeatureBlock> blocks, std::span<const Symbol> symbols,
                               const KeyParameters& parameters) noexcept {
  uint64_t mass = 0;  // in 1/255
  for (size_t i = 0; i < blocks.size(); ++i) {
    uint64_t width = 0;
    for (uint32_t k = blocks[i].token_begin; k < block_end(blocks, i, symbols.size()); ++k)
      width += symbol_width(symbols[k]);
    mass += width * blocks[i].weight;
  }
  return mass < uint64_t{255} * parameters.content_width;
}

bool KeyBuilder::gives_keys(const FeatureBlock& block, bool all_text) noexcept {
  return block.dropped == 0 && (all_text || block.weight >= kKeyWeight);
}

// [6] Strict keys (fingerprints) and relaxed ones (shingles).
uint32_t KeyBuilder::build(std::span<const FeatureBlock> blocks, std::span<const FeatureSentence> sentences,
                           std::span<const Symbol> symbols, const KeyParameters& parameters,
                           Vector<uint64_t>& keys) {
  const bool all_text = uses_all_text(blocks, symbols, parameters);
  digests_.clear();
  fingerprints_.clear();
  shingles_.clear();
  keys.clear();
  for (const FeatureSentence& sentence : sentences) {
    if (gives_keys(blocks[sentence.block], all_text)) digests_.push_back({sentence.digest, sentence.width});
  }
  const lcs::FingerprintParameters fingerprint_parameters{parameters.sentence_width, parameters.sentences,
                                                          parameters.cover_width, parameters.buckets};
  fingerprinter_.append_fingerprints(digests_, fingerprint_parameters, fingerprints_);
  for (const lcs::Fingerprint& fingerprint : fingerprints_)
    keys.push_back(lcs::key_of(fingerprint));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const uint32_t fingerprint_count = static_cast<uint32_t>(keys.size());
  if (parameters.relaxed == 0) return fingerprint_count;
  run_.clear();
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (!gives_keys(blocks[i], all_text)) continue;
    const uint32_t begin = blocks[i].token_begin;
    const std::span<const Symbol> block =
        symbols.subspan(begin, block_end(blocks, i, symbols.size()) - begin);
    if (all_text) {
      run_.insert(run_.end(), block.begin(), block.end());
    } else {
      add_shingles(block, parameters);
    }
  }
  // A page of a few words has no block as long as a shingle: its text counts as one run.
  if (all_text) {
    add_shingles(run_, parameters);
    if (shingles_.empty() && !run_.empty()) shingles_.push_back(shingle_hash(run_));
  }
  std::sort(shingles_.begin(), shingles_.end());
  keys.insert(keys.end(), shingles_.begin(), shingles_.end());
  return fingerprint_count;
}

void KeyBuilder::add_shingles(std::span<const Symbol> block, const KeyParameters& parameters) {
  for (size_t i = 0; i < block.size(); ++i) {
    const size_t count =
        symbol_width(block[i]) == 2 ? parameters.wide_shingle_tokens : parameters.shingle_tokens;
    if (i + count > block.size()) continue;
    const uint64_t hash = shingle_hash(block.subspan(i, count));
    if (shingles_.size() == parameters.relaxed_keys) {
      if (hash >= shingles_.front() || std::find(shingles_.begin(), shingles_.end(), hash) != shingles_.end())
        continue;
      std::pop_heap(shingles_.begin(), shingles_.end());
      shingles_.pop_back();
    } else if (std::find(shingles_.begin(), shingles_.end(), hash) != shingles_.end()) {
      continue;
    }
    shingles_.push_back(hash);
    std::push_heap(shingles_.begin(), shingles_.end());
  }
}

}  // namespace nd::engine
