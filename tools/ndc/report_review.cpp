// Keeps the pairs of the narrowest margins within a bounded list, and asks the engine for founders that
// nearly joined a group.
#include "report_review.hpp"

#include <algorithm>
#include <tuple>

#include "report_pair.hpp"

namespace ndc {
namespace {

// Members of the founder's own group are among them.
constexpr uint32_t kSimilarPages = 50;
constexpr size_t kComparedFounders = 3;

struct OlderFounders {
  uint64_t founder;
  std::vector<uint64_t> found;
};

int32_t keep_founder(const nd_similar_page* similar, const char*, size_t, void* ctx) {
  auto& older = *static_cast<OlderFounders*>(ctx);
  // Each pair is met by its younger page, which is the one that did not join.
  if (similar->page_id == similar->group_id && similar->page_id < older.founder)
    older.found.push_back(similar->page_id);
  return older.found.size() < kComparedFounders ? 0 : 1;
}

}  // namespace

void ReportReview::add(const Pair& pair, size_t limit) {
  pairs_.push_back(pair);
  // So that the work for each pair stays the same.
  if (pairs_.size() >= 4 * limit + 16) shrink(limit);
}

void ReportReview::shrink(size_t limit) {
  const auto key = [](const Pair& pair) {
    return std::make_tuple(pair.kind != Kind::kDisputed, !pair.marked, pair.margin, pair.b);
  };
  std::sort(pairs_.begin(), pairs_.end(), [&](const Pair& x, const Pair& y) { return key(x) < key(y); });
  if (pairs_.size() > limit) pairs_.resize(limit);
}

std::string ReportReview::text(size_t limit) {
  shrink(limit);
  std::string json = "[";
  for (const Pair& pair : pairs_) {
    const bool near_miss = pair.kind == Kind::kNearMiss;
    json += (json.size() > 1 ? ",[" : "[") + std::to_string(pair.a) + "," + std::to_string(pair.b) + "," +
            (near_miss ? "-1" : std::to_string(pair.group)) + "," +
            std::to_string(static_cast<unsigned>(pair.kind));
    if (near_miss) json += "," + std::to_string(pair.label_a) + "," + std::to_string(pair.label_b);
    json += "]";
  }
  return json + "]";
}

void NearMisses::look_at(uint64_t founder) {
  OlderFounders older{founder, {}};
  // No similar pages can be found for a page whose text was not kept.
  if (nd_similar_pages(engine_, founder, kSimilarPages, keep_founder, &older) != ND_OK) return;
  for (const uint64_t each : older.found) {
    const ReportPair pair = explain_pair(engine_, each, founder);
    if (!pair.known || !pair.disputed || pair.margin < 0 || pair.margin >= kNarrowMargin) break;
    misses_.push_back({each, founder, pair.margin});
  }
  if (misses_.size() >= 4 * limit_ + 16) shrink();
}

void NearMisses::shrink() {
  std::sort(misses_.begin(), misses_.end(), [](const NearMiss& x, const NearMiss& y) {
    return std::tie(x.margin, x.b, x.a) < std::tie(y.margin, y.b, y.a);
  });
  if (misses_.size() > limit_) misses_.resize(limit_);
}

const std::vector<NearMiss>& NearMisses::narrowest() {
  shrink();
  return misses_;
}

}  // namespace ndc
