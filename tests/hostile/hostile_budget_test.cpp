// The budget of a check, where its candidates together take more than it has: what is cut is flagged and
// counted, and a page that is known, or nearly, is recognised all the same.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "hostile/hostile_kinds.hpp"
#include "hostile/hostile_records.hpp"

namespace nd::engine {
namespace {

// So many bytes that one comparison of two such pages takes more than half of the budget.
constexpr size_t kPageBytes = 32768;
constexpr unsigned kPages = 14;

std::string page_of(unsigned variant) {
  return ndc::bench::hostile_kind("shuffled-blocks")->make(kPageBytes, variant);
}

std::string url_of(unsigned number) {
  return "https://site" + std::to_string(number) + ".example/";
}

// The page with another word in place of one in so many.
std::string edited(std::string body, unsigned words) {
  const size_t begin = body.rfind("<p>") + 3;
  unsigned word = 0;
  for (size_t at = begin; at + 3 <= body.size(); at += 3) {
    if (++word % words == 0) body.replace(at, 2, "##");
  }
  return body;
}

class HostileBudgetTest : public ::testing::Test {
 protected:
  void open(const Parameters& parameters) {
    engine_ = opened(parameters);
    for (unsigned number = 0; number < kPages; ++number)
      EXPECT_EQ(check(url_of(number), page_of(number)).verdict, kNew) << number;
  }
  PageInput input_of(std::string_view url, std::string_view body) {
    PageInput page;
    page.url = url;
    page.body = {reinterpret_cast<const uint8_t*>(body.data()), body.size()};
    page.content_type = "text/html; charset=utf-8";
    page.fetched_at_ms = 1000;
    return page;
  }
  Answer check(std::string_view url, std::string_view body) {
    const WorkTally before = work_of(*engine_);
    const uint64_t limited = engine_->counters().limit_work;
    const Result<Answer> answer = engine_->check(input_of(url, body));
    EXPECT_TRUE(answer);
    comparison_ = work_of(*engine_).since(before).of(Work::kComparison);
    limited_ = engine_->counters().limit_work - limited;
    return answer ? *answer : Answer{};
  }
  // Of a page, with what is not counted against the limits of a comparison: tokens prepared and weighed.
  static uint64_t most_work(const Parameters& parameters, size_t bytes = kPageBytes) {
    return parameters.budget.check_work + parameters.budget.byte_work * bytes + 16 * kPageBytes;
  }

