#include "engine/parameters.hpp"

#include <string_view>

#include "method/description.hpp"

namespace nd::engine {
namespace {

// A band whose lower end is above its upper end would keep nothing, so it is an error.
Result<void> check_band(std::string_view name, const spotsigs::IdfBand& band) {
  if (band.low <= band.high) return {};
  return error(Status::kInvalidArgument, "option ", name, "_idf_low is greater than ", name,
               "_idf_high: no signature or word is in such a band");
}

// An option that nothing reads would be ignored in silence.
Result<void> check_decision(const DecisionParameters& decision) {
  const DecisionParameters defaults;
  const auto unused = [](std::string_view option, std::string_view kind) {
    return error(Status::kInvalidArgument, "option ", option, " decides nothing unless decision=", kind);
  };
  if (decision.kind() == DecisionKind::kReport) {
    if (decision.same_document != defaults.same_document) return unused("same_document", "document");
    return {};
  }
  if (decision.resemblance != defaults.resemblance) return unused("resemblance", "report");
  if (decision.containment != defaults.containment) return unused("containment", "report");
  return {};
}

Result<void> check_method(const Parameters& parameters) {
  const detectors::Method method = parameters.detector.kind();
  if (detectors::uses_spots(method) && !parameters.spots.enabled) {
    return error(Status::kInvalidArgument, "option detector: ", detectors::info_of(method).name,
                 " compares spot signatures, and option spotsigs is false");
  }
  if (Result<void> made = detectors::check_settings(method, parameters.detector.mwo); !made) return made;
  return detectors::check_threshold(method, parameters.detector.threshold);
}

}  // namespace

Result<void> check_parameters(const Parameters& parameters) {
  if (Result<void> possible = check_band("spot", parameters.spot_source.band); !possible) return possible;
  if (Result<void> possible = check_band("i_match", parameters.detector.i_match); !possible) return possible;
  if (Result<void> possible = check_band("i_match_s", parameters.detector.i_match_s); !possible)
    return possible;
  if (Result<void> possible = check_decision(parameters.decision); !possible) return possible;
  return check_method(parameters);
}

}  // namespace nd::engine
