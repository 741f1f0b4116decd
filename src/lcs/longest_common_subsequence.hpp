// Longest common subsequences of two symbol sequences, with their script.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "lcs/sequence.hpp"

namespace nd::lcs {

// Myers' greedy forward algorithm (E. Myers, Algorithmica 1, 1986; TR2007012 section 3.1), O((N+M)·D) time,
// O(D²) memory. Reusable buffers. Threads: one object, one thread at a time.
class MyersSolver {
 public:
  // Writes the matches of a shortest edit script; returns nothing if it needs more than `edit_budget` edits
  // or if `work` would exceed `work_limit`. Adds the number of inner steps (diagonals and symbols compared)
  // to `work`. Among several shortest scripts it finds that of the paper: furthest reaching, traced back from
  // the end. Returns D.
  std::optional<uint32_t> solve(std::span<const uint32_t> a, std::span<const uint32_t> b,
                                uint32_t edit_budget, Script& script, uint64_t& work,
                                uint64_t work_limit = UINT64_MAX);

  // Reserves memory for scripts of up to `edits` edits.
  void reserve(size_t edits);
  uint64_t memory_bytes() const noexcept {
    return furthest_.capacity() * sizeof(int32_t) + rows_.capacity() * sizeof(Row);
  }

 private:
  // The diagonals k = lowest, lowest + 2, …, highest on which a path of this number of edits can end; their
  // furthest x are in furthest_ behind `first`. That place and the one behind the last are sentinels for the
  // diagonals beside the row, which no path has reached, so that both neighbours of a diagonal can be read
  // without a check.
  struct Row {
    size_t first;
    int32_t lowest;
    int32_t highest;
    // `diagonal`: lowest − 2 to highest + 2.
    size_t place_of(int32_t diagonal) const noexcept {
      return first + static_cast<size_t>((diagonal - lowest + 2) >> 1);
    }
  };
  // Where a path comes from before it slides down diagonal k.
  struct Step {
    int32_t x;
    bool inserts;  // from diagonal k + 1, else from k − 1
  };

  Step step_onto(int32_t diagonal, const Row& previous) const noexcept;
  void trace_back(int32_t diagonal, Script& script) const;

  Vector<int32_t> furthest_;
  Vector<Row> rows_;  // by number of edits
};

// Bit-parallel LCS (H. Hyyrö, Bit-parallel LCS-length computation revisited, AWOCA 2004: one addition per 64
// columns and row) over the symbols that both texts have. For the script, the bit vectors of all rows are
// kept and traced back if they take less than 512 KB; larger problems are first divided as by D. Hirschberg
// (CACM 18, 1975). O(N·M/64) time, O(N+M) memory. Reusable buffers. Threads: one object, one thread at a
// time.
class BitParallelSolver {
 public:
  // `secret` mixes the hash table, so that no text can be written to collide in it; the result does not
  // depend on it.
  explicit BitParallelSolver(uint64_t secret = 0) noexcept : secret_(secret) {}

  // The length alone. Adds the number of words of the rows that match anything to `work`.
  uint32_t length(std::span<const uint32_t> a, std::span<const uint32_t> b, uint64_t& work);
  // A script of that length. If there are several, it is always the same one, but not the one that Myers
  // finds.
  void solve(std::span<const uint32_t> a, std::span<const uint32_t> b, Script& script, uint64_t& work);

  // Reserves memory: for texts of up to these sizes solve() allocates nothing.
  void reserve(size_t a_size, size_t b_size);
  uint64_t memory_bytes() const noexcept;

  // The most that solve() adds to `work` for sequences of these sizes.
  static uint64_t work_bound(uint64_t a_size, uint64_t b_size) noexcept;

 private:
  // A text without the symbols that the other lacks; the symbols numbered from 0.
  struct Side {
    Vector<uint32_t> ids;
    Vector<uint32_t> origins;  // positions in the text
  };
  // Half-open ranges of rows (of A) and columns (of B).
  struct Block {
    uint32_t row_begin, row_end, column_begin, column_end;
    uint32_t rows() const noexcept { return row_end - row_begin; }
    uint32_t columns() const noexcept { return column_end - column_begin; }
  };
  enum class Direction { kForward, kBackward };

  void number_symbols(std::span<const uint32_t> a, std::span<const uint32_t> b);
  size_t slot_of(uint32_t symbol) const noexcept;
  // Runs the rows of a block over its columns; state_ is the last row, rows_ every row if `keep_rows`.
  void run(const Block& block, Direction direction, bool keep_rows, uint64_t& work);
  void index_columns(const Block& block, Direction direction, size_t words);
  void clear_index(const Block& block) noexcept;
  void solve_block(const Block& block, Script& script, uint64_t& work);
  uint32_t best_split(const Block& block) const noexcept;
  void trace_back(const Block& block, Script& script);

  uint64_t secret_;
  uint32_t shift_ = 0;      // 64 − log2 of the size of slots_
  Vector<uint64_t> slots_;  // symbol << 32 | id + 1; 0 is empty
  Side rows_side_, columns_side_;
  Vector<uint32_t> occurrences_;   // by id: in the columns of the current block
  Vector<uint32_t> first_column_;  // by id
  Vector<uint32_t> next_column_;   // by column of the current block: the next one with the same id
  Vector<uint32_t> dense_of_;      // by id: number of its mask in dense_masks_
  Vector<uint64_t> dense_masks_, state_, forward_, rows_;
  Vector<Match> reversed_;
};

}  // namespace nd::lcs
