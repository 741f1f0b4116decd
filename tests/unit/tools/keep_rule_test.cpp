// The rules on groups of which each keeps another page, ties, and a plain oracle.
#include "keep_rule.hpp"

#include <gtest/gtest.h>
#include <ndcapi.h>

#include <random>

namespace ndc::test {
namespace {

constexpr uint64_t kPage = 1;

KeepCandidate candidate(uint64_t group, uint64_t width, int64_t time, std::string url,
                        std::string canonical = {}) {
  return {group, kPage, width, time, std::move(url), std::move(canonical), true};
}

// Captures of one page are copies of each other, which needs no engine.
std::vector<size_t> kept_of(const std::vector<KeepCandidate>& candidates, int32_t prefers) {
  return choose_kept(nullptr, candidates, {prefers, false}).kept;
}

TEST(KeepRule, EachKeepsItsPage) {
  const std::vector<KeepCandidate> group = {
      candidate(1, 10, 5, "http://a.example/first"), candidate(1, 30, 1, "http://a.example/longest"),
      candidate(1, 20, 9, "http://a.example/newest"), candidate(1, 20, 2, "http://a.example/named-by-others"),
      candidate(1, 20, 2, "http://a/", "http://a.example/named-by-others")};
  EXPECT_EQ(kept_of(group, ND_KEEP_FIRST), std::vector<size_t>(5, 0));
  EXPECT_EQ(kept_of(group, ND_KEEP_LONGEST), std::vector<size_t>(5, 1));
  EXPECT_EQ(kept_of(group, ND_KEEP_NEWEST), std::vector<size_t>(5, 2));
  EXPECT_EQ(kept_of(group, ND_KEEP_CANONICAL), std::vector<size_t>(5, 3));
}

TEST(KeepRule, WordsNameTheRules) {
  EXPECT_EQ(keep_rule_named("first", false).prefers, ND_KEEP_FIRST);
  EXPECT_EQ(keep_rule_named("longest", false).prefers, ND_KEEP_LONGEST);
  EXPECT_EQ(keep_rule_named("newest", false).prefers, ND_KEEP_NEWEST);
  EXPECT_EQ(keep_rule_named("canonical", false).prefers, ND_KEEP_CANONICAL);
}

TEST(KeepRule, CanonicalFallsBackToTheShortestUrl) {
  // Links to pages of other groups and to nowhere say nothing.
  const std::vector<KeepCandidate> pages = {candidate(1, 0, 0, "http://a.example/long", "http://b.example/"),
                                            candidate(1, 0, 0, "http://a.example/s", "http://none.example/"),
                                            candidate(2, 0, 0, "http://b.example/")};
  EXPECT_EQ(kept_of(pages, ND_KEEP_CANONICAL), (std::vector<size_t>{1, 1, 2}));
}

TEST(KeepRule, AFragmentIsNoPartOfAPagesName) {
  const std::vector<KeepCandidate> pages = {candidate(1, 0, 0, "http://a/", "http://a.example/x"),
                                            candidate(1, 0, 0, "http://a.example/x#top")};
  EXPECT_EQ(kept_of(pages, ND_KEEP_CANONICAL), (std::vector<size_t>{1, 1}));
}

TEST(KeepRule, TheFirstWinsAmongEquals) {
  const std::vector<KeepCandidate> same(4, candidate(3, 7, 7, "http://a/", "http://a/"));
  for (const int32_t rule : {ND_KEEP_FIRST, ND_KEEP_LONGEST, ND_KEEP_NEWEST, ND_KEEP_CANONICAL})
    EXPECT_EQ(kept_of(same, rule), std::vector<size_t>(4, 0));
}

TEST(KeepRule, ATimeThatIsNotKnownIsOlderThanAnyOther) {
  const std::vector<KeepCandidate> pages = {candidate(1, 0, 0, "http://a/"),
                                            candidate(1, 0, -5, "http://b/")};
  EXPECT_EQ(kept_of(pages, ND_KEEP_NEWEST), (std::vector<size_t>{1, 1}));
}

TEST(KeepRule, WhatHasNoContentIsKeptOnlyWhereNothingHas) {
  std::vector<KeepCandidate> pages = {candidate(1, 50, 50, "http://a/"), candidate(1, 1, 1, "http://b/long")};
  pages[0].has_content = false;
  for (const int32_t rule : {ND_KEEP_FIRST, ND_KEEP_LONGEST, ND_KEEP_NEWEST, ND_KEEP_CANONICAL})
    EXPECT_EQ(kept_of(pages, rule), (std::vector<size_t>{1, 1}));
  pages[1].has_content = false;
  EXPECT_EQ(kept_of(pages, ND_KEEP_FIRST), (std::vector<size_t>{0, 0}));
}

TEST(KeepRule, IsThatOfAPlainSearch) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<KeepCandidate> pages;
    for (int i = 0; i < 60; ++i)
      pages.push_back(
          candidate(random() % 12, random() % 5, static_cast<int64_t>(random() % 5) + 1, "http://a/"));
    const std::vector<size_t> longest = kept_of(pages, ND_KEEP_LONGEST);
    const std::vector<size_t> newest = kept_of(pages, ND_KEEP_NEWEST);
    for (size_t i = 0; i < pages.size(); ++i) {
      size_t most = i, last = i;
      for (size_t j = pages.size(); j-- > 0;) {
        if (pages[j].group_id != pages[i].group_id) continue;
        if (pages[j].text_width >= pages[most].text_width) most = j;
        if (pages[j].fetched_at_ms >= pages[last].fetched_at_ms) last = j;
      }
      EXPECT_EQ(longest[i], most);
      EXPECT_EQ(newest[i], last);
    }
  }
}

}  // namespace
}  // namespace ndc::test
