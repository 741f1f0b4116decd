// MWO: the minimum weight overlap of two pages' terms (docs/mwo.md), with the filter that loses nothing.
#include "detectors/method_families.hpp"
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

Vector<mwo::Term> terms_of(Description description) {
  Vector<mwo::Term> terms(description.size() / kMwoTermBytes);
  for (size_t i = 0; i < terms.size(); ++i) {
    std::memcpy(&terms[i].hash, description.data() + i * kMwoTermBytes, sizeof terms[i].hash);
    std::memcpy(&terms[i].share, description.data() + i * kMwoTermBytes + sizeof terms[i].hash,
                sizeof terms[i].share);
  }
  return terms;
}

double score_of(uint32_t overlap) noexcept {
  return static_cast<double>(overlap) / mwo::kShareUnit;
}

class MwoMethod final : public Detector {
 public:
  MwoMethod(const DetectorSettings& settings, uint64_t secret) noexcept
      : Detector(settings), index_(secret, parameters_of(settings, threshold())) {}

  uint64_t insert(uint64_t id, Description description) override {
    if (description.empty()) return 0;
    const mwo::MwoIndex::Inserted inserted = index_.insert(id, terms_of(description));
    start_due_epoch(index_);
    return inserted.evicted + (inserted.indexed ? 0 : 1);
  }
  bool remove(uint64_t id) noexcept override { return index_.remove(id); }

  MethodMatches candidates(Description description, DetectorScratch& scratch) const override {
    const mwo::MwoMatches found = index_.find(terms_of(description), scratch.mwo);
    scratch.matches.clear();
    for (const mwo::MwoMatch& match : found.matches)
      scratch.matches.push_back({match.id, score_of(match.overlap)});
    return ranked(scratch, found.limited || found.more, found.work.sum());
  }
  double score(Description a, Description b) const override {
    return score_of(mwo::minimum_weight_overlap(terms_of(a), terms_of(b)));
  }

  uint64_t passed_count() const noexcept override { return index_.passed_count(); }
  uint64_t document_count() const noexcept override { return index_.counts().documents; }
  uint64_t memory_bytes() const noexcept override { return index_.memory_bytes(); }
  uint64_t content_bytes() const noexcept override { return index_.content_bytes(); }

 private:
  mwo::MwoIndex index_;
};

}  // namespace

Owned<Detector> make_mwo(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<MwoMethod>(settings, secret);
}

}  // namespace nd::detectors
