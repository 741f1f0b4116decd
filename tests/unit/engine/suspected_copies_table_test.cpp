#include "engine/suspected_copies_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace nd::engine {
namespace {

using Pair = std::pair<uint64_t, uint64_t>;

std::vector<Pair> pairs_of(const SuspectedCopiesTable& table, uint64_t site) {
  std::vector<Pair> out;
  for (const SuspectedPair& pair : table.pairs(site))
    out.emplace_back(pair.older, pair.younger);
  return out;
}

TEST(SuspectedCopiesTableTest, APairIsNotedOnceWhateverItsOrder) {
  SuspectedCopiesTable table(1, {});
  EXPECT_EQ(table.note(9, 5, 2, 7), 0U);
  EXPECT_EQ(table.note(9, 2, 5, 8), 0U);
  EXPECT_EQ(table.note(9, 3, 3, 8), 0U);
  EXPECT_EQ(pairs_of(table, 9), (std::vector<Pair>{{2, 5}}));
  EXPECT_EQ(table.pairs(9)[0].version, 7U);
  EXPECT_EQ(table.pairs(9)[0].witness_version, SuspectedPair::kNever);
  EXPECT_EQ(table.pair_count(), 1U);
  EXPECT_TRUE(table.pairs(8).empty());
}

TEST(SuspectedCopiesTableTest, WhatWasComparedWaitsBehindTheOthers) {
  SuspectedCopiesTable table(1, {});
  for (uint64_t younger = 2; younger <= 4; ++younger)
    table.note(9, 1, younger, 7);
  table.compared(9, 1, 2, 11, false);
  EXPECT_EQ(pairs_of(table, 9), (std::vector<Pair>{{1, 3}, {1, 4}, {1, 2}}));
  EXPECT_EQ(table.pairs(9)[2].version, 11U);
  table.compared(9, 1, 3, 12, true);
  EXPECT_EQ(table.pairs(9)[2].witness_version, 12U);
  EXPECT_EQ(table.pairs(9)[2].version, 7U);
  table.compared(9, 1, 99, 12, true);  // not known
  table.forget(9, 1, 4);
  table.forget(9, 1, 4);
  EXPECT_EQ(pairs_of(table, 9), (std::vector<Pair>{{1, 2}, {1, 3}}));
  EXPECT_EQ(table.pair_count(), 2U);
}

TEST(SuspectedCopiesTableTest, ASiteKeepsItsLastPairs) {
  SuspectedCopiesTable table(1, {});
  uint64_t forgotten = 0;
  for (uint64_t younger = 2; younger < 102; ++younger)
    forgotten += table.note(9, 1, younger, 0);
  EXPECT_EQ(table.pairs(9).size(), SuspectedCopiesTable::kPairsOfSite);
  EXPECT_EQ(table.pairs(9).back().younger, 101U);
  EXPECT_EQ(forgotten, 100 - SuspectedCopiesTable::kPairsOfSite);
  EXPECT_EQ(table.pair_count(), SuspectedCopiesTable::kPairsOfSite);
}

TEST(SuspectedCopiesTableTest, BeyondTheLimitTheOldestSitesGo) {
  MergeParameters parameters;
  parameters.pairs = 100;
  SuspectedCopiesTable table(1, parameters);
  std::mt19937_64 random(2);
  std::map<uint64_t, uint64_t> last_use;  // of the sites that have pairs
  uint64_t noted = 0, forgotten = 0, gone = 0;
  for (uint64_t i = 0; i < 20000; ++i) {
    const uint64_t site = 1 + random() % 500;
    const uint64_t before = table.pair_count();
    const uint64_t lost = table.note(site, 2 * i + 1, 2 * i + 2, 0);
    ++noted;
    forgotten += lost;
    ASSERT_EQ(table.pair_count(), before + 1 - lost);
    ASSERT_LE(table.pair_count(), 100U);
    ASSERT_EQ(table.pairs(site).back().younger, 2 * i + 2) << "the site at hand is the youngest";
    last_use[site] = i;
    uint64_t youngest_gone = 0, oldest_kept = i;
    for (auto use = last_use.begin(); use != last_use.end();) {
      if (!table.pairs(use->first).empty()) {
        oldest_kept = std::min(oldest_kept, use->second);
        ++use;
        continue;
      }
      youngest_gone = std::max(youngest_gone, use->second);
      use = last_use.erase(use);
      ++gone;
    }
    ASSERT_LE(youngest_gone, oldest_kept);
  }
  EXPECT_GT(gone, 1000U);
  EXPECT_EQ(noted - forgotten, table.pair_count());
}

TEST(SuspectedCopiesTableTest, NoneAreNotedWhereNoneMayBe) {
  MergeParameters parameters;
  parameters.pairs = 0;
  SuspectedCopiesTable table(1, parameters);
  EXPECT_EQ(table.note(9, 1, 2, 0), 0U);
  EXPECT_EQ(table.pair_count(), 0U);
}

TEST(SuspectedCopiesTableTest, OnlyPairsAreParsed) {
  SuspectedCopiesRecord record;
  record.last_use = 3;
  record.pairs.push_back({1, 2, 3, 4});
  record.pairs.push_back({5, 6, 7, 8});
  Vector<uint8_t> bytes;
  record.write(bytes);
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const auto view = SuspectedCopiesRecord::parse(std::span(bytes).first(size));
    EXPECT_EQ(view.has_value(), size >= 8 && (size - 8) % sizeof(SuspectedPair) == 0) << size;
  }
  const auto view = SuspectedCopiesRecord::parse(bytes);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->last_use, 3U);
  EXPECT_EQ(view->pairs[1].younger, 6U);
  EXPECT_FALSE(SuspectedCopiesRecord::parse(std::span(bytes).subspan(4, 8)));
  bytes.resize(8 + (SuspectedCopiesTable::kPairsOfSite + 1) * sizeof(SuspectedPair));
  EXPECT_FALSE(SuspectedCopiesRecord::parse(bytes)) << "more than a site has";
}

}  // namespace
}  // namespace nd::engine
