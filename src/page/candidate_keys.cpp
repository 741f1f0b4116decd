// Makes both kinds of keys from the blocks that are not boilerplate, and bounds how many shingles a page may
// give.
#include "page/candidate_keys.hpp"

#include <algorithm>

#include "core/hash.hpp"

namespace nd::engine {
namespace {

// Prose, or a neighbour of prose in the same container (main_content.hpp), in 1/255.
constexpr uint8_t kKeyWeight = 102;

// Beside shingles, four rotations of one bucket find what all 16 find; who does without shingles sets more
// buckets.
constexpr uint32_t kRotationsOfOneBucket = 4;

// Odd, so that no symbol of a shingle loses bits.
constexpr uint64_t kShingleBase = 0x9e3779b97f4a7c15ULL;

uint64_t power_of_base(uint32_t exponent) noexcept {
  uint64_t power = 1;
  for (uint32_t i = 0; i < exponent; ++i)
    power *= kShingleBase;
  return power;
}

}  // namespace

KeyParameters key_parameters_of(const FeatureParameters& parameters, bool portable) noexcept {
  const auto u16 = [](uint32_t value) {
    return static_cast<uint16_t>(std::min<uint32_t>(value, UINT16_MAX));
  };
  const lcs::FingerprintParameters& f = parameters.fingerprints;
  const RelaxedParameters& r = parameters.relaxed;
  const uint32_t buckets = f.buckets != 0 ? f.buckets : portable ? lcs::FingerprintParameters{}.buckets : 1;
  return {u16(f.sentence_width), u16(f.sentences), u16(f.cover_width),    u16(buckets),
          u16(r.enabled),        u16(r.keys),      u16(r.shingle_tokens), u16(r.wide_shingle_tokens),
          kContentWidth};
}

bool KeyBuilder::uses_all_text(std::span<const FeatureBlock> blocks, std::span<const Symbol> symbols,
                               const KeyParameters& parameters) noexcept {
  uint64_t mass = 0;  // in 1/255
  for (size_t i = 0; i < blocks.size(); ++i) {
    uint64_t width = 0;
    for (uint32_t k = blocks[i].token_begin; k < token_end(blocks, i, symbols.size()); ++k)
      width += symbol_width(symbols[k]);
    mass += width * blocks[i].weight;
  }
  return mass < uint64_t{255} * parameters.content_width;
}

bool KeyBuilder::uses_all_text(std::span<const FeatureBlock> blocks, std::span<const uint64_t> widths,
                               const KeyParameters& parameters) noexcept {
  uint64_t mass = 0;  // in 1/255
  for (size_t i = 0; i < blocks.size(); ++i)
    mass += widths[i] * blocks[i].weight;
  return mass < uint64_t{255} * parameters.content_width;
}

uint64_t KeyBuilder::memory_bytes() const noexcept {
  return fingerprinter_.memory_bytes() + digests_.capacity() * sizeof(lcs::SentenceDigest) +
         fingerprints_.capacity() * sizeof(lcs::Fingerprint) + run_.capacity() * sizeof(Symbol) +
         (sorted_.capacity() + prefixes_.capacity() + shingles_.capacity()) * sizeof(uint64_t);
}

bool KeyBuilder::gives_keys(const FeatureBlock& block, bool all_text) noexcept {
  return block.dropped == 0 && (all_text || block.weight >= kKeyWeight);
}

// [6] Strict keys (fingerprints) and relaxed ones (shingles).
uint32_t KeyBuilder::build(std::span<const FeatureBlock> blocks, std::span<const FeatureSentence> sentences,
                           std::span<const Symbol> symbols, const KeyParameters& parameters,
                           Vector<uint64_t>& keys) {
  return build(blocks, sentences, symbols, parameters, uses_all_text(blocks, symbols, parameters), keys);
}

uint32_t KeyBuilder::build(std::span<const FeatureBlock> blocks, std::span<const FeatureSentence> sentences,
                           std::span<const Symbol> symbols, const KeyParameters& parameters, bool all_text,
                           Vector<uint64_t>& keys) {
  digests_.clear();
  fingerprints_.clear();
  shingles_.clear();
  keys.clear();
  for (const FeatureSentence& sentence : sentences) {
    if (gives_keys(blocks[sentence.block], all_text)) digests_.push_back({sentence.digest, sentence.width});
  }
  work_ = blocks.size() + sentences.size() + symbols.size();
  const lcs::FingerprintParameters fingerprint_parameters{
      parameters.sentence_width, parameters.sentences, parameters.cover_width, parameters.buckets,
      parameters.buckets == 1 ? kRotationsOfOneBucket : lcs::kRotations};
  fingerprinter_.append_fingerprints(digests_, fingerprint_parameters, fingerprints_);
  work_ += fingerprinter_.work();
  for (const lcs::Fingerprint& fingerprint : fingerprints_)
    keys.push_back(lcs::key_of(fingerprint));
  sort_hashes(keys, sorted_);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const uint32_t fingerprint_count = static_cast<uint32_t>(keys.size());
  if (parameters.relaxed == 0) return fingerprint_count;
  const auto for_each_text = [&](bool all, const auto& visit) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (!gives_keys(blocks[i], all)) continue;
      const uint32_t begin = blocks[i].token_begin;
      visit(symbols.subspan(begin, token_end(blocks, i, symbols.size()) - begin));
    }
  };
  if (!all_text) for_each_text(false, [&](std::span<const Symbol> text) { add_shingles(text, parameters); });
  // A page of a few words, or of cells and items, has no block as long as a shingle: its whole text is one
  // run.
  if (all_text || (shingles_.empty() && keys.empty())) {
    run_.clear();
    for_each_text(true,
                  [&](std::span<const Symbol> text) { run_.insert(run_.end(), text.begin(), text.end()); });
    add_shingles(run_, parameters);
    if (all_text && shingles_.empty() && !run_.empty()) shingles_.push_back(prefixes_[run_.size()]);
  }
  std::sort(shingles_.begin(), shingles_.end());
  keys.insert(keys.end(), shingles_.begin(), shingles_.end());
  return fingerprint_count;
}

