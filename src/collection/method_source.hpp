// The source of candidates of an engine whose detector is not the LCS partition: the method's index of the
// groups' representatives, and its verdict if it decides (docs/detectors.md).
#pragma once

#include <cstdint>
#include <span>

#include "collection/collection_parameters.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "decision/verification.hpp"
#include "method/description.hpp"
#include "method/detector.hpp"
#include "page/features.hpp"

namespace nd::engine {

// The most matches that a search returns: as many as option x_candidates_limit or a caller of similar_pages()
// can request, plus the page itself.
inline constexpr uint32_t kMethodMatches = 1001;

// Groups are named by their ids. Threads: any number of readers, or one writer.
class MethodSource {
 public:
  // Throws std::bad_alloc.
  MethodSource(uint64_t secret, const CollectionParameters& parameters);

  // If false, the LCS partition finds the groups by their keys, and the other calls do nothing.
  bool is_used() const noexcept { return detector_ != nullptr; }

  // Makes this text the group's representative. If memory is short, it is left out and counted; unless its
  // removal was prepared, the group may then still be found by its previous representative. Cost: an
  // insertion; occasionally, after as many insertions as there are groups, an epoch that reads them all.
  void put(uint64_t group_id, const Features& representative) noexcept;
  // As SpotSource.
  void prepare_removal(uint64_t group_id) {
    if (detector_ != nullptr) detector_->prepare_removal(group_id);
  }
  void remove(uint64_t group_id) noexcept {
    if (detector_ != nullptr) detector_->remove(group_id);
  }

  // The groups that the method considers near-duplicates, best match first, at most `most` and
  // kMethodMatches; valid until the next use of `search`.
  detectors::MethodMatches find(const Features& page, uint32_t most,
                                detectors::DetectorScratch& search) const;
  // 0..1, by the method's current statistics.
  double score(const Features& a, const Features& b) const;
  // What that score counts, including signatures and words that the band of an epoch leaves out.
  detectors::MethodEvidence evidence(const Features& a, const Features& b) const {
    return detectors::evidence_of(method_, description_of(a), description_of(b));
  }
  // The verdict if the method decides: equal texts are duplicates for every method; two pages that were both
  // cut never are; otherwise the score decides, and is returned as the resemblance.
  Verification verify(const Features& representative, const Features& page,
                      const DecisionParameters& decision) const;
  // What verify() reads of both, in units of eight bytes.
  uint64_t verification_work(const FeatureHeader& representative, const FeatureHeader& page) const noexcept;

  uint64_t memory_bytes() const noexcept { return detector_ == nullptr ? 0 : detector_->memory_bytes(); }
  // Representatives that were left out or evicted because of the byte budget or lack of memory.
  uint64_t dropped_count() const noexcept { return dropped_count_; }
  // See Detector.
  uint64_t probe_count() const noexcept { return detector_ == nullptr ? 0 : detector_->probe_count(); }

 private:
  detectors::Description description_of(const Features& features) const noexcept;

  detectors::Method method_;
  Owned<detectors::Detector> detector_;  // null: the LCS partition
  uint64_t dropped_count_ = 0;
};

// Whether the descriptions of two records of one method were made with the same options, as far as records
// show, and can be compared.
bool describes_alike(const FeatureHeader& a, const FeatureHeader& b) noexcept;
// The error if they were not: kInvalidArgument.
Error described_otherwise();

}  // namespace nd::engine
