// The bit-parallel LCS of a block (64 columns a word) with its script in linear memory, by Hirschberg's
// division; for texts with many edits.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/hash.hpp"
#include "lcs/lcs_row.hpp"
#include "lcs/longest_common_subsequence.hpp"

namespace nd::lcs {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr uint32_t kWordBits = 64;
constexpr uint64_t kKeptWords = 1 << 16;  // 512 KB, which fits in a second-level cache

size_t words_of(uint64_t columns) noexcept {
  return (columns + kWordBits - 1) / kWordBits;
}

uint64_t bit_of(const uint64_t* row, uint32_t column) noexcept {
  return row[column / kWordBits] >> (column % kWordBits) & 1;
}

// The position behind the last zero bit of the first `columns`; 0 if there is none.
uint32_t end_of_gain(const uint64_t* row, uint32_t columns) noexcept {
  if (columns == 0) return 0;
  uint32_t word = (columns - 1) / kWordBits;
  uint64_t zeros = ~row[word] << (kWordBits - 1 - (columns - 1) % kWordBits);
  if (zeros != 0) return columns - static_cast<uint32_t>(std::countl_zero(zeros));
  while (word-- > 0) {
    zeros = ~row[word];
    if (zeros != 0) return (word + 1) * kWordBits - static_cast<uint32_t>(std::countl_zero(zeros));
  }
  return 0;
}

uint32_t zeros_of(const uint64_t* row, uint32_t columns) noexcept {
  uint32_t ones = 0;
  for (size_t i = 0; i < columns / kWordBits; ++i)
    ones += static_cast<uint32_t>(std::popcount(row[i]));
  const uint32_t rest = columns % kWordBits;
  if (rest != 0) {
    ones += static_cast<uint32_t>(std::popcount(row[columns / kWordBits] & ((uint64_t{1} << rest) - 1)));
  }
  return columns - ones;
}

}  // namespace

uint64_t BitParallelSolver::work_bound(uint64_t a_size, uint64_t b_size) noexcept {
  // The halves of all levels of Hirschberg's recursion together are at most twice the whole, plus a word for
  // each row of each level for the columns that do not fill one.
  const uint64_t rows = a_size * words_of(b_size);
  return rows <= kKeptWords ? rows : 2 * rows + a_size * static_cast<uint64_t>(std::bit_width(a_size));
}

void BitParallelSolver::reserve(size_t a_size, size_t b_size) {
  const size_t words = words_of(b_size);
  reserve_places(slots_, std::bit_ceil(std::max<size_t>(a_size * 2, 2)));
  for (Vector<uint32_t>* by_row :
       {&rows_side_.ids, &rows_side_.origins, &occurrences_, &first_column_, &dense_of_})
    reserve_places(*by_row, a_size);
  for (Vector<uint32_t>* by_column : {&columns_side_.ids, &columns_side_.origins, &next_column_})
    reserve_places(*by_column, b_size);
  for (Vector<uint64_t>* row : {&state_, &forward_})
    reserve_places(*row, words);
  // Fewer than 64 symbols occur in more columns than a row has words.
  reserve_places(dense_masks_, kWordBits * words);
  reserve_places(rows_, std::max(words, std::min<size_t>(a_size * words, kKeptWords)));
  reserve_places(reversed_, std::min(a_size, b_size));
}

uint64_t BitParallelSolver::memory_bytes() const noexcept {
  uint64_t sum = reversed_.capacity() * sizeof(Match);
  for (const Vector<uint32_t>* numbers :
       {&rows_side_.ids, &rows_side_.origins, &columns_side_.ids, &columns_side_.origins, &occurrences_,
        &first_column_, &next_column_, &dense_of_})
    sum += numbers->capacity() * sizeof(uint32_t);
  for (const Vector<uint64_t>* words : {&slots_, &dense_masks_, &state_, &forward_, &rows_})
    sum += words->capacity() * sizeof(uint64_t);
  return sum;
}

inline size_t BitParallelSolver::slot_of(uint32_t symbol) const noexcept {
  const size_t mask = slots_.size() - 1;
  size_t slot = mix(symbol ^ secret_) >> shift_;
  while (slots_[slot] != 0 && slots_[slot] >> 32 != symbol)
    slot = (slot + 1) & mask;
  return slot;
}

