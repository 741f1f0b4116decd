// What a removed page leaves behind: nothing, but for a group that others still need.
#include <gtest/gtest.h>

#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

TEST_F(EngineTest, ARemovedPageIsForgotten) {
  const Answer first = check(url(1), article_html(1), 700);
  ASSERT_TRUE(engine_->remove(url(1)));
  EXPECT_FALSE(knows(url(1)));
  EXPECT_FALSE(engine_->get_page(first.page_id));
  EXPECT_TRUE(groups_of(*engine_).empty());
  EXPECT_FALSE(engine_->remove(url(1)));
  const Answer again = check(url(1), article_html(1));
  EXPECT_EQ(again.verdict, kNew);
  EXPECT_EQ(again.flags, 0U);
  EXPECT_NE(again.page_id, first.page_id);
  const Vector<Event> events = events_of(*engine_, 0);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, EventKind::kRemoved);
  EXPECT_EQ(events[0].page_id, first.page_id);
  EXPECT_EQ(events[0].old_group_id, first.page_id);
  EXPECT_EQ(events[0].new_group_id, 0U);
}

TEST_F(EngineTest, ARemovedFounderStillAttracts) {
  open(report_parameters());
  const Answer founder = check(url(1), article_html(1));
  const Answer member = check(url(2), html(rewritten(article(1), 1, 7)));
  ASSERT_TRUE(engine_->remove(url(1)));
  EXPECT_EQ(groups()[founder.page_id].representative_page_id, 0U);
  EXPECT_EQ(members(founder.page_id), std::vector<uint64_t>{member.page_id});
  const Answer late = check(url(3), html(rewritten(article(1), 3, 8)));
  EXPECT_EQ(late.verdict, kNearDuplicate);
  EXPECT_EQ(late.group_id, founder.page_id);
  EXPECT_EQ(late.matched_page_id, 0U);
  expect_consistent();
}

TEST_F(EngineTest, WithItsLastMemberTheGroupIsGoneAndItsMemoryIsBack) {
  open(report_parameters());
  check(url(7), article_html(7));
  // Tables keep their capacity, and words that are met again get their codes: later rounds show what is held.
  std::vector<std::vector<uint64_t>> sizes_seen;
  for (int round = 0; round < 6; ++round) {
    const Answer founder = check(url(1), article_html(1));
    check(url(2), html(rewritten(article(1), 1, 7)));
    check(url(3), html(rewritten(article(1), 2, 8)));
    ASSERT_TRUE(engine_->remove(url(1)));
    EXPECT_EQ(engine_->sizes().groups, 2U);
    ASSERT_TRUE(engine_->remove(url(2)));
    ASSERT_TRUE(engine_->remove(url(3)));
    EXPECT_FALSE(engine_->pages_of_group(founder.group_id));
    EXPECT_EQ(query(url(4), article_html(1)).verdict, kNew);
    const Sizes sizes = engine_->sizes();
    sizes_seen.push_back(
        {sizes.pages, sizes.groups, sizes.keys, sizes.bytes_features, sizes.bytes_pages, sizes.bytes_index});
    EXPECT_EQ(sizes.pages, 1U);
    EXPECT_EQ(sizes.groups, 1U);
  }
  EXPECT_EQ(sizes_seen[4], sizes_seen[3]);
  EXPECT_EQ(sizes_seen[5], sizes_seen[3]);
}

// By then the site has had the text in several groups, but that does not make it boilerplate.
TEST_F(EngineTest, APageThatComesAndGoesDoesNotBecomeBoilerplate) {
  for (int round = 0; round < 4; ++round) {
    const Answer first = check(url(1), article_html(1));
    EXPECT_EQ(query(url(2), html(rewritten(article(1), 1, 7))).group_id, first.page_id) << round;
    ASSERT_TRUE(engine_->remove(url(1)));
  }
  check(url(1), article_html(1));
  check(url(3), article_html(3));
  for (int round = 0; round < 4; ++round) {
    check(url(2), article_html(3));  // moves between both groups
    const Answer back = check(url(2), article_html(1));
    EXPECT_EQ(back.verdict, kExactDuplicate);
    EXPECT_EQ(query(url(9), html(rewritten(article(1), 1, 8))).verdict, kNearDuplicate) << round;
  }
}

