// Refuses what was made with options that do not agree, and cuts the rest to what these options keep.
#include "page/foreign_record.hpp"

#include <algorithm>
#include <string_view>

namespace nd::engine {
namespace {

FeatureSpotParameters own_spot_parameters(const FeatureParameters& parameters) noexcept {
  return feature_spot_parameters_of(spot_parameters_of(parameters), parameters.antecedents);
}

}  // namespace

Result<detectors::Description> description_taken(const Features& features,
                                                 const FeatureParameters& parameters) {
  const detectors::Method method = parameters.detector.kind();
  if (method == detectors::Method::kLcs) return detectors::Description{};
  const std::string_view name = detectors::info_of(method).name;
  if (features.method() != method) {
    return error(Status::kInvalidArgument, "these features were made for detector ",
                 detectors::info_of(features.method()).name, ", and the engine's is ", name,
                 "; compute them with option detector=", name);
  }
  const uint32_t shingle = described_shingle(method, parameters.detector);
  if (features.header().description_shingle != shingle) {
    return error(
        Status::kInvalidArgument,
        "the shingles of these features were made with another option x_baseline_shingle_tokens than "
        "the engine's");
  }
  if (!detectors::uses_spots(method)) return features.description();
  const FeatureSpotParameters theirs = features.header().spot_parameters;
  const FeatureSpotParameters own = own_spot_parameters(parameters);
  if (theirs.enabled == 0 || !theirs.makes_the_same_as(own)) {
    return error(
        Status::kInvalidArgument,
        "the spot signatures of these features were made with other options spotsigs, x_spot_chain or "
        "x_antecedents than the engine's, and detector ",
        name, " compares nothing else");
  }
  const size_t limit = own.signatures * sizeof(PackedSpot);
  return features.description().first(std::min(features.description().size(), limit));
}

std::span<const PackedSpot> spots_taken(std::span<const PackedSpot> spots,
                                        const FeatureParameters& parameters, FeatureHeader& header) {
  const FeatureSpotParameters theirs = header.spot_parameters;
  const FeatureSpotParameters own = own_spot_parameters(parameters);
  header.spot_parameters = own;
  if (own.enabled == 0) {
    header.flags &= ~uint32_t{kFeatureSpotsLimited};
    return {};
  }
  const bool comparable = theirs.makes_the_same_as(own);
  const size_t taken = comparable ? std::min<size_t>(spots.size(), own.signatures) : 0;
  if (taken < spots.size()) header.flags |= kFeatureSpotsLimited;
  return spots.first(taken);
}

}  // namespace nd::engine
