// Chooses the family that a method belongs to and makes its detector.
#include "detectors/method_families.hpp"

namespace nd::detectors {

Detector::Detector(const DetectorSettings& settings) noexcept
    : threshold_(settings.threshold != 0 ? settings.threshold : info_of(settings.method).threshold),
      least_score_(static_cast<double>(threshold_) / info_of(settings.method).whole) {}

Owned<Detector> make_detector(const DetectorSettings& settings, uint64_t secret) {
  switch (settings.method) {
    case Method::kLcs:
      return nullptr;
    case Method::kSpotSigs:
      return make_spotsigs(settings, secret);
    case Method::kIMatchS:
      return make_i_match_s(settings, secret);
    case Method::kLshS:
      return make_lsh_s(settings, secret);
    case Method::kMozVector:
      return make_moz_vector(settings, secret);
    case Method::kSimhash64:
      return make_simhash64(settings, secret);
    case Method::kSimhash128:
      return make_simhash128(settings, secret);
    case Method::kMwo:
      return make_mwo(settings, secret);
    case Method::kShingles:
      return make_shingles(settings, secret);
    case Method::kMinHash:
      return make_min_hash(settings, secret);
    case Method::kCosine:
      return make_cosine(settings, secret);
    case Method::kIMatch:
      return make_i_match(settings, secret);
    case Method::kExact:
      return make_exact(settings, secret);
  }
  return nullptr;
}

Owned<DetectorScratch> make_detector_scratch(Method method, uint64_t secret) {
  if (method == Method::kLcs) return nullptr;
  return make_owned<MethodScratch>(secret);
}

}  // namespace nd::detectors
