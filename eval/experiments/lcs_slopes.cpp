// Rates pairs once and reads the precision at each slope where the recall stays the same.
#include "lcs_slopes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "lcs_similarity.hpp"
#include "lcs_windows.hpp"

namespace nd::eval::partition {
namespace {

constexpr uint32_t kFirstSlope = 2, kLastSlope = 20, kSlopeStep = 2;  // in hundredths
// Others of its set that a document is compared with, at most, whether the same or not.
constexpr size_t kOthers = 30;

Table slope_table() {
  return {
      "lcs_slopes",
      "TR2007012 figure 7: precision within perhaps-similar sets where the threshold of resemblance holds "
      "the recall at .90, by the threshold of slope of the trustable LCS; means over documents, of each at "
      "most " +
          std::to_string(kOthers) + " others of its set, drawn at random. Sets: " + about(kSmallRule),
      {{"text", "", "main: blocks that weigh .4 or more, all where none does; all: all visible text"},
       {"slope", "1", "Edits per unit of text, at most; none: the whole LCS counts"},
       {"resemblance", "1", "The threshold that holds the recall"},
       {"precision", "1",
        "Of the others that resemble a document so much, those that are the same by the labels; mean over "
        "the documents that have any"},
       {"recall", "1",
        "Of the others in a document's set that are the same by the labels, those that resemble it so "
        "much; mean over the documents that have any; as near to .90 as it comes"},
       {"similar_pairs", "pairs", "Of one perhaps-similar set, the same by the labels"},
       {"different_pairs", "pairs", "Of one perhaps-similar set, different by the labels"},
       {"limited", "pairs", "Left out: the comparison was cut by the limit of work"}}};
}

struct Ratings {
  std::vector<RatedPair> pairs;
  uint64_t limited = 0;
};

Ratings rate(std::span<const CandidatePair> pairs, const std::vector<ComparedText>& texts,
             const TrustOptions& options) {
  TrustedComparer comparer;
  Ratings ratings;
  for (const CandidatePair& pair : pairs) {
    const ComparedText& a = texts[pair.a];
    const ComparedText& b = texts[pair.b];
    if (const std::optional<uint64_t> matched = comparer.trusted_width(a, b, options))
      ratings.pairs.push_back({resemblance(a, b, *matched), pair.same, pair.a});
    else
      ++ratings.limited;
  }
  return ratings;
}

void add_row(const ExtentInput& extent, std::span<const CandidatePair> pairs, std::optional<double> slope,
             Table& table) {
  const Ratings ratings = rate(pairs, extent.tokens, {.slope = slope});
  const auto same = static_cast<uint64_t>(
      std::count_if(ratings.pairs.begin(), ratings.pairs.end(), [](const RatedPair& p) { return p.same; }));
  std::vector<Cell> row = {name_of(extent.extent),
                           slope ? Cell(*slope) : Cell(),
                           Cell(),
                           Cell(),
                           Cell(),
                           same,
                           ratings.pairs.size() - same,
                           ratings.limited};
  if (const std::optional<Operation> operation = operate_at_recall(ratings.pairs, kHeldRecall)) {
    row[2] = operation->resemblance;
    row[3] = operation->precision;
    row[4] = operation->recall;
  }
  table.add_row(std::move(row));
}

// The others of one document's set.
struct Others {
  uint64_t same = 0;   // in truth
  uint64_t found = 0;  // with the resemblance at hand or more
  uint64_t right = 0;  // both
};

Operation operation_of(const std::map<uint32_t, Others>& documents, double resemblance) {
  double precisions = 0, recalls = 0;
  uint64_t finding = 0, having = 0;
  for (const auto& [document, others] : documents) {
    const auto right = static_cast<double>(others.right);
    if (others.found > 0) {
      precisions += right / static_cast<double>(others.found);
      ++finding;
    }
    if (others.same > 0) {
      recalls += right / static_cast<double>(others.same);
      ++having;
    }
  }
  return {resemblance, finding == 0 ? 0 : precisions / static_cast<double>(finding),
          having == 0 ? 0 : recalls / static_cast<double>(having)};
}

}  // namespace

std::optional<Operation> operate_at_recall(std::vector<RatedPair> pairs, double recall) {
  std::map<uint32_t, Others> documents;
  for (const RatedPair& pair : pairs)
    documents[pair.document].same += pair.same ? 1 : 0;
  std::sort(pairs.begin(), pairs.end(),
            [](const RatedPair& x, const RatedPair& y) { return x.resemblance > y.resemblance; });
  std::optional<Operation> best;
  for (size_t i = 0; i < pairs.size() && pairs[i].resemblance > 0; ++i) {
    Others& others = documents[pairs[i].document];
    ++others.found;
    others.right += pairs[i].same ? 1 : 0;
    // A threshold takes all pairs of its resemblance.
    if (i + 1 < pairs.size() && pairs[i + 1].resemblance == pairs[i].resemblance) continue;
    const Operation here = operation_of(documents, pairs[i].resemblance);
    if (here.recall == 0) continue;
    const double apart = std::fabs(here.recall - recall);
    const double best_apart = best ? std::fabs(best->recall - recall) : 2;
    // Of thresholds with one recall the strictest: the others only add errors.
    if (apart < best_apart || (apart == best_apart && here.recall > best->recall)) best = here;
  }
  return best;
}

Table repeat_figure_7(const Input& input) {
  Table table = slope_table();
  const std::vector<uint32_t> chosen = draw(input.articles, kCandidateDocuments, input.seed);
  for (const ExtentInput& extent : input.extents) {
    const std::vector<uint32_t> sets = candidate_sets(extent.keys, input.sites, lcs::kRotations, kSmallRule);
    const std::vector<CandidatePair> pairs =
        draw_pairs_by_page(pairs_within(sets, input.labels, chosen), kOthers, input.seed);
    for (uint32_t slope = kFirstSlope; slope <= kLastSlope; slope += kSlopeStep)
      add_row(extent, pairs, slope / 100.0, table);
    add_row(extent, pairs, std::nullopt, table);
  }
  return table;
}

}  // namespace nd::eval::partition
