#include "detectors/describer.hpp"

#include "core/hash.hpp"
#include "detectors/description.hpp"
#include "moz/fingerprint_vector.hpp"
#include "moz/simhash.hpp"
#include "text/stop_words.hpp"

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

}  // namespace

Result<Describer> Describer::create(Method method) {
  Describer describer(method);
  if (counts_words(method)) {
    Result<text::DictionaryWords> dictionary = text::DictionaryWords::create();
    if (!dictionary) return std::move(dictionary).failure();
    describer.dictionary_ = *std::move(dictionary);
  }
  if (method == Method::kMwo) {
    Result<mwo::TermExtractor> extractor = mwo::TermExtractor::create();
    if (!extractor) return std::move(extractor).failure();
    describer.extractor_ = *std::move(extractor);
  }
  return describer;
}

void Describer::describe(const PageText& page, const MwoSettings& mwo, Vector<uint8_t>& out) {
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
void Describer::take_tokens(const PageText& page) {
  tokens_.clear();
  for (size_t i = 0; i < page.document.blocks.size(); ++i) {
    if (page.counts[i] == 0) continue;
    for (const text::Token& token : tokens_of(page.document, i))
      tokens_.push_back(token.hash);
  }
}

// The words of each block that counts, without function words; the dictionary segments scripts without
// spaces.
void Describer::take_words(const PageText& page) {
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

void Describer::describe_vector(const PageText& page, Vector<uint8_t>& out) {
  take_tokens(page);
  shingles_.clear();
  moz::append_shingles(tokens_, moz::kShingleTokens, shingles_);
  const std::optional<moz::FingerprintVector> vector = moz::fingerprint_vector(shingles_);
  if (vector) append_row(std::span<const uint64_t>(*vector), out);
}

void Describer::describe_simhash(const PageText& page, Vector<uint8_t>& out) {
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

void Describer::describe_terms(const PageText& page, Vector<uint8_t>& out) {
  take_words(page);
  baselines::count_terms(tokens_, kTermsLimit, terms_);
  append_row(std::span<const baselines::TermCount>(terms_), out);
}

void Describer::describe_shares(const PageText& page, const MwoSettings& settings, Vector<uint8_t>& out) {
  extractor_->extract(page.url, page.document, settings.term_parameters(), weighed_);
  mwo::make_shares(weighed_, {.terms = kMwoTermsLimit}, shares_);
  for (const mwo::Term& term : shares_) {
    append_row(std::span<const uint64_t>(&term.hash, 1), out);
    append_row(std::span<const uint32_t>(&term.share, 1), out);
  }
}

void Describer::release() noexcept {
  Describer fresh(method_);
  fresh.dictionary_ = std::move(dictionary_);
  fresh.extractor_ = std::move(extractor_);
  *this = std::move(fresh);
}

uint64_t Describer::memory_bytes() const noexcept {
  return (extractor_ ? extractor_->memory_bytes() : 0) + tokens_.capacity() * sizeof(uint32_t) +
         words_.capacity() * sizeof(text::Word) + shingles_.capacity() * sizeof(uint64_t) +
         sketch_.capacity() * sizeof(uint64_t) + terms_.capacity() * sizeof(baselines::TermCount) +
         weighted_.capacity() * sizeof(moz::WeightedToken) +
         features_.capacity() * sizeof(moz::WeightedFeature) +
         weighed_.capacity() * sizeof(mwo::WeighedTerm) + shares_.capacity() * sizeof(mwo::Term);
}

}  // namespace nd::detectors
