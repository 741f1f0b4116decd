// [7] The groups to compare a page with, likeliest first.
#pragma once

#include <cstdint>

#include "collection/collection.hpp"
#include "collection/page_record.hpp"
#include "decision/decision.hpp"
#include "engine/scratch.hpp"
#include "options/parameters.hpp"
#include "page/features.hpp"

namespace nd::engine {

// A look at a collection, for as long as the engine's lock is held. What it finds is left in the decision
// of the scratch; what earlier looks have compared is kept there.
class CandidateGathering {
 public:
  // `has_room`: there is room to keep a text that is decided again.
  CandidateGathering(const Collection& collection, const Parameters& parameters, const Features& page,
                     bool has_room, Scratch& scratch, Counters& counters) noexcept
      : collection_(collection),
        parameters_(parameters),
        page_(page),
        has_room_(has_room),
        scratch_(scratch),
        decision_(scratch.decision),
        counters_(counters) {}

  // Looks up the URL, pages of the same text, and the ranked groups.
  void run() {
    if (begin()) finish();
  }
  // The first half, with the search by spot signatures. False if no candidates are needed.
  bool begin();
  // The second half, which uses the results of the first. Other threads may have committed in between.
  void finish();

 private:
  void search_by_spots();
  void gather_by_method();
  void add_group_of_exact_copy();
  void add_candidate(uint64_t group_id, const PageData* exact_copy);
  bool represents_itself(const GroupRecord::View& group);
  uint64_t oldest_other_member(const GroupRecord::View& group) const;
  void reuse_verification(Candidate& candidate) const;
  static void add_exact_copy(const PageData& exact_copy, Candidate& candidate);

  const Collection& collection_;
  const Parameters& parameters_;
  const Features& page_;
  const bool has_room_;
  Scratch& scratch_;
  Decision& decision_;
  Counters& counters_;
};

// A text of the collection, paid for from the budget of the scratch.
SharedFeatures unpack(const Collection& collection, uint64_t text, const FeatureHeader& header,
                      Scratch& scratch);

}  // namespace nd::engine
