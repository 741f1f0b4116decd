// Both solvers against the textbook, their budgets and their limits.
#include "lcs/longest_common_subsequence.hpp"

#include <gtest/gtest.h>

#include "unit/lcs/longest_common_subsequence_oracle.hpp"
#include "unit/lcs/sequence_sample.hpp"

namespace nd::lcs {
namespace {

uint32_t matched(const Script& script) {
  uint32_t sum = 0;
  for (const Match& match : script)
    sum += match.count;
  return sum;
}

TEST(MyersSolverTest, TheExampleOfThePaper) {
  const Sample a("abcabba"), b("cbabac");
  MyersSolver solver;
  Script script;
  uint64_t work = 0;
  EXPECT_EQ(solver.solve(a.symbols, b.symbols, 100, script, work), 5u);
  EXPECT_EQ(matched(script), 4u);
  EXPECT_EQ(oracle::edit_script(oracle::pairs_of(script), a.symbols, b.symbols), "1D 2D 3Ib 6D 7Ic");
  EXPECT_EQ(oracle::edit_script(oracle::myers_pairs(a.symbols, b.symbols), a.symbols, b.symbols),
            "1D 2D 3Ib 6D 7Ic");
}

TEST(MyersSolverTest, ABudgetIsExact) {
  const Sample a("abcabba"), b("cbabac");
  MyersSolver solver;
  Script script;
  uint64_t work = 0;
  EXPECT_EQ(solver.solve(a.symbols, b.symbols, 4, script, work), std::nullopt);
  EXPECT_EQ(solver.solve(a.symbols, b.symbols, 5, script, work), 5u);
}

TEST(MyersSolverTest, EmptyAndSingle) {
  MyersSolver solver;
  Script script;
  uint64_t work = 0;
  const Sample none(""), one("a"), other("b"), three("aba");
  EXPECT_EQ(solver.solve(none.symbols, none.symbols, 0, script, work), 0u);
  EXPECT_TRUE(script.empty());
  EXPECT_EQ(solver.solve(none.symbols, three.symbols, 3, script, work), 3u);
  EXPECT_TRUE(script.empty());
  EXPECT_EQ(solver.solve(three.symbols, none.symbols, 2, script, work), std::nullopt);
  EXPECT_EQ(solver.solve(one.symbols, other.symbols, 2, script, work), 2u);
  EXPECT_TRUE(script.empty());
  EXPECT_EQ(solver.solve(three.symbols, one.symbols, 9, script, work), 2u);
  EXPECT_EQ(matched(script), 1u);
}

TEST(MyersSolverTest, EqualsTheTextbookWithItsTies) {
  Random random(1986);
  MyersSolver solver;
  Script script;
  for (int round = 0; round < 1500; ++round) {
    const uint32_t alphabet = std::vector<uint32_t>{1, 2, 3, 5, 20, 1000}[random() % 6];
    const auto a = random_symbols(random, random() % 40, alphabet);
    const auto b = round % 3 == 0 ? random_symbols(random, random() % 40, alphabet)
                                  : edited(random, a, alphabet, static_cast<uint32_t>(random() % 600));
    uint64_t work = 0;
    const auto edits = solver.solve(a, b, 1000, script, work);
    ASSERT_TRUE(edits.has_value());
    EXPECT_EQ(oracle::pairs_of(script), oracle::myers_pairs(a, b)) << round;
    EXPECT_TRUE(oracle::is_common_subsequence(script, a, b));
    EXPECT_EQ(matched(script), oracle::lcs_length(a, b));
    EXPECT_EQ(*edits + 2 * matched(script), a.size() + b.size());
  }
}

// Texts of very different lengths too: diagonals fall away on either side of their rows.
TEST(MyersSolverTest, BothLimitsAreExact) {
  Random random(1987);
  MyersSolver solver;
  Script script;
  for (int round = 0; round < 400; ++round) {
    const uint32_t alphabet = std::vector<uint32_t>{1, 2, 5, 1000}[random() % 4];
    const auto a = random_symbols(random, 1 + random() % (round % 2 == 0 ? 40 : 4), alphabet);
    const auto b = random_symbols(random, 1 + random() % (round % 3 == 0 ? 40 : 4), alphabet);
    uint64_t work = 0;
    const auto edits = solver.solve(a, b, UINT32_MAX, script, work);
    ASSERT_TRUE(edits.has_value());
    const uint64_t needed = work;
    const Script expected = script;
    work = 0;
    EXPECT_EQ(solver.solve(a, b, *edits, script, work, needed), edits);
    EXPECT_EQ(script, expected);
    EXPECT_EQ(work, needed);
    work = 0;
    EXPECT_EQ(solver.solve(a, b, UINT32_MAX, script, work, needed - 1), std::nullopt);
    if (*edits == 0) continue;
    work = 0;
    EXPECT_EQ(solver.solve(a, b, *edits - 1, script, work), std::nullopt);
  }
}

TEST(MyersSolverTest, TheWorkLimitStops) {
  Random random(7);
  const auto a = random_symbols(random, 20'000, 1000), b = random_symbols(random, 20'000, 1000);
  MyersSolver solver;
  Script script;
  uint64_t work = 0;
  EXPECT_EQ(solver.solve(a, b, UINT32_MAX, script, work, 100'000), std::nullopt);
  EXPECT_GT(work, 100'000u);
  // Passed by one run of equal symbols at most.
  EXPECT_LT(work, 120'001u);
}

TEST(MyersSolverTest, ManyEqualSymbols) {
  const std::vector<uint32_t> a(1'000'000, 7), b(999'500, 7);
  MyersSolver solver;
  Script script;
  uint64_t work = 0;
  EXPECT_EQ(solver.solve(a, b, 1000, script, work), 500u);
  EXPECT_EQ(matched(script), 999'500u);
  EXPECT_LT(work, 1'300'000u);
}

TEST(BitParallelSolverTest, EqualsTheTable) {
  Random random(2004);
  BitParallelSolver solver(random());
  Script script;
  for (int round = 0; round < 500; ++round) {
    const uint32_t alphabet = std::vector<uint32_t>{1, 2, 3, 5, 20, 1000}[random() % 6];
    const auto a = random_symbols(random, random() % 200, alphabet);
    const auto b = round % 3 == 0 ? random_symbols(random, random() % 200, alphabet)
                                  : edited(random, a, alphabet, static_cast<uint32_t>(random() % 600));
    const uint32_t expected = oracle::lcs_length(a, b);
    uint64_t work = 0;
    EXPECT_EQ(solver.length(a, b, work), expected) << round;
    EXPECT_LE(work, BitParallelSolver::work_bound(a.size(), b.size()));
    work = 0;
    solver.solve(a, b, script, work);
    EXPECT_EQ(matched(script), expected) << round;
    EXPECT_TRUE(oracle::is_common_subsequence(script, a, b)) << round;
    EXPECT_EQ(oracle::pairs_of(script), oracle::table_pairs(a, b)) << round;
    EXPECT_LE(work, BitParallelSolver::work_bound(a.size(), b.size()));
  }
}

// More rows and columns than are kept for the trace: divided and conquered.
TEST(BitParallelSolverTest, DividesLargeProblems) {
  Random random(1975);
  BitParallelSolver solver;
  MyersSolver myers;
  Script script, other;
  for (const uint32_t alphabet : {3u, 40u, 5000u}) {
    const auto a = random_symbols(random, 3500, alphabet);
    for (const uint32_t edits : {50u, 300u}) {
      const auto b = edited(random, a, alphabet, edits);
      uint64_t work = 0, length_work = 0, myers_work = 0;
      solver.solve(a, b, script, work);
      EXPECT_TRUE(oracle::is_common_subsequence(script, a, b));
      const uint32_t length = solver.length(a, b, length_work);
      EXPECT_EQ(matched(script), length);
      ASSERT_TRUE(myers.solve(a, b, 7000, other, myers_work).has_value());
      EXPECT_EQ(matched(other), length);
      EXPECT_GT(work, length_work);
      EXPECT_LE(work, BitParallelSolver::work_bound(a.size(), b.size()));
    }
  }
}

TEST(BitParallelSolverTest, EmptyAndSingle) {
  BitParallelSolver solver;
  Script script = {{1, 2, 3}};
  uint64_t work = 0;
  const Sample none(""), one("a"), three("bab");
  solver.solve(none.symbols, three.symbols, script, work);
  EXPECT_TRUE(script.empty());
  solver.solve(three.symbols, one.symbols, script, work);
  EXPECT_EQ(script, (Script{{1, 0, 1}}));
  EXPECT_EQ(solver.length(none.symbols, none.symbols, work), 0u);
  EXPECT_EQ(solver.length(one.symbols, three.symbols, work), 1u);
}

TEST(BitParallelSolverTest, SymbolsOfOneTextAloneCostNothing) {
  std::vector<uint32_t> a(100'000), b(100'000);
  for (uint32_t i = 0; i < a.size(); ++i) {
    a[i] = i;
    b[i] = i + 100'000;
  }
  a[500] = b[700] = UINT32_MAX;
  BitParallelSolver solver;
  Script script;
  uint64_t work = 0;
  solver.solve(a, b, script, work);
  EXPECT_EQ(script, (Script{{500, 700, 1}}));
  EXPECT_EQ(work, 1u);
}

}  // namespace
}  // namespace nd::lcs
