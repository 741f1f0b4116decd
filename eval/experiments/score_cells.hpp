// The columns of a score, for tables that tell how good a grouping is.
#pragma once

#include <vector>

#include "scores.hpp"
#include "table.hpp"

namespace nd::eval {

// Empty where the measure is of no pairs: nothing was said, nothing is.
Cell precision_cell(const PairCounts& pairs);
Cell recall_cell(const PairCounts& pairs);
Cell f1_cell(const PairCounts& pairs);
// Empty if no label has two pages.
Cell macro_f1_cell(const Score& score);

// precision, recall, f1; the same of same_site and cross_site pairs; b_cubed_precision, b_cubed_recall,
// b_cubed_f1; macro_f1.
void add_score_columns(std::vector<Column>& columns);
// In this order.
void add_score_cells(const Score& score, std::vector<Cell>& row);

}  // namespace nd::eval