void BitParallelSolver::number_symbols(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  const size_t capacity = std::bit_ceil(std::max<size_t>(a.size() * 2, 2));
  shift_ = static_cast<uint32_t>(64 - std::countr_zero(capacity));
  slots_.assign(capacity, 0);
  rows_side_.ids.clear();
  rows_side_.origins.clear();
  columns_side_.ids.clear();
  columns_side_.origins.clear();
  uint32_t ids = 0;
  for (const uint32_t symbol : a) {
    uint64_t& slot = slots_[slot_of(symbol)];
    if (slot == 0) slot = uint64_t{symbol} << 32 | ++ids;
    rows_side_.ids.push_back(static_cast<uint32_t>(slot) - 1);
  }
  occurrences_.assign(ids, 0);
  first_column_.assign(ids, kNone);
  dense_of_.assign(ids, kNone);
  for (uint32_t i = 0; i < b.size(); ++i) {
    const uint64_t slot = slots_[slot_of(b[i])];
    if (slot == 0) continue;
    columns_side_.ids.push_back(static_cast<uint32_t>(slot) - 1);
    columns_side_.origins.push_back(i);
    occurrences_[static_cast<uint32_t>(slot) - 1] = 1;
  }
  size_t kept = 0;
  for (uint32_t i = 0; i < a.size(); ++i) {
    const uint32_t id = rows_side_.ids[i];
    if (occurrences_[id] == 0) continue;
    rows_side_.ids[kept++] = id;
    rows_side_.origins.push_back(i);
  }
  rows_side_.ids.resize(kept);
  std::fill(occurrences_.begin(), occurrences_.end(), 0U);
}

// A symbol that occurs in more columns than a row has words gets a mask of its own (fewer than 64 can be so
// frequent, so memory stays linear). The columns of any other symbol are linked, first to last.
void BitParallelSolver::index_columns(const Block& block, Direction direction, size_t words) {
  const uint32_t columns = block.columns();
  next_column_.resize(columns);
  dense_masks_.clear();
  const uint32_t* const ids = columns_side_.ids.data() + block.column_begin;
  const auto id_at = [&](uint32_t column) {
    return ids[direction == Direction::kForward ? column : columns - 1 - column];
  };
  uint32_t dense = 0;
  for (uint32_t column = columns; column-- > 0;) {
    const uint32_t id = id_at(column);
    next_column_[column] = first_column_[id];
    first_column_[id] = column;
    if (++occurrences_[id] == words + 1) dense_of_[id] = dense++;
  }
  if (dense == 0) return;
  dense_masks_.assign(dense * words, 0);
  for (uint32_t column = 0; column < columns; ++column) {
    const uint32_t number = dense_of_[id_at(column)];
    if (number == kNone) continue;
    dense_masks_[number * words + column / kWordBits] |= uint64_t{1} << (column % kWordBits);
  }
}

void BitParallelSolver::clear_index(const Block& block) noexcept {
  for (uint32_t column = block.column_begin; column < block.column_end; ++column) {
    const uint32_t id = columns_side_.ids[column];
    occurrences_[id] = 0;
    first_column_[id] = kNone;
    dense_of_[id] = kNone;
  }
}

void BitParallelSolver::run(const Block& block, Direction direction, bool keep_rows, uint64_t& work) {
  const size_t words = words_of(block.columns());
  index_columns(block, direction, words);
  state_.assign(words, ~uint64_t{0});
  if (keep_rows) rows_.resize(words * block.rows());
  const uint64_t* from = state_.data();
  for (uint32_t row = 0; row < block.rows(); ++row) {
    const uint32_t id =
        rows_side_.ids[direction == Direction::kForward ? block.row_begin + row : block.row_end - 1 - row];
    uint64_t* const to = keep_rows ? rows_.data() + row * words : state_.data();
    const bool is_dense = dense_of_[id] != kNone;
    if (is_dense) {
      advance_row(from, dense_masks_.data() + dense_of_[id] * words, to, words);
    } else {
      if (keep_rows) std::memcpy(to, from, words * sizeof(uint64_t));
      advance_row_at(to, words, first_column_[id], next_column_.data(), kNone);
    }
    if (first_column_[id] != kNone) work += words;
    from = to;
  }
  clear_index(block);
}

