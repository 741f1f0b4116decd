// SpotSigs: the multi-set Jaccard of spot signatures (docs/spotsigs.md).
#include "detectors/method_families.hpp"
#include "detectors/spot_rows.hpp"
#include "spotsigs/spot_index.hpp"

namespace nd::detectors {
namespace {

using spotsigs::PackedSpot;

spotsigs::SpotIndexParameters index_parameters(const DetectorSettings& settings, uint32_t tau) noexcept {
  spotsigs::SpotIndexParameters parameters;
  parameters.tau = tau;
  parameters.band = settings.spot_band;
  parameters.epoch_documents = kEpochDocuments;
  parameters.bytes = settings.bytes;
  parameters.postings = settings.postings;
  parameters.candidates = settings.matches;
  if (settings.postings == 0) parameters.steps = 0;
  return parameters;
}

class SpotSigsMethod final : public Detector {
 public:
  SpotSigsMethod(const DetectorSettings& settings, uint64_t secret) noexcept
      : Detector(settings), index_(secret, index_parameters(settings, threshold())) {}

  uint64_t insert(uint64_t id, Description description) override {
    if (description.empty()) return 0;
    const spotsigs::SpotIndex::Inserted inserted = index_.insert(id, row_of<PackedSpot>(description));
    start_due_epoch(index_);
    return inserted.evicted + (inserted.indexed ? 0 : 1);
  }
  void prepare_removal(uint64_t id) override { index_.prepare_removal(id); }
  bool remove(uint64_t id) noexcept override { return index_.remove(id); }

  MethodMatches candidates(Description description, DetectorScratch& scratch) const override {
    const Vector<PackedSpot> spots = row_of<PackedSpot>(description);
    const spotsigs::SpotMatches found = index_.probe(spots, scratch.spots);
    scratch.matches.clear();
    for (const spotsigs::SpotMatch& match : found.matches)
      scratch.matches.push_back({match.id, jaccard(match.overlap)});
    return ranked(scratch, found.limited || found.more, scratch.spots.work());
  }
  double score(Description a, Description b) const override {
    return jaccard(index_.similarity(row_of<PackedSpot>(a), row_of<PackedSpot>(b)));
  }

  uint64_t probe_count() const noexcept override { return index_.probe_count(); }
  uint64_t document_count() const noexcept override { return index_.counts().documents; }
  uint64_t memory_bytes() const noexcept override { return index_.memory_bytes(); }
  uint64_t content_bytes() const noexcept override { return index_.content_bytes(); }

 private:
  spotsigs::SpotIndex index_;
};

}  // namespace

Owned<Detector> make_spotsigs(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<SpotSigsMethod>(settings, secret);
}

}  // namespace nd::detectors
