// Pages in the boilerplate of their sites: copies are joined across sites in spite of it, and lists of one
// site stay apart.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <set>
#include <string>

#include "unit/collection/counted_page_sample.hpp"
#include "unit/engine/store_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;
using sample::paragraph;
using sample::Paragraphs;

// A page in the frame of its site: the same text around the content on each of the site's pages.
std::string framed(uint64_t site, const std::string& title, const Paragraphs& content) {
  sample::Random random(site * 7919);
  std::string html =
      "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>" + title + "</title></head><body>";
  html += "<div>" + sample::sentence(random) + "</div><ul>";
  for (int i = 0; i < 8; ++i)
    html += "<li>" + sample::word(random) + " " + sample::word(random) + "</li>";
  html += "</ul><h1>" + title + "</h1>";
  for (const std::string& each : content)
    html += "<p>" + each + "</p>\n";
  for (int i = 0; i < 3; ++i)
    html += "<div>" + sample::sentence(random) + " " + sample::sentence(random) + "</div>";
  return html + "</body></html>";
}

std::string title_of(uint64_t seed) {
  sample::Random random(seed * 104729);
  return sample::word(random) + " " + sample::word(random) + " " + sample::word(random);
}

std::string url_of(uint64_t site, uint64_t page) {
  return "https://www.site" + std::to_string(site) + ".example/" + std::to_string(page);
}

class SiteFramesTest : public EngineTest {
 protected:
  // Articles that nobody else has.
  void know_site(uint64_t site, uint64_t pages) {
    for (uint64_t page = 0; page < pages; ++page) {
      const uint64_t seed = 5000 + site * 100 + page;
      check(url_of(site, 900 + page), framed(site, title_of(seed), article(seed)));
    }
  }
};

TEST_F(SiteFramesTest, AnEditedCopyInTheFrameOfAnotherSiteJoins) {
  for (const uint64_t known_pages : {0U, 1U, 6U}) {
    open();
    know_site(1, known_pages);
    know_site(2, known_pages);
    const Paragraphs original = article(1);
    const Answer first = check(url_of(1, 1), framed(1, title_of(1), original));
    EXPECT_EQ(first.verdict, kNew);
    Paragraphs edited = original;
    edited.front() += " The editor has added a line about the weather of that day.";
    edited.back().erase(0, edited.back().find(' ', 40));
    const Answer copy = check(url_of(2, 1), framed(2, title_of(1), edited));
    EXPECT_EQ(copy.verdict, kNearDuplicate) << known_pages;
    EXPECT_EQ(copy.group_id, first.group_id) << known_pages;
    EXPECT_GT(copy.resemblance, 0.5);
    expect_consistent();
  }
}

// What they share is on every page of the site.
TEST_F(SiteFramesTest, TwoListsOfOneSiteStayApartOnceItIsKnown) {
  const auto list = [](uint64_t page) {
    sample::Random random(page);
    Paragraphs entries;
    for (int i = 0; i < 6; ++i)
      entries.push_back(sample::word(random) + " " + sample::word(random) + " " + sample::word(random));
    return framed(3, "List of entries", entries);
  };
  for (uint64_t page = 1; page <= 10; ++page)
    check(url_of(3, page), list(page));
  std::set<uint64_t> seen;
  for (uint64_t page = 11; page <= 20; ++page) {
    const Answer answer = check(url_of(3, page), list(page));
    EXPECT_EQ(answer.verdict, kNew) << page;
    EXPECT_TRUE(seen.insert(answer.group_id).second) << page;
  }
}

TEST_F(SiteFramesTest, ExactNeedsTheSameTitleToo) {
  const auto page = [](const std::string& title) {
    return "<html><head><title>" + title + "</title></head><body><p>" + paragraph(1) + "</p><p>" +
           paragraph(2) + "</p></body></html>";
  };
  const Answer first = check("https://a.example/", page("Old bridges of the north"));
  const Answer same = check("https://b.example/", page("Old bridges of the north"));
  EXPECT_EQ(same.verdict, kExactDuplicate);
  EXPECT_EQ(same.group_id, first.group_id);
  const Answer other = check("https://c.example/", page("Old bridges in winter"));
  EXPECT_EQ(other.verdict, kNearDuplicate) << "the same text, and much of the title";
  EXPECT_EQ(other.group_id, first.group_id);
  EXPECT_EQ(query("https://d.example/", page("Old bridges in winter")).verdict, kNearDuplicate);
  EXPECT_EQ(query("https://d.example/", page("Old bridges of the north")).verdict, kExactDuplicate);
  // TR2007012 knows neither titles nor equality.
  open(report_parameters());
  check("https://a.example/", page("Old bridges of the north"));
  EXPECT_EQ(check("https://c.example/", page("Old bridges in winter")).verdict, kNearDuplicate);
}

