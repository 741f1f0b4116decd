// All pages decided again, once what they show of their sites is known.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;

class SettleTest : public EngineTest {
 protected:
  static std::string url_of(uint64_t page) { return "https://shop.example/" + std::to_string(page); }

  // Much text that all pages of the shop have, and little that is a page's own.
  static std::string product(uint64_t page) {
    sample::Paragraphs text = article(1, 8);
    text.push_back(article(100 + page, 1)[0]);
    return sample::html(text);
  }

  std::vector<Answer> settle() {
    std::vector<Answer> answers;
    const Result<void> settled = engine_->settle([&](const Answer& answer, std::string_view) {
      answers.push_back(answer);
      return true;
    });
    EXPECT_TRUE(settled);
    return answers;
  }
};

TEST_F(SettleTest, PagesThatJoinedByTheirFrameAreApart) {
  constexpr uint64_t kPages = 20;
  for (uint64_t page = 1; page <= kPages; ++page)
    check(url_of(page), product(page));
  ASSERT_EQ(page(url_of(2)).answer.group_id, 1U) << "the first two joined by their frame";
  const uint64_t last_event = events_of(*engine_, 0).empty() ? 0 : events_of(*engine_, 0).back().sequence;

  const std::vector<Answer> answers = settle();
  ASSERT_EQ(answers.size(), kPages);
  for (uint64_t number = 1; number <= kPages; ++number) {
    const PageView found = page(url_of(number));
    EXPECT_EQ(found.answer.page_id, number) << "pages keep their ids";
    EXPECT_EQ(found.answer.group_id, number);
    EXPECT_EQ(answers[number - 1].group_id, number);
    EXPECT_EQ(answers[number - 1].verdict, kNew);
  }
  const Vector<Event> events = events_of(*engine_, last_event);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.front().kind, EventKind::kRegrouped);
  EXPECT_EQ(events.front().page_id, 2U);
  EXPECT_EQ(events.front().old_group_id, 1U);
  EXPECT_EQ(events.front().new_group_id, 2U);
  expect_consistent();
}

TEST_F(SettleTest, NothingChangesASecondTimeAndPagesComeAsBefore) {
  for (uint64_t page = 1; page <= 20; ++page)
    check(url_of(page), product(page));
  settle();
  const size_t events = events_of(*engine_, 0).size();
  settle();
  EXPECT_EQ(events_of(*engine_, 0).size(), events);
  EXPECT_EQ(check(url_of(3), product(3)).verdict, kUnchanged);
  EXPECT_EQ(check(url_of(21), product(21)).page_id, 21U);
  EXPECT_EQ(check("https://copy.example/5", product(5)).verdict, kExactDuplicate);
  EXPECT_TRUE(engine_->remove(url_of(5)));
  expect_consistent();
}

TEST_F(SettleTest, TheCallerMayWantNoMoreAnswers) {
  for (uint64_t page = 1; page <= 4; ++page)
    check(url_of(page), product(page));
  int calls = 0;
  ASSERT_TRUE(engine_->settle([&](const Answer&, std::string_view) { return ++calls < 2; }));
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(engine_->sizes().pages, 4U);
}

TEST_F(SettleTest, NothingChangesTheEngineMeanwhile) {
  for (uint64_t page = 1; page <= 4; ++page)
    check(url_of(page), product(page));
  const auto refuses = [](const auto& result) {
    return !result && result.failure().status == Status::kInvalidArgument;
  };
  const Result<Features> record = engine_->read(page_input(url_of(9), product(9)));
  ASSERT_TRUE(record);
  bool is_refused = true;
  ASSERT_TRUE(engine_->settle([&](const Answer&, std::string_view) {
    is_refused &= refuses(engine_->check(page_input(url_of(9), product(9)))) &&
                  refuses(engine_->learn(*record)) && refuses(engine_->check_features(*record)) &&
                  refuses(engine_->remove(url_of(1))) && refuses(engine_->settle(nullptr));
    return true;
  }));
  EXPECT_TRUE(is_refused);
  EXPECT_EQ(check(url_of(5), product(5)).page_id, 5U) << "checks go on";
}

TEST_F(SettleTest, WhereNothingIsAskedOfSitesAnswersStand) {
  open(report_parameters());
  check(url_of(1), product(1));
  check(url_of(2), product(2));
  EXPECT_TRUE(settle().empty());
  EXPECT_EQ(engine_->sizes().pages, 2U);
}

TEST_F(SettleTest, WithoutATextNothingChanges) {
  Parameters parameters;
  parameters.memory_budget_bytes = 1;
  open(parameters);
  check(url_of(1), product(1));
  check(url_of(2), product(2));
  const Result<void> settled = engine_->settle(nullptr);
  ASSERT_FALSE(settled);
  EXPECT_EQ(settled.failure().status, Status::kLimit);
  EXPECT_EQ(page(url_of(2)).answer.page_id, 2U);
}

}  // namespace
}  // namespace nd::engine
