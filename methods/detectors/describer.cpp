// Makes the descriptions of all methods from the text of one page, so that the engine needs one call and one
// object.
#include "method/description.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "baselines/shingles.hpp"
#include "baselines/term_counts.hpp"
#include "core/hash.hpp"
#include "detectors/description_rows.hpp"
#include "detectors/mwo_terms.hpp"
#include "moz/fingerprint_vector.hpp"
#include "moz/simhash.hpp"
#include "mwo/term_extractor.hpp"
#include "words/stop_words.hpp"
#include "words/word_segmenter.hpp"

namespace nd::detectors {
namespace {

bool counts_words(Method method) noexcept {
  return method == Method::kSimhash64 || method == Method::kSimhash128 || method == Method::kCosine ||
         method == Method::kIMatch;
}

bool is_stop_word(uint32_t hash) noexcept {
  return text::is_stop_word(hash) || text::is_chinese_stop_word(hash);
}

std::span<const text::Token> tokens_of(const text::Document& document, size_t block) noexcept {
  const text::Range range = document.blocks[block].tokens;
  return std::span(document.tokens).subspan(range.begin, range.size());
}

void append_hash(const Hash128& hash, Vector<uint8_t>& out) {
  const uint64_t halves[] = {hash.low, hash.high};
  append_row(std::span<const uint64_t>(halves), out);
}

// Reusable buffers.
class DescriberOfMethod final : public Describer {
 public:
  explicit DescriberOfMethod(Method method) noexcept : method_(method) {}
  // What the method needs of ICU and libstemmer.
  Result<void> set_up();

  void describe(const PageText& page, const MwoSettings& mwo, Vector<uint8_t>& out) override;
  void release() noexcept override;
  uint64_t memory_bytes() const noexcept override;

 private:
  void take_tokens(const PageText& page);
  void take_words(const PageText& page);
  void describe_vector(const PageText& page, Vector<uint8_t>& out);
  void describe_simhash(const PageText& page, Vector<uint8_t>& out);
  void describe_terms(const PageText& page, Vector<uint8_t>& out);
  void describe_shares(const PageText& page, const MwoSettings& settings, Vector<uint8_t>& out);

