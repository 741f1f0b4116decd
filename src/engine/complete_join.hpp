// All pairs of a collection whose score reaches a threshold, by one method.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "options/parameters.hpp"
#include "page/features.hpp"

namespace nd::engine {

struct JoinMatch {
  uint32_t document;
  double score;            // above 0, at most 1
  double containment = 0;  // of the LCS alone, in all other methods 0
};

// Pages are numbered 0, 1, ... as they are added. Keeps what the method compares of each page, but no pairs.
// No answer depends on the order or the threads of the searches.
//
// LCS: two pages are compared if they share a candidate key, however frequent it is, or have equal texts
// (TR2007012 section 4.2: fingerprints; and shingle keys unless option x_relaxed is false). Their score is
// the resemblance that the verification finds, with the earlier page as the representative and nothing
// rejected by its sketch alone: of own text, by what the records carry of their sites, unless the decision is
// that of the report. The other methods find the same pairs as if every page were compared with every other.
//
// Threads: add() one at a time; searches any number, and none before the last add() has returned.
class CompleteJoin {
 public:
  virtual ~CompleteJoin() = default;

  // Errors: kInvalidArgument, for features of another detector, or once a search has begun; kLimit, for more
  // than 2^32 - 2 pages. Throws std::bad_alloc and has changed nothing.
  virtual Result<void> add(Features features) = 0;

  // The pages before this one whose score with it reaches the threshold and is above 0, ascending by number;
  // replaces `out`. The first search indexes what was added. Errors: kInvalidArgument for an unknown number.
  // Throws std::bad_alloc.
  virtual Result<void> find_earlier(uint64_t page, Vector<JoinMatch>& out) = 0;
  // The same for a page that was not added, as if it came after all that were.
  virtual Result<void> find(const Features& features, Vector<JoinMatch>& out) = 0;

  // Roughly the memory it holds during searches, without the working memory of a search.
  virtual uint64_t content_bytes() const noexcept = 0;
};

// `threshold`: thousandths, 0..1000. The method is the option `detector`.
// Errors: kInvalidArgument, for a threshold out of range, or a library without the methods.
Result<Owned<CompleteJoin>> make_complete_join(const Parameters& parameters, uint32_t threshold);

}  // namespace nd::engine
