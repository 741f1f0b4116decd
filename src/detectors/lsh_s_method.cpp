// LSH-S: min-hash over spot signatures, in bands (SpotSigs, "Competitors"), incremental. What shares a band
// is verified by the multi-set Jaccard, as SpotSigs decides.
#include <utility>

#include "baselines/keyed_records.hpp"
#include "detectors/method_families.hpp"
#include "spotsigs/lsh_s.hpp"
#include "spotsigs/packed_spot.hpp"

namespace nd::detectors {
namespace {

using spotsigs::PackedSpot;
using spotsigs::Spot;

double jaccard(spotsigs::SpotVector a, spotsigs::SpotVector b) noexcept {
  const spotsigs::Overlap both = spotsigs::overlap(a, b);
  return both.united == 0 ? 0 : static_cast<double>(both.shared) / static_cast<double>(both.united);
}

class LshSMethod final : public Detector {
 public:
  LshSMethod(const DetectorSettings& settings, uint64_t secret) noexcept
      : Detector(settings), records_(secret, limits_of(settings)) {}

  uint64_t insert(uint64_t id, Description description) override {
    if (description.empty()) return 0;
    Record record{spots_of(description)};
    Vector<uint64_t> keys = bands_of(record.spots);
    const uint64_t evicted_before = records_.counts().evicted;
    const bool indexed = records_.insert(id, std::move(record), std::move(keys));
    return records_.counts().evicted - evicted_before + (indexed ? 0 : 1);
  }
  bool remove(uint64_t id) noexcept override { return records_.remove(id); }

  MethodMatches candidates(Description description, DetectorScratch& scratch) const override {
    const Vector<Spot> spots = spots_of(description);
    const auto score_of = [&](const Record& record) {
      const double value = jaccard(record.spots, spots);
      return decide(value) ? value : -1.0;
    };
    return take(records_.find(bands_of(spots), score_of), scratch);
  }
  double score(Description a, Description b) const override { return jaccard(spots_of(a), spots_of(b)); }

  uint64_t document_count() const noexcept override { return records_.counts().documents; }
  uint64_t memory_bytes() const noexcept override { return records_.memory_bytes(); }
  uint64_t content_bytes() const noexcept override { return records_.content_bytes(); }

 private:
  struct Record {
    Vector<Spot> spots;
    uint64_t memory_bytes() const noexcept { return spots.capacity() * sizeof(Spot); }
    uint64_t content_bytes() const noexcept { return spots.size() * sizeof(Spot); }
  };

  static Vector<Spot> spots_of(Description description) {
    Vector<Spot> spots;
    for (const PackedSpot packed : row_of<PackedSpot>(description))
      spots.push_back(spotsigs::spot_of(packed));
    return spots;
  }
  // Keys of a record are distinct; two bands of one page may have one hash by chance.
  static Vector<uint64_t> bands_of(spotsigs::SpotVector spots) {
    Vector<uint64_t> bands;
    spotsigs::lsh_bands(spots, {}, bands);
    std::sort(bands.begin(), bands.end());
    bands.erase(std::unique(bands.begin(), bands.end()), bands.end());
    return bands;
  }

  baselines::KeyedRecords<Record> records_;
};

}  // namespace

Owned<Detector> make_lsh_s(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<LshSMethod>(settings, secret);
}

}  // namespace nd::detectors