TEST_F(EngineTest, AnEmptyEngineHoldsNoFeatures) {
  for (uint64_t i = 0; i < 20; ++i)
    check(url(i), html(rewritten(article(i % 4), i % 3, i)));
  for (uint64_t i = 0; i < 20; ++i)
    EXPECT_TRUE(engine_->remove(url(i)));
  const Sizes sizes = engine_->sizes();
  EXPECT_EQ(sizes.bytes_features, 0U);
  EXPECT_EQ(sizes.keys, 0U);
  EXPECT_EQ(sizes.pages, 0U);
  EXPECT_EQ(sizes.groups, 0U);
}

TEST_F(EngineTest, ATombstonesTextCountsAsMemory) {
  check(url(1), article_html(1));
  const uint64_t founder = engine_->sizes().bytes_features;
  check(url(2), html(rewritten(article(1), 1, 7)));
  const uint64_t both = engine_->sizes().bytes_features;
  EXPECT_GT(both, founder);
  ASSERT_TRUE(engine_->remove(url(1)));
  EXPECT_EQ(engine_->sizes().bytes_features, both);
  ASSERT_TRUE(engine_->remove(url(2)));
  EXPECT_EQ(engine_->sizes().bytes_features, 0U);
}

TEST_F(EngineTest, ARemovedTwinDoesNotHideTheOther) {
  std::string list;  // no keys: only the table of exact texts leads to it
  sample::Random random(8);
  for (int i = 0; i < 10; ++i)
    list += "<p>" + sample::word(random) + "</p>";
  check(url(1), list);
  check(url(2), list);
  ASSERT_TRUE(engine_->remove(url(1)));
  EXPECT_EQ(check(url(3), list).verdict, kExactDuplicate);
  ASSERT_TRUE(engine_->remove(url(2)));
  ASSERT_TRUE(engine_->remove(url(3)));
  EXPECT_EQ(check(url(4), list).verdict, kNew);
  expect_consistent();
}

class RemoveMatchingTest : public EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    check("https://www.first.co.uk/a/1", article_html(1), 100);
    check("https://news.first.co.uk/a/2", article_html(1), 200);
    check("https://www.second.example/a/1", article_html(2), 300);
    check("https://www.second.example/b", article_html(3), 400);
    check("", article_html(1), 50);
  }
  uint64_t remove(const RemovalFilter& filter) {
    const Result<uint64_t> removed = engine_->remove_matching(filter);
    EXPECT_TRUE(removed);
    expect_consistent();
    return *removed;
  }
};

TEST_F(RemoveMatchingTest, ByPrefix) {
  EXPECT_EQ(remove({"https://www.second.example/", "", 0}), 2U);
  EXPECT_FALSE(knows("https://www.second.example/b"));
  EXPECT_TRUE(knows("https://www.first.co.uk/a/1"));
  EXPECT_EQ(remove({"https://www.second.example/", "", 0}), 0U);
}

TEST_F(RemoveMatchingTest, BySite) {
  EXPECT_EQ(remove({"", "first.co.uk", 0}), 2U);
  EXPECT_FALSE(knows("https://news.first.co.uk/a/2"));
  EXPECT_EQ(remove({"", "co.uk", 0}), 0U);
  EXPECT_EQ(remove({"", "www.second.example", 0}), 0U) << "a host is not a site";
  EXPECT_EQ(engine_->sizes().pages, 3U);
}

TEST_F(RemoveMatchingTest, ByAge) {
  EXPECT_EQ(remove({"", "", 200}), 2U);  // 50 and 100
  EXPECT_TRUE(knows("https://news.first.co.uk/a/2"));
  check("https://news.first.co.uk/a/2", article_html(1), 900);
  EXPECT_EQ(remove({"", "", 401}), 2U) << "the last fetch counts";
  EXPECT_TRUE(knows("https://news.first.co.uk/a/2"));
}

TEST_F(RemoveMatchingTest, AllConditionsMustHold) {
  EXPECT_EQ(remove({"https://www.", "second.example", 350}), 1U);
  EXPECT_TRUE(knows("https://www.second.example/b"));
  EXPECT_EQ(engine_->counters().removed.load(), 1U);
  EXPECT_EQ(events_of(*engine_, 0).size(), 1U);
}

TEST_F(RemoveMatchingTest, Everything) {
  EXPECT_EQ(remove({"", "", 100000}), 5U);
  EXPECT_EQ(engine_->sizes().pages, 0U);
  EXPECT_EQ(engine_->sizes().bytes_features, 0U);
}

}  // namespace
}  // namespace nd::engine