// A shingle's hash is a polynomial in its symbols, so it is the difference of two prefixes of the text: its
// cost does not depend on its length.
void KeyBuilder::add_shingles(std::span<const Symbol> text, const KeyParameters& parameters) {
  work_ += 2 * text.size();
  prefixes_.resize(text.size() + 1);
  prefixes_[0] = 0;
  for (size_t i = 0; i < text.size(); ++i)
    prefixes_[i + 1] = prefixes_[i] * kShingleBase + mix(text[i]);
  const uint32_t narrow = parameters.shingle_tokens;
  const uint32_t wide = parameters.wide_shingle_tokens;
  const uint64_t narrow_power = power_of_base(narrow);
  const uint64_t wide_power = power_of_base(wide);
  for (size_t i = 0; i + std::min(narrow, wide) <= text.size(); ++i) {
    const bool is_wide = symbol_width(text[i]) == 2;
    const size_t end = i + (is_wide ? wide : narrow);
    if (end > text.size()) continue;
    const uint64_t hash = prefixes_[end] - prefixes_[i] * (is_wide ? wide_power : narrow_power);
    if (shingles_.size() < parameters.relaxed_keys || hash < shingles_.front())
      add_shingle(hash, parameters.relaxed_keys);
  }
}

void KeyBuilder::add_shingle(uint64_t hash, uint32_t limit) {
  work_ += shingles_.size();
  if (std::find(shingles_.begin(), shingles_.end(), hash) != shingles_.end()) return;
  if (shingles_.size() == limit) {
    std::pop_heap(shingles_.begin(), shingles_.end());
    shingles_.pop_back();
  }
  shingles_.push_back(hash);
  std::push_heap(shingles_.begin(), shingles_.end());
}

}  // namespace nd::engine
