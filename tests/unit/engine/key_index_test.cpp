#include "engine/key_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace nd::engine {
namespace {

uint64_t one_site(GroupSlot) {
  return 1;
}
uint64_t own_site(GroupSlot group) {
  return group;
}

std::vector<GroupSlot> groups_of(const KeyIndex& index, uint64_t key) {
  GroupSlot single = 0;
  const std::span<const GroupSlot> found = index.find(key, single);
  return {found.begin(), found.end()};
}

IndexParameters limits(uint32_t hot_groups, uint32_t hot_site_groups, uint32_t hot_sites) {
  IndexParameters parameters;
  parameters.hot_groups = hot_groups;
  parameters.hot_site_groups = hot_site_groups;
  parameters.hot_sites = hot_sites;
  return parameters;
}

TEST(KeyIndexTest, EqualsAMapUnderRandomChanges) {
  std::mt19937_64 random(11);
  KeyIndex index(5, IndexParameters{});
  std::map<uint64_t, std::set<GroupSlot>> oracle;
  for (int step = 0; step < 30000; ++step) {
    const uint64_t key = random() % 60;
    const auto group = static_cast<GroupSlot>(random() % 12);
    if (random() % 2 == 0) {
      EXPECT_EQ(index.add(key, group, own_site), oracle[key].insert(group).second);
    } else {
      index.remove(key, group);
      oracle[key].erase(group);
    }
    std::vector<GroupSlot> found = groups_of(index, key);
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, std::vector<GroupSlot>(oracle[key].begin(), oracle[key].end())) << step;
  }
  const auto held =
      std::count_if(oracle.begin(), oracle.end(), [](const auto& entry) { return !entry.second.empty(); });
  EXPECT_EQ(index.key_count(), static_cast<uint64_t>(held));
  EXPECT_EQ(index.hot_count(), 0U);
}

TEST(KeyIndexTest, GroupsStandInTheOrderOfAddition) {
  KeyIndex index(1, IndexParameters{});
  for (GroupSlot group : {7U, 3U, 9U, 1U})
    index.add(42, group, own_site);
  EXPECT_EQ(groups_of(index, 42), (std::vector<GroupSlot>{7, 3, 9, 1}));
  index.remove(42, 9);
  EXPECT_EQ(groups_of(index, 42), (std::vector<GroupSlot>{7, 3, 1}));
}

TEST(KeyIndexTest, AKeyInTooManyGroupsIsDeletedForGood) {
  KeyIndex index(1, limits(10, 1000, 8));
  for (GroupSlot group = 0; group < 10; ++group)
    EXPECT_TRUE(index.add(1, group, own_site));
  EXPECT_EQ(groups_of(index, 1).size(), 10U);
  EXPECT_EQ(index.key_count(), 1U);
  EXPECT_FALSE(index.add(1, 10, own_site));
  EXPECT_TRUE(groups_of(index, 1).empty());
  EXPECT_EQ(index.hot_count(), 1U);
  EXPECT_EQ(index.key_count(), 0U);
  for (GroupSlot group = 0; group <= 10; ++group)
    index.remove(1, group);
  EXPECT_FALSE(index.add(1, 3, own_site));
  EXPECT_TRUE(groups_of(index, 1).empty());
  EXPECT_EQ(index.hot_count(), 1U);
}

TEST(KeyIndexTest, AKeyOfManyGroupsAndFewSitesIsDeleted) {
  const auto site_of_two = [](GroupSlot group) { return uint64_t{group % 2}; };
  KeyIndex index(1, limits(1000, 6, 2));
  for (GroupSlot group = 0; group < 6; ++group)
    EXPECT_TRUE(index.add(1, group, site_of_two));
  EXPECT_FALSE(index.add(1, 6, site_of_two));
  EXPECT_EQ(index.hot_count(), 1U);
}

TEST(KeyIndexTest, AKeyOfManyGroupsAndMoreSitesStays) {
  const auto site_of_three = [](GroupSlot group) { return uint64_t{group % 3}; };
  KeyIndex index(1, limits(1000, 6, 2));
  for (GroupSlot group = 0; group < 40; ++group)
    EXPECT_TRUE(index.add(1, group, site_of_three));
  EXPECT_EQ(groups_of(index, 1).size(), 40U);
  // It is looked at again later: by then one site has most of it, but not all.
  EXPECT_EQ(index.hot_count(), 0U);
}

