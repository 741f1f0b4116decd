// What sites learn and forget, under limits of memory and random changes.
#include "collection/site_knowledge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "unit/collection/counted_page_sample.hpp"

namespace nd::engine {
namespace {

constexpr uint64_t kSite = 7;

TEST(SiteKnowledge, CountsOnHowManyPagesABlockStands) {
  SiteKnowledge knowledge(1, {});
  EXPECT_EQ(page_count(knowledge, kSite), 0U);
  EXPECT_EQ(block_counts(knowledge, kSite, {10, 11}), (Counts{0, 0}));
  knowledge.learn(kSite, counted_page({10, 11, 12}));
  knowledge.learn(kSite, counted_page({10, 11}));
  knowledge.learn(kSite, counted_page({10}));
  EXPECT_EQ(page_count(knowledge, kSite), 3U);
  EXPECT_EQ(block_counts(knowledge, kSite, {10, 11, 12, 13, 10}), (Counts{3, 2, 1, 0, 3}));
}

TEST(SiteKnowledge, ABlockTwiceOnAPageCountsOnce) {
  SiteKnowledge knowledge(1, {});
  knowledge.learn(kSite, counted_page({10, 11, 10, 10}, {symbol_of(1), symbol_of(1)}));
  const CountedPage page = counted(knowledge, kSite, counted_page({10, 11}, {symbol_of(1), symbol_of(2)}));
  EXPECT_EQ(page.counts().with_block(0), 1U);
  EXPECT_EQ(page.counts().with_block(1), 1U);
  EXPECT_EQ(page.counts().with_title_word(0), 1U);
  EXPECT_EQ(page.counts().with_title_word(1), 0U);
}

TEST(SiteKnowledge, SitesDoNotShare) {
  SiteKnowledge knowledge(1, {});
  knowledge.learn(kSite, counted_page({10}));
  EXPECT_EQ(page_count(knowledge, kSite + 1), 0U);
  EXPECT_EQ(block_counts(knowledge, kSite + 1, {10}), Counts{0});
}

TEST(SiteKnowledge, ASiteIsAHostAndWithoutOneADomain) {
  const uint64_t host = site_key_of("https://news.a.example/1", "a.example");
  EXPECT_NE(host, 0U);
  EXPECT_EQ(site_key_of("http://news.a.example:8080/2?q", "a.example"), host);
  EXPECT_EQ(site_key_of("https://www.news.a.example/", "a.example"), host);
  EXPECT_NE(site_key_of("https://blog.a.example/1", "a.example"), host) << "it may belong to a stranger";
  const uint64_t domain = site_key_of("no URL", "a.example");
  EXPECT_NE(domain, 0U);
  EXPECT_NE(site_key_of("no URL", "b.example"), domain);
  EXPECT_EQ(site_key_of("", ""), 0U);
}

TEST(SiteKnowledge, ItsMagnitudeGrowsByOneEachTimeThatItDoubles) {
  SiteKnowledge knowledge(1, {});
  EXPECT_EQ(knowledge.magnitude(kSite), 0U);
  for (const uint64_t expected : {1U, 2U, 2U, 3U, 3U, 3U, 3U, 4U}) {
    knowledge.learn(kSite, counted_page({10}));
    EXPECT_EQ(knowledge.magnitude(kSite), expected);
  }
  EXPECT_EQ(knowledge.magnitude(0), 0U);
}

// Of 20 other pages, unless said otherwise.
TEST(MarkByShare, TellsWhatIsRatherTheSites) {
  const auto mark = [](uint32_t with, uint32_t pages = 20, uint32_t self = 0) {
    CountedPage counted;
    counted.pages = pages + self;
    counted.blocks = {with + self};
    std::vector<uint8_t> marks = {kOwnText};
    if (self != 0) counted.leave_out_one();
    mark_by_share(counted, marks);
    return marks[0];
  };
  EXPECT_EQ(mark(0), kOwnText);
  EXPECT_EQ(mark(3), kOwnText);
  EXPECT_EQ(mark(4), kBoilerplate);
  EXPECT_EQ(mark(9), kBoilerplate);
  EXPECT_EQ(mark(10), kEverywhere) << "half of all";
  EXPECT_EQ(mark(20), kEverywhere);
  EXPECT_EQ(mark(10, 20, 1), kEverywhere);
  EXPECT_EQ(mark(9, 20, 1), kBoilerplate) << "the page itself is not counted";
  // Of one other page nothing follows, of two that what both have is the site's.
  EXPECT_EQ(mark(1, 1), kOwnText);
  EXPECT_EQ(mark(2, 2), kBoilerplate);
  EXPECT_EQ(mark(0, 2), kOwnText);
  EXPECT_EQ(mark(3, 3), kBoilerplate) << "too few to be everywhere";
  EXPECT_EQ(mark(4, 4), kEverywhere);
}

TEST(SiteKnowledge, NoSiteAndNoTextTeachNothing) {
  SiteKnowledge knowledge(1, {});
  const Features no_text = counted_page({}, {symbol_of(1)});
  knowledge.learn(0, counted_page({10}));
  knowledge.learn(kSite, no_text);
  knowledge.forget(0, counted_page({10}));
  knowledge.forget(kSite, counted_page({10}));
  EXPECT_EQ(page_count(knowledge, 0), 0U);
  EXPECT_EQ(page_count(knowledge, kSite), 0U);
  EXPECT_EQ(knowledge.table().size(), 0U);
  EXPECT_EQ(knowledge.content_bytes(), 0U);
  // A page that loses its text, and gets it back.
  knowledge.learn(kSite, counted_page({10}));
  replace(knowledge, kSite, counted_page({10}), no_text);
  EXPECT_EQ(page_count(knowledge, kSite), 0U);
  replace(knowledge, kSite, no_text, counted_page({10}));
  EXPECT_EQ(block_counts(knowledge, kSite, {10}), Counts{1});
}

TEST(SiteKnowledge, AChangedPageTakesItsOldCountsAlong) {
  SiteKnowledge knowledge(1, {});
  knowledge.learn(kSite, counted_page({10, 11, 12}, {symbol_of(1)}));
  knowledge.learn(kSite, counted_page({10, 13}));
  replace(knowledge, kSite, counted_page({10, 11, 12}, {symbol_of(1)}), counted_page({10, 12, 14}));
  EXPECT_EQ(page_count(knowledge, kSite), 2U);
  EXPECT_EQ(block_counts(knowledge, kSite, {10, 11, 12, 13, 14}), (Counts{2, 0, 1, 1, 1}));
  EXPECT_EQ(counted(knowledge, kSite, counted_page({10}, {symbol_of(1)})).title[0], 0U);
}

TEST(SiteKnowledge, ARemovedPageTakesItsCountsAlong) {
  SiteKnowledge knowledge(1, {});
  knowledge.learn(kSite, counted_page({10, 11}));
  knowledge.learn(kSite, counted_page({10, 12}));
  knowledge.forget(kSite, counted_page({10, 11}));
  EXPECT_EQ(page_count(knowledge, kSite), 1U);
  EXPECT_EQ(block_counts(knowledge, kSite, {10, 11, 12}), (Counts{1, 0, 1}));
}

TEST(SiteKnowledge, PagesCanBeLeftOut) {
  SiteKnowledge knowledge(1, {});
  const Features first = counted_page({10, 11}, {symbol_of(1)}), second = counted_page({10, 12});
  knowledge.learn(kSite, first);
  knowledge.learn(kSite, second);
  knowledge.learn(kSite, counted_page({10, 11}, {symbol_of(1)}));
  EXPECT_EQ(block_counts(knowledge, kSite, {10, 11, 12}, {&first}), (Counts{2, 1, 1}));
  EXPECT_EQ(block_counts(knowledge, kSite, {10, 11, 12}, {&first, &second}), (Counts{1, 1, 0}));
  const CountedPage page = counted(knowledge, kSite, first, {&first, &second});
  EXPECT_EQ(page.pages, 1U);
  EXPECT_EQ(page.title[0], 1U);
  // More than are known, and one that was never learned.
  const Features stranger = counted_page({10, 20});
  EXPECT_EQ(counted(knowledge, kSite, first, {&first, &first, &first, &first}).pages, 0U);
  EXPECT_EQ(block_counts(knowledge, kSite, {10, 20}, {&stranger}), (Counts{2, 0}));
}

// Without the page itself, a copy of it beside it is one page of two.
TEST(SiteKnowledge, CopiesCountAsPages) {
  SiteKnowledge knowledge(1, {});
  const Features page = counted_page({10, 11});
  for (int copy = 0; copy < 3; ++copy)
    knowledge.learn(kSite, page);
  EXPECT_EQ(block_counts(knowledge, kSite, {10, 11}, {&page}), (Counts{2, 2}));
  knowledge.forget(kSite, page);
  EXPECT_EQ(block_counts(knowledge, kSite, {10, 11}, {&page}), (Counts{1, 1}));
}

TEST(SiteKnowledge, WordsOfTitlesAreCountedApartFromBlocks) {
  SiteKnowledge knowledge(1, {});
  const Symbol word = symbol_of(1);
  knowledge.learn(kSite, counted_page({10}, {word}));
  knowledge.learn(kSite, counted_page({word}));
  knowledge.learn(kSite, counted_page({word}));
  const CountedPage page = counted(knowledge, kSite, counted_page({word}, {word}));
  EXPECT_EQ(page.blocks[0], 2U);
  EXPECT_EQ(page.title[0], 1U);
  EXPECT_EQ(counted_parts(counted_page({word}, {word})).size(), 2U);
}

TEST(SiteKnowledge, PartsAreAscendingAndEachThereOnce) {
  const Vector<uint64_t> parts =
      counted_parts(counted_page({30, 10, 20, 10}, {symbol_of(2), symbol_of(1), symbol_of(2)}));
  EXPECT_EQ(parts.size(), 5U);
  EXPECT_TRUE(std::ranges::is_sorted(parts));
}

// The share of a part counts from the page that it was first seen with.
TEST(SiteKnowledge, ARenewedTemplateIsSoonKnown) {
  SiteKnowledge knowledge(1, {});
  for (uint64_t page = 1; page <= 100; ++page)
    knowledge.learn(kSite, counted_page({1, 1000 + page}));
  for (uint64_t page = 101; page <= 150; ++page)
    knowledge.learn(kSite, counted_page({2, 1000 + page}));
  // 50 of 64 pages, since fewer are not counted; the old one on 100 of the 102 up to where its next would
  // have come.
  EXPECT_EQ(block_counts(knowledge, kSite, {1, 2}), (Counts{147, 50 * 150 / 64}));
  for (uint64_t page = 151; page <= 200; ++page)
    knowledge.learn(kSite, counted_page({2, 1000 + page}));
  EXPECT_EQ(block_counts(knowledge, kSite, {1, 2}), (Counts{196, 200})) << "all since it was first seen";
  // Two copies of an article in a row are on 2 of 64 pages.
  knowledge.learn(kSite, counted_page({2, 5000}));
  knowledge.learn(kSite, counted_page({2, 5000}));
  EXPECT_EQ(block_counts(knowledge, kSite, {5000}), (Counts{2 * 202 / 64}));
}

// What both texts of a changed page have keeps the moment when it was first seen, also on the only page with
// it.
TEST(SiteKnowledge, AChangedPageDoesNotMakeItsPartsNew) {
  SiteKnowledge knowledge(1, {});
  const Features before = counted_page({1, 2}), after = counted_page({1, 3});
  knowledge.learn(kSite, before);
  for (uint64_t page = 1; page < 200; ++page)
    knowledge.learn(kSite, counted_page({1000 + page}));
  replace(knowledge, kSite, before, after);
  EXPECT_EQ(page_count(knowledge, kSite), 200U);
  EXPECT_EQ(block_counts(knowledge, kSite, {1, 3}), (Counts{1 * 200 / 200, 1 * 200 / 64}));
}

TEST(SiteKnowledge, FromManyPagesOnAllCountsAreHalved) {
  constexpr uint64_t kMost = 4096;
  SiteKnowledge knowledge(1, {});
  for (uint64_t page = 1; page <= kMost; ++page) {
    std::vector<uint64_t> hashes = {1, 10000 + page};
    if (page % 2 == 0) hashes.push_back(2);
    if (page <= 3) hashes.push_back(3);
    knowledge.learn(kSite, counted_page(hashes));
  }
  ASSERT_EQ(page_count(knowledge, kSite), kMost);
  ASSERT_EQ(block_counts(knowledge, kSite, {1, 2, 10001}), (Counts{kMost, kMost / 2, 1}));
  const uint64_t content_before = knowledge.content_bytes();
  knowledge.learn(kSite, counted_page({4}));
  EXPECT_EQ(page_count(knowledge, kSite), kMost / 2 + 1);
  EXPECT_EQ(block_counts(knowledge, kSite, {1, 2, 3, 10001, 10002}), (Counts{2048, 1024, 1, 0, 0}));
  EXPECT_LT(knowledge.content_bytes(), content_before / 100);
  // An old template stays known for a while as a new one is learned, and is forgotten in the end.
  uint64_t page = 0;
  for (; page < 2 * kMost; ++page)
    knowledge.learn(kSite, counted_page({4, 20000 + page}));
  Counts counts = block_counts(knowledge, kSite, {1, 4});
  EXPECT_GE(counts[0], page_count(knowledge, kSite) * 3 / 4) << "of the pages among which it was seen";
  EXPECT_GE(counts[1], page_count(knowledge, kSite) * 3 / 4);
  for (; page < 7 * kMost; ++page)
    knowledge.learn(kSite, counted_page({4, 20000 + page}));
  counts = block_counts(knowledge, kSite, {1, 4});
  EXPECT_EQ(counts[0], 0U);
  EXPECT_GE(counts[1], page_count(knowledge, kSite) * 3 / 4);
  EXPECT_EQ(knowledge.dropped_count(), 0U);
}

// On every fifth of the last 300 pages, before the counts are halved and after.
TEST(SiteKnowledge, TheShareOfAYoungPartSurvivesHalving) {
  constexpr uint64_t kMost = 4096;
  SiteKnowledge knowledge(1, {});
  for (uint64_t page = 1; page <= kMost; ++page) {
    std::vector<uint64_t> hashes = {1, 10000 + page};
    if (page > kMost - 300 && page % 5 == 0) hashes.push_back(2);
    knowledge.learn(kSite, counted_page(hashes));
  }
  const double before = own_share(block_counts(knowledge, kSite, {2})[0], page_count(knowledge, kSite));
  knowledge.learn(kSite, counted_page({1}));
  ASSERT_LT(page_count(knowledge, kSite), kMost);
  EXPECT_NEAR(own_share(block_counts(knowledge, kSite, {2})[0], page_count(knowledge, kSite)), before, 0.03);
}

// Half of the pages of a site are removed after the counts were halved.
TEST(SiteKnowledge, PagesThatGoTakeTheirShareOfHalvedCountsAlong) {
  constexpr uint64_t kPages = 4200;
  SiteKnowledge knowledge(1, {});
  for (uint64_t page = 1; page <= kPages; ++page)
    knowledge.learn(kSite, counted_page({1, 10000 + page}));
  const uint32_t counted = page_count(knowledge, kSite);
  for (uint64_t page = 1; page <= kPages / 2; ++page)
    knowledge.forget(kSite, counted_page({1, 10000 + page}));
  EXPECT_NEAR(page_count(knowledge, kSite), counted / 2.0, counted / 20.0);
  EXPECT_EQ(block_counts(knowledge, kSite, {1})[0], page_count(knowledge, kSite)) << "still on every page";
}

TEST(SiteKnowledge, BeyondTheLimitOfASiteTheRarestPartsAreDropped) {
  SiteKnowledge knowledge(1, {.parts_per_site = 100});
  uint64_t next = 1000;
  for (int page = 0; page < 500; ++page) {
    std::vector<uint64_t> hashes = {1, 2, 3};
    for (int i = 0; i < 20; ++i)
      hashes.push_back(next++);
    knowledge.learn(kSite, counted_page(hashes));
    ASSERT_LE(knowledge.content_bytes(), 64U + 100U * 48U);
  }
  EXPECT_EQ(block_counts(knowledge, kSite, {1, 2, 3}), (Counts{500, 500, 500}));
  EXPECT_EQ(block_counts(knowledge, kSite, {1000}), Counts{0});
  EXPECT_GT(block_counts(knowledge, kSite, {next - 1})[0], 0U) << "the newest of them stay";
  const uint64_t left = (knowledge.content_bytes() - 64) / 48;
  EXPECT_EQ(knowledge.dropped_count(), 3 + 500 * 20 - left) << "each is counted";
}

TEST(SiteKnowledge, APageOfMorePartsThanTheLimitIsCountedAsFarAsTheyFit) {
  SiteKnowledge knowledge(1, {.parts_per_site = 16});
  std::vector<uint64_t> hashes;
  for (uint64_t hash = 1; hash <= 1000; ++hash)
    hashes.push_back(hash);
  const Features page = counted_page(hashes);
  knowledge.learn(kSite, page);
  EXPECT_EQ(page_count(knowledge, kSite), 1U);
  EXPECT_LE(knowledge.content_bytes(), 64U + 16U * 48U);
  knowledge.forget(kSite, page);
  EXPECT_EQ(knowledge.content_bytes(), 64U);
}

TEST(SiteKnowledge, StaysWithinItsBytesByForgettingTheOldestSites) {
  constexpr uint64_t kBytes = 1 << 20;
  SiteKnowledge knowledge(1, {.bytes = kBytes});
  for (uint64_t site = 1; site <= 5000; ++site) {
    std::vector<uint64_t> hashes;
    for (uint64_t i = 0; i < 30; ++i)
      hashes.push_back(site * 1000 + i);
    knowledge.learn(site, counted_page(hashes));
    if (site % 100 == 0) knowledge.learn(1, counted_page({1}));
    ASSERT_LE(knowledge.content_bytes(), kBytes);
  }
  EXPECT_EQ(page_count(knowledge, 5000), 1U);
  EXPECT_EQ(page_count(knowledge, 2), 0U);
  EXPECT_EQ(page_count(knowledge, 1), 51U) << "it was seen again and again";
  EXPECT_EQ(knowledge.dropped_count(), 5000 - knowledge.table().size());
  EXPECT_LT(knowledge.memory_bytes(), 2 * kBytes) << "about what it counts";
}

// However many must go for a page, it waits for a few of them; the site of the page stays.
TEST(SiteKnowledge, ForgetsAFewSitesAfterEachPage) {
  SiteKnowledge knowledge(1, {.bytes = 100'000});
  for (uint64_t site = 1; site <= 890; ++site)
    knowledge.learn(site, counted_page({1}));
  ASSERT_EQ(knowledge.dropped_count(), 0U);
  std::vector<uint64_t> hashes;
  for (uint64_t hash = 1; hash <= 1500; ++hash)
    hashes.push_back(hash);
  knowledge.learn(5000, counted_page(hashes));
  EXPECT_EQ(knowledge.dropped_count(), 64U);
  EXPECT_GT(knowledge.content_bytes(), 100'000U);
  for (int page = 0; page < 12; ++page)
    knowledge.learn(5000, counted_page({1}));
  EXPECT_LE(knowledge.content_bytes(), 100'000U);
  EXPECT_EQ(page_count(knowledge, 5000), 13U);
  // A page that alone is too much is kept all the same, until the next.
  SiteKnowledge small(1, {.bytes = 1000});
  small.learn(1, counted_page(hashes));
  EXPECT_EQ(page_count(small, 1), 1U);
  small.learn(2, counted_page({1}));
  EXPECT_EQ(page_count(small, 1), 0U);
}

TEST(SiteKnowledge, WhatIsForgottenMoreOftenThanLearnedIsNotThere) {
  SiteKnowledge knowledge(1, {});
  const Features page = counted_page({10, 11});
  knowledge.learn(kSite, page);
  for (int i = 0; i < 3; ++i)
    knowledge.forget(kSite, page);
  EXPECT_EQ(page_count(knowledge, kSite), 0U);
  knowledge.learn(kSite, page);
  knowledge.learn(kSite, counted_page({10}));
  knowledge.forget(kSite, counted_page({11, 12}));
  knowledge.forget(kSite, counted_page({11, 12}));
  EXPECT_EQ(page_count(knowledge, kSite), 0U);
  EXPECT_EQ(block_counts(knowledge, kSite, {10, 11, 12}), (Counts{0, 0, 0})) << "never more than pages";
}

// With up to 64 pages a site, the counts are those of a plain table of pages.
TEST(SiteKnowledge, EqualsAPlainModel) {
  std::mt19937_64 random(5);
  SiteKnowledge knowledge(1, {});
  struct Page {
    std::vector<uint64_t> hashes;
    std::vector<Symbol> title;
    Features features() const { return counted_page(hashes, title); }
  };
  const auto random_page = [&] {
    Page page;
    for (uint64_t i = 1 + random() % 8; i > 0; --i)
      page.hashes.push_back(1 + random() % 30);
    for (uint64_t i = random() % 4; i > 0; --i)
      page.title.push_back(symbol_of(static_cast<uint32_t>(random() % 10)));
    return page;
  };
  std::map<uint64_t, std::map<uint64_t, Page>> model;  // by site, then by number of the page
  for (int round = 0; round < 6000; ++round) {
    const uint64_t site = 1 + random() % 3;
    std::map<uint64_t, Page>& pages = model[site];
    const uint64_t number = random() % 64;
    const auto known = pages.find(number);
    if (known == pages.end()) {
      const Page page = random_page();
      knowledge.learn(site, page.features());
      pages.emplace(number, page);
    } else if (random() % 2 == 0) {
      knowledge.forget(site, known->second.features());
      pages.erase(known);
    } else {
      const Page page = random_page();
      replace(knowledge, site, known->second.features(), page.features());
      known->second = page;
    }
    const Page asked = random_page();
    std::vector<Features> left_out;
    std::set<uint64_t> left_out_numbers;
    for (const auto& [other, page] : pages) {
      if (left_out.size() == random() % 3) break;
      left_out.push_back(page.features());
      left_out_numbers.insert(other);
    }
    std::vector<const Features*> without;
    for (const Features& each : left_out)
      without.push_back(&each);
    const CountedPage found = counted(knowledge, site, asked.features(), without);
    ASSERT_EQ(found.pages, pages.size() - left_out.size()) << round;
    const auto pages_with = [&](auto&& has) {
      return std::ranges::count_if(pages, [&](const auto& entry) {
        return !left_out_numbers.contains(entry.first) && has(entry.second);
      });
    };
    for (size_t i = 0; i < asked.hashes.size(); ++i) {
      const auto with =
          pages_with([&](const Page& page) { return std::ranges::count(page.hashes, asked.hashes[i]) > 0; });
      ASSERT_EQ(found.blocks[i], with) << round;
    }
    for (size_t i = 0; i < asked.title.size(); ++i) {
      const auto with =
          pages_with([&](const Page& page) { return std::ranges::count(page.title, asked.title[i]) > 0; });
      ASSERT_EQ(found.title[i], with) << round;
    }
  }
  EXPECT_EQ(knowledge.dropped_count(), 0U);
}

// A template that was renewed stays known: its share is that of the pages among which it was seen.
TEST(SiteKnowledge, TheOldTemplateIsNotForgottenWhenItIsRenewed) {
  SiteKnowledge knowledge(1, {});
  for (uint64_t page = 0; page < 100; ++page)
    knowledge.learn(kSite, counted_page({1000 + page, 10, 11}));
  EXPECT_EQ(block_counts(knowledge, kSite, {10, 11}), (Counts{100, 100}));
  for (uint64_t page = 100; page < 1000; ++page)
    knowledge.learn(kSite, counted_page({1000 + page, 12}));
  EXPECT_GT(block_counts(knowledge, kSite, {10})[0], 950U) << "of the pages of its time it was on all";
  EXPECT_EQ(block_counts(knowledge, kSite, {12})[0], 1000U);
  EXPECT_EQ(block_counts(knowledge, kSite, {1005})[0], 1U) << "a page's own text is on one";
  // Now and then is not a time of its own.
  for (uint64_t page = 0; page < 1000; ++page)
    knowledge.learn(2, counted_page({1000 + page, page % 100 == 0 ? 20ULL : 30ULL}));
  EXPECT_EQ(block_counts(knowledge, 2, {20})[0], 10U);
}

// Also where counts were halved, parts dropped, and pages forgotten that were never learned.
TEST(SiteKnowledge, NoPartIsOnMorePagesThanThereAre) {
  std::mt19937_64 random(6);
  SiteKnowledge knowledge(1, {.parts_per_site = 40});
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint64_t> hashes = {1};
    for (uint64_t i = random() % 6; i > 0; --i)
      hashes.push_back(1 + random() % (random() % 2 == 0 ? 5 : 200));
    const Features page = counted_page(hashes);
    if (random() % 8 != 0) {
      knowledge.learn(kSite, page);
    } else {
      knowledge.forget(kSite, page);
    }
    const CountedPage found = counted(knowledge, kSite, page, {&page});
    for (const uint32_t count : found.blocks)
      ASSERT_LE(count, found.pages) << round;
  }
  EXPECT_GT(knowledge.dropped_count(), 0U);
  EXPECT_LE(page_count(knowledge, kSite), 4096U);
}

}  // namespace
}  // namespace nd::engine
