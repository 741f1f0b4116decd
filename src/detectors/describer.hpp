// Makes the description of a page: what a method keeps of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "baselines/shingles.hpp"
#include "baselines/term_counts.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "detectors/method.hpp"
#include "detectors/mwo_terms.hpp"
#include "moz/simhash.hpp"
#include "mwo/term_extractor.hpp"
#include "spotsigs/spot_vector.hpp"
#include "text/document.hpp"
#include "text/word_segmenter.hpp"

namespace nd::detectors {

// What a method may see of a page.
struct PageText {
  const text::Document& document;
  std::span<const uint8_t> counts;  // by block: 1 if its text counts, as main content does
  spotsigs::PackedSpots spots;      // of the blocks that count
  std::string_view url;
  uint32_t shingle_tokens;  // w of shingles and minhash
};

// Reusable buffers. Threads: one object, one thread at a time.
class Describer {
 public:
  // Sets up what the method needs of ICU and libstemmer; kLcs needs nothing.
  static Result<Describer> create(Method method);

  Method method() const noexcept { return method_; }

  // Replaces `out`; see Description. That of a page without text is empty. Depends only on the page and, for
  // MWO, on its settings. Throws std::bad_alloc.
  void describe(const PageText& page, const MwoSettings& mwo, Vector<uint8_t>& out);

  // Frees buffers that grow with pages; what create() set up stays.
  void release() noexcept;
  uint64_t memory_bytes() const noexcept;

 private:
  explicit Describer(Method method) noexcept : method_(method) {}

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

}  // namespace nd::detectors
