// LSH-S: min-hash over spot signatures, in bands (SpotSigs, "Competitors"), incremental. What shares a band
// is verified by the multi-set Jaccard, as SpotSigs decides.
#include "detectors/keyed_method.hpp"
#include "detectors/spot_rows.hpp"
#include "spotsigs/lsh_s.hpp"

namespace nd::detectors {
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
