// The pairs of a report that a person should look at: those whose group is doubtful, and those that only just
// missed a threshold.
#pragma once

#include <ndcapi.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ndc {

// If the measured value is closer to its threshold than this, the decision is doubtful.
inline constexpr double kNarrowMargin = 0.1;

// Keeps the `limit` pairs about which there is most doubt. One thread at a time.
class ReportReview {
 public:
  enum class Kind : uint8_t { kBorderline, kDisputed, kNearMiss };  // as the data have them

  struct Pair {
    uint64_t a = 0;  // pages as the report numbers them; a represents the group
    uint64_t b = 0;
    uint64_t group = 0;  // as the report numbers them; not of a near miss
    Kind kind = Kind::kBorderline;
    bool marked = false;  // a flag speaks of it: a part of the other, cut by a limit, unverified
    double margin = 1;    // between what was asked and what was found
    // The labels of a near miss's pages, since a page may have several rows.
    uint64_t label_a = 0;
    uint64_t label_b = 0;
  };

  void add(const Pair& pair, size_t limit);
  // JSON: disputed pairs first, then marked ones, each by their margin.
  std::string text(size_t limit);

 private:
  void shrink(size_t limit);

  std::vector<Pair> pairs_;
};

// Two pages of the engine that founded groups of their own; a is the older one.
struct NearMiss {
  uint64_t a = 0;
  uint64_t b = 0;
  double margin = 1;
};

// Keeps the `limit` pairs with the narrowest margins. One thread at a time.
class NearMisses {
 public:
  NearMisses(nd_engine* engine, size_t limit) : engine_(engine), limit_(limit) {}

  // Compares the founder of a group with those of the older groups that are most like it. Cost: as
  // nd_similar_pages, and nd_explain for each near miss, and one more.
  void look_at(uint64_t founder);
  // The narrowest first.
  const std::vector<NearMiss>& narrowest();

 private:
  void shrink();

  nd_engine* engine_;
  const size_t limit_;
  std::vector<NearMiss> misses_;
};

}  // namespace ndc
