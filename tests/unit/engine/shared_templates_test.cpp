// Boilerplate that several hosts have: what it takes, whom it serves, and what it must never do.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "engine/site_templates.hpp"

namespace nd::engine {
namespace {

std::vector<FeatureBlock> blocks_of(const std::vector<uint64_t>& hashes) {
  std::vector<FeatureBlock> blocks;
  for (uint64_t hash : hashes)
    blocks.push_back({hash, 0, 255, 0, {}});
  return blocks;
}

std::vector<int> boilerplate(const SiteTemplates& model, SiteKey site, const std::vector<uint64_t>& hashes,
                             uint64_t group = 0) {
  const std::vector<FeatureBlock> blocks = blocks_of(hashes);
  std::vector<uint8_t> marks(blocks.size(), 9);
  model.mark_boilerplate(site, blocks, group, marks);
  return {marks.begin(), marks.end()};
}

// A site that has the blocks on pages of two groups, by which they are its boilerplate.
void repeat(SiteTemplates& model, SiteKey site, const std::vector<uint64_t>& hashes, uint64_t first_group) {
  model.learn(site, blocks_of(hashes), first_group, true);
  model.learn(site, blocks_of(hashes), first_group + 1, true);
}

TEST(SharedTemplates, BoilerplateOfThreeSitesIsBoilerplateOfAYoungOne) {
  SiteTemplates model(1, {});
  repeat(model, {7}, {10, 11}, 100);
  repeat(model, {8}, {10, 11}, 200);
  EXPECT_EQ(boilerplate(model, {20}, {10, 11, 12}), (std::vector<int>{0, 0, 0}));
  repeat(model, {9}, {10}, 300);
  EXPECT_EQ(boilerplate(model, {20}, {10, 11, 12}), (std::vector<int>{1, 0, 0}));
  EXPECT_EQ(boilerplate(model, {9}, {10, 11}, 300), (std::vector<int>{1, 0})) << "by its own other group";
  EXPECT_EQ(boilerplate(model, {0}, {10}), (std::vector<int>{0})) << "a page without a site";
}

TEST(SharedTemplates, ASiteIsNoWitnessForItself) {
  SiteTemplates model(1, {});
  for (uint64_t site : {7U, 8U, 9U})
    repeat(model, {site}, {10}, site * 100);
  model.unlearn({9}, blocks_of({10}), 900);
  model.unlearn({9}, blocks_of({10}), 901);
  EXPECT_EQ(boilerplate(model, {9}, {10}), (std::vector<int>{0})) << "it has taken back what it said";
  EXPECT_EQ(boilerplate(model, {20}, {10}), (std::vector<int>{0})) << "to the others too";
  repeat(model, {9}, {10}, 900);
  EXPECT_EQ(boilerplate(model, {20}, {10}), (std::vector<int>{1}));
  EXPECT_EQ(boilerplate(model, {9}, {10}, 900), (std::vector<int>{1}));
}

// Hosts below a domain of one's own cost nothing: however many, they are one voice.
TEST(SharedTemplates, TheHostsOfOneDomainAreOneVoice) {
  SiteTemplates model(1, {});
  for (uint64_t host = 1; host <= 9; ++host)
    repeat(model, {host, 500}, {10}, host * 100);
  EXPECT_EQ(boilerplate(model, {20}, {10}), (std::vector<int>{0}));
  repeat(model, {30, 501}, {10}, 3000);
  EXPECT_EQ(boilerplate(model, {20}, {10}), (std::vector<int>{0}));
  repeat(model, {40, 502}, {10}, 4000);
  EXPECT_EQ(boilerplate(model, {20}, {10}), (std::vector<int>{1}));
  EXPECT_EQ(boilerplate(model, {21, 500}, {10}), (std::vector<int>{0}))
      << "none for another host of the domain";
}

// Which hosts spoke for the domain is not kept: one that takes its word back silences all of them.
TEST(SharedTemplates, ADomainIsSilentOnceAHostHasTakenItsWordBack) {
  SiteTemplates model(1, {});
  for (uint64_t host : {7U, 8U, 9U, 17U})
    repeat(model, {host, host % 10}, {10}, host * 100);
  EXPECT_EQ(boilerplate(model, {20}, {10}), (std::vector<int>{1}));
  model.unlearn({17, 7}, blocks_of({10}), 1700);
  EXPECT_EQ(boilerplate(model, {20}, {10}), (std::vector<int>{0}));
}

// A press release: on a page of each of a hundred sites, and in as many groups by mistake.
TEST(SharedTemplates, WhatStandsOnceOnEachSiteIsNoBoilerplate) {
  SiteTemplates model(1, {});
  for (uint64_t site = 1; site <= 100; ++site) {
    model.learn({site}, blocks_of({10, 1000 + site}), site, true);
    model.learn({site}, blocks_of({10, 2000 + site}), site, true);  // a copy on the same site
  }
  EXPECT_EQ(boilerplate(model, {500}, {10}), (std::vector<int>{0}));
}

// Four strangers quote text of a known site: its own pages decide.
TEST(SharedTemplates, ASiteThatIsKnownGoesByItsOwnPages) {
  SiteTemplates model(1, {});
  for (uint64_t page = 1; page <= 8; ++page)
    model.learn({7}, blocks_of({100, 1000 + page}), page, true);
  for (uint64_t evil : {21U, 22U, 23U, 24U})
    repeat(model, {evil}, {1001, 1002, 1003}, evil * 100);
  EXPECT_EQ(boilerplate(model, {7}, {100, 1001, 1002, 1003}, 0), (std::vector<int>{kEverywhere, 0, 0, 0}));
  EXPECT_EQ(boilerplate(model, {7}, {1001}, 999), (std::vector<int>{1}))
      << "another page has it on that site";
  EXPECT_EQ(boilerplate(model, {30}, {1001}), (std::vector<int>{1}))
      << "a young one is deceived, until it is known";
  for (uint64_t page = 1; page <= 8; ++page)
    model.learn({30}, blocks_of({1, 5000 + page}), 5000 + page, true);
  EXPECT_EQ(boilerplate(model, {30}, {1001}), (std::vector<int>{0}));
}

TEST(SharedTemplates, NoneAreRememberedWhereTheLimitIsZero) {
  TemplateParameters parameters;
  parameters.shared_blocks = 0;
  SiteTemplates model(1, parameters);
  for (uint64_t site = 1; site <= 9; ++site)
    repeat(model, {site}, {10}, site * 100);
  EXPECT_EQ(boilerplate(model, {500}, {10}), (std::vector<int>{0}));
  EXPECT_EQ(model.table().size(), 9U);
}

// Millions of blocks of hostile sites: what is held, and what a page costs, stay within bounds; what many
// sites go on having stays known.
TEST(SharedTemplates, AFloodOfBlocksIsBounded) {
  TemplateParameters parameters;
  parameters.shared_blocks = 64 * 16;
  parameters.blocks_per_site = 64;
  SiteTemplates model(1, parameters);
  uint64_t next = 1'000'000;
  for (uint64_t site = 1; site <= 2000; ++site) {
    std::vector<uint64_t> hashes;
    for (int i = 0; i < 40; ++i)
      hashes.push_back(mix(next++));
    if (site % 20 == 0) hashes.push_back(10);
    const uint64_t before = model.probe_count();
    repeat(model, {site}, hashes, 2 * site);
    // Each block twice for the site and once for its shelf, which is looked at to make room for a quarter.
    EXPECT_LE(model.probe_count() - before, 3 * 41 + 41 * 17);
    ASSERT_LE(model.content_bytes(), site * (232 + 41 * 80) + 64 * (232 + 16 * 80));
  }
  EXPECT_EQ(boilerplate(model, {9999}, {10}), (std::vector<int>{1}));
}

// The plainest model there is: who has which block on pages of which groups.
class Oracle {
 public:
  void learn(uint64_t site, const std::vector<uint64_t>& hashes, uint64_t group) {
    for (uint64_t hash : hashes)
      seen_[hash][site].insert(group);
  }
  void unlearn(uint64_t site, const std::vector<uint64_t>& hashes, uint64_t group) {
    for (uint64_t hash : hashes)
      seen_[hash][site].erase(group);
  }
  bool is_shared(uint64_t hash, uint64_t site, size_t least) const {
    const auto block = seen_.find(hash);
    if (block == seen_.end()) return false;
    size_t sites = 0;
    for (const auto& [other, groups] : block->second)
      sites += other != site && groups.size() >= 2;
    return sites >= least;
  }

