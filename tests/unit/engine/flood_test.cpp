// Floods: what they cost is counted, bounded and reported. Work is compared with the counters, never a
// clock.
#include <gtest/gtest.h>

#include <set>

#include "unit/engine/engine_sample.hpp"
#include "unit/page/feature_sample.hpp"

namespace nd::engine {
namespace {

constexpr uint32_t kCommonWords = 1'000'000'000;  // above the words of any page of its own

// `count` words that no other page has.
std::vector<uint32_t> own_words(uint32_t page, uint32_t count) {
  return words(page * 1000, count);
}

class FloodTest : public EngineTest {
 protected:
  // With the relaxed keys that the text layer would give it, unless it has keys.
  Answer check(FeatureSample page) {
    if (page.keys.empty()) {
      const Features text = page.features();
      Vector<uint64_t> keys;
      builder_.build(text.blocks(), {}, text.symbols(), key_parameters_of(engine_->parameters()), keys);
      page.keys.assign(keys.begin(), keys.end());
    }
    const Counters& counters = engine_->counters();
    const uint64_t candidates = counters.candidates, verifications = counters.verifications;
    const uint64_t cuts = counters.limit_candidates + counters.limit_verifications + counters.limit_work;
    const Result<Answer> answer = engine_->check_features(page.features());
    EXPECT_TRUE(answer);
    if (!answer) return {};
    last_candidates_ = counters.candidates - candidates;
    most_candidates_ = std::max(most_candidates_, last_candidates_);
    most_verifications_ = std::max(most_verifications_, counters.verifications - verifications);
    const bool cut = counters.limit_candidates + counters.limit_verifications + counters.limit_work != cuts;
    if (answer->verdict == kNew) {
      EXPECT_EQ((answer->flags & kLimit) != 0, cut) << "what was cut is reported";
      flagged_ += cut;
    }
    return *answer;
  }
  void expect_bounded_work() const {
    EXPECT_LE(most_candidates_, engine_->parameters().index.candidates);
    EXPECT_LE(most_verifications_, engine_->parameters().verifications);
  }
  uint64_t bytes() const {
    const Sizes sizes = engine_->sizes();
    return sizes.bytes_index + sizes.bytes_features + sizes.bytes_pages + sizes.bytes_events;
  }

