// Groups that are found by the spot signatures of their members, while members come, change, move and go.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/engine/store_sample.hpp"
#include "unit/page/feature_sample.hpp"

namespace nd::engine {
namespace {

// An article with a passage of the page's own behind it, each with twenty signatures. `url` without a scheme.
Features page_of(const std::string& url, uint32_t article, uint32_t passage, uint64_t key) {
  FeatureSample sample;
  sample.site = url.substr(0, url.find('/'));
  sample.url = "https://" + url;
  sample.blocks = {{words(article * 100000, 200)}, {words(passage * 100000 + 50000, 100)}};
  sample.keys = {key};
  for (uint64_t i = 0; i < 20; ++i) {
    sample.spots.push_back(make_packed_spot({article * 1000 + i, 1}));
    sample.spots.push_back(make_packed_spot({passage * 1000 + 500 + i, 1}));
  }
  std::ranges::sort(sample.spots);
  const Features features = sample.features();
  FeatureHeader header = features.header();
  header.fetched_at_ms = 1000;
  return Features::build(header, {.blocks = features.blocks(),
                                  .keys = features.keys(),
                                  .spots = features.spots(),
                                  .block_spots = {},
                                  .sentences = {},
                                  .symbols = features.symbols(),
                                  .url = features.url(),
                                  .site = features.site(),
                                  .text = {},
                                  .description = {}});
}

Parameters parameters_with(uint32_t members) {
  Parameters parameters = report_parameters();
  parameters.spot_source.members = members;
  parameters.spots = {};  // all of a page's
  return parameters;
}

// How many groups a page is compared with that shares this passage with others, and nothing else.
uint64_t candidates_by(Engine& engine, uint32_t passage) {
  const uint64_t before = engine.counters().candidates;
  const Result<Answer> answer = engine.check_features(page_of("probe.example/", 9000, passage, 1000000));
  EXPECT_TRUE(answer);
  EXPECT_EQ(answer->verdict, kNew);
  EXPECT_TRUE(engine.remove("https://probe.example/"));
  return engine.counters().candidates - before;
}

class MemberSpotsTest : public EngineTest {
 protected:
  void SetUp() override { open(parameters_with(2)); }
  Answer check(const std::string& url, uint32_t article, uint32_t passage) {
    const Result<Answer> answer = engine_->check_features(page_of(url, article, passage, article));
    EXPECT_TRUE(answer);
    return answer ? *answer : Answer{};
  }
};

TEST_F(MemberSpotsTest, AGroupIsFoundByWhatAMemberAdded) {
  const Answer first = check("a.example/", 1, 1);
  EXPECT_EQ(check("b.example/", 1, 2).group_id, first.group_id);
  EXPECT_EQ(candidates_by(*engine_, 2), 1U) << "which its representative lacks, and no key finds";
  EXPECT_EQ(candidates_by(*engine_, 3), 0U);
  open(parameters_with(0));
  check("a.example/", 1, 1);
  check("b.example/", 1, 2);
  EXPECT_EQ(candidates_by(*engine_, 1), 1U) << "by its representative";
  EXPECT_EQ(candidates_by(*engine_, 2), 0U);
}

TEST_F(MemberSpotsTest, OnlyTheFirstMembersAdd) {
  for (uint32_t i = 1; i <= 4; ++i)
    check("s" + std::to_string(i) + ".example/", 1, i);
  EXPECT_EQ(candidates_by(*engine_, 2), 1U);
  EXPECT_EQ(candidates_by(*engine_, 3), 1U);
  EXPECT_EQ(candidates_by(*engine_, 4), 0U);
}

TEST_F(MemberSpotsTest, WhatAMemberAddedChangesAndGoesWithIt) {
  check("a.example/", 1, 1);
  check("b.example/", 1, 2);
  check("b.example/", 1, 3);
  EXPECT_EQ(candidates_by(*engine_, 2), 0U);
  EXPECT_EQ(candidates_by(*engine_, 3), 1U);
  check("c.example/", 7, 7);
  check("b.example/", 7, 3);
  EXPECT_EQ(candidates_by(*engine_, 3), 1U) << "it has moved to the other group";
  ASSERT_TRUE(engine_->remove("https://b.example/"));
  EXPECT_EQ(candidates_by(*engine_, 3), 0U);
}

TEST_F(MemberSpotsTest, OneThatIsElectedAddsNothingAnyMore) {
  check("a.example/", 1, 1);
  check("b.example/", 1, 2);
  const uint64_t group = check("c.example/", 1, 2).group_id;
  RemovalFilter filter;
  filter.url_prefix = "https://a.example/";
  filter.purge = true;
  ASSERT_TRUE(engine_->remove_matching(filter));
  ASSERT_EQ(members(group).size(), 2U);
  EXPECT_EQ(candidates_by(*engine_, 2), 1U);
  EXPECT_EQ(candidates_by(*engine_, 1), 0U);
}

// A crawl in which members come, change, move and go, and representatives are elected.
class SpotCrawl {
 public:
  explicit SpotCrawl(unsigned seed) : random_(seed) {}

