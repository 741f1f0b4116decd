// The methods that compare spot signatures: SpotSigs, and its competitors I-Match-S and LSH-S.
#include <optional>
#include <utility>

#include "baselines/keyed_records.hpp"
#include "detectors/description_rows.hpp"
#include "detectors/method_families.hpp"
#include "detectors/spot_competitors.hpp"
#include "method/description.hpp"
#include "spotsigs/spot_index.hpp"

namespace nd::detectors {

// SpotSigs: the multi-set Jaccard of spot signatures (docs/spotsigs.md).
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

  MethodMatches candidates(Description description, DetectorScratch& memory) const override {
    MethodScratch& scratch = scratch_of(memory);
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

// I-Match-S: one hash of the spot signatures inside an IDF band (SpotSigs, "Competitors"), incremental.
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

  MethodMatches candidates(Description description, DetectorScratch& memory) const override {
    MethodScratch& scratch = scratch_of(memory);
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

  // A record and its key; no key, until a later epoch, if none of its signatures is in the band.
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

// LSH-S: min-hash over spot signatures, in bands (SpotSigs, "Competitors"), incremental. Pages that share a
// band are verified by the multi-set Jaccard similarity, as in SpotSigs.
namespace {

using spotsigs::Spot;

struct LshSTraits {
  using Page = Vector<Spot>;
  static Page page_of(Description description) { return spots_of(description); }
  static uint64_t memory_bytes(const Page& spots) noexcept { return spots.capacity() * sizeof(Spot); }
  static uint64_t content_bytes(const Page& spots) noexcept { return spots.size() * sizeof(Spot); }
  static void keys_of(const Page& spots, const DetectorSettings& settings, Vector<uint64_t>& bands) {
    spotsigs::lsh_bands(spots, {.rows = settings.lsh_rows, .bands = settings.lsh_bands}, bands);
  }
  static bool may_reach(const Page&, const Page&, uint32_t) noexcept { return true; }
  static double score(const Page& a, const Page& b) noexcept { return jaccard(spotsigs::overlap(a, b)); }
};

}  // namespace

Owned<Detector> make_lsh_s(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<KeyedMethod<LshSTraits>>(settings, secret);
}

}  // namespace nd::detectors
