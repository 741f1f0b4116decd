// Longest common subsequences of two symbol sequences, with their script.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "lcs/sequence.hpp"

namespace nd::lcs {

// Myers' greedy forward algorithm (E. Myers, Algorithmica 1, 1986; TR2007012 section 3.1), O((N+M)·D) time, O(D²)
// memory. Reusable buffers. Threads: one object, one thread at a time.
class MyersSolver {
 public:
  // The script of a shortest edit script, or nothing if it needs more than `edit_budget` edits.
  // Adds the number of inner steps to `work`.
  std::optional<uint32_t> solve(std::span<const uint32_t> a, std::span<const uint32_t> b, uint32_t edit_budget,
                                Script& script, uint64_t& work);  // returns D

 private:
  Vector<int32_t> furthest_;
  Vector<Match> reversed_;
};

// Bit-parallel LCS (H. Hyyrö, 2004: one addition per 64 columns and row), with Hirschberg's divide and conquer for
// the script: O(N·M/64) time, O(N+M) memory. Reusable buffers. Threads: one object, one thread at a time.
class BitParallelSolver {
 public:
  // The length alone.
  uint32_t length(std::span<const uint32_t> a, std::span<const uint32_t> b, uint64_t& work);
  // A script of that length (which of several, is deterministic but not that of Myers).
  void solve(std::span<const uint32_t> a, std::span<const uint32_t> b, Script& script, uint64_t& work);

 private:
  struct Buffers;
  Vector<uint64_t> bits_;
  Vector<uint32_t> ids_;
};

}  // namespace nd::lcs
