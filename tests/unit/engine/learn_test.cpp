// Pages that are all read and learned before the first is checked. Settling is the oracle.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "page/record_keys.hpp"
#include "unit/engine/engine_sample.hpp"
#include "unit/engine/store_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;

class LearnTest : public EngineTest {
 protected:
  struct Page {
    std::string url;
    std::string body;
  };

  static std::string url_of(uint64_t page) { return "https://shop.example/" + std::to_string(page); }

  // Much text that all pages of the shop have, and little that is a page's own; each third is also elsewhere.
  static std::vector<Page> shop(uint64_t pages) {
    std::vector<Page> all;
    for (uint64_t page = 1; page <= pages; ++page) {
      sample::Paragraphs text = article(1, 8);
      const sample::Paragraphs own = article(100 + page, 1);
      text.insert(text.end(), own.begin(), own.end());
      all.push_back({url_of(page), sample::html(text)});
      if (page % 3 == 0) all.push_back({"https://copy.example/" + std::to_string(page), sample::html(own)});
    }
    return all;
  }

  Features read(const Page& page) {
    Result<Features> features = engine_->read(page_input(page.url, page.body));
    EXPECT_TRUE(features);
    return *std::move(features);
  }

  // Reads all, learns the last text of each URL, and checks all.
  std::vector<Answer> learn_and_check(const std::vector<Page>& pages) {
    std::vector<Features> records;
    for (const Page& page : pages)
      records.push_back(read(page));
    for (size_t i = 0; i < pages.size(); ++i) {
      bool is_last = true;
      for (size_t later = i + 1; later < pages.size(); ++later)
        is_last &= pages[later].url != pages[i].url;
      if (!is_last) continue;
      EXPECT_TRUE(engine_->learn(records[i]));
    }
    std::vector<Answer> answers;
    for (const Features& record : records) {
      const Result<Answer> answer = engine_->check_features(record);
      EXPECT_TRUE(answer);
      answers.push_back(*answer);
    }
    return answers;
  }
};

TEST_F(LearnTest, EveryAnswerIsTheSettledOne) {
  const std::vector<Page> pages = shop(24);
  const std::vector<Answer> learned = learn_and_check(pages);
  expect_consistent();
  open(Parameters{});
  bool changes = false;
  std::vector<Answer> first, settled;
  for (const Page& page : pages)
    first.push_back(check(page.url, page.body));
  ASSERT_TRUE(engine_->settle([&](const Answer& answer, std::string_view) {
    settled.push_back(answer);
    return true;
  }));
  ASSERT_EQ(settled.size(), learned.size());
  for (size_t i = 0; i < learned.size(); ++i) {
    EXPECT_EQ(learned[i].verdict, settled[i].verdict) << pages[i].url;
    EXPECT_EQ(learned[i].group_id, settled[i].group_id) << pages[i].url;
    EXPECT_EQ(learned[i].page_id, settled[i].page_id) << pages[i].url;
    EXPECT_DOUBLE_EQ(learned[i].resemblance, settled[i].resemblance) << pages[i].url;
    changes |= first[i].group_id != settled[i].group_id;
  }
  EXPECT_TRUE(changes) << "or nothing was to be learned";
}

TEST_F(LearnTest, APageThatComesAgainCountsByItsLastText) {
  std::vector<Page> pages = shop(12);
  const std::string other = sample::html(article(1000, 6));
  pages.insert(pages.begin(), {url_of(5), other});
  const std::vector<Answer> answers = learn_and_check(pages);
  expect_consistent();
  EXPECT_EQ(answers.front().verdict, kNew);
  for (size_t i = 1; i < pages.size(); ++i) {
    if (pages[i].url != url_of(5)) continue;
    EXPECT_NE(answers[i].flags & kChanged, 0U);
    EXPECT_EQ(answers[i].verdict, kNew);
    EXPECT_NE(answers[i].group_id, 0U);
  }
  EXPECT_EQ(check(url_of(7), pages[1].body).flags & kChanged, kChanged) << "checks go on";
}

