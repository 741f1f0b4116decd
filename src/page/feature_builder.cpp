// Builds the record of steps [4] to [6] and holds the version of the text pipeline, by which incompatible
// records are refused.
#include "page/feature_builder.hpp"

#include <algorithm>
#include <cstring>

#include "core/utf8.hpp"
#include "method/description.hpp"
#include "page/record_keys.hpp"
#include "reading/site.hpp"
#include "text/library_versions.hpp"

namespace nd::engine {
namespace {

// Changes whenever reading, words or text give ordinary pages different text, tokens or weights, or spotsigs
// other signatures (docs/abi.md, "Fingerprints"; tests/golden/texts.tsv is then recorded again).
constexpr uint64_t kTextLayerVersion = 2;

// Whether one of eight bytes is a digit. Seven bits of each are raised so that the eighth shows whether they
// reach '0', and whether they exceed '9'.
bool any_digit(uint64_t bytes) noexcept {
  constexpr uint64_t kEach = 0x0101010101010101ULL;
  const uint64_t low = bytes & (kEach * 0x7f);
  const uint64_t from_zero = low + kEach * (0x80 - '0');
  const uint64_t beyond_nine = low + kEach * (0x80 - '9' - 1);
  return (from_zero & ~beyond_nine & ~bytes & (kEach * 0x80)) != 0;
}

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

// Plain text has no raw blocks, and no headings.
uint8_t heading_of(const text::Document& document, const text::DocumentBlock& block) noexcept {
  const Vector<text::TextBlock>& raw = document.extraction.blocks;
  return block.source < raw.size() && document.kind == text::ContentKind::kHtml
             ? raw[block.source].heading_level
             : 0;
}

// Plain text has no elements around it.
uint8_t context_of(const text::Document& document, const text::DocumentBlock& block) noexcept {
  const Vector<text::TextBlock>& raw = document.extraction.blocks;
  if (block.source >= raw.size() || document.kind != text::ContentKind::kHtml) return 0;
  const uint16_t around = raw[block.source].context;
  return static_cast<uint8_t>(((around & text::kInNavigation) != 0 ? kBlockInNavigation : 0) |
                              ((around & text::kInForm) != 0 ? kBlockInForm : 0));
}

bool has_digit(std::string_view text, text::Range token) noexcept {
  uint64_t bytes;
  if (token.size() <= sizeof bytes && text.size() - token.begin >= sizeof bytes) {
    std::memcpy(&bytes, text.data() + token.begin, sizeof bytes);
    return any_digit(bytes << (64 - 8 * token.size()));
  }
  const std::string_view word = token.of(text);
  return std::any_of(word.begin(), word.end(), is_digit);
}

// The weighted sum of the blocks' widths.
uint64_t weighted_width(std::span<const FeatureBlock> blocks, std::span<const uint64_t> widths) noexcept {
  uint64_t mass = 0;
  for (size_t i = 0; i < blocks.size(); ++i)
    mass += widths[i] * blocks[i].weight;
  return mass / 255;
}

}  // namespace

// By the libraries loaded at run time: another version than the one ndc was compiled with is a different
// pipeline.
uint64_t text_pipeline_id(text::BlockWeights block_weights) noexcept {
  static const uint64_t learned = [] {
    const text::LibraryVersions versions = text::library_versions();
    uint64_t value = mix(kTextLayerVersion);
    for (std::string_view part : {versions.icu.view(), versions.unicode.view(), versions.libxml2.view(),
                                  text::public_suffix_list_version()}) {
      value = stable_hash(part, value);
    }
    return value;
  }();
  static const uint64_t by_rules = stable_hash("block_weights=rules", learned);
  static const uint64_t unweighed = stable_hash("block_weights=none", learned);
  if (block_weights == text::kNoWeights) return unweighed;
  return block_weights == text::kRuleWeights ? by_rules : learned;
}

Result<FeatureBuilder> FeatureBuilder::create(detectors::Method method) {
  Result<SpotBuilder> spot_builder = SpotBuilder::create();
  if (!spot_builder) return std::move(spot_builder).failure();
  Result<Owned<detectors::Describer>> describer = detectors::make_describer(method);
  if (!describer) return std::move(describer).failure();
  return FeatureBuilder(*std::move(spot_builder), method, *std::move(describer));
}

// [6] Sentences, keys, spot signatures and the digest: the finished record.
Features FeatureBuilder::finish(const PageFacts& facts, const text::Document& document,
                                std::span<const uint8_t> boilerplate, const FeatureParameters& parameters,
                                RecordFor use) {
  const bool portable = use == RecordFor::kElsewhere;
  FeatureHeader header{};
  header.pipeline = text_pipeline_id(parameters);
  header.key_parameters = key_parameters_of(parameters, portable);
  header.spot_parameters = feature_spot_parameters_of(spot_parameters_of(parameters), parameters.antecedents);
  header.description_shingle = described_shingle(method_, parameters.detector) & 0xffU;
  header.fetched_at_ms = facts.fetched_at_ms;
  header.method = static_cast<uint16_t>(method_);
  header.body_size = static_cast<uint32_t>(std::min<uint64_t>(facts.body_size, UINT32_MAX));
  header.width = document.width;
  key_blocks_.assign(blocks_.begin(), blocks_.end());
  drop_boilerplate(boilerplate, key_blocks_);
  header.content_width = weighted_width(blocks_, widths_);
  const bool all_text = KeyBuilder::uses_all_text(key_blocks_, widths_, header.key_parameters);
  sentences_.clear();
  sentence_texts_.clear();
  block_spots_.clear();
  spot_builder_.clear();
  spot_builder_.use_antecedents(parameters.antecedents);
  const uint64_t spot_work = spot_builder_.work();
  const bool keyed = portable || method_ == detectors::Method::kLcs;
  const bool with_spots = header.spot_parameters.enabled != 0 && (keyed || detectors::uses_spots(method_));
  for (uint32_t i = 0; i < document.blocks.size(); ++i) {
    const bool gives_keys = KeyBuilder::gives_keys(key_blocks_[i], all_text);
    if (use == RecordFor::kThisCheck && !gives_keys) continue;
    if (keyed) add_sentences(document, i, header);
    if (!with_spots || (!portable && !gives_keys)) continue;
    if (portable) {
      spot_builder_.append_block(document, i, is_ascii_[i] != 0, header.spot_parameters, block_spots_);
    } else {
      spot_builder_.add_block(document, i, is_ascii_[i] != 0, header.spot_parameters);
    }
  }
  work_.add(Work::kWords, spot_builder_.work() - spot_work);
  digest_sentences();
  keys_.clear();
  if (keyed) {
    header.fingerprint_count =
        key_builder_.build(key_blocks_, sentences_, symbols_, header.key_parameters, all_text, keys_);
    work_.add(Work::kFeatures, key_builder_.work());
  }
  const bool spots_cut =
      portable ? spot_builder_.unite(key_blocks_, all_text, block_spots_, header.spot_parameters, spots_)
               : spot_builder_.take(header.spot_parameters, spots_);
  describe(facts, document, all_text, parameters.detector);
  if (!keyed) spots_.clear();
  text_.clear();
  if (parameters.keep_text) add_text(document);
  work_.add(Work::kFeatures, spots_.size() + document.text.size());
  const Hash128 digest = stable_hash_128(document.text);
  header.digest_low = digest.low;
  header.digest_high = digest.high;
  const bool limited = document.body_cut || document.markup_limited || document.tokens_limited;
  header.flags = (facts.truncated || document.body_cut ? uint32_t{kFeatureTruncated} : 0) |
                 (limited ? uint32_t{kFeatureLimited} : 0) |
                 (document.tokens.empty() ? uint32_t{kFeatureNoText} : 0) |
                 (spots_cut ? uint32_t{kFeatureSpotsLimited} : 0) |
                 (document.kind == text::ContentKind::kPlainText ? uint32_t{kFeaturePlainText} : 0);
  if (use == RecordFor::kThisCheck) sentences_.clear();
  return Features::build(header,
                         {blocks_, keys_, spots_, block_spots_, sentences_, symbols_, title_, facts.url,
                          document.site, text_, description_},
                         std::move(record_));
}

// [6] What the detector keeps of the page.
void FeatureBuilder::describe(const PageFacts& facts, const text::Document& document, bool all_text,
                              const MethodParameters& detector) {
  description_.clear();
  if (method_ == detectors::Method::kLcs) return;
  counts_.clear();
  for (const FeatureBlock& block : key_blocks_)
    counts_.push_back(KeyBuilder::gives_keys(block, all_text));
  describer_->describe({document, counts_, spots_, facts.url, detector.shingle_tokens}, detector.mwo,
                       description_);
}

// [6] Symbols and block hashes, by which the site's boilerplate is looked up before the keys are made.
std::span<const FeatureBlock> FeatureBuilder::begin(const text::Document& document) {
  work_ = WorkTally();
  work_.add(Work::kFeatures, 2 * document.tokens.size() + document.blocks.size());
  symbols_.clear();
  blocks_.clear();
  widths_.clear();
  is_ascii_.clear();
  symbols_.resize(document.tokens.size());
  for (size_t i = 0; i < document.tokens.size(); ++i)
    symbols_[i] = make_symbol(document.tokens[i].hash, document.tokens[i].width);
  title_.clear();
  for (const text::Token& word : document.title)
    title_.push_back(make_symbol(word.hash, word.width));
  for (const text::DocumentBlock& block : document.blocks) {
    // Boilerplate contains counts and dates ("comments (12)", "page 3 of 7"): numbers do not make a different
    // block.
    uint64_t hash = 0;
    uint64_t width = 0;
    uint32_t surplus = 0;
    for (uint32_t i = block.tokens.begin; i < block.tokens.end; ++i) {
      const text::Token& token = document.tokens[i];
      const uint64_t value =
          has_digit(document.text, token.text) ? folded_hash(token.text.of(document.text)) : token.hash;
      hash = mix(hash ^ value) + 0x9e3779b97f4a7c15ULL;
      width += symbol_width(symbols_[i]);
      surplus |= token.text.size() ^ token.width;  // a character beyond ASCII has more bytes than width
    }
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): not negative; lround() differs where the sum is rounded.
    const auto weight = static_cast<uint8_t>(block.weight * 255.0F + 0.5F);
    blocks_.push_back(
        {hash, block.tokens.begin, weight, 0, heading_of(document, block), context_of(document, block)});
    widths_.push_back(width);
    is_ascii_.push_back(surplus == 0);
  }
  return blocks_;
}

