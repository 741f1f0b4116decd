// Longest common subsequences by the textbook: the quadratic table, and Myers' greedy algorithm as printed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lcs/sequence.hpp"

namespace nd::lcs::oracle {

using Symbols = std::span<const uint32_t>;

uint32_t lcs_length(Symbols a, Symbols b);

// Pairs of positions, ascending.
using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

// Those that the path of Myers' algorithm matches.
Pairs myers_pairs(Symbols a, Symbols b);

// Those of the path through the table from its end that leaves a column where that costs nothing, else a row,
// between the common prefix and the common suffix.
Pairs table_pairs(Symbols a, Symbols b);

Pairs pairs_of(std::span<const Match> script);

// "1D 2D 3Ib": delete the first and second symbol of A, insert b behind the third.
std::string edit_script(const Pairs& pairs, Symbols a, Symbols b);

// Ascending in both, in maximal runs, and every pair equal.
bool is_common_subsequence(std::span<const Match> script, Symbols a, Symbols b);

}  // namespace nd::lcs::oracle
