// The complete join of a fixed collection by a method other than the LCS: all documents that score at least
// the threshold with a given one.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "engine/complete_join.hpp"
#include "joins/spot_join.hpp"
#include "method/description.hpp"
#include "method/method.hpp"
#include "moz/hamming_index.hpp"
#include "mwo/mwo_index.hpp"

namespace nd::detectors {

inline constexpr uint32_t kJoinThresholdUnit = 1000;

using engine::JoinMatch;

// The working memory of a search. Threads: one search at a time.
struct JoinScratch {
  spotsigs::SpotJoinScratch spots;
  Vector<spotsigs::SpotJoinMatch> spot_matches;
  mwo::MwoScratch mwo;
  moz::HammingScratch hamming;
};

// Documents are numbered 0, 1, ... as they are added; below 2^32 - 1 of them. All descriptions have passed
// check_description() of the method. No answer depends on the secret; the order of the additions determines
// only the numbers. Threads: once indexed, any number of searches, each with a scratch of its own.
class DescriptionJoin {
 public:
  virtual ~DescriptionJoin() = default;

  // An empty description gets a number but is in no pair. Throws std::bad_alloc and has changed nothing.
  virtual void add(Description description) = 0;
  // After the last add(). Throws std::bad_alloc; then it can be called again.
  virtual void index() = 0;

  // The documents with numbers below `before` whose score is at least the threshold and above 0, ascending;
  // replaces `out`. Throws std::bad_alloc.
  virtual void find(Description description, uint32_t before, JoinScratch& scratch,
                    Vector<JoinMatch>& out) const = 0;
  // The same for a document of the collection, among those with smaller numbers.
  virtual void find_earlier(uint32_t document, JoinScratch& scratch, Vector<JoinMatch>& out) const = 0;

  virtual uint32_t size() const noexcept = 0;
  // The approximate size of the content, once indexed.
  virtual uint64_t content_bytes() const noexcept = 0;
};

// `threshold` in thousandths of the score, 0..1000. `secret`: any number that the authors of pages do not
// know. Not of kLcs. Throws std::bad_alloc.
Owned<DescriptionJoin> make_description_join(Method method, uint32_t threshold, uint64_t secret);

}  // namespace nd::detectors