// The hash of a token with each run of digits as one 0.
uint64_t FeatureBuilder::folded_hash(std::string_view token) {
  folded_.resize(token.size());
  size_t size = 0;
  bool after_digit = false;
  for (const char c : token) {
    const bool digit = is_digit(c);
    folded_[size] = digit ? '0' : c;
    size += digit && after_digit ? 0 : 1;
    after_digit = digit;
  }
  return stable_hash(std::string_view(folded_).substr(0, size));
}

void FeatureBuilder::release() noexcept {
  spot_builder_.release();
  if (describer_) describer_->release();
  static_cast<void>(std::exchange(text_, String()));  // assigning would keep the memory of strings
  static_cast<void>(std::exchange(folded_, String()));
  *this = FeatureBuilder(std::move(spot_builder_), method_, std::move(describer_));
}

uint64_t FeatureBuilder::memory_bytes() const noexcept {
  return key_builder_.memory_bytes() + spot_builder_.memory_bytes() +
         (describer_ ? describer_->memory_bytes() : 0) + counts_.capacity() + description_.capacity() +
         (blocks_.capacity() + key_blocks_.capacity()) * sizeof(FeatureBlock) +
         widths_.capacity() * sizeof(uint64_t) + is_ascii_.capacity() +
         sentences_.capacity() * sizeof(FeatureSentence) +
         sentence_texts_.capacity() * sizeof(std::string_view) + digests_.capacity() * sizeof(Md5Digest) +
         block_spots_.capacity() * sizeof(FeatureBlockSpot) + spots_.capacity() * sizeof(PackedSpot) +
         (symbols_.capacity() + title_.capacity()) * sizeof(Symbol) + keys_.capacity() * sizeof(uint64_t) +
         text_.capacity() + record_.bytes + folded_.capacity();
}

