// Moz's legacy fingerprint: vectors that are equal in nearly all of their 128 entries.
#include "detectors/keyed_method.hpp"
#include "moz/fingerprint_vector.hpp"

namespace nd::detectors {
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
