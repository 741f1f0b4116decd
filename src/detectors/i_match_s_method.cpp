// I-Match-S: one hash of the spot signatures inside an IDF band (SpotSigs, "Competitors"), incremental.
#include <optional>
#include <utility>

#include "baselines/keyed_records.hpp"
#include "detectors/method_families.hpp"
#include "spotsigs/i_match_s.hpp"
#include "spotsigs/packed_spot.hpp"

namespace nd::detectors {
namespace {

using spotsigs::Epoch;
using spotsigs::PackedSpot;
using spotsigs::Spot;

// Open above, as in the spot index: among representatives most signatures are in one page, and the band of
// the paper, which is of whole collections with their copies, would drop what tells pages apart.
constexpr spotsigs::IdfBand kBand{200, 1000};

class IMatchSMethod final : public Detector {
 public:
  IMatchSMethod(const DetectorSettings& settings, uint64_t secret)
      : Detector(settings),
        secret_(secret),
        epoch_(spotsigs::DocumentFrequencies(secret).freeze(kBand)),
        records_(secret, limits_of(settings)) {}

  uint64_t insert(uint64_t id, Description description) override {
    Record record{spots_of(description), 0};
    const std::optional<Hash128> hash = spotsigs::i_match_s(record.spots, epoch_);
    if (!hash) return 0;  // it matches nothing
    record.high = hash->high;
    const uint64_t evicted_before = records_.counts().evicted;
    const bool indexed = records_.insert(id, std::move(record), {hash->low});
    inserted_since_epoch_ += indexed;
    start_due_epoch(*this);
    return records_.counts().evicted - evicted_before + (indexed ? 0 : 1);
  }
  bool remove(uint64_t id) noexcept override { return records_.remove(id); }

  MethodMatches candidates(Description description, DetectorScratch& scratch) const override {
    scratch.matches.clear();
    const std::optional<Hash128> hash = spotsigs::i_match_s(spots_of(description), epoch_);
    if (!hash) return {};
    const uint64_t key = hash->low;
    return take(records_.find({&key, 1},
                              [&](const Record& record) { return record.high == hash->high ? 1.0 : -1.0; }),
                scratch);
  }
  double score(Description a, Description b) const override {
    const std::optional<Hash128> hash = spotsigs::i_match_s(spots_of(a), epoch_);
    return hash && hash == spotsigs::i_match_s(spots_of(b), epoch_) ? 1 : 0;
  }

  uint64_t document_count() const noexcept override { return records_.counts().documents; }
  uint64_t memory_bytes() const noexcept override { return records_.memory_bytes(); }
  uint64_t content_bytes() const noexcept override { return records_.content_bytes(); }

  bool epoch_due() const noexcept {
    return inserted_since_epoch_ >= std::max(kEpochDocuments, epoch_.documents());
  }
  // Throws std::bad_alloc and has changed nothing.
  void start_epoch() {
    spotsigs::DocumentFrequencies frequencies(secret_);
    records_.for_each([&](const Record& record) { frequencies.add(record.spots); });
    Epoch epoch = frequencies.freeze(kBand);
    records_.remake([&](const Record& record) {
      const std::optional<Hash128> made = spotsigs::i_match_s(record.spots, epoch);
      Vector<uint64_t> keys;
      if (made) keys.push_back(made->low);
      return std::pair(Record{record.spots, made ? made->high : 0}, std::move(keys));
    });
    epoch_ = std::move(epoch);
    inserted_since_epoch_ = 0;
  }

 private:
  struct Record {
    Vector<Spot> spots;
    uint64_t high = 0;  // half of the hash
    uint64_t memory_bytes() const noexcept { return spots.capacity() * sizeof(Spot); }
    uint64_t content_bytes() const noexcept { return spots.size() * sizeof(Spot); }
  };

  static Vector<Spot> spots_of(Description description) {
    Vector<Spot> spots;
    for (const PackedSpot packed : row_of<PackedSpot>(description))
      spots.push_back(spotsigs::spot_of(packed));
    return spots;
  }

  uint64_t secret_;
  Epoch epoch_;
  baselines::KeyedRecords<Record> records_;
  uint64_t inserted_since_epoch_ = 0;
};

}  // namespace

Owned<Detector> make_i_match_s(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<IMatchSMethod>(settings, secret);
}

}  // namespace nd::detectors
