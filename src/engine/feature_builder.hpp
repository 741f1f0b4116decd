// Document to Features: the symbols, block hashes and candidate keys of a page.
#pragma once

#include <string_view>

#include "core/digest.hpp"
#include "engine/features.hpp"
#include "engine/parameters.hpp"
#include "lcs/fingerprints.hpp"
#include "text/document.hpp"

namespace nd::engine {

// Reusable buffers. Threads: one object, one thread at a time.
class FeatureBuilder {
 public:
  static Result<FeatureBuilder> create();

  // Keys come from main content (blocks of at least half the weight that prose in place has), or from all text where
  // that is less than the decision's content_width.
  Features build(std::string_view url, int64_t fetched_at_ms, bool truncated, uint64_t body_size,
                 const text::Document& document, const Parameters& parameters);

 private:
  FeatureBuilder(Md5 md5, lcs::Fingerprinter fingerprinter) noexcept
      : md5_(std::move(md5)), fingerprinter_(std::move(fingerprinter)) {}

  void add_blocks(const text::Document& document);
  void add_fingerprints(const text::Document& document, const Parameters& parameters);
  void add_shingles(const text::Document& document, const RelaxedParameters& parameters);
  void add_text(const text::Document& document);

  Md5 md5_;
  lcs::Fingerprinter fingerprinter_;
  Vector<FeatureBlock> blocks_;
  Vector<Symbol> symbols_;
  Vector<uint64_t> keys_;
  Vector<uint64_t> shingles_;
  Vector<lcs::SentenceDigest> digests_;
  Vector<lcs::Fingerprint> fingerprints_;
  Vector<uint8_t> chosen_;  // per block: gives keys
  String text_;
  String folded_;
};

// Identifies what made the text of a Features record: ndc's text layer, Unicode, libxml2, public suffix list. Constant in a
// process.
uint64_t text_pipeline_id() noexcept;

}  // namespace nd::engine
