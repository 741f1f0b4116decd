// What one call may spend on comparing texts. All its comparisons draw from it, so that a page that is
// expensive to compare costs that once rather than once per candidate (docs/security.md, "The budget of a
// check").
#pragma once

#include <algorithm>
#include <cstdint>

#include "page/features.hpp"

namespace nd::engine {

// Steps are those of Verifier::work(): tokens prepared and weighed, windows, edits and words of the LCS. Of
// the largest, a word of the bit-parallel LCS, about one is done in 2 ns.
struct BudgetParameters {
  // For a page of any size, so that small pages may be expensive for their size. 0: no bound, whatever
  // `byte_work` says.
  uint64_t check_work = 64'000;
  uint64_t byte_work = 48;  // and for each of its bytes: some .1 s per megabyte
};

// Looking up a block among the counts of a site takes as long as this many steps.
inline constexpr uint64_t kStepsPerBlock = 16;

// Unpacking a text takes as long as this many steps for each of its tokens, and for each of its blocks.
inline constexpr uint64_t kStepsToUnpack = 2;

inline uint64_t steps_to_unpack(const FeatureHeader& text) noexcept {
  return kStepsToUnpack * (uint64_t{text.symbol_count} + text.block_count);
}

// The cost of a comparison before anything but their sizes is known about the two texts: each token is
// prepared and weighed.
inline uint64_t least_steps(const FeatureHeader& a, const FeatureHeader& b) noexcept {
  constexpr uint64_t kStepsPerToken = 4;
  return kStepsPerToken * (uint64_t{a.symbol_count} + b.symbol_count) +
         kStepsPerBlock * (uint64_t{a.block_count} + b.block_count);
}

// The steps to recognise a text that is nearly equal to the page. Each token is prepared, hashed and weighed
// in both texts, up to four times; few edits take less than as much again.
inline uint64_t steps_of_near_equal(const Features& page) noexcept {
  constexpr uint64_t kStepsPerToken = 16;
  return kStepsPerToken * page.symbols().size() + 2 * kStepsPerBlock * page.blocks().size();
}

// Threads: one object, one thread at a time.
class WorkBudget {
 public:
  // Starts the budget of a call for a page of `bytes` bytes, or of `calls` such calls.
  void start(const BudgetParameters& parameters, uint64_t bytes, uint64_t calls = 1) noexcept {
    const uint64_t steps = parameters.check_work + parameters.byte_work * bytes;
    left_ = parameters.check_work == 0 ? UINT64_MAX : calls * steps;
  }
  void spend(uint64_t steps) noexcept { left_ -= std::min(left_, steps); }
  uint64_t left() const noexcept { return left_; }
  // The most that a search for candidates may use; the rest is for comparisons with them.
  uint64_t share_of_search() const noexcept { return left_ / 2; }

  // What the next comparison may use if `others` may follow: `kept_for_each` is reserved for each of these,
  // or an equal share if that is less.
  uint64_t share(uint64_t others, uint64_t kept_for_each) const noexcept {
    return std::max(left_ / (others + 1), left_ - std::min(left_, others * kept_for_each));
  }

 private:
  uint64_t left_ = UINT64_MAX;
};

}  // namespace nd::engine
