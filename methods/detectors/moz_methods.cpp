// The methods of Moz's study: simhashes, and the older fingerprint vector.
#include "detectors/description_rows.hpp"
#include "detectors/method_families.hpp"
#include "moz/fingerprint_vector.hpp"
#include "moz/hamming_index.hpp"
#include "moz/simhash.hpp"

namespace nd::detectors {

// The defaults of method.cpp.
static_assert(moz::kVectorEntries - moz::kVectorDifference == 122 && moz::kVectorEntries == 128);
static_assert(64 - moz::kSimhash64Distance == 59 && 128 - moz::kSimhash128Distance == 97);

// Simhash of 64 and of 128 bits: hashes that differ in few bits.
namespace {

// Limits a search of 128 bits, which has no tables, among very many hashes.
constexpr uint64_t kComparisons = uint64_t{1} << 22;

template <typename Hash>
class SimhashMethod final : public Detector {
 public:
  SimhashMethod(const DetectorSettings& settings, uint64_t secret)
      : Detector(settings), index_(secret, parameters_of(settings, kBits - threshold())) {}

  uint64_t insert(uint64_t id, Description description) override {
    if (description.empty()) return 0;
    return index_.insert(id, hash_of(description)) ? 0 : 1;
  }
  bool remove(uint64_t id) noexcept override { return index_.remove(id); }

  MethodMatches candidates(Description description, DetectorScratch& memory) const override {
    MethodScratch& scratch = scratch_of(memory);
    scratch.matches.clear();
    if (description.empty()) return {};
    const moz::HammingMatches found = index_.find(hash_of(description), kBits - threshold(), scratch.hamming);
    for (const moz::HammingMatch& match : found.matches)
      scratch.matches.push_back({match.id, score_of(match.distance)});
    return ranked(scratch, found.limited || found.cut != 0, found.comparisons + found.owners);
  }
  double score(Description a, Description b) const override {
    return a.empty() || b.empty() ? 0 : score_of(moz::distance(hash_of(a), hash_of(b)));
  }

  uint64_t probe_count() const noexcept override { return index_.probe_count(); }
  uint64_t document_count() const noexcept override { return index_.counts().documents; }
  uint64_t memory_bytes() const noexcept override { return index_.memory_bytes(); }
  uint64_t content_bytes() const noexcept override { return index_.content_bytes(); }

 private:
  static constexpr uint32_t kBits = sizeof(Hash) * 8;

  static moz::HammingParameters parameters_of(const DetectorSettings& settings, uint32_t distance) noexcept {
    moz::HammingParameters parameters;
    parameters.distance = distance;
    parameters.matches = settings.matches;
    parameters.comparisons = settings.postings == 0 ? 0 : kComparisons;
    parameters.bytes = settings.bytes;
    return parameters;
  }
  static Hash hash_of(Description description) noexcept {
    Hash hash;
    std::memcpy(&hash, description.data(), sizeof hash);
    return hash;
  }
  static double score_of(uint32_t distance) noexcept { return 1 - static_cast<double>(distance) / kBits; }

  moz::HammingIndex<Hash> index_;
};

}  // namespace

Owned<Detector> make_simhash64(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<SimhashMethod<uint64_t>>(settings, secret);
}

Owned<Detector> make_simhash128(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<SimhashMethod<Hash128>>(settings, secret);
}

// Moz's legacy fingerprint: vectors that are equal in nearly all of their 128 entries.
namespace {

using moz::FingerprintVector;
using moz::kVectorEntries;

struct VectorTraits {
  using Page = FingerprintVector;
  static Page page_of(Description description) noexcept {
    Page vector;
    std::memcpy(vector.data(), description.data(), sizeof vector);
    return vector;
  }
  static uint64_t memory_bytes(const Page&) noexcept { return 0; }
  static uint64_t content_bytes(const Page&) noexcept { return sizeof(Page); }
  static void keys_of(const Page& vector, const DetectorSettings& settings, Vector<uint64_t>& keys) {
    moz::part_keys(vector, kVectorEntries - settings.threshold, keys);
  }
  static bool may_reach(const Page& a, const Page& b, uint32_t threshold) noexcept {
    return moz::differ_by_at_most(a, b, kVectorEntries - threshold);
  }
  static double score(const Page& a, const Page& b) noexcept {
    return 1 - static_cast<double>(moz::difference(a, b)) / kVectorEntries;
  }
};

}  // namespace

Owned<Detector> make_moz_vector(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<KeyedMethod<VectorTraits>>(settings, secret);
}

}  // namespace nd::detectors
