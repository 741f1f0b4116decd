// The index of keys against a map, and keys that too many groups or sites have.
#include "collection/key_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "unit/spotsigs/counted_memory.hpp"
#include "unit/store/memory_run.hpp"

namespace nd::engine {
namespace {

uint64_t one_site(uint64_t) {
  return 1;
}
uint64_t site_of_group(uint64_t group) {
  return group;
}

std::vector<uint64_t> groups_of(const KeyIndex& index, uint64_t key) {
  const KeyIndex::Groups found = index.find(key);
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
  std::map<uint64_t, std::set<uint64_t>> oracle;
  for (int step = 0; step < 30000; ++step) {
    const uint64_t key = random() % 60;
    const uint64_t group = 1 + random() % 12;
    if (random() % 2 == 0) {
      EXPECT_EQ(index.add(key, group, site_of_group), oracle[key].insert(group).second);
    } else {
      index.remove(key, group);
      oracle[key].erase(group);
    }
    std::vector<uint64_t> found = groups_of(index, key);
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, std::vector<uint64_t>(oracle[key].begin(), oracle[key].end())) << step;
  }
  const auto held =
      std::count_if(oracle.begin(), oracle.end(), [](const auto& entry) { return !entry.second.empty(); });
  EXPECT_EQ(index.key_count(), static_cast<uint64_t>(held));
  EXPECT_EQ(index.hot_count(), 0U);
}

TEST(KeyIndexTest, GroupsStandInTheOrderOfAddition) {
  KeyIndex index(1, IndexParameters{});
  for (uint64_t group : {7U, 3U, 9U, 1U})
    index.add(42, group, site_of_group);
  EXPECT_EQ(groups_of(index, 42), (std::vector<uint64_t>{7, 3, 9, 1}));
  index.remove(42, 9);
  EXPECT_EQ(groups_of(index, 42), (std::vector<uint64_t>{7, 3, 1}));
}

// Else each new group would have the whole lists of all of its keys read.
TEST(KeyIndexTest, ANewGroupIsNotLookedForInLongLists) {
  KeyIndex index(3, IndexParameters{});
  for (uint64_t group = 1; group <= 5000; ++group)
    EXPECT_TRUE(index.add(1, group, site_of_group, true));
  EXPECT_LE(index.probe_count(), 6 * 5000U);
  EXPECT_FALSE(index.add(1, 5000, site_of_group, true)) << "a page that has the key twice";
  EXPECT_EQ(index.find(1).size(), 5000U);
  EXPECT_FALSE(index.add(1, 17, site_of_group)) << "an old one is looked for";
}

// A key that thousands have, of whom a page that changes is one: not searched from end to end, nor moved.
TEST(KeyIndexTest, OneOfVeryManyGroupsIsFoundWithoutASearchOfAll) {
  constexpr uint64_t kGroups = 5000;
  IndexParameters parameters;
  parameters.bytes = uint64_t{1} << 40;
  KeyIndex index(3, parameters);
  for (uint64_t group = 1; group <= kGroups; ++group)
    index.add(1, 2 * group, site_of_group, true);
  uint64_t before = index.probe_count();
  EXPECT_TRUE(index.has(1, kGroups));
  EXPECT_FALSE(index.has(1, kGroups + 1));
  EXPECT_TRUE(index.has_room(kGroups, {{1}}, {}));
  index.remove(1, 6);
  index.remove(1, 2 * kGroups - 6);
  EXPECT_LE(index.probe_count() - before, 100U);
  EXPECT_EQ(index.find(1).size(), kGroups - 2);
  // One that joins late stands behind younger ones: from then on who lacks the key is found by its own keys.
  EXPECT_TRUE(index.add(1, 6, site_of_group));
  before = index.probe_count();
  EXPECT_TRUE(index.has(1, kGroups));
  EXPECT_TRUE(index.has_room(9, {{1}}, {}, std::span<const uint64_t>()));
  EXPECT_TRUE(index.add(1, 9, site_of_group, true));
  EXPECT_LE(index.probe_count() - before, 50U);
  EXPECT_FALSE(index.has(1, kGroups + 1));
  EXPECT_GE(index.probe_count() - before, kGroups) << "what is searched counts";
}

TEST(KeyIndexTest, HowManySitesAKeyHasIsCounted) {
  KeyIndex index(3, limits(1000, 100, 8));
  for (uint64_t group = 1; group <= 100; ++group)
    index.add(1, group, one_site, true);
  const uint64_t before = index.probe_count();
  EXPECT_FALSE(index.add(1, 101, one_site, true)) << "a hot key";
  EXPECT_GE(index.probe_count() - before, 100U);
}

TEST(KeyIndexTest, AKeyInTooManyGroupsIsDeletedForGood) {
  KeyIndex index(1, limits(10, 1000, 8));
  for (uint64_t group = 1; group <= 10; ++group)
    EXPECT_TRUE(index.add(1, group, site_of_group));
  EXPECT_EQ(groups_of(index, 1).size(), 10U);
  EXPECT_EQ(index.key_count(), 1U);
  EXPECT_FALSE(index.add(1, 11, site_of_group));
  EXPECT_TRUE(groups_of(index, 1).empty());
  EXPECT_EQ(index.hot_count(), 1U);
  EXPECT_EQ(index.key_count(), 0U);
  for (uint64_t group = 1; group <= 11; ++group)
    index.remove(1, group);
  EXPECT_FALSE(index.add(1, 3, site_of_group));
  EXPECT_TRUE(groups_of(index, 1).empty());
  EXPECT_EQ(index.hot_count(), 1U);
}

TEST(KeyIndexTest, AKeyOfManyGroupsAndFewSitesIsDeleted) {
  const auto site_of_two = [](uint64_t group) { return group % 2; };
  KeyIndex index(1, limits(1000, 6, 2));
  for (uint64_t group = 1; group <= 6; ++group)
    EXPECT_TRUE(index.add(1, group, site_of_two));
  EXPECT_FALSE(index.add(1, 7, site_of_two));
  EXPECT_EQ(index.hot_count(), 1U);
}

TEST(KeyIndexTest, AKeyOfManyGroupsAndMoreSitesStays) {
  const auto site_of_three = [](uint64_t group) { return group % 3; };
  KeyIndex index(1, limits(1000, 6, 2));
  for (uint64_t group = 1; group <= 40; ++group)
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
  EXPECT_EQ(groups_of(index, 1), std::vector<uint64_t>{5});
}

TEST(KeyIndexTest, RemovalBringsMemoryBack) {
  KeyIndex index(1, IndexParameters{});
  const auto fill = [&] {
    for (uint64_t key = 0; key < 300; ++key) {
      for (uint64_t group = 1; group <= 20; ++group)
        index.add(key, group, site_of_group);
    }
  };
  const auto clear = [&] {
    for (uint64_t key = 0; key < 300; ++key) {
      for (uint64_t group = 1; group <= 20; ++group)
        index.remove(key, group);
    }
  };
  fill();
  const uint64_t full = index.memory_bytes();
  clear();
  const uint64_t empty = index.memory_bytes();
  EXPECT_EQ(index.key_count(), 0U);
  EXPECT_LE(empty + 300 * 20 * sizeof(uint64_t), full);
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
  const auto room_for = [&](uint64_t key, uint64_t group) { return index.has_room(group, {{key}}, {}); };
  std::mt19937_64 random(3);
  std::vector<std::pair<uint64_t, uint64_t>> held;
  for (int round = 0; round < 3; ++round) {
    while (true) {
      const uint64_t key = random() % 300;
      const uint64_t group = 1 + random() % 50;
      if (!room_for(key, group)) break;
      const uint64_t before = index.content_bytes();
      if (index.add(key, group, site_of_group)) held.emplace_back(key, group);
      ASSERT_LE(index.content_bytes(), parameters.bytes);
      ASSERT_GE(index.content_bytes(), before);
    }
    EXPECT_GT(index.content_bytes(), parameters.bytes * 9 / 10);
    EXPECT_TRUE(room_for(held[0].first, held[0].second)) << "what is there needs none";
    // One is removed and added again: there is room. The tables are not smaller.
    const std::vector<uint64_t> going{held[0].first};
    const std::vector<uint64_t> all = [&] {
      std::vector<uint64_t> keys;
      for (uint64_t key = 1000; key < 2000; ++key)
        keys.push_back(key);
      return keys;
    }();
    EXPECT_FALSE(index.has_room(51, all, going));
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
    index.add(key, 1, site_of_group);
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

// A key index beside another of another secret that never sees a snapshot.
TEST(KeyIndexTest, LayersAndTheSecretDoNotShow) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    std::mt19937_64 random(seed);
    const IndexParameters parameters = limits(20, 8, 2);
    KeyIndex plain(1, parameters);
    auto layered = std::make_unique<KeyIndex>(random(), parameters);
    store::sample::Snapshots snapshots;
    const auto site_of_three = [](uint64_t group) { return group % 3; };
    for (int step = 0; step < 8000; ++step) {
      const uint64_t key = random() % 20 * (random() % 20);
      const uint64_t group = 1 + random() % 30;
      if (random() % 3 != 0) {
        ASSERT_EQ(layered->add(key, group, site_of_three), plain.add(key, group, site_of_three));
      } else {
        layered->prepare_removal({{key}});
        layered->remove(key, group);
        plain.remove(key, group);
      }
      if (random() % 40 == 0) {
        ASSERT_TRUE(snapshots.step(layered->table(), random));
      }
      if (random() % 1000 == 0) {
        ASSERT_TRUE(snapshots.finish(layered->table(), random));
        const KeyIndex::State state = layered->state();
        const uint64_t size = layered->table().size();
        layered = std::make_unique<KeyIndex>(random(), parameters);
        layered->table().attach(snapshots.runs(), size);
        layered->restore(state);
      }
      const uint64_t asked = random() % 400;
      ASSERT_EQ(groups_of(*layered, asked), groups_of(plain, asked));
      ASSERT_EQ(layered->has(key, group), plain.has(key, group));
      ASSERT_EQ(layered->key_count(), plain.key_count());
      ASSERT_EQ(layered->hot_count(), plain.hot_count());
      ASSERT_EQ(layered->content_bytes(), plain.content_bytes());
    }
    EXPECT_GT(plain.hot_count(), 0U);
  }
}

TEST(KeyIndexTest, AFailedAdditionChangesNothingAndAPreparedRemovalNeverFails) {
  spotsigs::sample::CountedMemory memory;
  std::mt19937_64 random(9);
  KeyIndex index(1, limits(20, 8, 2));
  store::sample::Snapshots snapshots;
  uint64_t failures = 0;
  for (int step = 0; step < 1500; ++step) {
    const uint64_t key = random() % 40;
    const uint64_t group = 1 + random() % 15;
    const std::vector<uint64_t> before = groups_of(index, key);
    for (uint64_t count = 0; step % 3 != 0; ++count) {
      const uint64_t content = index.content_bytes();
      memory.fail_after(count, count % 2 == 1);
      try {
        index.add(key, group, [](uint64_t other) { return other % 4; });
        memory.stop_failing();
        break;
      } catch (const std::bad_alloc&) {
        memory.stop_failing();
        ++failures;
        ASSERT_EQ(groups_of(index, key), before);
        ASSERT_EQ(index.content_bytes(), content);
      }
    }
    if (step % 3 == 0) {
      index.prepare_removal({{key}});
      memory.fail_after(0, true);
      index.remove(key, group);
      EXPECT_FALSE(memory.stop_failing());
      EXPECT_FALSE(index.has(key, group));
    }
    if (step % 50 == 0) {
      ASSERT_TRUE(snapshots.step(index.table(), random));
    }
  }
  EXPECT_GT(failures, 100U);
}

}  // namespace
}  // namespace nd::engine
