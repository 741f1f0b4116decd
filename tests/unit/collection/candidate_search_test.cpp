// The ranking of groups by shared keys against a plain count, with each cap.
#include "collection/candidate_search.hpp"

#include <gtest/gtest.h>

#include <map>

#include "unit/page/feature_sample.hpp"

namespace nd::engine {
namespace {

uint64_t own_site(uint64_t group) {
  return group;
}

Features page_with_keys(std::vector<uint64_t> keys) {
  FeatureSample sample;
  sample.blocks = {{words(0, 10)}};
  sample.keys = std::move(keys);
  return sample.features();
}

std::vector<uint64_t> groups(std::span<const RankedGroup> candidates) {
  std::vector<uint64_t> out;
  for (const RankedGroup& candidate : candidates)
    out.push_back(candidate.group_id);
  return out;
}

TEST(CandidateSearchTest, NoSharedKeyNoCandidate) {
  KeyIndex index(1, IndexParameters{});
  index.add(1, 1, own_site);
  CandidateSearch search(1);
  bool limited = true;
  EXPECT_TRUE(search.search(index, {}, page_with_keys({2, 3}), IndexParameters{}, limited).empty());
  EXPECT_FALSE(limited);
  EXPECT_TRUE(search.search(index, {}, page_with_keys({}), IndexParameters{}, limited).empty());
}

TEST(CandidateSearchTest, RareKeysCountMore) {
  KeyIndex index(1, IndexParameters{});
  for (uint64_t group = 1; group <= 10; ++group)
    index.add(1, group, own_site);  // each group gets 1/10 for it
  index.add(2, 3, own_site);
  index.add(3, 7, own_site);
  index.add(3, 8, own_site);
  CandidateSearch search(1);
  bool limited = true;
  const auto found = search.search(index, {}, page_with_keys({1, 2, 3}), IndexParameters{}, limited);
  ASSERT_EQ(found.size(), 10U);
  EXPECT_FALSE(limited);
  EXPECT_EQ(found[0].group_id, 3U);
  EXPECT_DOUBLE_EQ(found[0].score, 1.1);
  EXPECT_EQ(found[0].shared_keys, 2U);
  EXPECT_EQ(found[1].group_id, 7U);
  EXPECT_DOUBLE_EQ(found[1].score, 0.6);
  EXPECT_EQ(found[2].group_id, 8U);
}

TEST(CandidateSearchTest, EqualsAPlainCount) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 100; ++round) {
    KeyIndex index(random(), IndexParameters{});
    std::map<uint64_t, std::vector<uint64_t>> oracle;
    for (int i = 0; i < 200; ++i) {
      const uint64_t key = random() % 30;
      const uint64_t group = 1 + random() % 20;
      if (index.add(key, group, own_site)) oracle[key].push_back(group);
    }
    std::vector<uint64_t> keys;
    std::map<uint64_t, double> scores;
    for (uint64_t key = 0; key < 30; key += 1 + random() % 4) {
      keys.push_back(key);
      for (uint64_t group : oracle[key])
        scores[group] += 1.0 / static_cast<double>(oracle[key].size());
    }
    IndexParameters parameters;
    parameters.candidates = 1000;
    CandidateSearch search(1);
    bool limited = true;
    const auto found = search.search(index, {}, page_with_keys(keys), parameters, limited);
    ASSERT_EQ(found.size(), scores.size());
    EXPECT_FALSE(limited);
    double last = 1e9;
    for (const RankedGroup& candidate : found) {
      EXPECT_NEAR(candidate.score, scores[candidate.group_id], 1e-12);
      EXPECT_LE(candidate.score, last);
      last = candidate.score;
    }
  }
}

TEST(CandidateSearchTest, OfEqualScoresTheOlderGroupIsFirst) {
  KeyIndex index(1, IndexParameters{});
  for (uint64_t group = 40; group > 0; --group)
    index.add(1, group, own_site);
  CandidateSearch search(1);
  for (int round = 0; round < 3; ++round) {
    bool limited = false;
    EXPECT_EQ(groups(search.search(index, {}, page_with_keys({1}), IndexParameters{}, limited)).front(), 1U);
  }
}

TEST(CandidateSearchTest, TheCapIsTold) {
  KeyIndex index(1, IndexParameters{});
  for (uint64_t group = 1; group <= 5; ++group)
    index.add(group, group, own_site);
  IndexParameters parameters;
  parameters.candidates = 5;
  CandidateSearch search(1);
  bool limited = true;
  EXPECT_EQ(groups(search.search(index, {}, page_with_keys({1, 2, 3, 4, 5}), parameters, limited)),
            (std::vector<uint64_t>{1, 2, 3, 4, 5}));
  EXPECT_FALSE(limited);
  parameters.candidates = 4;
  EXPECT_EQ(groups(search.search(index, {}, page_with_keys({1, 2, 3, 4, 5}), parameters, limited)),
            (std::vector<uint64_t>{1, 2, 3, 4}));
  EXPECT_TRUE(limited);
}

