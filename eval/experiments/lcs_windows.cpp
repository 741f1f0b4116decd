// Compares sketches of each window width with the whole LCS of the same pairs.
#include "lcs_windows.hpp"

#include <string>
#include <unordered_map>

namespace nd::eval::partition {
namespace {

constexpr uint32_t kFirstWindow = 2, kLastWindow = 32, kWindowStep = 2;
// Of each extent, those that are the same and those that are not: an LCS of characters takes milliseconds.
constexpr size_t kPairs = 150;

// The texts of pages, made when they are first asked for.
class Texts {
 public:
  Texts(std::span<const text::Document> documents, Extent extent, Unit unit)
      : documents_(documents), extent_(extent), unit_(unit) {}
  const ComparedText& of(uint32_t page) {
    const auto [place, is_new] = texts_.try_emplace(page);
    if (is_new) place->second = text_of(documents_[page], extent_, unit_);
    return place->second;
  }

 private:
  std::span<const text::Document> documents_;
  Extent extent_;
  Unit unit_;
  std::unordered_map<uint32_t, ComparedText> texts_;  // by page; references stay valid
};

// Two texts that are the same, and the trustable LCS of them without any filter.
struct SamePair {
  const ComparedText* a;
  const ComparedText* b;
  uint64_t whole;
};

struct SamePairs {
  std::vector<SamePair> pairs;  // those with a trustable LCS
  uint64_t limited = 0;
};

SamePairs compare_whole(std::span<const CandidatePair> pairs, Texts& texts, TrustedComparer& comparer) {
  constexpr TrustOptions kWhole = {.window_width = 1};
  SamePairs same;
  for (const CandidatePair& pair : pairs) {
    const ComparedText& a = texts.of(pair.a);
    const ComparedText& b = texts.of(pair.b);
    const std::optional<uint64_t> whole = comparer.trusted_width(a, b, kWhole);
    same.limited += whole ? 0 : 1;
    if (whole && *whole > 0) same.pairs.push_back({&a, &b, *whole});
  }
  return same;
}

Table window_table() {
  return {
      "lcs_windows",
      "TR2007012 figure 6: what the filter drops of pairs that differ, and what it leaves of the trustable "
      "LCS of pairs that are the same, by the width of its window; means over at most " +
          std::to_string(kPairs) +
          " pairs of each, so that large sets weigh more (how the report takes its mean it does not say). "
          "Sets: " +
          about(kSmallRule),
      {{"text", "", "main: blocks that weigh .4 or more, all where none does; all: all visible text"},
       {"unit", "", "What is one symbol: characters as in the report, or tokens as in ndc"},
       {"window", "width", "Of the sliding window: a wide character counts 2, any other 1"},
       {"strained_away", "1", "Of the width of both texts, what is dropped; mean over the pairs that differ"},
       {"reserved", "1",
        "Trustable LCS of the sketches over that of the whole texts; mean over the pairs that are the same. "
        "Above 1 where the sketches leave out stray matches: the edits lie elsewhere, and the region is "
        "longer"},
       {"similar_pairs", "pairs", "Of one perhaps-similar set, the same by the labels, with a trustable LCS"},
       {"different_pairs", "pairs", "Of one perhaps-similar set, different by the labels"},
       {"limited", "pairs",
        "The same by the labels, but left out: a comparison was cut by the limit of work"}}};
}

Cell mean_of(double sum, uint64_t count) {
  return count == 0 ? Cell() : Cell(sum / static_cast<double>(count));
}

void add_rows(const Input& input, Extent extent, Unit unit, std::span<const CandidatePair> same_pairs,
              std::span<const CandidatePair> different_pairs, Table& table) {
  Texts texts(input.documents, extent, unit);
  TrustedComparer comparer;
  lcs::SketchFilter filter;
  const SamePairs same = compare_whole(same_pairs, texts, comparer);
  for (uint32_t window = kFirstWindow; window <= kLastWindow; window += kWindowStep) {
    double strained = 0, kept = 0;
    uint64_t compared = 0;
    for (const CandidatePair& pair : different_pairs)
      strained += strained_away(filter, texts.of(pair.a), texts.of(pair.b), window);
    for (const SamePair& pair : same.pairs) {
      const std::optional<double> share = reserved(comparer, *pair.a, *pair.b, window, pair.whole);
      kept += share.value_or(0);
      compared += share ? 1 : 0;
    }
    table.add_row({name_of(extent), name_of(unit), uint64_t{window},
                   mean_of(strained, different_pairs.size()), mean_of(kept, compared), compared,
                   uint64_t{different_pairs.size()}, same.limited + same.pairs.size() - compared});
  }
}

}  // namespace

double strained_away(lcs::SketchFilter& filter, const ComparedText& a, const ComparedText& b,
                     uint32_t window_width) {
  if (a.width + b.width == 0) return 0;
  Vector<uint32_t> kept_a, kept_b;
  filter.filter(a.sequence(), b.sequence(), window_width, kept_a, kept_b);
  uint64_t kept = 0;
  for (const uint32_t position : kept_a)
    kept += a.widths[position];
  for (const uint32_t position : kept_b)
    kept += b.widths[position];
  return 1 - static_cast<double>(kept) / static_cast<double>(a.width + b.width);
}

std::optional<double> reserved(TrustedComparer& comparer, const ComparedText& a, const ComparedText& b,
                               uint32_t window_width, uint64_t whole) {
  const std::optional<uint64_t> width = comparer.trusted_width(a, b, {.window_width = window_width});
  if (!width) return std::nullopt;
  return static_cast<double>(*width) / static_cast<double>(whole);
}

Table repeat_figure_6(const Input& input) {
  Table table = window_table();
  const std::vector<uint32_t> chosen = draw(input.articles, kCandidateDocuments, input.seed);
  for (const ExtentInput& extent : input.extents) {
    const std::vector<uint32_t> sets = candidate_sets(extent.keys, input.sites, lcs::kRotations, kSmallRule);
    const std::vector<CandidatePair> pairs = pairs_within(sets, input.labels, chosen);
    const std::vector<CandidatePair> same = draw_pairs(pairs_that_are(true, pairs), kPairs, input.seed);
    const std::vector<CandidatePair> different = draw_pairs(pairs_that_are(false, pairs), kPairs, input.seed);
    for (const Unit unit : kUnits)
      add_rows(input, extent.extent, unit, same, different, table);
  }
  return table;
}

}  // namespace nd::eval::partition
