#include "engine/group_aliases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace nd::engine {
namespace {

void merge(GroupAliases& aliases, uint64_t older, uint64_t younger) {
  aliases.prepare(older, younger);
  aliases.begin(older, younger, false);
}

void finish(GroupAliases& aliases, uint64_t younger) {
  while (!aliases.turn(younger, 3)) {
  }
  aliases.finish(younger);
}

TEST(GroupAliasesTest, AnIdLeadsToItself) {
  const GroupAliases aliases(1);
  EXPECT_EQ(aliases.resolve(7), 7U);
  EXPECT_EQ(aliases.resolve(0), 0U);
  EXPECT_FALSE(aliases.is_alias(7));
  EXPECT_TRUE(aliases.is_empty());
}

TEST(GroupAliasesTest, WhoIsBusyTakesPartInNoOtherMerge) {
  GroupAliases aliases(1);
  merge(aliases, 2, 5);
  aliases.set_remainder(5, 9);
  EXPECT_TRUE(aliases.is_unfinished(5));
  for (uint64_t id : {2U, 5U, 9U})
    EXPECT_TRUE(aliases.is_busy(id)) << id;
  EXPECT_FALSE(aliases.is_busy(3));
  EXPECT_EQ(aliases.resolve(5), 2U) << "from the beginning";
  EXPECT_EQ(aliases.joining(2), 5U);
  EXPECT_EQ(aliases.joining(5), 0U);
  EXPECT_EQ(aliases.joining(9), 0U);
  finish(aliases, 5);
  EXPECT_EQ(aliases.joining(2), 0U);
  for (uint64_t id : {2U, 5U, 9U})
    EXPECT_FALSE(aliases.is_busy(id)) << id;
  EXPECT_EQ(aliases.resolve(5), 2U);
}

TEST(GroupAliasesTest, AChainIsOneStep) {
  GroupAliases aliases(1);
  constexpr uint64_t kGroups = 500;
  for (uint64_t younger = kGroups; younger > 1; --younger) {
    merge(aliases, younger - 1, younger);
    for (uint64_t id = younger; id <= kGroups; ++id)
      ASSERT_EQ(aliases.resolve(id), younger - 1) << "also while it is unfinished";
    finish(aliases, younger);
    for (uint64_t id = younger; id <= kGroups; ++id)
      ASSERT_EQ(aliases.find(id)->current, younger - 1) << "one step";
  }
}

TEST(GroupAliasesTest, EqualsANaiveUnionUnderRandomMerges) {
  std::mt19937_64 random(5);
  GroupAliases aliases(3);
  std::map<uint64_t, uint64_t> naive;
  const auto find = [&](uint64_t id) {
    while (naive.contains(id))
      id = naive[id];
    return id;
  };
  constexpr uint64_t kGroups = 2000;
  for (int step = 0; step < 6000; ++step) {
    const uint64_t a = find(1 + random() % kGroups);
    const uint64_t b = find(1 + random() % kGroups);
    if (a != b && !aliases.is_busy(a) && !aliases.is_busy(b) &&
        aliases.unfinished().size() < kUnfinishedMerges) {
      merge(aliases, std::min(a, b), std::max(a, b));
      naive[std::max(a, b)] = std::min(a, b);
    } else if (!aliases.unfinished().empty()) {
      const uint64_t younger = aliases.unfinished()[random() % aliases.unfinished().size()];
      if (aliases.turn(younger, 1 + random() % 4)) aliases.finish(younger);
    }
    const uint64_t id = 1 + random() % kGroups;
    ASSERT_EQ(aliases.resolve(id), find(id)) << "step " << step;
  }
  for (uint64_t id = 1; id <= kGroups; ++id)
    EXPECT_EQ(aliases.resolve(id), find(id));
}

TEST(GroupAliasesTest, TheStateComesBack) {
  GroupAliases aliases(1);
  merge(aliases, 1, 4);
  merge(aliases, 2, 3);
  Vector<uint8_t> state;
  ByteWriter out(state);
  aliases.write_state(out);
  GroupAliases again(1);
  ByteReader in(state);
  EXPECT_TRUE(again.read_state(in));
  EXPECT_TRUE(in.at_end());
  EXPECT_TRUE(std::ranges::equal(again.unfinished(), aliases.unfinished()));
  for (size_t size = 0; size < state.size(); ++size) {
    const std::span<const uint8_t> bytes(state);
    ByteReader cut(bytes.first(size));
    EXPECT_FALSE(GroupAliases(1).read_state(cut)) << size;
  }
}

TEST(GroupAliasesTest, MoreUnfinishedThanThereCanBeIsDamage) {
  Vector<uint64_t> many(kUnfinishedMerges + 1, 1);
  Vector<uint8_t> state;
  ByteWriter(state).numbers(many);
  ByteReader in(state);
  EXPECT_FALSE(GroupAliases(1).read_state(in));
}

TEST(GroupAliasesTest, OnlyAnAliasIsParsed) {
  struct alignas(8) {
    AliasData alias;
    uint64_t more = 0;
  } stored;
  for (size_t size = 0; size <= sizeof stored; ++size) {
    const auto parsed = AliasRecord::parse({reinterpret_cast<const uint8_t*>(&stored), size});
    EXPECT_EQ(parsed.has_value(), size == sizeof(AliasData)) << size;
  }
  EXPECT_FALSE(AliasRecord::parse({reinterpret_cast<const uint8_t*>(&stored) + 4, sizeof(AliasData)}));
}

}  // namespace
}  // namespace nd::engine
