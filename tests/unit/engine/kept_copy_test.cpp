// Which copy each rule keeps, ties, what hostile numbers and URLs do, a plain oracle, and which links are
// resolved.
#include "engine/kept_copy.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

namespace nd::engine {
namespace {

constexpr KeepRule kRules[] = {KeepRule::kFirst, KeepRule::kLongest, KeepRule::kNewest, KeepRule::kCanonical};

TEST(KeptCopy, EachRuleKeepsItsCopy) {
  const std::vector<Copy> group = {{"http://a.example/first", "", 5, 10},
                                   {"http://a.example/longest", "", 1, 30},
                                   {"http://a.example/newest", "", 9, 20},
                                   {"http://a.example/named-by-others", "", 2, 20},
                                   {"http://a/", "http://a.example/named-by-others", 2, 20}};
  for (size_t i = 0; i < std::size(kRules); ++i)
    EXPECT_EQ(choose_copy(group, kRules[i]), i);
}

TEST(KeptCopy, AFragmentIsNoPartOfAName) {
  const std::vector<Copy> group = {{"http://a/", "http://a.example/x#one"}, {"http://a.example/x#top", ""}};
  EXPECT_EQ(choose_copy(group, KeepRule::kCanonical), 1U);
}

TEST(KeptCopy, TheFirstWinsAmongEquals) {
  const std::vector<Copy> same(4, Copy{"http://a/", "http://a/", 7, 7});
  for (const KeepRule rule : kRules)
    EXPECT_EQ(choose_copy(same, rule), 0U);
}

TEST(KeptCopy, WhatHasNoContentIsKeptOnlyWhereNothingHas) {
  std::vector<Copy> group = {{"http://a/", "http://a/", 50, 50, false}, {"http://b/long", "", 1, 1}};
  for (const KeepRule rule : kRules)
    EXPECT_EQ(choose_copy(group, rule), 1U);
  group[1].has_content = false;
  EXPECT_EQ(choose_copy(group, KeepRule::kFirst), 0U);
}

TEST(KeptCopy, ExtremeNumbersHaveAnOrder) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const std::vector<Copy> times = {{"", "", 0}, {"", "", kLeast}, {"", "", kMost}, {"", "", -5}};
  EXPECT_EQ(choose_copy(times, KeepRule::kNewest), 2U);
  const std::vector<Copy> old = {{"", "", 0}, {"", "", kLeast}};
  EXPECT_EQ(choose_copy(old, KeepRule::kNewest), 1U);
  const std::vector<Copy> widths = {{"", "", 0, 1}, {"", "", 0, std::numeric_limits<uint64_t>::max()}};
  EXPECT_EQ(choose_copy(widths, KeepRule::kLongest), 1U);
}

TEST(KeptCopy, CanonicalIsThatOfAPlainCount) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> urls;
    for (size_t i = 0; i < 12; ++i)
      urls.push_back("http://a.example/" + std::string(random() % 3, 'x') + std::to_string(random() % 5));
    std::vector<Copy> group;
    for (size_t i = 0; i < urls.size(); ++i)
      group.push_back({urls[i], random() % 3 == 0 ? std::string_view() : urls[random() % urls.size()]});
    size_t best = 0;
    std::pair<size_t, size_t> best_key{0, std::numeric_limits<size_t>::max()};  // votes, length
    for (size_t i = 0; i < group.size(); ++i) {
      size_t votes = 0;
      for (const Copy& each : group)
        votes += each.canonical_url == group[i].url ? 1 : 0;
      const bool better =
          votes > best_key.first || (votes == best_key.first && group[i].url.size() < best_key.second);
      if (better) best = i;
      if (better) best_key = {votes, group[i].url.size()};
    }
    EXPECT_EQ(choose_copy(group, KeepRule::kCanonical), best);
  }
}

TEST(ResolveLink, TakesWhatCanonicalLinksAreMadeOf) {
  const std::string page = "https://a.example/dir/page.html?q=1#top";
  EXPECT_EQ(resolve_link(page, "http://b.example/x#y"), "http://b.example/x");
  EXPECT_EQ(resolve_link(page, "//b.example/x"), "https://b.example/x");
  EXPECT_EQ(resolve_link(page, "/x?y"), "https://a.example/x?y");
  EXPECT_EQ(resolve_link(page, "x"), "https://a.example/dir/x");
  EXPECT_EQ(resolve_link(page, "?p=2"), "https://a.example/dir/page.html?p=2");
  EXPECT_EQ(resolve_link("http://a.example", "x"), "http://a.example/x");
  EXPECT_EQ(resolve_link("http://a.example?q=/z", "x"), "http://a.example/x");
}

TEST(ResolveLink, GivesNothingOfWhatItDoesNotTake) {
  for (const char* reference : {"", "#top", "../x", "a/./b", ".."})
    EXPECT_EQ(resolve_link("http://a.example/dir/page", reference), "") << reference;
  EXPECT_EQ(resolve_link("", "x"), "");
  EXPECT_EQ(resolve_link("://", "/x"), "");
  EXPECT_EQ(resolve_link("pages/a.html", "/x"), "");
}

TEST(ResolveLink, EndsWithAnyBytes) {
  std::mt19937 random(9);
  const std::string bytes = std::string("://?#.a") + '\0' + "\xff";
  for (int round = 0; round < 20000; ++round) {
    std::string url, link;
    for (size_t i = random() % 12; i > 0; --i)
      url += bytes[random() % bytes.size()];
    for (size_t i = random() % 12; i > 0; --i)
      link += bytes[random() % bytes.size()];
    const String resolved = resolve_link(url, link);
    EXPECT_EQ(resolved.find('#'), String::npos);
    EXPECT_LE(resolved.size(), url.size() + link.size() + 1);
  }
}

}  // namespace
}  // namespace nd::engine