  Method method_;
  std::optional<text::DictionaryWords> dictionary_;
  std::optional<mwo::TermExtractor> extractor_;
  Vector<uint32_t> tokens_;    // hashes of the text that counts, in order
  Vector<text::Word> words_;   // of one block
  Vector<uint64_t> shingles_;  // and other rows of hashes
  baselines::MinHashSketch sketch_;
  Vector<baselines::TermCount> terms_;
  Vector<moz::WeightedToken> weighted_;
  Vector<moz::WeightedFeature> features_;
  Vector<mwo::WeighedTerm> weighed_;
  Vector<mwo::Term> shares_;
};

Result<void> DescriberOfMethod::set_up() {
  if (counts_words(method_)) {
    Result<text::DictionaryWords> dictionary = text::DictionaryWords::create();
    if (!dictionary) return std::move(dictionary).failure();
    dictionary_ = *std::move(dictionary);
  }
  if (method_ == Method::kMwo) {
    Result<mwo::TermExtractor> extractor = mwo::TermExtractor::create();
    if (!extractor) return std::move(extractor).failure();
    extractor_ = *std::move(extractor);
  }
  return {};
}

void DescriberOfMethod::describe(const PageText& page, const MwoSettings& mwo, Vector<uint8_t>& out) {
  out.clear();
  if (page.document.tokens.empty()) return;
  switch (method_) {
    case Method::kLcs:
      return;
    case Method::kSpotSigs:
    case Method::kIMatchS:
    case Method::kLshS:
      return append_row(page.spots, out);
    case Method::kMozVector:
      return describe_vector(page, out);
    case Method::kSimhash64:
    case Method::kSimhash128:
      return describe_simhash(page, out);
    case Method::kMwo:
      return describe_shares(page, mwo, out);
    case Method::kShingles:
      take_tokens(page);
      baselines::make_shingles(tokens_, {.words = page.shingle_tokens, .shingles = kShinglesLimit},
                               shingles_);
      return append_row(std::span<const uint64_t>(shingles_), out);
    case Method::kMinHash:
      take_tokens(page);
      baselines::make_shingles(tokens_, {.words = page.shingle_tokens, .shingles = kShinglesLimit},
                               shingles_);
      baselines::make_sketch(shingles_, {}, sketch_);
      return append_row(std::span<const uint64_t>(sketch_), out);
    case Method::kCosine:
    case Method::kIMatch:
      return describe_terms(page, out);
    case Method::kExact:
      return append_hash(stable_hash_128(page.document.text), out);
  }
}

// One run of tokens for the whole page: splitting a paragraph in two must not change the shingles inside it.
void DescriberOfMethod::take_tokens(const PageText& page) {
  tokens_.clear();
  for (size_t i = 0; i < page.document.blocks.size(); ++i) {
    if (page.counts[i] == 0) continue;
    for (const text::Token& token : tokens_of(page.document, i))
      tokens_.push_back(token.hash);
  }
}

// The words of each block that counts, without function words; the dictionary segments scripts without
// spaces.
void DescriberOfMethod::take_words(const PageText& page) {
  tokens_.clear();
  for (size_t i = 0; i < page.document.blocks.size(); ++i) {
    if (page.counts[i] == 0) continue;
    words_.clear();
    dictionary_->append(page.document.text, tokens_of(page.document, i), words_);
    for (const text::Word& word : words_) {
      if (!is_stop_word(word.hash)) tokens_.push_back(word.hash);
    }
  }
}

void DescriberOfMethod::describe_vector(const PageText& page, Vector<uint8_t>& out) {
  take_tokens(page);
  shingles_.clear();
  moz::append_shingles(tokens_, moz::kShingleTokens, shingles_);
  const std::optional<moz::FingerprintVector> vector = moz::fingerprint_vector(shingles_);
  if (vector) append_row(std::span<const uint64_t>(*vector), out);
}

void DescriberOfMethod::describe_simhash(const PageText& page, Vector<uint8_t>& out) {
  take_words(page);
  weighted_.clear();
  features_.clear();
  for (const uint32_t word : tokens_)
    weighted_.push_back({word, 1, false});
  moz::append_features(weighted_, features_);
  if (method_ == Method::kSimhash64) {
    const std::optional<uint64_t> hash = moz::simhash64(features_);
    if (hash) append_row(std::span<const uint64_t>(&*hash, 1), out);
  } else {
    const std::optional<Hash128> hash = moz::simhash128(features_);
    if (hash) append_hash(*hash, out);
  }
}

void DescriberOfMethod::describe_terms(const PageText& page, Vector<uint8_t>& out) {
  take_words(page);
  baselines::count_terms(tokens_, kTermsLimit, terms_);
  append_row(std::span<const baselines::TermCount>(terms_), out);
}

void DescriberOfMethod::describe_shares(const PageText& page, const MwoSettings& settings,
                                        Vector<uint8_t>& out) {
  extractor_->extract(page.url, page.document, term_parameters_of(settings), weighed_);
  mwo::make_shares(weighed_, {.terms = kMwoTermsLimit}, shares_);
  for (const mwo::Term& term : shares_) {
    append_row(std::span<const uint64_t>(&term.hash, 1), out);
    append_row(std::span<const uint32_t>(&term.share, 1), out);
  }
}

void DescriberOfMethod::release() noexcept {
  DescriberOfMethod fresh(method_);
  fresh.dictionary_ = std::move(dictionary_);
  fresh.extractor_ = std::move(extractor_);
  *this = std::move(fresh);
}

uint64_t DescriberOfMethod::memory_bytes() const noexcept {
  return (extractor_ ? extractor_->memory_bytes() : 0) + tokens_.capacity() * sizeof(uint32_t) +
         words_.capacity() * sizeof(text::Word) + shingles_.capacity() * sizeof(uint64_t) +
         sketch_.capacity() * sizeof(uint64_t) + terms_.capacity() * sizeof(baselines::TermCount) +
         weighted_.capacity() * sizeof(moz::WeightedToken) +
         features_.capacity() * sizeof(moz::WeightedFeature) +
         weighed_.capacity() * sizeof(mwo::WeighedTerm) + shares_.capacity() * sizeof(mwo::Term);
}

}  // namespace

Result<void> check_is_built(Method) {
  return {};
}

Result<Owned<Describer>> make_describer(Method method) {
  if (method == Method::kLcs) return Owned<Describer>();
  Owned<DescriberOfMethod> describer = make_owned<DescriberOfMethod>(method);
  if (Result<void> set_up = describer->set_up(); !set_up) return std::move(set_up).failure();
  return Owned<Describer>(std::move(describer));
}

}  // namespace nd::detectors
