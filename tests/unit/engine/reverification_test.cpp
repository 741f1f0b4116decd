// The same text again once more of its site is known (docs/decision.md, "The same text again").
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "engine/check.hpp"
#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::Paragraphs;
using sample::rewritten;

constexpr uint32_t kRecrawlRegrouped = kRecrawl | kRegrouped;

std::string at(const std::string& site, uint64_t page) {
  return "https://www." + site + ".example/" + std::to_string(page);
}

std::string framed(Paragraphs boilerplate, const Paragraphs& text) {
  boilerplate.insert(boilerplate.end(), text.begin(), text.end());
  return html(boilerplate);
}

class ReverificationTest : public EngineTest {
 protected:
  // Pages of the site's boilerplate and of articles that nobody else has, enough for the boilerplate to be
  // known.
  void teach(const std::string& site, const Paragraphs& boilerplate, uint64_t first_article) {
    for (uint64_t page = 0; page < 12; ++page)
      check(at(site, 100 + page), framed(boilerplate, article(first_article + page, 12)));
  }
  uint64_t reverified() const { return engine_->counters().reverified.load(); }
  uint64_t verifications() const { return engine_->counters().verifications.load(); }
  std::vector<Event> regroupings() const {
    std::vector<Event> out;
    for (const Event& event : events_of(*engine_, 0)) {
      if (event.kind == EventKind::kRegrouped) out.push_back(event);
    }
    return out;
  }

  const Paragraphs frame_s_ = article(901, 12), frame_t_ = article(902, 12);
  const std::string copy_s_ = framed(frame_s_, article(1, 4)), copy_t_ = framed(frame_t_, article(1, 4));
};

// An article in the unknown boilerplate of two sites: the boilerplate outweighs it.
class KeptApartTest : public ReverificationTest {
 protected:
  void SetUp() override {
    ReverificationTest::SetUp();
    first_ = check(at("s", 1), copy_s_);
    second_ = check(at("t", 1), copy_t_);
    ASSERT_EQ(second_.verdict, kNew);
    teach("s", frame_s_, 20);
    teach("t", frame_t_, 40);
  }
  Answer first_, second_;
};

TEST_F(KeptApartTest, APageAloneFindsItsGroupOnceTheBoilerplateIsKnown) {
  const Answer again = check(at("t", 1), copy_t_, 2000);
  EXPECT_EQ(again.verdict, kUnchanged);
  EXPECT_EQ(again.flags, kRecrawlRegrouped);
  EXPECT_EQ(again.group_id, first_.page_id);
  EXPECT_EQ(again.matched_page_id, first_.page_id);
  EXPECT_GT(again.resemblance, 0.8);
  EXPECT_GT(again.page_id, second_.page_id) << "an id that no group has had";
  EXPECT_FALSE(groups().contains(second_.page_id));
  EXPECT_EQ(members(first_.page_id), (std::vector<uint64_t>{first_.page_id, again.page_id}));
  EXPECT_EQ(page(at("t", 1)).first_fetched_at_ms, 1000);
  EXPECT_EQ(page(at("t", 1)).last_fetched_at_ms, 2000);
  EXPECT_EQ(page(at("t", 1)).answer.verdict, kNearDuplicate) << "what it was decided to be";
  ASSERT_EQ(regroupings().size(), 1U);
  EXPECT_EQ(regroupings()[0].page_id, again.page_id);
  EXPECT_EQ(regroupings()[0].old_group_id, second_.page_id);
  EXPECT_EQ(regroupings()[0].new_group_id, first_.page_id);
  EXPECT_EQ(regroupings()[0].at_ms, 2000);
  EXPECT_EQ(reverified(), 1U);
  EXPECT_EQ(engine_->counters().regrouped.load(), 1U);
  EXPECT_EQ(engine_->counters().changed.load(), 0U);
  expect_consistent();
}

TEST_F(KeptApartTest, WhatHasNotMovedSinceIsNotVerifiedAgain) {
  check(at("t", 1), copy_t_);
  check(at("s", 1), copy_s_);
  const uint64_t before = verifications();
  for (int i = 0; i < 3; ++i) {
    const Answer again = check(at("t", 1), copy_t_);
    EXPECT_EQ(again.verdict, kUnchanged);
    EXPECT_EQ(again.flags, uint32_t{kRecrawl});
    EXPECT_EQ(again.group_id, first_.page_id);
    EXPECT_GT(again.resemblance, 0.8) << "the figures of the last verification";
    EXPECT_EQ(check(at("s", 1), copy_s_).flags, uint32_t{kRecrawl});
  }
  EXPECT_EQ(verifications(), before);
  EXPECT_EQ(reverified(), 2U);
}

