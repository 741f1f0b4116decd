// Describes pages for the chosen method, keeps its index in step with the groups, and refuses records
// described otherwise.
#include "collection/method_source.hpp"

#include <new>
#include <string_view>

namespace nd::engine {
namespace {

constexpr uint64_t kWorkBytes = 8;  // read by a step

detectors::DetectorSettings settings_of(const CollectionParameters& parameters) noexcept {
  const MethodParameters& detector = parameters.detector;
  detectors::DetectorSettings settings;
  settings.method = detector.kind();
  settings.threshold = detector.threshold;
  settings.bytes = detector.bytes;
  settings.matches = kMethodMatches;
  settings.spot_band = parameters.spot_source.band;
  settings.mwo = detector.mwo;
  return settings;
}

}  // namespace

MethodSource::MethodSource(uint64_t secret, const CollectionParameters& parameters)
    : method_(parameters.detector.kind()),
      detector_(detectors::make_detector(settings_of(parameters), secret)) {}

// A record of another method is meaningless to this one.
detectors::Description MethodSource::description_of(const Features& features) const noexcept {
  return features.method() == method_ ? features.description() : detectors::Description{};
}

void MethodSource::put(uint64_t group_id, const Features& representative) noexcept {
  if (detector_ == nullptr) return;
  try {
    detector_->prepare_removal(group_id);
    detector_->remove(group_id);
    dropped_count_ += detector_->insert(group_id, description_of(representative));
  } catch (const std::bad_alloc&) {
    ++dropped_count_;
  }
}

detectors::MethodMatches MethodSource::find(const Features& page, uint32_t most,
                                            detectors::DetectorScratch& search) const {
  const detectors::Description description = description_of(page);
  if (description.empty()) return {};
  detectors::MethodMatches found = detector_->candidates(description, search);
  found.work += description.size() / kWorkBytes;
  if (found.matches.size() > most) {
    found.matches = found.matches.first(most);
    found.limited = true;
  }
  return found;
}

double MethodSource::score(const Features& a, const Features& b) const {
  return detector_->score(description_of(a), description_of(b));
}

uint64_t MethodSource::verification_work(const FeatureHeader& representative,
                                         const FeatureHeader& page) const noexcept {
  return 1 + (uint64_t{representative.description_size} + page.description_size) / kWorkBytes;
}

Verification MethodSource::verify(const Features& representative, const Features& page,
                                  const DecisionParameters& decision) const {
  if (have_equal_text(representative, page, decision)) return exact_match(page);
  Verification out;
  out.resemblance = score(representative, page);
  out.similar = detector_->decide(out.resemblance) && !(representative.is_truncated() && page.is_truncated());
  if (out.similar) out.rule = Rule::kMethod;
  return out;
}

bool describes_alike(const FeatureHeader& a, const FeatureHeader& b) noexcept {
  if (a.method != b.method || a.description_shingle != b.description_shingle) return false;
  return !detectors::uses_spots(static_cast<detectors::Method>(a.method)) ||
         a.spot_parameters.makes_the_same_as(b.spot_parameters);
}

Error described_otherwise() {
  return error(Status::kInvalidArgument,
               "features that were made with different options x_antecedents, x_spot_chain or "
               "x_baseline_shingle_tokens");
}

}  // namespace nd::engine
