// All pairs of a collection whose score reaches a threshold, by one method: SpotSigs, MWO, simhash or LCS.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "detectors/description_join.hpp"
#include "engine/features.hpp"
#include "engine/parameters.hpp"
#include "engine/record_counts.hpp"
#include "engine/verification.hpp"

namespace nd::engine {

using detectors::JoinMatch;

// Pages are numbered 0, 1, ... as they are added. Keeps what the method compares of each page, but no pairs.
// No answer depends on the order or the threads of the searches.
//
// LCS: two pages are compared if they share a candidate key, however frequent it is, or have equal texts
// (TR2007012 section 4.2: fingerprints; and shingle keys unless option relaxed is off). Their score is the
// resemblance that the verification finds, with the earlier page as the representative and nothing rejected
// by its sketch alone: of own text, by what the records carry of their sites, unless the decision is that of
// the report. The other methods find the same pairs as if every page were compared with every other.
//
// Threads: add() one at a time; searches any number, and none before the last add() has returned.
class CompleteJoin {
 public:
  // `threshold`: thousandths, 0..1000. The method is the option `detector`.
  // Errors: kInvalidArgument, for a detector without a complete join, or a threshold out of range.
  static Result<Owned<CompleteJoin>> create(const Parameters& parameters, uint32_t threshold);

  CompleteJoin(const Parameters& parameters, uint32_t threshold, uint64_t secret);

  // Errors: kInvalidArgument, for features of another detector, or once a search has begun; kLimit, for more
  // than 2^32 - 2 pages. Throws std::bad_alloc and has changed nothing.
  Result<void> add(Features features);

  // The pages before this one whose score with it reaches the threshold and is above 0, ascending by number;
  // replaces `out`. The first search indexes what was added. Errors: kInvalidArgument for an unknown number.
  // Throws std::bad_alloc.
  Result<void> find_earlier(uint64_t page, Vector<JoinMatch>& out);
  // The same for a page that was not added, as if it came after all that were.
  Result<void> find(const Features& features, Vector<JoinMatch>& out);

  uint64_t size() const noexcept { return page_count_; }
  // Roughly the memory it holds during searches, without the working memory of a search.
  uint64_t content_bytes() const noexcept;

 private:
  struct Scratch {
    explicit Scratch(uint64_t secret) noexcept : verifier(secret) {}
    detectors::JoinScratch method;
    Verifier verifier;
    RecordCounts counts;
    Vector<uint32_t> candidates;  // pages, each once
    Vector<uint32_t> met;         // by page: the last search that met it
    uint32_t search = 0;          // number of the current search
  };
  // A key and one of its pages.
  struct KeyedPage {
    uint64_t key;
    uint32_t page;
  };
  class Lease;

  Result<void> check(const Features& features) const;
  void index_once();
  void keep_keys(const Features& features, uint32_t page);
  void search_lcs(const Features& features, uint32_t before, Scratch& scratch, Vector<JoinMatch>& out) const;

  const Parameters parameters_;
  const double least_score_;
  const uint64_t secret_;
  uint64_t page_count_ = 0;
  FeatureHeader first_{};  // for a method: of the first page; the others must match it
  Owned<detectors::DescriptionJoin> descriptions_;  // null: the method is the LCS
  Vector<Features> pages_;                          // of the LCS
  Vector<KeyedPage> keyed_;                         // for the LCS; once indexed, sorted by key, then page
  uint64_t feature_bytes_ = 0;
  std::mutex mutex_;
  std::atomic<bool> indexed_{false};
  Vector<Owned<Scratch>> free_;  // under the mutex
};

}  // namespace nd::engine