TEST_F(KeptApartTest, AQueryTellsTheSameAndChangesNothing) {
  const auto picture = [&] {
    const Sizes sizes = engine_->sizes();
    return std::vector<uint64_t>{sizes.pages,
                                 sizes.groups,
                                 sizes.keys,
                                 sizes.bytes_features,
                                 sizes.bytes_pages,
                                 events_of(*engine_, 0).size(),
                                 page(at("t", 1)).answer.page_id,
                                 reverified()};
  };
  const std::vector<uint64_t> before = picture();
  const Answer asked = query(at("t", 1), copy_t_);
  EXPECT_EQ(query(at("t", 1), copy_t_).flags, asked.flags) << "the first one has changed nothing";
  EXPECT_EQ(picture(), before);
  const Answer told = check(at("t", 1), copy_t_);
  EXPECT_EQ(asked.verdict, told.verdict);
  EXPECT_EQ(asked.flags, told.flags);
  EXPECT_EQ(asked.group_id, told.group_id);
  EXPECT_EQ(asked.matched_page_id, told.matched_page_id);
  EXPECT_EQ(asked.resemblance, told.resemblance);
  EXPECT_EQ(asked.page_id, second_.page_id) << "the page that is known";
}

TEST_F(KeptApartTest, AFounderReadAgainAttractsByItsArticleAlone) {
  const auto attracts_its_frame = [&](const std::string& site) {
    CheckTrace trace;
    EXPECT_TRUE(engine_->check_traced(page_input(at(site, 1), html(frame_t_)), trace));
    return std::ranges::any_of(trace.candidates,
                               [&](const auto& candidate) { return candidate.group_id == second_.page_id; });
  };
  EXPECT_TRUE(attracts_its_frame("v"));
  const Answer again = check(at("s", 1), copy_s_);  // moves to the other: of two alone the first asked goes
  EXPECT_EQ(again.group_id, second_.page_id);
  const Answer representative = check(at("t", 1), copy_t_);
  EXPECT_EQ(representative.flags, uint32_t{kRecrawl});
  EXPECT_EQ(representative.page_id, second_.page_id);
  EXPECT_EQ(representative.matched_page_id, 0U) << "it is what the others are compared with";
  EXPECT_EQ(page(at("t", 1)).answer.verdict, kNew);
  EXPECT_FALSE(attracts_its_frame("w"));
  EXPECT_EQ(check(at("u", 1), article_html(1, 4)).group_id, second_.page_id);
  expect_consistent();
}

TEST_F(ReverificationTest, WithoutRoomForItsKeysAFounderStaysAsItWasReadAndIsFlagged) {
  Parameters parameters;
  parameters.index.bytes = 1;
  open(parameters);
  ASSERT_TRUE(check(at("t", 1), copy_t_).flags & kLimit);
  teach("t", frame_t_, 40);
  const uint64_t limited = engine_->counters().limit_index.load();
  const uint64_t held = engine_->sizes().bytes_features;
  const Answer again = check(at("t", 1), copy_t_, 2000);
  EXPECT_EQ(again.verdict, kUnchanged);
  EXPECT_EQ(again.flags, uint32_t{kRecrawl | kLimit});
  EXPECT_EQ(engine_->counters().limit_index.load(), limited + 1);
  EXPECT_EQ(engine_->sizes().bytes_features, held);
  EXPECT_EQ(page(at("t", 1)).last_fetched_at_ms, 2000);
  expect_consistent();
}

