// MWO as a detector: reads the terms of a description and scores two pages by their overlap.
#include "detectors/mwo_terms.hpp"

#include <utility>

#include "detectors/description_rows.hpp"
#include "detectors/method_families.hpp"
#include "method/description.hpp"
#include "mwo/mwo_index.hpp"

namespace nd::detectors {
namespace {

mwo::MwoParameters parameters_of(const DetectorSettings& settings, uint32_t threshold) noexcept {
  mwo::MwoParameters parameters;
  parameters.threshold = threshold;
  parameters.epoch_documents = kEpochDocuments;
  parameters.bytes = settings.bytes;
  parameters.postings = settings.postings;
  parameters.matches = settings.matches;
  if (settings.postings == 0) parameters.steps = 0;
  return parameters;
}

class MwoMethod final : public Detector {
 public:
  MwoMethod(const DetectorSettings& settings, uint64_t secret) noexcept
      : Detector(settings), index_(secret, parameters_of(settings, threshold())) {}

  uint64_t insert(uint64_t id, Description description) override {
    if (description.empty()) return 0;
    const mwo::MwoIndex::Inserted inserted = index_.insert(id, mwo_terms_of(description));
    start_due_epoch(index_);
    return inserted.evicted + (inserted.indexed ? 0 : 1);
  }
  bool remove(uint64_t id) noexcept override { return index_.remove(id); }

  MethodMatches candidates(Description description, DetectorScratch& memory) const override {
    MethodScratch& scratch = scratch_of(memory);
    const mwo::MwoMatches found = index_.find(mwo_terms_of(description), scratch.mwo);
    scratch.matches.clear();
    for (const mwo::MwoMatch& match : found.matches)
      scratch.matches.push_back({match.id, mwo_score(match.overlap)});
    return ranked(scratch, found.limited || found.more, found.work.sum());
  }
  double score(Description a, Description b) const override {
    return mwo_score(mwo::minimum_weight_overlap(mwo_terms_of(a), mwo_terms_of(b)));
  }

  uint64_t probe_count() const noexcept override { return index_.probe_count(); }
  uint64_t document_count() const noexcept override { return index_.counts().documents; }
  uint64_t memory_bytes() const noexcept override { return index_.memory_bytes(); }
  uint64_t content_bytes() const noexcept override { return index_.content_bytes(); }

 private:
  mwo::MwoIndex index_;
};

}  // namespace

mwo::TermParameters term_parameters_of(const MwoSettings& settings) noexcept {
  mwo::TermParameters parameters = mwo::term_parameters(mwo::Fields{static_cast<uint8_t>(settings.fields)});
  parameters.stemming = mwo::Stemming{static_cast<uint8_t>(settings.stemming)};
  return parameters;
}

Result<Vector<mwo::TermName>> mwo_term_names(std::string_view url, const text::Document& document,
                                             const MwoSettings& settings) {
  Result<mwo::TermExtractor> extractor = mwo::TermExtractor::create();
  if (!extractor) return std::move(extractor).failure();
  Vector<mwo::WeighedTerm> weighed;
  Vector<mwo::TermName> names;
  extractor->extract(url, document, term_parameters_of(settings), weighed, &names);
  return names;
}

// MWO: the minimum weight overlap of two pages' terms (docs/mwo.md), by the filter that loses nothing.

Owned<Detector> make_mwo(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<MwoMethod>(settings, secret);
}

}  // namespace nd::detectors