TEST(CandidateSearchTest, OfGroupsThatShareOneOfManyKeysTheLikeliestTwoAreKept) {
  KeyIndex index(1, IndexParameters{});
  for (uint64_t group = 1; group <= 6; ++group)
    index.add(1, group, own_site);
  for (uint64_t group = 3; group <= 5; ++group)
    index.add(2, group, own_site);
  index.add(3, 7, own_site);
  CandidateSearch search(1);
  bool limited = true;
  // 3 to 5 share two keys, 6 is found by a signature too, 7 shares a rarer key than 1 and 2 do.
  const std::vector<spotsigs::SpotMatch> matches = {{6, {1, 1}}};
  std::vector<uint64_t> keys = {1, 2, 3};
  const Features short_page = page_with_keys(keys);
  EXPECT_EQ(groups(search.search(index, matches, short_page, IndexParameters{}, limited)),
            (std::vector<uint64_t>{7, 3, 4, 5, 6, 1, 2}));
  for (uint64_t key = 101; key <= 114; ++key)
    keys.push_back(key);
  EXPECT_EQ(groups(search.search(index, matches, page_with_keys(keys), IndexParameters{}, limited)),
            (std::vector<uint64_t>{7, 3, 4, 5, 6, 1}));
  EXPECT_FALSE(limited) << "it is a rule, not a limit";
}

TEST(CandidateSearchTest, OfALongListTheLatestAreLookedAt) {
  KeyIndex index(1, IndexParameters{});
  for (uint64_t group = 1; group <= 100; ++group)
    index.add(1, group, own_site);
  IndexParameters parameters;
  parameters.candidates = 1000;
  parameters.postings = 20;
  CandidateSearch search(1);
  bool limited = false;
  const auto found = search.search(index, {}, page_with_keys({1}), parameters, limited);
  EXPECT_TRUE(limited);
  ASSERT_EQ(found.size(), 20U);
  for (const RankedGroup& candidate : found)
    EXPECT_GT(candidate.group_id, 80U);
  // Exactly as many as the limit allows is not a truncation.
  parameters.postings = 100;
  EXPECT_EQ(search.search(index, {}, page_with_keys({1}), parameters, limited).size(), 100U);
  EXPECT_FALSE(limited);
}

TEST(CandidateSearchTest, RareKeysAreReadBeforeTheWorkIsSpent) {
  KeyIndex index(1, IndexParameters{});
  for (uint64_t group = 1; group <= 100; ++group)
    index.add(1, group, own_site);
  index.add(2, 200, own_site);
  IndexParameters parameters;
  parameters.postings = 16;
  CandidateSearch search(1);
  bool limited = false;
  const auto found = search.search(index, {}, page_with_keys({1, 2}), parameters, limited);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].group_id, 200U);
  EXPECT_TRUE(limited);
}

TEST(CandidateSearchTest, HotKeysFindNothing) {
  IndexParameters parameters;
  parameters.hot_groups = 3;
  KeyIndex index(1, parameters);
  for (uint64_t group = 1; group <= 5; ++group)
    index.add(1, group, own_site);
  CandidateSearch search(1);
  bool limited = true;
  EXPECT_TRUE(search.search(index, {}, page_with_keys({1}), parameters, limited).empty());
  EXPECT_FALSE(limited);
}

TEST(CandidateSearchTest, SpotMatchesCountForWhatTheyShare) {
  KeyIndex index(1, {});
  for (uint64_t key : {1U, 2U, 3U})
    index.add(key, 10, [](uint64_t) { return uint64_t{0}; });
  CandidateSearch search(1);
  bool limited = false;
  // Half of 40 signatures: 20 · .25 · .5 = 2.5 keys, behind the group that shares three; 1 of 1 is worth a
  // quarter.
  const std::vector<spotsigs::SpotMatch> matches = {
      {20, {20, 40}}, {30, {1, 1}}, {10, {1, 2}}, {40, {100, 100}}};
  const auto found = search.search(index, matches, page_with_keys({1, 2, 3}), IndexParameters{}, limited);
  EXPECT_EQ(groups(found), (std::vector<uint64_t>{40, 10, 20, 30}));
  EXPECT_NEAR(found[0].score, 8, 1e-9) << "the most that spot signatures are worth";
  EXPECT_NEAR(found[1].score, 3.125, 1e-9);
  EXPECT_EQ(found[1].shared_keys, 3U);
  EXPECT_NEAR(found[2].score, 2.5, 1e-9);
  EXPECT_EQ(found[2].shared_keys, 0U);
  EXPECT_NEAR(found[3].score, 0.25, 1e-9);
}

}  // namespace
}  // namespace nd::engine