  KeyBuilder builder_;
  uint64_t last_candidates_ = 0, most_candidates_ = 0, most_verifications_ = 0, flagged_ = 0;
};

FeatureSample page_of(uint32_t number, const std::string& site, std::vector<BlockSample> blocks) {
  FeatureSample page;
  page.site = site;
  page.url = "https://" + site + "/" + std::to_string(number);
  page.blocks = std::move(blocks);
  return page;
}

// With keys from all its text: it is unknown which of them belong to the boilerplate.
FeatureSample with_fixed_keys(FeatureSample page) {
  page.fingerprint_count = 1;
  return page;
}

// A section of a known site: half of each page is the same terms, the rest is its own. What is known of the
// site lacks the terms when the section begins.
TEST_F(FloodTest, ASectionOfFilledFormsDoesNotBecomeOneGroup) {
  constexpr uint32_t kForms = 40;
  for (uint32_t i = 0; i < 20; ++i)
    check(page_of(i, "shop.example", {{own_words(i, 300)}}));
  const auto form = [](uint32_t i) {
    return page_of(i, "shop.example", {{words(kCommonWords, 100)}, {own_words(i, 100)}});
  };
  std::set<uint64_t> groups;
  for (uint32_t i = 100; i < 100 + kForms; ++i)
    groups.insert(check(form(i)).group_id);
  EXPECT_GE(groups.size(), kForms - 4) << "the first few look like an article and its edits";
  // Crawled again, those leave as well.
  groups.clear();
  for (uint32_t i = 100; i < 100 + kForms; ++i)
    groups.insert(check(form(i)).group_id);
  EXPECT_EQ(groups.size(), kForms);
  expect_bounded_work();
}

TEST_F(FloodTest, ASiteWhoseEveryPageIsOneTemplate) {
  constexpr uint32_t kPages = 4000;
  uint64_t half = 0;
  for (uint32_t i = 0; i < kPages; ++i) {
    check(with_fixed_keys(page_of(i, "mill.example", {{words(kCommonWords, 120)}, {own_words(i, 40)}})));
    if (i == kPages / 2) half = bytes();
  }
  expect_bounded_work();
  EXPECT_GT(engine_->sizes().hot_keys, 0U) << "few sites, many groups";
  EXPECT_GT(flagged_, 0U) << "until the template's keys were hot";
  EXPECT_EQ(last_candidates_, 0U) << "and after that they lead nowhere";
  EXPECT_LE(engine_->counters().candidates, 10U * kPages);
  EXPECT_EQ(engine_->sizes().groups, kPages) << "the template makes no duplicates";
  // Tables grow by doubling: the second half may cost as much again as the first, and no more.
  EXPECT_LE(bytes(), 2 * half + half / 2);
}

TEST_F(FloodTest, ATemplateThatIsKnownGivesNoKeys) {
  constexpr uint32_t kPages = 400;
  for (uint32_t i = 0; i < kPages; ++i)
    check(page_of(i, "mill.example", {{words(kCommonWords, 120)}, {own_words(i, 40)}}));
  EXPECT_EQ(last_candidates_, 0U);
  EXPECT_LE(engine_->counters().candidates, kPages / 10) << "of the pages before it was known";
  EXPECT_EQ(engine_->sizes().groups, kPages);
}

TEST_F(FloodTest, OneTemplateCrawledAgainIsBoundedToo) {
  Parameters parameters;
  parameters.index.candidates = 4;
  parameters.verifications = 2;
  open(parameters);
  const auto crawl = [&] {
    for (uint32_t i = 0; i < 300; ++i)
      check(page_of(i, "mill.example", {{words(kCommonWords, 120)}, {own_words(i, 40)}}));
  };
  crawl();
  const uint64_t first_groups = engine_->sizes().groups;
  crawl();
  crawl();
  EXPECT_LE(most_candidates_, 5U) << "and its own group";
  EXPECT_LE(most_verifications_, 2U);
  EXPECT_LE(engine_->counters().reverified, 300U) << "the third time nothing has moved";
  EXPECT_EQ(engine_->sizes().pages, 300U);
  EXPECT_LE(engine_->sizes().groups, first_groups);
  expect_consistent();
}

TEST_F(FloodTest, ManySitesShareOneSentence) {
  Parameters parameters;
  parameters.index.hot_groups = 1000;
  open(parameters);
  constexpr uint32_t kPages = 5000;
  for (uint32_t i = 0; i < kPages; ++i) {
    const std::string site = "site" + std::to_string(i) + ".example";
    check(page_of(i, site, {{joined(own_words(i, 60), words(kCommonWords, 20))}}));
  }
  expect_bounded_work();
  EXPECT_GT(engine_->sizes().hot_keys, 0U);
  EXPECT_GT(flagged_, 0U);
  EXPECT_EQ(last_candidates_, 0U);
  EXPECT_EQ(engine_->sizes().groups, kPages);
  // While the sentence's keys are not hot every page has as many candidates as are allowed, then none.
  EXPECT_LE(engine_->counters().candidates, uint64_t{3500} * parameters.index.candidates);
}

TEST_F(FloodTest, PagesOfFunctionWordsOnly) {
  std::mt19937_64 random(3);
  for (uint32_t i = 0; i < 400; ++i) {
    std::vector<uint32_t> text;
    for (int k = 0; k < 80; ++k)
      text.push_back(kCommonWords + static_cast<uint32_t>(random() % 10));
    check(page_of(i, "site" + std::to_string(i) + ".example", {{text, 255}}));
  }
  expect_bounded_work();
  EXPECT_EQ(engine_->sizes().pages, 400U);
  expect_consistent();
}

// Keys chosen to lead to as many groups as possible: the text itself has nothing in common with any of them.
TEST_F(FloodTest, ForgedKeysLeadToBoundedWork) {
  std::mt19937_64 random(4);
  constexpr uint32_t kPages = 1500;
  constexpr uint64_t kPool = 400;
  for (uint32_t i = 0; i < kPages; ++i) {
    FeatureSample page = page_of(i, "site" + std::to_string(i % 100) + ".example", {{own_words(i, 50)}});
    for (int k = 0; k < 100; ++k)
      page.keys.push_back(1 + random() % kPool);
    const Answer answer = check(page);
    EXPECT_EQ(answer.verdict, kNew);
  }
  expect_bounded_work();
  EXPECT_GT(flagged_, kPages / 2U);
  EXPECT_GE(engine_->counters().limit_candidates + engine_->counters().limit_verifications, flagged_);
  EXPECT_LE(engine_->sizes().keys + engine_->sizes().hot_keys, kPool);
}

// Copies that each bring new keys: a group takes so many and no more.
TEST_F(FloodTest, CopiesDoNotFillTheIndex) {
  for (uint32_t i = 0; i < 2000; ++i) {
    FeatureSample page = page_of(i, "site" + std::to_string(i) + ".example",
                                 {{joined(words(kCommonWords, 100), own_words(i, 5))}});
    page.keys = {1};
    for (uint64_t k = 0; k < 20; ++k)
      page.keys.push_back(1000 + i * 20 + k);
    check(page);
  }
  expect_bounded_work();
  EXPECT_EQ(engine_->sizes().groups, 1U);
  EXPECT_LE(engine_->sizes().keys, 21U + 64U);
  EXPECT_LE(engine_->counters().verifications, 2000U);
}

// A comparison that would take too long is cut short, flagged and counted.
TEST_F(FloodTest, ALongComparisonIsCutAndFlagged) {
  Parameters parameters;
  parameters.comparison.work_limit = 2000;
  open(parameters);
  std::mt19937_64 random(5);
  for (uint32_t i = 0; i < 20; ++i) {
    FeatureSample page = page_of(i, "site" + std::to_string(i) + ".example", {{}});
    for (int k = 0; k < 1500; ++k)
      page.blocks[0].words.push_back(kCommonWords + static_cast<uint32_t>(random() % 3));
    page.keys = {7};
    check(page);
  }
  expect_bounded_work();
  EXPECT_GT(engine_->counters().limit_work, 0U);
}

}  // namespace
}  // namespace nd::engine