TEST_F(SiteFramesTest, ARecrawlOfTheSameTextIsUnchanged) {
  know_site(1, 5);
  const std::string html = framed(1, title_of(1), article(1));
  const Answer first = check(url_of(1, 1), html, 1000);
  for (int64_t round = 1; round <= 5; ++round) {
    const Answer again = check(url_of(1, 1), html, 1000 + round);
    EXPECT_EQ(again.verdict, kUnchanged);
    EXPECT_EQ(again.page_id, first.page_id);
    EXPECT_EQ(again.group_id, first.group_id);
  }
  expect_consistent();
}

// What is known of a pair's site is known from its other pages, also where a page has other text by now.
TEST_F(SiteFramesTest, APairIsComparedWithoutWhatItTaughtItself) {
  const auto page = [](uint32_t number, std::vector<uint32_t> own) {
    FeatureSample sample;
    sample.site = "a.example";
    sample.url = "https://a.example/" + std::to_string(number);
    sample.blocks = {{words(0, 60)}, {std::move(own)}};
    sample.title = {1, number};
    const Features text = sample.features();
    Vector<uint64_t> keys;
    KeyBuilder().build(text.blocks(), {}, text.symbols(), key_parameters_of(Parameters{}), keys);
    sample.keys.assign(keys.begin(), keys.end());
    return sample.features();
  };
  std::vector<Features> pages;
  std::vector<uint64_t> ids;
  for (uint32_t number = 1; number <= 5; ++number) {
    pages.push_back(page(number, words(number * 1000, 100)));
    const Result<Answer> answer = engine_->check_features(pages.back().copy());
    ASSERT_TRUE(answer);
    ids.push_back(answer->page_id);
  }
  const auto known_from_others = [&](size_t a, size_t b, const Features& text_of_b) {
    SiteKnowledge knowledge(1, {});
    for (size_t other = 0; other < pages.size(); ++other) {
      if (other != a && other != b) knowledge.learn(7, pages[other]);
    }
    const CountedPage counts_a = counted(knowledge, 7, pages[a]), counts_b = counted(knowledge, 7, text_of_b);
    return Verifier(1).verify(pages[a], text_of_b, {counts_a.counts(), counts_b.counts()}, Parameters{});
  };
  for (size_t a = 0; a < pages.size(); ++a) {
    for (size_t b = 0; b < pages.size(); ++b) {
      const Result<Answer> compared = engine_->compare(ids[a], ids[b]);
      ASSERT_TRUE(compared);
      const Verification expected = known_from_others(a, b, pages[b]);
      EXPECT_EQ(compared->probability, expected.probability) << a << " " << b;
      EXPECT_EQ(compared->resemblance, expected.resemblance) << a << " " << b;
    }
  }
  // The last page has much of the first one now.
  const Features changed = page(5, joined(words(1000, 98), words(9000, 2)));
  const Result<Answer> answer = engine_->check_features(changed.copy());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->matched_page_id, ids[0]);
  EXPECT_EQ(answer->probability, known_from_others(0, 4, changed).probability);
}

TEST_F(SiteFramesTest, TheThresholdIsAnOption) {
  const Paragraphs original = article(1);
  for (const double threshold : {0.0, 0.5, 1.0}) {
    Parameters parameters;
    parameters.decision.same_document = threshold;
    open(parameters);
    check(url_of(1, 1), framed(1, title_of(1), original));
    const Answer copy = check(url_of(2, 1), framed(2, title_of(1), sample::rewritten(original, 1, 77)));
    EXPECT_EQ(copy.verdict, threshold == 1 ? kNew : kNearDuplicate) << threshold;
  }
}

// A random call of a small crawl of sites with frames; the same calls in the same order for the same seed.
class FramedCrawl {
 public:
  explicit FramedCrawl(uint64_t seed) : random_(seed) {}

