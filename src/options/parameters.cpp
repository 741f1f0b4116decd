// Checks what the range of a single option cannot: options without effect, thresholds of a method, methods
// that were not built.
#include "options/parameters.hpp"

#include <string_view>

#include "method/description.hpp"
#include "options/option_needs.hpp"

namespace nd::engine {

Result<void> check_parameters(const Parameters& parameters) {
  if (Result<void> used = check_needs(parameters); !used) return used;
  const detectors::Method method = parameters.detector.kind();
  if (detectors::uses_spots(method) && !parameters.spots.enabled) {
    return error(Status::kInvalidArgument, "option detector: ", detectors::info_of(method).name,
                 " compares spot signatures, and option spotsigs is false");
  }
  if (Result<void> built = detectors::check_is_built(method); !built) return built;
  return detectors::check_threshold(method, parameters.detector.threshold);
}

}  // namespace nd::engine