 private:
  std::map<uint64_t, std::map<uint64_t, std::set<uint64_t>>> seen_;
};

TEST(SharedTemplates, EqualThePlainModel) {
  for (uint32_t least : {1U, 2U, 3U, 4U}) {
    TemplateParameters parameters;
    parameters.shared_sites = least;
    SiteTemplates model(1, parameters);
    Oracle oracle;
    std::mt19937_64 random(least);
    size_t shared = 0;
    for (int round = 0; round < 3000; ++round) {
      // As many groups and sites as an entry has room for.
      const uint64_t site = 1 + random() % 4, group = 1 + random() % 4;
      std::vector<uint64_t> hashes(random() % 6);
      for (uint64_t& hash : hashes)
        hash = 10 + random() % 30;
      if (random() % 3 != 0) {
        model.learn({site}, blocks_of(hashes), group, false);
        oracle.learn(site, hashes, group);
      } else {
        model.unlearn({site}, blocks_of(hashes), group);
        oracle.unlearn(site, hashes, group);
      }
      const uint64_t hash = 10 + random() % 30;
      const bool expected = oracle.is_shared(hash, 99, least);
      ASSERT_EQ(boilerplate(model, {99}, {hash})[0] != 0, expected) << round;
      shared += expected;
    }
    EXPECT_GT(shared, 100U);
  }
}

TEST(SharedTemplates, TwoHostsOfADomainGrowUpTogether) {
  SiteTemplates model(1, {});
  for (uint64_t page = 1; page <= 4; ++page) {
    model.learn({7}, blocks_of({page}), page, true);
    model.learn({8}, blocks_of({page}), 100 + page, true);
  }
  EXPECT_TRUE(model.are_young(7, 7, 0));
  EXPECT_FALSE(model.are_young(7, 8, 0));
  EXPECT_TRUE(model.are_young(7, 8, 104)) << "a page of the group itself shows no boilerplate";
  EXPECT_TRUE(model.are_young(7, 9, 0));
}

TEST(SharedTemplates, AKeyIsOfTheHost) {
  const SiteTemplates model(1, {});
  EXPECT_NE(model.key_of("http://a.example.com/1", "example.com").own,
            model.key_of("http://b.example.com/1", "example.com").own);
  EXPECT_EQ(model.key_of("http://a.example.com/1", "example.com").domain, stable_hash("example.com"));
  EXPECT_EQ(model.key_of("http://www.example.com/1", "example.com").own,
            model.key_of("http://example.com/2", "example.com").own);
  EXPECT_EQ(model.key_of("", "example.com").own, stable_hash("example.com"));
  EXPECT_EQ(model.key_of("http://a.example.com/1", "").own, 0U);
}

}  // namespace
}  // namespace nd::engine