TEST(KeyIndexTest, CopiesInOneGroupNeverMakeAKeyHot) {
  KeyIndex index(1, limits(4, 2, 8));
  EXPECT_TRUE(index.add(1, 5, one_site));
  for (int i = 0; i < 100; ++i)
    EXPECT_FALSE(index.add(1, 5, one_site));
  EXPECT_EQ(groups_of(index, 1), std::vector<GroupSlot>{5});
}

TEST(KeyIndexTest, RemovalBringsMemoryBack) {
  KeyIndex index(1, IndexParameters{});
  const auto fill = [&] {
    for (uint64_t key = 0; key < 300; ++key) {
      for (GroupSlot group = 0; group < 20; ++group)
        index.add(key, group, own_site);
    }
  };
  const auto clear = [&] {
    for (uint64_t key = 0; key < 300; ++key) {
      for (GroupSlot group = 0; group < 20; ++group)
        index.remove(key, group);
    }
  };
  fill();
  const uint64_t full = index.memory_bytes();
  clear();
  const uint64_t empty = index.memory_bytes();
  EXPECT_EQ(index.key_count(), 0U);
  EXPECT_LE(empty + 300 * 20 * sizeof(GroupSlot), full);
  for (int round = 0; round < 5; ++round) {
    fill();
    EXPECT_EQ(index.memory_bytes(), full);
    clear();
    EXPECT_EQ(index.memory_bytes(), empty);
  }
}

TEST(KeyIndexTest, TheBoundIsOfTheContent) {
  IndexParameters parameters;
  parameters.bytes = 10'000;
  KeyIndex index(5, parameters);
  const auto room_for = [&](uint64_t key, GroupSlot group) { return index.has_room(group, {{key}}, {}); };
  std::mt19937_64 random(3);
  std::vector<std::pair<uint64_t, GroupSlot>> held;
  for (int round = 0; round < 3; ++round) {
    while (true) {
      const uint64_t key = random() % 300;
      const auto group = static_cast<GroupSlot>(random() % 50);
      if (!room_for(key, group)) break;
      const uint64_t before = index.content_bytes();
      if (index.add(key, group, own_site)) held.emplace_back(key, group);
      ASSERT_LE(index.content_bytes(), parameters.bytes);
      ASSERT_GE(index.content_bytes(), before);
    }
    EXPECT_GT(index.content_bytes(), parameters.bytes * 9 / 10);
    EXPECT_TRUE(room_for(held[0].first, held[0].second)) << "what is there needs none";
    // One goes, and the same comes: room. The tables are no smaller.
    const std::vector<uint64_t> going{held[0].first};
    const std::vector<uint64_t> all = [&] {
      std::vector<uint64_t> keys;
      for (uint64_t key = 1000; key < 2000; ++key)
        keys.push_back(key);
      return keys;
    }();
    EXPECT_FALSE(index.has_room(0, all, going));
    const uint64_t memory = index.memory_bytes();
    std::shuffle(held.begin(), held.end(), random);
    for (const auto& [key, group] : held)
      index.remove(key, group);
    held.clear();
    EXPECT_EQ(index.content_bytes(), 0U);
    EXPECT_GT(index.memory_bytes(), memory / 2);
  }
}

TEST(KeyIndexTest, WhatGoesCountsAsRoom) {
  IndexParameters parameters;
  parameters.bytes = 100;
  KeyIndex index(5, parameters);
  std::vector<uint64_t> old_keys;
  for (uint64_t key = 0; index.has_room(1, {{key}}, {}); ++key) {
    index.add(key, 1, own_site);
    old_keys.push_back(key);
  }
  std::vector<uint64_t> new_keys;
  for (uint64_t key : old_keys)
    new_keys.push_back(key + 1000);
  EXPECT_FALSE(index.has_room(1, new_keys, {}));
  EXPECT_TRUE(index.has_room(1, new_keys, old_keys));
  EXPECT_FALSE(index.has_room(2, new_keys, old_keys)) << "not its keys";
  new_keys.push_back(5000);
  EXPECT_FALSE(index.has_room(1, new_keys, old_keys));
}

}  // namespace
}  // namespace nd::engine
