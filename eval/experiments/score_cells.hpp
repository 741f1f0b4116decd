// The columns of a score, for tables that tell how good a grouping is.
#pragma once

#include <vector>

#include "scores.hpp"
#include "table.hpp"

namespace nd::eval {

// precision, recall, f1; the same of same_site and cross_site pairs; b_cubed_precision, b_cubed_recall,
// b_cubed_f1; macro_f1.
void add_score_columns(std::vector<Column>& columns);
// In this order.
void add_score_cells(const Score& score, std::vector<Cell>& row);

}  // namespace nd::eval
