#include "engine/site_templates.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace nd::engine {
namespace {

std::vector<FeatureBlock> blocks_of(const std::vector<uint64_t>& hashes) {
  std::vector<FeatureBlock> blocks;
  for (uint64_t hash : hashes)
    blocks.push_back({hash, 0, 255, 0, {}});
  return blocks;
}

std::vector<int> boilerplate(const SiteTemplates& templates, uint64_t site,
                             const std::vector<uint64_t>& hashes, uint64_t group) {
  const std::vector<FeatureBlock> blocks = blocks_of(hashes);
  std::vector<uint8_t> marks(blocks.size(), 9);
  templates.mark_boilerplate({site}, blocks, group, marks);
  return {marks.begin(), marks.end()};
}

TEST(SiteTemplates, ABlockOfAnotherGroupIsBoilerplate) {
  SiteTemplates templates(1, {});
  templates.learn({7}, blocks_of({10, 11}), 100, true);
  templates.learn({7}, blocks_of({10, 12}), 200, true);
  EXPECT_EQ(boilerplate(templates, 7, {10, 11, 12, 13}, 100), (std::vector<int>{1, 0, 1, 0}));
  EXPECT_EQ(boilerplate(templates, 7, {10, 11, 12, 13}, 300), (std::vector<int>{1, 1, 1, 0}));
  // Before a group is known: two groups at least.
  EXPECT_EQ(boilerplate(templates, 7, {10, 11, 12, 13}, 0), (std::vector<int>{1, 0, 0, 0}));
}

TEST(SiteTemplates, CopiesOfOneArticleTeachNothing) {
  SiteTemplates templates(1, {});
  for (int copy = 0; copy < 50; ++copy)
    templates.learn({7}, blocks_of({10, 11}), 100, true);
  EXPECT_EQ(boilerplate(templates, 7, {10, 11}, 100), (std::vector<int>{0, 0}));
}

TEST(SiteTemplates, ARenamedGroupStandsBesideNothing) {
  SiteTemplates templates(1, {});
  templates.learn({7}, blocks_of({10, 11, 12}), 100, true);
  templates.learn({7}, blocks_of({10, 11}), 200, true);
  templates.learn({7}, blocks_of({11}), 300, true);
  ASSERT_EQ(boilerplate(templates, 7, {10, 11, 12}, 0), (std::vector<int>{1, 1, 0}));
  const uint64_t before = templates.version(7);
  templates.rename({7}, blocks_of({10, 11, 13}), 200, 100);
  EXPECT_EQ(boilerplate(templates, 7, {10, 11, 12, 13}, 0), (std::vector<int>{0, 1, 0, 0}));
  EXPECT_EQ(boilerplate(templates, 7, {10, 11, 12, 13}, 100), (std::vector<int>{0, 1, 0, 0}));
  EXPECT_EQ(boilerplate(templates, 7, {10, 11, 12, 13}, 200), (std::vector<int>{1, 1, 1, 0}))
      << "nothing is left";
  EXPECT_GT(templates.version(7), before);
  templates.rename({8}, blocks_of({10}), 200, 100);
  EXPECT_EQ(templates.version(8), 0U);
}

TEST(SiteTemplates, WhatAJoiningGroupTaughtIsTheGroupsOwn) {
  SiteTemplates templates(1, {});
  const std::vector<FeatureBlock> blocks = blocks_of({10, 11});
  templates.learn({7}, blocks, 200, true);
  templates.learn({7}, blocks_of({11}), 300, true);
  std::vector<uint8_t> marks(2);
  templates.mark_boilerplate({7}, blocks, 100, marks);
  EXPECT_EQ(marks, (std::vector<uint8_t>{1, 1}));
  templates.mark_boilerplate({7}, blocks, 100, marks, 0, 200);
  EXPECT_EQ(marks, (std::vector<uint8_t>{0, 1}));
  templates.mark_boilerplate({7}, blocks, 100, marks, 300, 200);
  EXPECT_EQ(marks, (std::vector<uint8_t>{0, 0}));
}

TEST(SiteTemplates, SitesDoNotShare) {
  SiteTemplates templates(1, {});
  templates.learn({7}, blocks_of({10}), 100, true);
  EXPECT_EQ(boilerplate(templates, 8, {10}, 200), (std::vector<int>{0}));
}

TEST(SiteTemplates, YoungUntilEnoughNewPagesOutsideOfTheGroupWereSeen) {
  TemplateParameters parameters;
  parameters.young_pages = 3;
  SiteTemplates templates(1, parameters);
  EXPECT_TRUE(templates.is_young(7, 100));
  for (int recrawl = 0; recrawl < 10; ++recrawl)
    templates.learn({7}, blocks_of({10}), 100, false);
  EXPECT_TRUE(templates.is_young(7, 100));
  for (int copy = 0; copy < 10; ++copy)
    templates.learn({7}, blocks_of({10}), 100, true);
  EXPECT_TRUE(templates.is_young(7, 100)) << "copies of one article show no boilerplate";
  EXPECT_FALSE(templates.is_young(7, 999));
  templates.learn({7}, blocks_of({11}), 200, true);
  EXPECT_TRUE(templates.is_young(7, 100)) << "one odd page shows none either";
  templates.learn({7}, blocks_of({10}), 300, true);
  templates.learn({7}, blocks_of({10}), 400, true);
  EXPECT_FALSE(templates.is_young(7, 100));
}

TEST(SiteTemplates, ManySmallGroupsAreOutsideOfEveryGroup) {
  SiteTemplates templates(1, {});
  for (uint64_t page = 1; page <= 200; ++page)
    templates.learn({7}, blocks_of({10}), page, true);
  for (uint64_t group : {1U, 100U, 200U, 999U})
    EXPECT_FALSE(templates.is_young(7, group));
}

TEST(SiteTemplates, ABoilerplateOfManyGroupsOutlivesThoseThatTaughtIt) {
  SiteTemplates templates(1, {});
  for (uint64_t group = 1; group <= 40; ++group)
    templates.learn({7}, blocks_of({10, 1000 + group}), group, true);
  for (uint64_t group = 1; group <= 6; ++group)
    templates.unlearn({7}, blocks_of({10, 1000 + group}), group);
  EXPECT_EQ(boilerplate(templates, 7, {10, 1001, 1040}, 500), (std::vector<int>{kEverywhere, 0, 1}));
}

TEST(SiteTemplates, EverywhereIsWhatHalfOfThePagesHaveSinceItWasFirstSeen) {
  SiteTemplates templates(1, {});
  for (uint64_t group = 1; group <= 40; ++group) {
    std::vector<uint64_t> hashes = {10, 1000 + group};
    if (group % 2 == 0) hashes.push_back(11);
    if (group % 3 == 0) hashes.push_back(12);
    if (group > 30) hashes.push_back(13);  // a new design
    templates.learn({7}, blocks_of(hashes), group, true);
  }
  EXPECT_EQ(boilerplate(templates, 7, {10, 11, 12, 13, 14}, 500),
            (std::vector<int>{kEverywhere, kEverywhere, kBoilerplate, kEverywhere, kOwnText}));
}

TEST(SiteTemplates, ABlockTwiceOnAPageCountsOnce) {
  SiteTemplates templates(1, {});
  for (uint64_t group = 1; group <= 40; ++group) {
    std::vector<uint64_t> hashes = {1000 + group};
    if (group % 4 == 1) hashes.insert(hashes.end(), 5, 10);
    templates.learn({7}, blocks_of(hashes), group, true);
  }
  EXPECT_EQ(boilerplate(templates, 7, {10}, 500), (std::vector<int>{kBoilerplate}));
}

TEST(SiteTemplates, AKnownPageOfAnotherGroupIsNoneOfTheOthers) {
  SiteTemplates templates(1, {});
  templates.learn({7}, blocks_of({10, 11}), 100, true);
  templates.learn({7}, blocks_of({10, 12}), 200, true);
  templates.learn({7}, blocks_of({12}), 300, true);
  std::vector<uint8_t> marks(3);
  templates.mark_boilerplate({7}, blocks_of({10, 11, 12}), 100, marks, 200);
  EXPECT_EQ(marks, (std::vector<uint8_t>{0, 0, 1}));
}

// Two copies of an article that a young site keeps apart: what they share is boilerplate only once others
// have it.
TEST(SiteTemplates, SuspectedCopiesTeachEachOtherNoBoilerplate) {
  SiteTemplates templates(1, {});
  templates.learn({7}, blocks_of({10, 11}), 100, true);
  templates.note_suspected_copies(7, 200, 100);
  templates.learn({7}, blocks_of({10, 11}), 200, true);
  EXPECT_EQ(boilerplate(templates, 7, {10, 11}, 100), (std::vector<int>{0, 0}));
  EXPECT_EQ(boilerplate(templates, 7, {10, 11}, 200), (std::vector<int>{0, 0}));
  EXPECT_EQ(boilerplate(templates, 7, {10, 11}, 0), (std::vector<int>{0, 0})) << "they count as one group";
  EXPECT_EQ(boilerplate(templates, 7, {10, 11}, 300), (std::vector<int>{1, 1}))
      << "to others they are others";
  templates.learn({7}, blocks_of({10, 12}), 300, true);
  EXPECT_EQ(boilerplate(templates, 7, {10, 11}, 100), (std::vector<int>{1, 0}));
  EXPECT_EQ(boilerplate(templates, 7, {10, 11}, 0), (std::vector<int>{1, 0}));
}

TEST(SiteTemplates, OnlyTheLastKinAreKnown) {
  SiteTemplates templates(1, {});
  templates.learn({7}, blocks_of({10}), 100, true);
  templates.learn({7}, blocks_of({10}), 200, true);
  templates.note_suspected_copies(7, 100, 200);
  templates.note_suspected_copies(7, 100, 200);  // once is enough
  for (uint64_t other = 1; other <= 15; ++other)
    templates.note_suspected_copies(7, 1000 + other, 2000 + other);
  EXPECT_EQ(boilerplate(templates, 7, {10}, 100), (std::vector<int>{0}));
  templates.note_suspected_copies(7, 1, 2);
  EXPECT_EQ(boilerplate(templates, 7, {10}, 100), (std::vector<int>{1}));
  templates.note_suspected_copies(8, 1, 2);  // an unknown site: nothing to note
  EXPECT_EQ(templates.site_count(), 1U);
}

TEST(SiteTemplates, WhatTheLastPageOfAGroupTaughtGoesWithIt) {
  SiteTemplates templates(1, {});
  templates.learn({7}, blocks_of({10}), 100, true);
  templates.unlearn({7}, blocks_of({10}), 100);
  EXPECT_EQ(boilerplate(templates, 7, {10}, 200), (std::vector<int>{0}));
}

TEST(SiteTemplates, TheVersionMovesWhenABlockBecomesBoilerplateOrCeasesToBe) {
  SiteTemplates templates(1, {});
  EXPECT_EQ(templates.version(7), 0U);
  templates.learn({7}, blocks_of({10, 11}), 100, true);
  uint64_t last = templates.version(7);
  EXPECT_NE(last, 0U);
  const auto moves = [&] {
    const uint64_t before = std::exchange(last, templates.version(7));
    return before != last;
  };
  templates.learn({7}, blocks_of({10, 11, 12}), 100, true);
  EXPECT_FALSE(moves()) << "another copy";
  templates.learn({7}, blocks_of({13}), 200, true);
  EXPECT_FALSE(moves()) << "nothing in common";
  templates.learn({7}, blocks_of({10}), 200, true);
  EXPECT_TRUE(moves());
  templates.learn({7}, blocks_of({10}), 300, true);
  EXPECT_FALSE(moves()) << "it was boilerplate";
  templates.unlearn({7}, blocks_of({10}), 300);
  EXPECT_FALSE(moves()) << "it still is";
  templates.unlearn({7}, blocks_of({10}), 200);
  EXPECT_TRUE(moves());
  templates.learn({8}, blocks_of({10}), 400, true);
  EXPECT_FALSE(moves()) << "another site";
}

TEST(SiteTemplates, TheVersionMovesWhenTheSiteStopsBeingYoungToAGroup) {
  TemplateParameters parameters;
  parameters.young_pages = 3;
  SiteTemplates templates(1, parameters);
  templates.learn({7}, blocks_of({1}), 100, true);
  const uint64_t first = templates.version(7);
  templates.learn({7}, blocks_of({2}), 200, true);
  templates.learn({7}, blocks_of({2}), 200, false);
  EXPECT_EQ(templates.version(7), first);
  templates.learn({7}, blocks_of({3}), 300, true);
  const uint64_t third = templates.version(7);
  EXPECT_NE(third, first) << "to a group that it does not have yet";
  templates.learn({7}, blocks_of({3}), 300, true);
  const uint64_t fourth = templates.version(7);
  EXPECT_NE(fourth, third) << "to groups 100 and 200";
  EXPECT_FALSE(templates.is_young(7, 100));
  EXPECT_TRUE(templates.is_young(7, 300));
  templates.learn({7}, blocks_of({4}), 400, true);
  EXPECT_NE(templates.version(7), fourth) << "to group 300";
  const uint64_t fifth = templates.version(7);
  for (uint64_t page = 10; page < 14; ++page)
    templates.learn({7}, blocks_of({page}), 100 * page, true);
  EXPECT_EQ(templates.version(7), fifth);
}

TEST(SiteTemplates, AForgottenSiteNeverHasAnEarlierVersionAgain) {
  TemplateParameters parameters;
  parameters.bytes = 1 << 16;
  SiteTemplates templates(1, parameters);
  std::set<uint64_t> seen;
  for (int round = 0; round < 3; ++round) {
    templates.learn({1}, blocks_of({1, 2, 3}), 100, true);
    EXPECT_TRUE(seen.insert(templates.version(1)).second);
    for (uint64_t site = 2; templates.version(1) != 0; ++site) {
      ASSERT_LT(site, 10000U);
      templates.learn({site}, blocks_of({1, 2, 3}), 100, true);
    }
  }
}

TEST(SiteTemplates, APageThatChangesTakesItsOldLessonBack) {
  SiteTemplates templates(1, {});
  templates.learn({7}, blocks_of({10, 11, 12}), 100, true);
  templates.learn({7}, blocks_of({10, 11, 13}), 200, true);
  const uint64_t before = templates.version(7);
  templates.relearn({7}, blocks_of({10, 11, 13}), 200, blocks_of({10, 11, 14}), 200);
  EXPECT_EQ(templates.version(7), before) << "the boilerplate is what it was";
  EXPECT_EQ(boilerplate(templates, 7, {10, 11, 12, 13, 14}, 100), (std::vector<int>{1, 1, 0, 0, 1}));
  // Without block 11: it is group 100's own.
  templates.relearn({7}, blocks_of({10, 11, 14}), 200, blocks_of({10, 14}), 200);
  EXPECT_NE(templates.version(7), before);
  EXPECT_EQ(boilerplate(templates, 7, {10, 11}, 100), (std::vector<int>{1, 0}));
  // To another group, with the same text.
  const uint64_t moved = templates.version(7);
  templates.relearn({7}, blocks_of({10, 14}), 200, blocks_of({10, 14}), 300);
  EXPECT_EQ(templates.version(7), moved);
  EXPECT_EQ(boilerplate(templates, 7, {10, 14}, 300), (std::vector<int>{1, 0}));
  // Also for the group that has the block: with one group alone it is not boilerplate.
  templates.relearn({7}, blocks_of({10, 14}), 300, blocks_of({10, 14}), 100);
  EXPECT_NE(templates.version(7), moved);
  EXPECT_EQ(boilerplate(templates, 7, {10, 14}, 100), (std::vector<int>{0, 0}));
}

TEST(SiteTemplates, ALessonCanBeLeftOut) {
  SiteTemplates templates(1, {});
  templates.learn({7}, blocks_of({10, 11}), 100, true);
  templates.learn({7}, blocks_of({10, 11}), 200, true);
  templates.learn({7}, blocks_of({11}), 300, true);
  const std::vector<FeatureBlock> blocks = blocks_of({10, 11});
  std::vector<uint8_t> marks(2, 9);
  templates.mark_boilerplate({7}, blocks, 100, marks, 200);
  EXPECT_EQ(marks, (std::vector<uint8_t>{0, 1}));
  templates.mark_boilerplate({7}, blocks, 0, marks, 200);
  EXPECT_EQ(marks, (std::vector<uint8_t>{0, 1}));
  templates.mark_boilerplate({7}, blocks, 0, marks, 0);
  EXPECT_EQ(marks, (std::vector<uint8_t>{1, 1}));
}

TEST(SiteTemplates, SwitchedOffItLearnsNothing) {
  TemplateParameters parameters;
  parameters.enabled = false;
  SiteTemplates templates(1, parameters);
  templates.learn({7}, blocks_of({10}), 100, true);
  EXPECT_EQ(templates.site_count(), 0U);
}

TEST(SiteTemplates, EqualsAPlainModelWhileItHasRoom) {
  SiteTemplates templates(3, {});
  std::map<uint64_t, std::map<uint64_t, std::set<uint64_t>>> model;  // site, block, groups
  std::mt19937_64 random(5);
  for (int page = 0; page < 2000; ++page) {
    const uint64_t site = random() % 5;
    const uint64_t group = 1 + random() % 3;  // at most as many groups a block as an entry holds
    std::vector<uint64_t> hashes;
    for (int i = 0; i < 10; ++i)
      hashes.push_back(1 + random() % 300);
    std::vector<int> expected, expected_unknown;
    for (uint64_t hash : hashes) {
      std::set<uint64_t> groups = model[site][hash];
      expected_unknown.push_back(groups.size() >= 2);
      groups.erase(group);
      expected.push_back(!groups.empty());
    }
    ASSERT_EQ(boilerplate(templates, site, hashes, group), expected);
    ASSERT_EQ(boilerplate(templates, site, hashes, 0), expected_unknown);
    templates.learn({site}, blocks_of(hashes), group, true);
    for (uint64_t hash : hashes)
      model[site][hash].insert(group);
  }
}

TEST(SiteTemplates, AFloodOfArticlesDoesNotDriveOutTheBoilerplate) {
  TemplateParameters parameters;
  parameters.blocks_per_site = 100;
  SiteTemplates templates(1, parameters);
  uint64_t next = 1000;
  for (uint64_t page = 1; page <= 500; ++page) {
    std::vector<uint64_t> hashes = {1, 2, 3};
    for (int i = 0; i < 20; ++i)
      hashes.push_back(next++);
    templates.learn({7}, blocks_of(hashes), page, true);
  }
  EXPECT_EQ(boilerplate(templates, 7, {1, 2, 3}, 501), (std::vector<int>(3, kEverywhere)));
  EXPECT_LT(templates.memory_bytes(), 64U * 1024U);
}

TEST(SiteTemplates, StaysWithinItsBytesByForgettingTheOldestSites) {
  TemplateParameters parameters;
  parameters.bytes = 1 << 20;
  SiteTemplates templates(1, parameters);
  for (uint64_t site = 1; site <= 5000; ++site) {
    std::vector<uint64_t> hashes;
    for (uint64_t i = 0; i < 30; ++i)
      hashes.push_back(site * 1000 + i);
    templates.learn({site}, blocks_of(hashes), site, true);
    ASSERT_LE(templates.content_bytes(), parameters.bytes);
  }
  EXPECT_EQ(boilerplate(templates, 5000, {5000 * 1000}, 1), (std::vector<int>{1}));
  EXPECT_EQ(boilerplate(templates, 1, {1 * 1000}, 2), (std::vector<int>{0}));
  EXPECT_LT(templates.memory_bytes(), 2 * parameters.bytes) << "about what it counts";
}

// However many must go for a page, it waits for a few of them.
TEST(SiteTemplates, ForgetsAFewSitesAfterEachPageTheOldestFirst) {
  TemplateParameters parameters;
  parameters.bytes = 1 << 20;
  parameters.shared_blocks = 0;
  SiteTemplates templates(1, parameters);
  uint64_t small = 0;
  while (templates.content_bytes() + 400 < parameters.bytes) {
    ++small;
    templates.learn({small}, blocks_of({small * 1000}), small, true);
  }
  templates.learn({1}, blocks_of({1000}), 1, true);  // the second is the oldest now
  std::vector<uint64_t> hashes;
  for (uint64_t i = 0; i < 8000; ++i)
    hashes.push_back(10'000'000 + i);
  const std::vector<FeatureBlock> many = blocks_of(hashes);
  uint64_t known = templates.site_count() + 1;
  for (uint64_t page = 1; page <= 200; ++page) {
    const uint64_t passed = templates.probe_count();
    templates.learn({100'000}, page == 1 ? many : blocks_of({1}), 7, true);
    const uint64_t gone = known - templates.site_count();
    EXPECT_LE(gone, 64U);
    EXPECT_LE(templates.probe_count() - passed, 64 + (page == 1 ? many.size() : 1));
    EXPECT_EQ(gone < 64, templates.content_bytes() <= parameters.bytes);
    known -= gone;
  }
  EXPECT_LE(templates.content_bytes(), parameters.bytes);
  EXPECT_LT(known, small / 2) << "many were to go";
  uint64_t first = 2;
  while (templates.version(first) == 0)
    ++first;
  EXPECT_EQ(known, small - first + 1 + 2) << "those that stay are the youngest, the first and the large one";
}

}  // namespace
}  // namespace nd::engine