  std::string step(Engine& engine) {
    const uint64_t site = random_() % 4;
    const std::string url = url_of(site, random_() % 30);
    at_ms_ += 1000;
    if (random_() % 12 == 0) return engine.remove(url) ? "removed" : "not found";
    const uint64_t seed = random_() % 30;
    Paragraphs text = article(seed, 3);
    if (random_() % 3 == 0) text = sample::rewritten(text, 1, random_() % 5);
    const std::string title = title_of(random_() % 4 == 0 ? 99 : seed);
    const std::string html = random_() % 15 == 0 ? "<title>" + title + "</title>" : framed(site, title, text);
    const Result<Answer> answer = engine.check(page_input(url, html, at_ms_));
    if (!answer) return "failed: " + std::string(answer.failure().message);
    return std::to_string(answer->page_id) + " " + std::to_string(answer->group_id) + " " +
           std::to_string(answer->verdict) + " " + std::to_string(answer->flags) + " " +
           std::to_string(answer->matched_page_id) + " " + std::to_string(answer->resemblance) + " " +
           std::to_string(answer->containment);
  }

 private:
  std::mt19937_64 random_;
  int64_t at_ms_ = 1'000'000;
};

class SiteFramesStoreTest : public StoreTest {
 protected:
  uint64_t files_named(const std::string& part) const {
    uint64_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(store()))
      count += entry.path().filename().string().find(part) != std::string::npos;
    return count;
  }
  // `between` may do anything to the engine with the store.
  template <typename Between>
  void expect_equal(uint64_t seed, int steps, Owned<Engine>& engine, Between&& between) {
    const Owned<Engine> reference = *Engine::open(Parameters{});
    FramedCrawl expected(seed), crawl(seed);
    for (int i = 0; i < steps; ++i) {
      ASSERT_EQ(crawl.step(*engine), expected.step(*reference)) << "step " << i;
      between(i);
      ASSERT_NE(engine, nullptr);
    }
    EXPECT_EQ(picture_of(*engine), picture_of(*reference));
  }
};

TEST_F(SiteFramesStoreTest, SnapshotsChangeNoAnswer) {
  Owned<Engine> engine = open();
  std::mt19937 random(7);
  expect_equal(2, 250, engine, [&](int) {
    if (random() % 20 == 0) {
      EXPECT_TRUE(engine->snapshot());
    }
    if (random() % 80 == 0) {
      EXPECT_TRUE(engine->compact());
    }
  });
}

TEST_F(SiteFramesStoreTest, ReopeningChangesNoAnswer) {
  Owned<Engine> engine = open();
  std::mt19937 random(8);
  expect_equal(3, 500, engine, [&](int) {
    if (random() % 25 != 0) return;
    if (random() % 2 == 0) {
      EXPECT_TRUE(engine->close());
    }
    engine.reset();  // without close(): what a process leaves that is killed
    engine = open();
  });
}

// All that was learned comes from the journal.
TEST_F(SiteFramesStoreTest, ReplayOfAJournalLearnsTheSame) {
  Owned<Engine> engine = open();
  expect_equal(4, 300, engine, [&](int i) {
    if (i != 200 && i != 290) return;
    EXPECT_EQ(files_named("sites"), 0U);
    engine.reset();
    engine = open();
  });
}

TEST_F(SiteFramesStoreTest, WhatIsKnownOfSitesIsATableOfTheStore) {
  Owned<Engine> engine = open();
  FramedCrawl crawl(5);
  for (int i = 0; i < 50; ++i)
    crawl.step(*engine);
  ASSERT_TRUE(engine->snapshot());
  EXPECT_EQ(files_named("sites"), 1U);
  const std::string before = picture_of(*engine);
  EXPECT_TRUE(engine->close());
  engine.reset();
  engine = open();
  EXPECT_EQ(files_named("sites"), 1U);
  EXPECT_EQ(picture_of(*engine), before);
}

// With another decision nothing of this kind is kept.
TEST_F(SiteFramesStoreTest, OtherDecisionsKeepNoSuchTable) {
  Owned<Engine> engine = open(options_of({{"decision", "report"}}));
  FramedCrawl crawl(5);
  for (int i = 0; i < 50; ++i)
    crawl.step(*engine);
  EXPECT_TRUE(engine->close());
  EXPECT_EQ(files_named("sites"), 0U);
}

}  // namespace
}  // namespace nd::engine