TEST_F(KeptApartTest, ThreadsThatAskAtOnceMoveItOnce) {
  const uint64_t pages_before = engine_->sizes().pages;
  std::atomic<int> moved{0}, unchanged{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      const Answer again = check(at("t", 1), copy_t_);
      moved += (again.flags & kRegrouped) != 0;
      unchanged += again.verdict == kUnchanged;
      check(at("s", 200 + static_cast<uint64_t>(i)), framed(frame_s_, article(600, 12)));
      check(at("t", 100), framed(frame_t_, article(40, 12)));
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(moved.load(), 1);
  EXPECT_EQ(unchanged.load(), 6);
  EXPECT_EQ(engine_->sizes().pages, pages_before + 6);
  EXPECT_EQ(members(first_.page_id).size(), 2U);
  expect_consistent();
}

// Of a host of which nothing is known the frame counts as text, and so the page that founded the group is
// another one; its next copy finds it.
TEST_F(KeptApartTest, TheExactTextOfAPageThatMovedJoinsOnlyWhomItResembles) {
  const Answer moved = check(at("t", 1), copy_t_);
  const Answer copy = check(at("u", 1), copy_t_);
  EXPECT_EQ(copy.verdict, kNew);
  EXPECT_EQ(copy.related_group_id, first_.page_id);
  EXPECT_EQ(check(at("v", 1), copy_t_).group_id, copy.group_id);
  EXPECT_EQ(page(at("t", 1)).answer.page_id, moved.page_id);
}

TEST_F(KeptApartTest, EverythingCanBeTakenAwayAfterwards) {
  check(at("t", 1), copy_t_);
  check(at("s", 1), copy_s_);
  ASSERT_TRUE(engine_->remove_matching({"https://", "", 0}));
  EXPECT_EQ(engine_->sizes().groups, 0U);
  EXPECT_EQ(engine_->sizes().keys, 0U);
  EXPECT_EQ(engine_->sizes().bytes_features, 0U);
}

TEST_F(ReverificationTest, OverTheMemoryBudgetItIsPutOffAndFlagged) {
  Parameters parameters;
  parameters.memory_budget_bytes = 1'500'000;
  open(parameters);
  const Answer first = check(at("s", 1), copy_s_);
  const Answer second = check(at("t", 1), copy_t_);
  teach("s", frame_s_, 20);
  teach("t", frame_t_, 40);
  uint64_t filler = 1000;
  while ((check(at("filler", filler), article_html(filler)).flags & kLimit) == 0)
    ++filler;
  const Answer put_off = check(at("t", 1), copy_t_);
  EXPECT_EQ(put_off.verdict, kUnchanged);
  EXPECT_EQ(put_off.flags, uint32_t{kRecrawl | kLimit});
  EXPECT_EQ(put_off.group_id, second.page_id);
  EXPECT_EQ(reverified(), 0U);
  ASSERT_TRUE(engine_->remove_matching({"https://www.filler.example/", "", 0}));
  EXPECT_EQ(check(at("t", 1), copy_t_).group_id, first.page_id) << "once there is room";
}

// Two articles amid boilerplate that two sites share: until it is known as boilerplate they are one.
class JoinedWronglyTest : public ReverificationTest {
 protected:
  void SetUp() override {
    ReverificationTest::SetUp();
    founder_ = check(at("s", 1), copy_s_);
    member_ = check(at("t", 1), other_t_);
    ASSERT_EQ(member_.group_id, founder_.page_id);
  }
  const std::string other_t_ = framed(frame_s_, article(2, 4));
  Answer founder_, member_;
};

TEST_F(JoinedWronglyTest, AMemberThatNoLongerVerifiesLeavesAndFounds) {
  teach("s", frame_s_, 20);
  teach("t", frame_s_, 40);
  const Answer again = check(at("t", 1), other_t_);
  EXPECT_EQ(again.verdict, kUnchanged);
  EXPECT_EQ(again.flags, kRecrawlRegrouped);
  EXPECT_GT(again.page_id, member_.page_id);
  EXPECT_EQ(again.group_id, again.page_id);
  EXPECT_EQ(again.matched_page_id, 0U);
  EXPECT_EQ(again.resemblance, 0);
  EXPECT_EQ(members(founder_.page_id), std::vector<uint64_t>{founder_.page_id});
  EXPECT_EQ(check(at("u", 1), article_html(2, 4)).group_id, again.page_id);
  EXPECT_EQ(check(at("u", 2), article_html(1, 4)).group_id, founder_.page_id);
  expect_consistent();
}

TEST_F(JoinedWronglyTest, ARepresentativeStaysWhereNothingBetterIsFound) {
  teach("s", frame_s_, 20);
  teach("t", frame_s_, 40);
  const Answer again = check(at("s", 1), copy_s_);
  EXPECT_EQ(again.flags, uint32_t{kRecrawl});
  EXPECT_EQ(again.page_id, founder_.page_id);
  EXPECT_EQ(groups()[founder_.page_id].representative_page_id, founder_.page_id);
  EXPECT_EQ(reverified(), 1U);
}

TEST_F(JoinedWronglyTest, ARepresentativeThatMovesLeavesATombstone) {
  const Answer better = check(at("u", 1), framed(article(903, 12), article(1, 4)));
  ASSERT_EQ(better.verdict, kNew);
  teach("s", frame_s_, 20);
  teach("u", article(903, 12), 60);
  teach("t", frame_s_, 40);
  const Answer moved = check(at("s", 1), copy_s_);
  EXPECT_EQ(moved.verdict, kUnchanged);
  EXPECT_EQ(moved.flags, kRecrawlRegrouped);
  EXPECT_EQ(moved.group_id, better.page_id);
  EXPECT_EQ(groups()[founder_.page_id].representative_page_id, 0U);
  EXPECT_EQ(members(founder_.page_id), std::vector<uint64_t>{member_.page_id});
  expect_consistent();
  // The member no longer verifies against the remaining text, but it is alone: the group now represents it.
  const Answer last = check(at("t", 1), other_t_);
  EXPECT_EQ(last.flags, uint32_t{kRecrawl});
  EXPECT_EQ(last.page_id, member_.page_id);
  EXPECT_EQ(last.group_id, founder_.page_id);
  EXPECT_EQ(last.matched_page_id, 0U);
  EXPECT_EQ(groups()[founder_.page_id].representative_page_id, member_.page_id);
  EXPECT_EQ(check(at("v", 1), article_html(2, 4)).group_id, founder_.page_id);
  expect_consistent();
}

TEST_F(ReverificationTest, ATextThatIsGoneTeachesNoMore) {
  const Paragraphs story = article(1, 4), roundup = article(2, 20);
  const Answer first = check(at("s", 1), html(story));
  check(at("s", 2), framed(story, roundup));
  ASSERT_EQ(query(at("u", 1), html(story)).verdict, kExactDuplicate);
  ASSERT_EQ(query(at("u", 1), html(rewritten(story, 1, 7))).verdict, kNew) << "two pages: boilerplate";
  check(at("s", 2), html(roundup));
  const Answer copy = check(at("u", 1), html(rewritten(story, 1, 7)));
  EXPECT_EQ(copy.verdict, kNearDuplicate);
  EXPECT_EQ(copy.group_id, first.page_id);
}

// With the page itself there are 1, 2, 3 ... pages of the site.
TEST_F(ReverificationTest, APageIsDecidedAgainEachTimeThatItsSiteHasDoubled) {
  uint64_t expected = 0;
  check(at("s", 1), copy_s_);
  for (uint64_t pages = 2; pages <= 20; ++pages) {
    check(at("s", pages), framed(frame_s_, article(pages, 12)));
    check(at("t", pages), framed(frame_t_, article(pages, 12)));  // another site, whatever it teaches
    expected += pages == 2 || pages == 4 || pages == 8 || pages == 16;
    for (int round = 0; round < 2; ++round) {
      const Answer again = check(at("s", 1), copy_s_);
      EXPECT_EQ(again.verdict, kUnchanged);
      EXPECT_EQ(reverified(), expected) << pages;
    }
  }
  // Pages that go teach nothing new, nor do those that come in their place.
  for (uint64_t page = 2; page <= 20; ++page)
    ASSERT_TRUE(engine_->remove(at("s", page)));
  for (uint64_t page = 102; page <= 120; ++page)
    check(at("s", page), framed(frame_s_, article(page, 12)));
  check(at("s", 1), copy_s_);
  EXPECT_EQ(reverified(), expected);
}

TEST_F(ReverificationTest, WhatAPageTaughtItselfIsNoNewsToIt) {
  const std::string second = framed(frame_s_, article(5, 12));
  check(at("s", 1), copy_s_);
  check(at("s", 2), second);  // with it there are twice as many
  EXPECT_EQ(check(at("s", 2), second).flags, uint32_t{kRecrawl});
  EXPECT_EQ(reverified(), 0U);
}

TEST_F(ReverificationTest, WithAnotherDecisionNothingIsDecidedAgain) {
  open(report_parameters());
  check(at("s", 1), copy_s_);
  teach("s", frame_s_, 20);
  EXPECT_EQ(check(at("s", 1), copy_s_).flags, uint32_t{kRecrawl});
  EXPECT_EQ(reverified(), 0U);
}

}  // namespace
}  // namespace nd::engine