void FeatureBuilder::add_sentences(const text::Document& document, uint32_t index,
                                   const FeatureHeader& header) {
  const text::DocumentBlock& block = document.blocks[index];
  for (uint32_t s = block.sentences.begin; s < block.sentences.end; ++s) {
    const std::string_view sentence = document.sentences[s].of(document.text);
    const uint32_t sentence_width = width(sentence);
    if (sentence_width > header.key_parameters.sentence_width) {
      sentences_.push_back({{}, sentence_width, index});
      sentence_texts_.push_back(sentence);
    }
  }
}

// For the whole page together, because digests computed side by side cost less.
void FeatureBuilder::digest_sentences() {
  digests_.resize(sentence_texts_.size());
  for (const std::string_view sentence : sentence_texts_)
    work_.add(Work::kFeatures, sentence.size());
  md5_side_by_side(sentence_texts_, digests_.data());
  for (size_t i = 0; i < sentences_.size(); ++i)
    sentences_[i].digest = digests_[i];
}

void FeatureBuilder::add_text(const text::Document& document) {
  for (size_t i = 0; i < document.tokens.size(); ++i) {
    if (i != 0) text_.push_back(kPieceSeparator);
    const size_t begin = i == 0 ? 0 : document.tokens[i].text.begin;
    const size_t end =
        i + 1 < document.tokens.size() ? document.tokens[i + 1].text.begin : document.text.size();
    text_.append(std::string_view(document.text).substr(begin, end - begin));
  }
}

}  // namespace nd::engine
