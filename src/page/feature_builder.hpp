// Turns a document into Features: the symbols, block hashes, candidate keys and spot signatures of a page.
#pragma once

#include <string_view>

#include "core/md5_lanes.hpp"
#include "core/work_tally.hpp"
#include "method/description.hpp"
#include "page/candidate_keys.hpp"
#include "page/feature_parameters.hpp"
#include "page/features.hpp"
#include "page/spot_builder.hpp"
#include "text/document.hpp"

namespace nd::engine {

struct PageFacts {
  std::string_view url;
  int64_t fetched_at_ms = 0;
  uint64_t body_size = 0;
  bool truncated = false;  // by the fetcher
};

// From what a record is for follows what it carries beside keys and signatures.
enum class RecordFor : uint8_t {
  kThisCheck,   // nothing: what is boilerplate is known
  kLaterCheck,  // the sentences of all blocks: when that is known, the keys are made again
  kElsewhere,   // and the signatures of all blocks: portable features, of which nothing depends on an engine
};

// Reusable buffers. Threads: one object, one thread at a time.
class FeatureBuilder {
 public:
  // `method`: of the description that the features get; kLcs needs none.
  static Result<FeatureBuilder> create(detectors::Method method = detectors::Method::kLcs);

  // Takes the blocks first, so that the caller can look up which of them are boilerplate,
  std::span<const FeatureBlock> begin(const text::Document& document);
  // of which each has this width of symbols,
  std::span<const uint64_t> block_widths() const noexcept { return widths_; }
  // then the rest of the same document. `boilerplate`: by block, a BoilerplateMark; blocks that are not
  // kOwnText give no keys; empty for none. A record that is not for elsewhere and has a description is found
  // only by the description, and has neither keys nor signatures.
  Features finish(const PageFacts& facts, const text::Document& document,
                  std::span<const uint8_t> boilerplate, const FeatureParameters& parameters, RecordFor use);
  // Takes back the memory of a record that finish() returned, for the next one.
  void reuse(Features features) noexcept { record_ = std::move(features).release(); }

  detectors::Method method() const noexcept { return method_; }
  // The work for the current page, since begin().
  const WorkTally& work() const noexcept { return work_; }

  // Frees what grows with a page; what create() set up stays.
  void release() noexcept;
  // The size of the buffers here and of the spot signatures'.
  uint64_t memory_bytes() const noexcept;

 private:
  FeatureBuilder(SpotBuilder spot_builder, detectors::Method method,
                 Owned<detectors::Describer> describer) noexcept
      : spot_builder_(std::move(spot_builder)), method_(method), describer_(std::move(describer)) {}

  uint64_t folded_hash(std::string_view token);
  void add_sentences(const text::Document& document, uint32_t index, const FeatureHeader& header);
  void digest_sentences();
  void describe(const PageFacts& facts, const text::Document& document, bool all_text,
                const MethodParameters& detector);
  void add_text(const text::Document& document);

  KeyBuilder key_builder_;
  SpotBuilder spot_builder_;
  detectors::Method method_;
  Owned<detectors::Describer> describer_;  // null for kLcs
  Vector<FeatureBlock> blocks_;
  Vector<FeatureBlock> key_blocks_;  // blocks_ with the boilerplate dropped
  Vector<uint64_t> widths_;          // by block: of its symbols
  Vector<uint8_t> is_ascii_;         // by block: whether all of its tokens are
  Vector<FeatureSentence> sentences_;
  Vector<std::string_view> sentence_texts_;
  Vector<Md5Digest> digests_;  // of sentence_texts_
  Vector<FeatureBlockSpot> block_spots_;
  Vector<PackedSpot> spots_;
  Vector<Symbol> symbols_, title_;
  Vector<uint64_t> keys_;
  Vector<uint8_t> counts_;  // by block; see detectors::PageText
  Vector<uint8_t> description_;
  RecordMemory record_;  // of the last record that was returned
  String text_;
  String folded_;
  WorkTally work_;
};

// Identifies what made the text of a Features record: ndc's text layer, Unicode, libxml2, public suffix list,
// and the weighing of blocks. Constant in a process for each value of `block_weights`.
uint64_t text_pipeline_id(text::BlockWeights block_weights) noexcept;
inline uint64_t text_pipeline_id(const FeatureParameters& parameters) noexcept {
  return text_pipeline_id(text::BlockWeights{parameters.page.block_weights});
}

}  // namespace nd::engine
