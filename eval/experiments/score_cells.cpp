// Adds precision, recall and F1 to a table under the same names everywhere.
#include "score_cells.hpp"

#include <string>

namespace nd::eval {

Cell precision_cell(const PairCounts& pairs) {
  return pairs.right + pairs.wrong == 0 ? Cell() : Cell(pairs.precision());
}

Cell recall_cell(const PairCounts& pairs) {
  return pairs.right + pairs.missed == 0 ? Cell() : Cell(pairs.recall());
}

Cell f1_cell(const PairCounts& pairs) {
  return pairs.right + pairs.wrong + pairs.missed == 0 ? Cell() : Cell(pairs.f1());
}

Cell macro_f1_cell(const Score& score) {
  return score.all.right + score.all.missed == 0 ? Cell() : Cell(score.macro_f1);
}

void add_score_columns(std::vector<Column>& columns) {
  const auto add = [&columns](const std::string& prefix, const std::string& of) {
    columns.push_back(
        {prefix + "precision", "1", "of " + of + " that are said to be near-duplicates, those that are"});
    columns.push_back(
        {prefix + "recall", "1", "of " + of + " that are near-duplicates, those that are said to be"});
    columns.push_back({prefix + "f1", "1", "harmonic mean of both"});
  };
  add("", "the pairs of scored pages");
  add("same_site_", "the pairs on one site");
  add("cross_site_", "the pairs on two sites");
  columns.push_back(
      {"b_cubed_precision", "1", "B-cubed: share of a page's group that belongs to it, mean over pages"});
  columns.push_back(
      {"b_cubed_recall", "1", "B-cubed: share of a page's label group that is with it, mean over pages"});
  columns.push_back({"b_cubed_f1", "1", "harmonic mean of both"});
  columns.push_back({"macro_f1", "1", "F1 of the pairs of a label group, mean over the groups"});
}

void add_score_cells(const Score& score, std::vector<Cell>& row) {
  for (const PairCounts& pairs : {score.all, score.same_site, score.cross_site}) {
    row.push_back(precision_cell(pairs));
    row.push_back(recall_cell(pairs));
    row.push_back(f1_cell(pairs));
  }
  // One kind of cell at a time: g++ 12 takes the choice of two for one that may not be initialised.
  for (const double mean : {score.b_cubed_precision, score.b_cubed_recall, score.b_cubed_f1()}) {
    row.emplace_back();
    if (score.scored_pages != 0) row.back() = mean;
  }
  row.push_back(macro_f1_cell(score));
}

}  // namespace nd::eval