// The column where the matches of the first half of the rows (forward_) and of the second half (state_, run
// backward) have the greatest sum.
uint32_t BitParallelSolver::best_split(const Block& block) const noexcept {
  const uint32_t columns = block.columns();
  uint32_t together = zeros_of(state_.data(), columns);
  uint32_t best = together;
  uint32_t split = 0;
  for (uint32_t column = 0; column < columns; ++column) {
    together += static_cast<uint32_t>(bit_of(state_.data(), columns - 1 - column));
    together -= static_cast<uint32_t>(bit_of(forward_.data(), column));
    if (together > best) {
      best = together;
      split = column + 1;
    }
  }
  return block.column_begin + split;
}

// In column j of row i: if the bit is set, the length does not grow in this column, so go to the column
// before. Otherwise, if it grows there in the row above too, go to that row. Otherwise both symbols match.
void BitParallelSolver::trace_back(const Block& block, Script& script) {
  const size_t words = words_of(block.columns());
  reversed_.clear();
  uint32_t row = block.rows();
  uint32_t column = block.columns();
  while (row > 0) {
    column = end_of_gain(rows_.data() + (row - 1) * words, column);
    if (column == 0) break;
    do
      --row;
    while (row > 0 && bit_of(rows_.data() + (row - 1) * words, column - 1) == 0);
    --column;
    reversed_.push_back(
        {rows_side_.origins[block.row_begin + row], columns_side_.origins[block.column_begin + column], 1});
  }
  for (size_t i = reversed_.size(); i > 0; --i)
    append_match(script, reversed_[i - 1]);
}

void BitParallelSolver::solve_block(const Block& block, Script& script, uint64_t& work) {
  if (block.rows() == 0 || block.columns() == 0) return;
  if (block.rows() == 1 || block.rows() * words_of(block.columns()) <= kKeptWords) {
    run(block, Direction::kForward, true, work);
    trace_back(block, script);
    return;
  }
  const uint32_t middle = block.row_begin + block.rows() / 2;
  run({block.row_begin, middle, block.column_begin, block.column_end}, Direction::kForward, false, work);
  std::swap(forward_, state_);
  run({middle, block.row_end, block.column_begin, block.column_end}, Direction::kBackward, false, work);
  const uint32_t split = best_split(block);
  solve_block({block.row_begin, middle, block.column_begin, split}, script, work);
  solve_block({middle, block.row_end, split, block.column_end}, script, work);
}

uint32_t BitParallelSolver::length(std::span<const uint32_t> a, std::span<const uint32_t> b, uint64_t& work) {
  const uint32_t prefix = common_prefix(a, b);
  a = a.subspan(prefix);
  b = b.subspan(prefix);
  const uint32_t suffix = common_suffix(a, b);
  a = a.first(a.size() - suffix);
  b = b.first(b.size() - suffix);
  if (a.empty() || b.empty()) return prefix + suffix;
  number_symbols(a, b);
  const Block block{0, static_cast<uint32_t>(rows_side_.ids.size()), 0,
                    static_cast<uint32_t>(columns_side_.ids.size())};
  run(block, Direction::kForward, false, work);
  return prefix + zeros_of(state_.data(), block.columns()) + suffix;
}

void BitParallelSolver::solve(std::span<const uint32_t> a, std::span<const uint32_t> b, Script& script,
                              uint64_t& work) {
  script.clear();
  const uint32_t prefix = common_prefix(a, b);
  const uint32_t suffix = common_suffix(a.subspan(prefix), b.subspan(prefix));
  const auto a_end = static_cast<uint32_t>(a.size()) - suffix;
  const auto b_end = static_cast<uint32_t>(b.size()) - suffix;
  if (prefix > 0) script.push_back({0, 0, prefix});
  if (prefix < a_end && prefix < b_end) {
    number_symbols(a.subspan(prefix, a_end - prefix), b.subspan(prefix, b_end - prefix));
    for (uint32_t& origin : rows_side_.origins)
      origin += prefix;
    for (uint32_t& origin : columns_side_.origins)
      origin += prefix;
    solve_block(
        {0, static_cast<uint32_t>(rows_side_.ids.size()), 0, static_cast<uint32_t>(columns_side_.ids.size())},
        script, work);
  }
  if (suffix > 0) append_match(script, {a_end, b_end, suffix});
}

}  // namespace nd::lcs