  std::string step(Engine& engine) {
    const uint64_t kind = random_() % 12;
    const std::string url = "s" + std::to_string(random_() % 8) + ".example/" + std::to_string(random_() % 4);
    const auto article = static_cast<uint32_t>(1 + random_() % 4);
    const auto passage = static_cast<uint32_t>(1 + random_() % kPassages);
    if (kind == 0) return engine.remove("https://" + url) ? "removed" : "unknown";
    if (kind == 1) {
      RemovalFilter filter;
      const std::string prefix = "https://" + url;
      filter.url_prefix = prefix;
      filter.purge = passage % 2 == 0;
      const Result<uint64_t> removed = engine.remove_matching(filter);
      return removed ? std::to_string(*removed) : "failed";
    }
    const Result<Answer> answer = engine.check_features(page_of(url, article, passage, article));
    if (!answer) return "failed: " + std::string(answer.failure().message);
    return std::to_string(answer->page_id) + " " + std::to_string(answer->group_id) + " " +
           std::to_string(answer->verdict);
  }

  static constexpr uint32_t kPassages = 30;

 private:
  std::mt19937 random_;
};

void remove_all(Engine& engine) {
  RemovalFilter filter;
  filter.url_prefix = "https://";
  filter.purge = true;
  EXPECT_TRUE(engine.remove_matching(filter));
}

TEST_F(StoreTest, MemberSpotsLastAsLongAsTheirPages) {
  const Options options = options_of({{"decision", "report"},
                                      {"spotsigs", "true"},
                                      {"x_spot_members_limit", "3"},
                                      {"x_spot_signatures", "1024"}});
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::filesystem::remove_all(store());
    Owned<Engine> reference = *Engine::open(options.parameters());
    Owned<Engine> engine = open(options);
    SpotCrawl expected(seed);
    SpotCrawl crawl(seed);
    std::mt19937 random(seed);
    uint64_t found = 0;
    for (int i = 0; i < 600; ++i) {
      ASSERT_EQ(crawl.step(*engine), expected.step(*reference)) << "step " << i << " of " << seed;
      if (random() % 30 == 0) {
        ASSERT_TRUE(engine->snapshot());
      }
      if (random() % 30 == 0) {
        engine.reset();  // as if it were killed
        engine = open(options);
        ASSERT_NE(engine, nullptr);
      }
      if (random() % 10 != 0) continue;
      const auto passage = static_cast<uint32_t>(1 + random() % SpotCrawl::kPassages);
      const uint64_t candidates = candidates_by(*engine, passage);
      ASSERT_EQ(candidates, candidates_by(*reference, passage)) << "step " << i << " of " << seed;
      found += candidates;
    }
    EXPECT_GT(found, 0U);
    EXPECT_EQ(picture_of(*engine), picture_of(*reference));
    remove_all(*engine);
    for (uint32_t passage = 1; passage <= SpotCrawl::kPassages; ++passage)
      EXPECT_EQ(candidates_by(*engine, passage), 0U) << "of a page that is gone";
  }
}

}  // namespace
}  // namespace nd::engine