TEST_F(LearnTest, ARecordIsSmallerThanAPortableOneAndFindsTheSame) {
  const std::vector<Page> pages = shop(2);
  const Features record = read(pages[0]);
  EXPECT_FALSE(RecordKeys::is_portable(record));
  EXPECT_TRUE(RecordKeys::has_sentences(record));
  ASSERT_TRUE(engine_->check_features(record));
  const Answer copy = check("https://copy.example/1", pages[0].body);
  EXPECT_EQ(copy.verdict, kExactDuplicate);
  EXPECT_EQ(copy.group_id, 1U);
}

TEST_F(LearnTest, PagesWithoutTextOfTheirOwnAreCounted) {
  std::vector<Page> pages;
  for (uint64_t page = 1; page <= 20; ++page)
    pages.push_back({url_of(page), "<h1>Not found</h1><p>There is no such page on this server"});
  learn_and_check(pages);
  EXPECT_EQ(engine_->counters().without_own_text, 20U);
}

TEST_F(LearnTest, FeaturesOfAnotherDetectorAreRefused) {
  const Features record = read(shop(1)[0]);
  Parameters parameters;
  parameters.detector.method = static_cast<uint32_t>(detectors::Method::kSimhash64);
  open(parameters);
  const Result<void> learned = engine_->learn(record);
  ASSERT_FALSE(learned);
  EXPECT_EQ(learned.failure().status, Status::kInvalidArgument);
}

TEST_F(LearnTest, AQuarterOfTheBudgetIsForWhatIsLearned) {
  const std::vector<Page> pages = shop(900);
  std::vector<Features> records;
  for (const Page& page : pages)
    records.push_back(read(page));
  for (size_t i = 0; i < records.size() / 2; ++i)
    EXPECT_TRUE(engine_->learn(records[i]));
  const Sizes sizes = engine_->sizes();
  Parameters parameters;
  parameters.memory_budget_bytes =
      4 * (sizes.bytes_index + sizes.bytes_features + sizes.bytes_pages + sizes.bytes_events);
  open(parameters);
  for (const Features& record : records)
    EXPECT_TRUE(engine_->learn(record));
  const uint64_t left_out = engine_->counters().limit_memory;
  EXPECT_GT(left_out, 0U);
  EXPECT_LT(left_out, records.size());
  EXPECT_TRUE(engine_->check_features(records[0]));
  EXPECT_EQ(engine_->counters().limit_memory, left_out) << "its text is kept";
}

TEST_F(LearnTest, SettlingChangesNothingAndChecksGoOnAsBefore) {
  const std::vector<Page> pages = shop(12);
  const std::vector<Answer> learned = learn_and_check(pages);
  size_t settled = 0;
  ASSERT_TRUE(engine_->settle([&](const Answer& answer, std::string_view) {
    EXPECT_EQ(answer.group_id, learned[settled++].group_id);
    return true;
  }));
  EXPECT_EQ(settled, learned.size());
  EXPECT_TRUE(events_of(*engine_, 0).empty());
  EXPECT_TRUE(engine_->remove(url_of(1)));
  EXPECT_EQ(check(url_of(1), pages[0].body).verdict, kNew);
  expect_consistent();
}

TEST_F(LearnTest, AfterTheFirstCheckNothingIsLearned) {
  const std::vector<Page> pages = shop(2);
  const Features record = read(pages[0]);
  check(pages[1].url, pages[1].body);
  const Result<void> learned = engine_->learn(record);
  ASSERT_FALSE(learned);
  EXPECT_EQ(learned.failure().status, Status::kInvalidArgument);
}

TEST_F(LearnTest, WhereNothingIsAskedOfSitesNothingIsLearned) {
  open(report_parameters());
  const std::vector<Answer> answers = learn_and_check(shop(6));
  EXPECT_EQ(engine_->sizes().pages, answers.size());
}

class LearnStoreTest : public StoreTest {};

TEST_F(LearnStoreTest, AStoreLearnsAsItsPagesCome) {
  const Owned<Engine> engine = open();
  const std::string body = sample::html(article(1, 4));
  Result<Features> record = engine->read(page_input("https://a.example/", body));
  ASSERT_TRUE(record);
  const Result<void> learned = engine->learn(*record);
  ASSERT_FALSE(learned);
  EXPECT_EQ(learned.failure().status, Status::kInvalidArgument);
  EXPECT_TRUE(engine->check_features(*record));
}

}  // namespace
}  // namespace nd::engine
