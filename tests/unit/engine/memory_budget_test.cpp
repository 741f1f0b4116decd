// An engine at its memory budget: it answers every call, says so, and logs it once.
#include <gtest/gtest.h>

#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

using sample::article_html;
using sample::url;

Parameters with_budget(uint64_t bytes) {
  Parameters parameters;
  parameters.memory_budget_bytes = bytes;
  return parameters;
}

TEST_F(EngineTest, BeyondTheBudgetPagesAreAnsweredAndFlagged) {
  open(with_budget(2'000'000));
  uint64_t i = 0;
  while (i < 1000 && (check(url(i), article_html(i)).flags & kLimit) == 0)
    ++i;
  ASSERT_GT(i, 1U);
  ASSERT_LT(i, 1000U);
  const Sizes full = engine_->sizes();
  // Copies of what is known still find their group; new articles found one that attracts nobody.
  const Answer copy = check(url(2000), article_html(0));
  EXPECT_EQ(copy.verdict, kExactDuplicate);
  EXPECT_EQ(copy.flags, uint32_t{kLimit});
  const Answer fresh = check(url(2001), article_html(2001));
  EXPECT_EQ(fresh.verdict, kNew);
  EXPECT_EQ(fresh.flags, uint32_t{kLimit});
  EXPECT_EQ(check(url(2002), article_html(2001)).verdict, kNew);
  EXPECT_EQ(check(url(2001), article_html(2001)).verdict, kUnchanged);
  EXPECT_EQ(engine_->sizes().bytes_features, full.bytes_features);
  EXPECT_EQ(engine_->sizes().keys, full.keys);
  EXPECT_EQ(engine_->counters().limit_memory.load(), 4U);
  uint64_t events = 0;
  for (const Event& event : events_of(*engine_, 0))
    events += event.kind == EventKind::kLimit;
  EXPECT_EQ(events, 4U);
  expect_consistent();

  // With pages removed there is room again.
  for (uint64_t k = 0; k < i; ++k)
    ASSERT_TRUE(engine_->remove(url(k)));
  EXPECT_EQ(check(url(3000), article_html(3000)).flags, 0U);
  EXPECT_EQ(check(url(3001), article_html(3000)).verdict, kExactDuplicate);
}

TEST_F(EngineTest, ABudgetForNothingStillAnswersEveryCall) {
  open(with_budget(1));
  check(url(100), "");  // until something is held nothing is over the budget
  for (uint64_t i = 0; i < 10; ++i) {
    const Answer answer = check(url(i), article_html(1));
    EXPECT_EQ(answer.verdict, kNew);
    EXPECT_EQ(answer.flags, uint32_t{kLimit});
    EXPECT_EQ(check(url(i), article_html(2)).flags, uint32_t{kLimit | kRecrawl | kChanged});
    EXPECT_EQ(check(url(i), "").verdict, kNoText);
    EXPECT_EQ(check(url(i), "").verdict, kUnchanged);
  }
  EXPECT_LT(engine_->sizes().bytes_features, 1000U);
  EXPECT_EQ(engine_->sizes().keys, 0U);
  expect_consistent();
  String json;
  EXPECT_EQ(engine_->explain(page(url(0)).answer.page_id, page(url(1)).answer.page_id, json).failure().status,
            Status::kNotFound);
  for (uint64_t i = 0; i < 10; ++i)
    EXPECT_TRUE(engine_->remove(url(i)));
}

TEST_F(EngineTest, TheBudgetIsLoggedOnce) {
  static int warnings;
  warnings = 0;
  open(with_budget(1));
  check(url(100), "");
  engine_->set_logger({[](int32_t level, const char* message, size_t size, void*) {
                         EXPECT_EQ(level, 2);
                         EXPECT_EQ(std::string_view(message, size).find('\n'), std::string_view::npos);
                         ++warnings;
                       },
                       nullptr});
  for (uint64_t i = 0; i < 5; ++i)
    check(url(i), article_html(i));
  EXPECT_EQ(warnings, 1);
}

TEST_F(EngineTest, NoBudgetNoFlag) {
  for (uint64_t i = 0; i < 50; ++i)
    EXPECT_EQ(check(url(i), article_html(i)).flags, 0U);
}

TEST_F(EngineTest, OnlyTheLastEventsAreKept) {
  Parameters parameters;
  parameters.events = 3;
  open(parameters);
  for (uint64_t i = 0; i < 10; ++i) {
    check(url(i), article_html(i));
    ASSERT_TRUE(engine_->remove(url(i)));
  }
  const Vector<Event> events = events_of(*engine_, 0);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events.front().sequence, 8U);
  EXPECT_EQ(events.back().sequence, 10U);
  EXPECT_EQ(events_of(*engine_, 9).size(), 1U);
}

}  // namespace
}  // namespace nd::engine