  Owned<Engine> engine_;
  uint64_t comparison_ = 0;  // work of the last check
  uint64_t limited_ = 0;
};

TEST_F(HostileBudgetTest, AllComparisonsTogetherAreBoundedAndWhatIsCutIsFlagged) {
  const Parameters parameters;
  open(parameters);
  const Answer answer = check("https://last.example/", page_of(kPages));
  EXPECT_EQ(answer.verdict, kNew);
  EXPECT_NE(answer.flags & kLimit, 0U);
  EXPECT_EQ(limited_, 1U);
  EXPECT_LE(comparison_, most_work(parameters));
  EXPECT_GE(comparison_, parameters.budget.check_work / 4) << "the comparisons are what takes the time";
  const std::string asked = page_of(kPages + 1);
  const Result<Answer> foretold = engine_->query(input_of("https://asked.example/", asked));
  ASSERT_TRUE(foretold);
  EXPECT_EQ(foretold->verdict, kNew);
  EXPECT_NE(foretold->flags & kLimit, 0U);
}

// What bench/worst_page_search found: a part of a page has as many candidates as the whole, and fewer bytes.
TEST_F(HostileBudgetTest, APartOfAPageIsBoundedByItsOwnSize) {
  const Parameters parameters;
  open(parameters);
  for (const size_t part : {size_t{12236}, size_t{4096}, size_t{1024}}) {
    check("https://part" + std::to_string(part) + ".example/", page_of(kPages).substr(0, part));
    EXPECT_LE(comparison_, most_work(parameters, part));
  }
}

// Pages that all begin alike, and then go on for as long as it takes that unpacking one of them costs more
// than a check of the beginning may.
TEST_F(HostileBudgetTest, ASmallPageIsBoundedByItsOwnSizeWhateverIsKnown) {
  const std::string beginning =
      "<p>The harbour of the town is to be repaired in the spring, said the mayor of it on Monday when the "
      "council met for its second time</p>";
  const Parameters parameters;
  engine_ = opened(parameters);
  uint64_t word = 0;
  for (unsigned number = 0; number < kPages; ++number) {
    std::string page = beginning;
    for (; page.size() < 10 * kPageBytes; ++word)
      page += (word % 12 == 0 ? "<p>w" : " w") + std::to_string(word * 7919);
    EXPECT_EQ(check(url_of(number), page).verdict, kNew) << number;
  }
  const WorkTally before = work_of(*engine_);
  const Answer answer = check("https://small.example/", beginning);
  EXPECT_EQ(answer.verdict, kNew);
  EXPECT_NE(answer.flags & kLimit, 0U);
  const uint64_t blocks = work_of(*engine_).since(before).of(Work::kTemplates);
  EXPECT_LE(comparison_ + kStepsPerBlock * blocks,
            parameters.budget.check_work + parameters.budget.byte_work * beginning.size());
  // One that is as small, behind all of them.
  EXPECT_EQ(check("https://copy.example/", beginning).verdict, kExactDuplicate);
  EXPECT_EQ(check("https://near.example/", edited(beginning, 20)).group_id, answer.group_id);
}

TEST_F(HostileBudgetTest, WithoutABudgetNothingIsCut) {
  Parameters parameters;
  parameters.budget.check_work = 0;
  parameters.decision.same_document = 1;  // compared to the end, some would join
  open(parameters);
  const Answer answer = check("https://last.example/", page_of(kPages));
  EXPECT_EQ(answer.verdict, kNew);
  EXPECT_EQ(limited_, 0U);
  EXPECT_GT(comparison_, most_work(Parameters{}));
}

TEST_F(HostileBudgetTest, TheSamePageAndOneThatNearlyEqualsItAreRecognised) {
  open(Parameters{});
  for (unsigned number = 0; number < kPages; ++number) {
    const Result<PageView> known = engine_->find_page(url_of(number));
    ASSERT_TRUE(known);
    const Answer again = check(url_of(number), page_of(number));
    EXPECT_EQ(again.verdict, kUnchanged);
    const std::string copy = "https://copy" + std::to_string(number) + ".example/";
    const Answer exact = check(copy, page_of(number));
    EXPECT_EQ(exact.verdict, kExactDuplicate);
    EXPECT_EQ(exact.group_id, known->answer.group_id);
    const std::string near_copy = "https://near" + std::to_string(number) + ".example/";
    const Answer near = check(near_copy, edited(page_of(number), 200));
    EXPECT_EQ(near.verdict, kNearDuplicate) << number;
    EXPECT_EQ(near.group_id, known->answer.group_id);
    EXPECT_LE(comparison_, most_work(Parameters{}));
  }
  // And a page that was changed in place.
  const Answer changed = check("https://near3.example/", edited(page_of(3), 150));
  EXPECT_EQ(changed.verdict, kNearDuplicate);
  EXPECT_NE(changed.flags & kChanged, 0U);
  EXPECT_EQ(changed.flags & kRegrouped, 0U);
}

// Exact copies are found where there is nothing to spend at all.
TEST_F(HostileBudgetTest, TheSmallestBudgetFindsExactCopies) {
  Parameters parameters;
  parameters.budget.check_work = 1;
  parameters.budget.byte_work = 0;
  open(parameters);
  EXPECT_EQ(check("https://copy.example/", page_of(5)).verdict, kExactDuplicate);
  const Answer near = check("https://near.example/", edited(page_of(5), 200));
  EXPECT_EQ(near.verdict, kNew);
  EXPECT_NE(near.flags & kLimit, 0U);
  EXPECT_EQ(comparison_, 0U);
  EXPECT_EQ(engine_->check(input_of("https://near.example/", page_of(5)))->verdict, kExactDuplicate);
}

TEST_F(HostileBudgetTest, ExplainingAndSimilarPagesAreCutAsWell) {
  Parameters parameters;
  parameters.budget.check_work = 40'000;
  parameters.budget.byte_work = 8;
  open(parameters);
  String why;
  ASSERT_TRUE(engine_->explain(1, 2, why));
  EXPECT_NE(std::string_view(why).find("\"limited\":true"), std::string_view::npos) << why;
  const Result<SimilarPages> similar = engine_->similar_pages(1, 10);
  ASSERT_TRUE(similar);
  EXPECT_TRUE(similar->limited);
}

}  // namespace
}  // namespace nd::engine
