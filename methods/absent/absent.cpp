// In place of the methods, in a library that is built without them (NDC_METHODS=OFF): each call that needs
// one says so.
#include "engine/complete_join.hpp"
#include "method/description.hpp"
#include "method/detector.hpp"
#include "page/description_report.hpp"

namespace nd {
namespace {

Error without(std::string_view what) {
  return error(Status::kInvalidArgument, what,
               ": this library was built without the methods beside lcs (CMake option NDC_METHODS)");
}

}  // namespace

namespace detectors {

Result<void> check_is_built(Method method) {
  if (method == Method::kLcs) return {};
  return without("option detector");
}
Result<Owned<Describer>> make_describer(Method method) {
  if (Result<void> built = check_is_built(method); !built) return std::move(built).failure();
  return Owned<Describer>();
}
Owned<Detector> make_detector(const DetectorSettings&, uint64_t) {
  return nullptr;
}
Owned<DetectorScratch> make_detector_scratch(Method, uint64_t) {
  return nullptr;
}
Result<void> check_description(Method method, Description) {
  if (method == Method::kLcs) return {};
  return without("features with a description");
}
MethodEvidence evidence_of(Method, Description, Description) {
  return {"", 0, 0, 0};
}

}  // namespace detectors

namespace engine {

Result<Owned<CompleteJoin>> make_complete_join(const Parameters&, uint32_t) {
  return without("the complete join");
}
Result<void> write_description(const text::Document&, const Features&, const FeatureParameters&, String&) {
  return without("descriptions");
}

}  // namespace engine
}  // namespace nd
