#include "lcs_slopes.hpp"

#include <algorithm>
#include <cmath>

#include "lcs_similarity.hpp"
#include "lcs_windows.hpp"

namespace nd::eval::partition {
namespace {

constexpr uint32_t kFirstSlope = 2, kLastSlope = 20, kSlopeStep = 2;  // in hundredths
constexpr size_t kPairs = 3000;                                       // of each kind and extent

Table make_table() {
  return {"lcs_slopes",
          "TR2007012 figure 7: precision within perhaps-similar sets where the threshold of resemblance "
          "holds the "
          "recall at .90, by the threshold of slope of the trustable LCS",
          {{"text", "", "main: blocks that weigh .4 or more, all where none does; all: all visible text"},
           {"slope", "1", "Edits per unit of text, at most; none: the whole LCS counts"},
           {"resemblance", "1", "The threshold that holds the recall"},
           {"precision", "1", "Of the pairs of so much resemblance, those that are the same by the labels"},
           {"recall", "1",
            "Of the pairs of the sets that are the same by the labels; as near to .90 as it comes"},
           {"similar_pairs", "pairs", "Of one perhaps-similar set, the same by the labels"},
           {"different_pairs", "pairs", "Of one perhaps-similar set, different by the labels"}}};
}

std::vector<RatedPair> rate(std::span<const CandidatePair> pairs, const std::vector<Text>& texts,
                            const TrustOptions& options) {
  TrustedComparer comparer;
  std::vector<RatedPair> rated;
  for (const CandidatePair& pair : pairs) {
    const Text& a = texts[pair.a];
    const Text& b = texts[pair.b];
    const uint64_t matched = comparer.trusted_width(a, b, options).value_or(0);
    rated.push_back({resemblance(a, b, matched), pair.same});
  }
  return rated;
}

void add_row(const ExtentInput& extent, std::span<const CandidatePair> pairs, std::optional<double> slope,
             Table& table) {
  const std::vector<RatedPair> rated = rate(pairs, extent.tokens, {.slope = slope});
  const auto same = static_cast<uint64_t>(
      std::count_if(rated.begin(), rated.end(), [](const RatedPair& p) { return p.same; }));
  std::vector<Cell> row = {
      name_of(extent.extent), slope ? Cell(*slope) : Cell(), Cell(), Cell(), Cell(), same,
      rated.size() - same};
  if (const std::optional<Operation> operation = operate_at_recall(rated, kHeldRecall)) {
    row[2] = operation->resemblance;
    row[3] = operation->precision;
    row[4] = operation->recall;
  }
  table.add_row(std::move(row));
}

}  // namespace

std::optional<Operation> operate_at_recall(std::vector<RatedPair> pairs, double recall) {
  const auto same = static_cast<double>(
      std::count_if(pairs.begin(), pairs.end(), [](const RatedPair& p) { return p.same; }));
  std::sort(pairs.begin(), pairs.end(),
            [](const RatedPair& x, const RatedPair& y) { return x.resemblance > y.resemblance; });
  std::optional<Operation> best;
  double right = 0;
  for (size_t i = 0; i < pairs.size() && pairs[i].resemblance > 0; ++i) {
    right += pairs[i].same ? 1 : 0;
    // A threshold takes all pairs of its resemblance.
    if (i + 1 < pairs.size() && pairs[i + 1].resemblance == pairs[i].resemblance) continue;
    if (right == 0) continue;
    const Operation here = {pairs[i].resemblance, right / static_cast<double>(i + 1), right / same};
    const double apart = std::fabs(here.recall - recall);
    const double best_apart = best ? std::fabs(best->recall - recall) : 2;
    // Of thresholds with one recall the strictest: the others only add errors.
    if (apart < best_apart || (apart == best_apart && here.recall > best->recall)) best = here;
  }
  return best;
}

Table repeat_figure_7(const Input& input) {
  Table table = make_table();
  const std::vector<uint32_t> chosen = draw(input.articles, kCandidateDocuments, input.seed);
  for (const ExtentInput& extent : input.extents) {
    const std::vector<uint32_t> sets = candidate_sets(extent.keys, input.sites, lcs::kRotations, kSmallRule);
    std::vector<CandidatePair> pairs = pairs_within(sets, input.labels, chosen);
    if (pairs.size() > kPairs) pairs = draw_pairs(pairs, kPairs, input.seed);
    for (uint32_t slope = kFirstSlope; slope <= kLastSlope; slope += kSlopeStep)
      add_row(extent, pairs, slope / 100.0, table);
    add_row(extent, pairs, std::nullopt, table);
  }
  return table;
}

}  // namespace nd::eval::partition
