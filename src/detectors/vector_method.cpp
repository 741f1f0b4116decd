// Moz's legacy fingerprint: vectors that are equal in nearly all of their 128 entries.
#include <utility>

#include "baselines/keyed_records.hpp"
#include "core/hash.hpp"
#include "detectors/method_families.hpp"
#include "moz/fingerprint_vector.hpp"

namespace nd::detectors {
namespace {

using moz::FingerprintVector;
using moz::kVectorEntries;

FingerprintVector vector_of(Description description) noexcept {
  FingerprintVector vector;
  std::memcpy(vector.data(), description.data(), sizeof vector);
  return vector;
}

double score_of(const FingerprintVector& a, const FingerprintVector& b) noexcept {
  return 1 - static_cast<double>(moz::difference(a, b)) / kVectorEntries;
}

class VectorMethod final : public Detector {
 public:
  VectorMethod(const DetectorSettings& settings, uint64_t secret) noexcept
      : Detector(settings), records_(secret, limits_of(settings)) {}

  uint64_t insert(uint64_t id, Description description) override {
    if (description.empty()) return 0;
    Record record{vector_of(description)};
    Vector<uint64_t> keys = keys_of(record.vector);
    const uint64_t evicted_before = records_.counts().evicted;
    const bool indexed = records_.insert(id, std::move(record), std::move(keys));
    return records_.counts().evicted - evicted_before + (indexed ? 0 : 1);
  }
  bool remove(uint64_t id) noexcept override { return records_.remove(id); }

  MethodMatches candidates(Description description, DetectorScratch& scratch) const override {
    scratch.matches.clear();
    if (description.empty()) return {};
    const FingerprintVector vector = vector_of(description);
    const auto score_if_near = [&](const Record& record) {
      const bool near = moz::differ_by_at_most(record.vector, vector, kVectorEntries - threshold());
      return near ? score_of(record.vector, vector) : -1.0;
    };
    return take(records_.find(keys_of(vector), score_if_near), scratch);
  }
  double score(Description a, Description b) const override {
    return a.empty() || b.empty() ? 0 : score_of(vector_of(a), vector_of(b));
  }

  uint64_t document_count() const noexcept override { return records_.counts().documents; }
  uint64_t memory_bytes() const noexcept override { return records_.memory_bytes(); }
  uint64_t content_bytes() const noexcept override { return records_.content_bytes(); }

 private:
  struct Record {
    FingerprintVector vector{};
    static uint64_t memory_bytes() noexcept { return 0; }
    static uint64_t content_bytes() noexcept { return sizeof vector; }
  };

  // A hash of each of so many parts that unequal entries cannot spoil them all; see moz::part_keys(), which
  // these are at the default threshold in all but the numbers.
  Vector<uint64_t> keys_of(const FingerprintVector& vector) const {
    const size_t parts = kVectorEntries - threshold() + 1;
    Vector<uint64_t> keys;
    for (size_t part = 0; part < parts; ++part) {
      uint64_t hash = mix(part + 1);
      for (size_t i = part * kVectorEntries / parts; i < (part + 1) * kVectorEntries / parts; ++i)
        hash = mix(hash ^ vector[i]) + part;
      keys.push_back(hash);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }

  baselines::KeyedRecords<Record> records_;
};

}  // namespace

Owned<Detector> make_moz_vector(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<VectorMethod>(settings, secret);
}

}  // namespace nd::detectors
