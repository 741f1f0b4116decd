#include "engine/feature_builder.hpp"

#include <libxml/xmlversion.h>
#include <unicode/uversion.h>

#include <algorithm>

#include "text/site.hpp"

namespace nd::engine {
namespace {

// Changes whenever src/text gives another text, other tokens or other weights for some page.
constexpr uint64_t kTextLayerVersion = 1;

// A block with this weight or more gives candidate keys: prose, or a neighbour of prose in the same container.
constexpr float kKeyWeight = 0.4F;

uint64_t parameters_id(const Parameters& parameters) noexcept {
  const lcs::FingerprintParameters& f = parameters.fingerprints;
  const RelaxedParameters& r = parameters.relaxed;
  uint64_t id = 0;
  for (uint64_t value : {uint64_t{f.sentence_width}, uint64_t{f.sentences}, uint64_t{f.cover_width}, uint64_t{f.buckets}, uint64_t{r.enabled},
                         uint64_t{r.shingle_tokens}, uint64_t{r.wide_shingle_tokens}, uint64_t{r.keys}}) {
    id = mix(id ^ value) + 0x9e3779b97f4a7c15ULL;
  }
  return id;
}

bool has_digit(std::string_view text) noexcept {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

uint64_t text_pipeline_id() noexcept {
  static const uint64_t id = [] {
    uint64_t value = mix(kTextLayerVersion);
    for (std::string_view part : {std::string_view(U_ICU_VERSION), std::string_view(U_UNICODE_VERSION),
                                  std::string_view(LIBXML_DOTTED_VERSION), text::public_suffix_list_version()}) {
      value = stable_hash(part, value);
    }
    return value;
  }();
  return id;
}

Result<FeatureBuilder> FeatureBuilder::create() {
  Result<Md5> md5 = Md5::create();
  if (!md5) return std::move(md5).failure();
  Result<lcs::Fingerprinter> fingerprinter = lcs::Fingerprinter::create();
  if (!fingerprinter) return std::move(fingerprinter).failure();
  return FeatureBuilder(*std::move(md5), *std::move(fingerprinter));
}

Features FeatureBuilder::build(std::string_view url, int64_t fetched_at_ms, bool truncated, uint64_t body_size,
                               const text::Document& document, const Parameters& parameters) {
  blocks_.clear();
  symbols_.clear();
  keys_.clear();
  text_.clear();
  FeatureHeader header{};
  header.pipeline = text_pipeline_id();
  header.parameters = parameters_id(parameters);
  header.fetched_at_ms = fetched_at_ms;
  header.body_size = static_cast<uint32_t>(std::min<uint64_t>(body_size, UINT32_MAX));
  header.width = document.width;
  add_blocks(document);
  double content_width = 0;
  for (const text::DocumentBlock& block : document.blocks) content_width += double{block.weight} * block.width;
  header.content_width = static_cast<uint64_t>(content_width);
  const bool all_text = content_width < parameters.decision.content_width;
  chosen_.resize(document.blocks.size());
  for (size_t i = 0; i < document.blocks.size(); ++i) chosen_[i] = all_text || document.blocks[i].weight >= kKeyWeight;
  add_fingerprints(document, parameters);
  header.fingerprint_count = static_cast<uint32_t>(keys_.size());
  if (parameters.relaxed.enabled) add_shingles(document, parameters.relaxed);
  if (parameters.keep_text) add_text(document);
  const Hash128 digest = stable_hash_128(document.text);
  header.digest_low = digest.low;
  header.digest_high = digest.high;
  header.flags = static_cast<uint16_t>((truncated || document.body_cut ? kFeatureTruncated : 0) |
                                       (document.body_cut || document.markup_limited || document.tokens_limited ? kFeatureLimited : 0) |
                                       (document.tokens.empty() ? kFeatureNoText : 0));
  return Features::build(header, {blocks_, keys_, symbols_, url, document.site, text_});
}

void FeatureBuilder::add_blocks(const text::Document& document) {
  symbols_.reserve(document.tokens.size());
  for (const text::Token& token : document.tokens) symbols_.push_back(make_symbol(token.hash, token.width));
  for (const text::DocumentBlock& block : document.blocks) {
    // Frames count and date themselves ("comments (12)", "page 3 of 7"): numbers do not make another block.
    uint64_t hash = 0;
    for (uint32_t i = block.tokens.begin; i < block.tokens.end; ++i) {
      const text::Token& token = document.tokens[i];
      uint64_t value = token.hash;
      const std::string_view text = token.text.of(document.text);
      if (has_digit(text)) {
        folded_.clear();
        for (char c : text) {
          if (c < '0' || c > '9') {
            folded_.push_back(c);
          } else if (folded_.empty() || folded_.back() != '0') {
            folded_.push_back('0');
          }
        }
        value = stable_hash(folded_);
      }
      hash = mix(hash ^ value) + 0x9e3779b97f4a7c15ULL;
    }
    blocks_.push_back({hash, block.tokens.begin, static_cast<uint8_t>(block.weight * 255.0F + 0.5F), {}});
  }
}

void FeatureBuilder::add_fingerprints(const text::Document& document, const Parameters& parameters) {
  digests_.clear();
  fingerprints_.clear();
  for (size_t i = 0; i < document.blocks.size(); ++i) {
    if (chosen_[i] == 0) continue;
    const text::DocumentBlock& block = document.blocks[i];
    for (uint32_t s = block.sentences.begin; s < block.sentences.end; ++s) {
      const std::string_view sentence = document.sentences[s].of(document.text);
      const uint32_t sentence_width = width(sentence);
      if (sentence_width > parameters.fingerprints.sentence_width) digests_.push_back({md5_(sentence), sentence_width});
    }
  }
  fingerprinter_.append_fingerprints(digests_, parameters.fingerprints, fingerprints_);
  for (const lcs::Fingerprint& fingerprint : fingerprints_) keys_.push_back(lcs::key_of(fingerprint));
  std::sort(keys_.begin(), keys_.end());
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
}

void FeatureBuilder::add_shingles(const text::Document& document, const RelaxedParameters& parameters) {
  // A bottom-k sketch: the smallest hashes over all shingles, kept in a max-heap of at most `keys` values.
  shingles_.clear();
  for (size_t b = 0; b < document.blocks.size(); ++b) {
    if (chosen_[b] == 0) continue;
    const text::Range tokens = document.blocks[b].tokens;
    for (uint32_t i = tokens.begin; i < tokens.end; ++i) {
      const bool wide = document.tokens[i].width == 2 && document.tokens[i].text.size() >= 3;
      const uint32_t count = wide ? parameters.wide_shingle_tokens : parameters.shingle_tokens;
      if (i + count > tokens.end) continue;
      uint64_t hash = count;
      for (uint32_t k = 0; k < count; ++k) hash = mix(hash ^ document.tokens[i + k].hash) + 0x9e3779b97f4a7c15ULL;
      if (shingles_.size() == parameters.keys && hash >= shingles_.front()) continue;
      if (std::find(shingles_.begin(), shingles_.end(), hash) != shingles_.end()) continue;
      if (shingles_.size() == parameters.keys) {
        std::pop_heap(shingles_.begin(), shingles_.end());
        shingles_.pop_back();
      }
      shingles_.push_back(hash);
      std::push_heap(shingles_.begin(), shingles_.end());
    }
  }
  std::sort(shingles_.begin(), shingles_.end());
  keys_.insert(keys_.end(), shingles_.begin(), shingles_.end());
}

void FeatureBuilder::add_text(const text::Document& document) {
  for (size_t i = 0; i < document.tokens.size(); ++i) {
    if (i != 0) text_.push_back(kPieceSeparator);
    const size_t begin = i == 0 ? 0 : document.tokens[i].text.begin;
    const size_t end = i + 1 < document.tokens.size() ? document.tokens[i + 1].text.begin : document.text.size();
    text_.append(std::string_view(document.text).substr(begin, end - begin));
  }
}

}  // namespace nd::engine
