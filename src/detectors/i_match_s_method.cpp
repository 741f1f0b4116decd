// I-Match-S: one hash of the spot signatures inside an IDF band (SpotSigs, "Competitors"), incremental.
#include <optional>
#include <utility>

#include "baselines/keyed_records.hpp"
#include "detectors/method_families.hpp"
#include "detectors/spot_rows.hpp"
#include "spotsigs/i_match_s.hpp"

namespace nd::detectors {
namespace {

using spotsigs::Epoch;
using spotsigs::Spot;

class IMatchSMethod final : public Detector {
 public:
  IMatchSMethod(const DetectorSettings& settings, uint64_t secret)
      : Detector(settings),
        secret_(secret),
        band_(settings.i_match_s_band),
        epoch_(spotsigs::DocumentFrequencies(secret).freeze(band_)),
        records_(secret, limits_of(settings)) {}

  uint64_t insert(uint64_t id, Description description) override {
    if (description.empty()) return 0;
    auto [record, keys] = record_of(spots_of(description), epoch_);
    const uint64_t left_out = insert_counted(records_, id, std::move(record), std::move(keys));
    inserted_since_epoch_ += records_.contains(id);
    start_due_epoch(*this);
    return left_out;
  }
  bool remove(uint64_t id) noexcept override { return records_.remove(id); }

  MethodMatches candidates(Description description, DetectorScratch& scratch) const override {
    scratch.matches.clear();
    const std::optional<Hash128> hash = spotsigs::i_match_s(spots_of(description), epoch_);
    if (!hash) return {};
    const uint64_t key = hash->low;
    const auto is_equal = [&](const Record& record) { return record.high == hash->high ? 1.0 : -1.0; };
    return take(records_.find({&key, 1}, 0, is_equal), scratch);
  }
  double score(Description a, Description b) const override {
    const std::optional<Hash128> hash = spotsigs::i_match_s(spots_of(a), epoch_);
    return hash && hash == spotsigs::i_match_s(spots_of(b), epoch_) ? 1 : 0;
  }

  uint64_t probe_count() const noexcept override { return records_.probe_count(); }
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
    Epoch epoch = frequencies.freeze(band_);
    records_.remake([&](const Record& record) { return record_of(record.spots, epoch); });
    epoch_ = std::move(epoch);
    inserted_since_epoch_ = 0;
  }
  void put_off_epoch() noexcept { inserted_since_epoch_ /= 2; }

 private:
  struct Record {
    Vector<Spot> spots;
    uint64_t high = 0;  // half of the hash
    uint64_t memory_bytes() const noexcept { return spots.capacity() * sizeof(Spot); }
    uint64_t content_bytes() const noexcept { return spots.size() * sizeof(Spot); }
    static uint64_t compared_bytes() noexcept { return sizeof high; }
  };

  // With its key; without one, until a later epoch, if the band keeps no signature of it.
  static std::pair<Record, Vector<uint64_t>> record_of(Vector<Spot> spots, const Epoch& epoch) {
    const std::optional<Hash128> hash = spotsigs::i_match_s(spots, epoch);
    Vector<uint64_t> keys;
    if (hash) keys.push_back(hash->low);
    return {Record{std::move(spots), hash ? hash->high : 0}, std::move(keys)};
  }

  uint64_t secret_;
  spotsigs::IdfBand band_;
  Epoch epoch_;
  baselines::KeyedRecords<Record> records_;
  uint64_t inserted_since_epoch_ = 0;
};

}  // namespace

Owned<Detector> make_i_match_s(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<IMatchSMethod>(settings, secret);
}

}  // namespace nd::detectors
