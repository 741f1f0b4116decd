// The same URL again: every sentence of the contract about it (ndcapi.h, nd_check_page).
#include <gtest/gtest.h>

#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

constexpr uint32_t kRecrawlChanged = kRecrawl | kChanged;

std::vector<Event> events_of(const Engine& engine, EventKind kind) {
  std::vector<Event> out;
  for (const Event& event : events_of(engine, 0)) {
    if (event.kind == kind) out.push_back(event);
  }
  return out;
}

TEST_F(EngineTest, TheSameTextIsUnchangedAndNeverADuplicateOfItself) {
  const Answer first = check(url(1), article_html(1));
  const Answer again = check(url(1), article_html(1));
  EXPECT_EQ(again.verdict, kUnchanged);
  EXPECT_EQ(again.flags, uint32_t{kRecrawl});
  EXPECT_EQ(again.page_id, first.page_id);
  EXPECT_EQ(again.group_id, first.group_id);
  EXPECT_EQ(again.matched_page_id, 0U);
  EXPECT_EQ(engine_->sizes().pages, 1U);
}

TEST_F(EngineTest, OtherMarkupIsNotAnotherText) {
  check(url(1), article_html(1));
  std::string redesigned = article_html(1);
  redesigned.insert(redesigned.find("<div>"), "<script>var now = 1;</script><div class=\"new\">");
  EXPECT_EQ(check(url(1), redesigned).verdict, kUnchanged);
}

TEST_F(EngineTest, AnUnchangedMemberTellsItsMatch) {
  const Answer founder = check(url(1), article_html(1));
  const Answer joined = check(url(2), html(rewritten(article(1), 1, 7)));
  const Answer again = check(url(2), html(rewritten(article(1), 1, 7)));
  EXPECT_EQ(again.verdict, kUnchanged);
  EXPECT_EQ(again.page_id, joined.page_id);
  EXPECT_EQ(again.group_id, founder.page_id);
  EXPECT_EQ(again.matched_page_id, founder.page_id);
  EXPECT_EQ(again.resemblance, joined.resemblance);
}

TEST_F(EngineTest, AChangedPageThatStillVerifiesKeepsItsIdAndGroup) {
  open(report_parameters());
  const Answer founder = check(url(1), article_html(1));
  const Answer joined = check(url(2), html(rewritten(article(1), 1, 7)));
  const Answer changed = check(url(2), html(rewritten(article(1), 2, 8)), 2000);
  EXPECT_EQ(changed.verdict, kNearDuplicate);
  EXPECT_EQ(changed.flags, kRecrawlChanged);
  EXPECT_EQ(changed.page_id, joined.page_id);
  EXPECT_EQ(changed.group_id, founder.page_id);
  EXPECT_EQ(changed.matched_page_id, founder.page_id);
  EXPECT_TRUE(events_of(*engine_, EventKind::kRegrouped).empty());
  EXPECT_EQ(page(url(2)).first_fetched_at_ms, 1000);
  EXPECT_EQ(page(url(2)).last_fetched_at_ms, 2000);
  expect_consistent();
}

// Pages come in the order of an archive, which need not be that of their times.
TEST_F(EngineTest, AnOlderCopyDoesNotTurnTheTimeOfTheLastFetchBack) {
  check(url(1), article_html(1), 3000);
  check(url(2), html(rewritten(article(1), 1, 7)), 3000);
  check(url(1), article_html(1), 2000);
  EXPECT_EQ(page(url(1)).last_fetched_at_ms, 3000) << "the same text";
  check(url(2), html(rewritten(article(1), 2, 8)), 2000);
  EXPECT_EQ(page(url(2)).last_fetched_at_ms, 3000) << "changed, and stays in its group";
  check(url(3), article_html(3), 3000);
  check(url(3), article_html(4), 2000);
  EXPECT_EQ(page(url(3)).last_fetched_at_ms, 3000) << "changed, and alone";
  check(url(2), article_html(5), 2000);
  EXPECT_EQ(page(url(2)).last_fetched_at_ms, 3000) << "changed, and leaves its group";
}

// Also where another group is nearer.
TEST_F(EngineTest, AChangedPageStaysWhereverItStillVerifies) {
  Parameters parameters = report_parameters();
  parameters.decision.resemblance = 0.2;
  open(parameters);
  // Halves: the page has the first of one founder and, for three parts of four, the second of another.
  const sample::Paragraphs one = article(1, 10), two = article(2, 10);
  const Answer founder = check(url(1), html(one));
  ASSERT_EQ(check(url(2), html(two)).verdict, kNew);
  sample::Paragraphs mixed(one.begin(), one.begin() + 8);
  mixed.insert(mixed.end(), two.begin(), two.begin() + 2);
  ASSERT_EQ(check(url(3), html(mixed)).group_id, founder.page_id);
  sample::Paragraphs later(one.begin(), one.begin() + 4);
  later.insert(later.end(), two.begin(), two.begin() + 6);
  ASSERT_NE(query(url(9), html(later)).group_id, founder.page_id) << "a stranger joins the nearer group";
  const Answer changed = check(url(3), html(later));
  EXPECT_EQ(changed.group_id, founder.page_id);
  EXPECT_EQ(changed.flags & kRegrouped, 0U);
}

TEST_F(EngineTest, APageAloneKeepsItsGroupWhateverItBecomes) {
  const Answer first = check(url(1), article_html(1));
  const Answer changed = check(url(1), article_html(2));
  EXPECT_EQ(changed.verdict, kNew);
  EXPECT_EQ(changed.flags, kRecrawlChanged);
  EXPECT_EQ(changed.page_id, first.page_id);
  EXPECT_EQ(changed.group_id, first.page_id);
  // The group now represents the new text, not the old one.
  EXPECT_EQ(check(url(2), article_html(2)).group_id, first.page_id);
  EXPECT_EQ(check(url(3), article_html(1)).verdict, kNew);
  EXPECT_EQ(groups()[first.page_id].representative_page_id, first.page_id);
  expect_consistent();
}

TEST_F(EngineTest, APageAloneThatChangedALittleIsNotHeldAgainstItsOldText) {
  check(url(1), article_html(1));
  const Answer changed = check(url(1), html(rewritten(article(1), 1, 7)));
  EXPECT_EQ(changed.verdict, kNew);
  EXPECT_EQ(changed.matched_page_id, 0U);
  EXPECT_EQ(changed.resemblance, 0);
}

TEST_F(EngineTest, APageAloneThatBecameACopyJoinsTheOriginal) {
  const Answer original = check(url(1), article_html(1));
  const Answer alone = check(url(2), article_html(2));
  const Answer copy = check(url(2), article_html(1));
  EXPECT_EQ(copy.verdict, kExactDuplicate);
  EXPECT_EQ(copy.group_id, original.page_id);
  EXPECT_EQ(copy.flags, kRecrawlChanged | kRegrouped);
  EXPECT_NE(copy.page_id, alone.page_id);
  EXPECT_FALSE(groups().contains(alone.page_id));
  EXPECT_EQ(check(url(3), article_html(2)).verdict, kNew) << "nothing of the old text is left";
  expect_consistent();
}

TEST_F(EngineTest, LeavingAGroupGivesAFreshIdAndAnEvent) {
  const Answer founder = check(url(1), article_html(1));
  const Answer member = check(url(2), article_html(1), 1500);
  const Answer left = check(url(2), article_html(2), 2000);
  EXPECT_EQ(left.verdict, kNew);
  EXPECT_EQ(left.flags, kRecrawlChanged | kRegrouped);
  EXPECT_GT(left.page_id, member.page_id);
  EXPECT_EQ(left.group_id, left.page_id);
  EXPECT_EQ(members(founder.page_id), std::vector<uint64_t>{founder.page_id});
  EXPECT_FALSE(engine_->get_page(member.page_id));
  EXPECT_EQ(page(url(2)).answer.page_id, left.page_id);
  EXPECT_EQ(page(url(2)).first_fetched_at_ms, 1500);
  const std::vector<Event> events = events_of(*engine_, EventKind::kRegrouped);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].page_id, left.page_id);
  EXPECT_EQ(events[0].old_group_id, founder.page_id);
  EXPECT_EQ(events[0].new_group_id, left.page_id);
  EXPECT_EQ(events[0].at_ms, 2000);
  EXPECT_TRUE(events_of(*engine_, EventKind::kRemoved).empty());
  expect_consistent();
}

TEST_F(EngineTest, MovingToAnotherGroup) {
  const Answer one = check(url(1), article_html(1));
  const Answer two = check(url(2), article_html(2));
  check(url(3), article_html(1));
  const Answer moved = check(url(3), html(rewritten(article(2), 1, 7)));
  EXPECT_EQ(moved.verdict, kNearDuplicate);
  EXPECT_EQ(moved.group_id, two.page_id);
  EXPECT_EQ(moved.flags & ~kUncertain, kRecrawlChanged | kRegrouped);
  EXPECT_EQ(members(one.page_id).size(), 1U);
  EXPECT_EQ(members(two.page_id), (std::vector<uint64_t>{two.page_id, moved.page_id}));
  expect_consistent();
}

TEST_F(EngineTest, AChangedFounderLeavesItsTextToItsMembers) {
  const Answer founder = check(url(1), article_html(1));
  const Answer member = check(url(2), html(rewritten(article(1), 1, 7)));
  const Answer left = check(url(1), article_html(2));
  EXPECT_EQ(left.verdict, kNew);
  EXPECT_EQ(left.flags, kRecrawlChanged | kRegrouped);
  EXPECT_NE(left.page_id, founder.page_id);
  EXPECT_EQ(groups()[founder.page_id].representative_page_id, 0U);
  EXPECT_EQ(members(founder.page_id), std::vector<uint64_t>{member.page_id});
  // The old text still attracts.
  const Answer late = check(url(3), article_html(1));
  EXPECT_EQ(late.group_id, founder.page_id);
  EXPECT_EQ(late.matched_page_id, 0U) << "its page is gone";
  EXPECT_NE(late.verdict, kNew);
  expect_consistent();
}

TEST_F(EngineTest, AChangedFounderIsHeldAgainstAnotherMember) {
  const Answer founder = check(url(1), article_html(1));
  const Answer member = check(url(2), html(rewritten(article(1), 1, 7)));
  const Answer changed = check(url(1), html(rewritten(article(1), 1, 8)));
  EXPECT_EQ(changed.verdict, kNearDuplicate);
  EXPECT_EQ(changed.flags & ~kUncertain, kRecrawlChanged);
  EXPECT_EQ(changed.page_id, founder.page_id);
  EXPECT_EQ(changed.group_id, founder.page_id);
  EXPECT_EQ(changed.matched_page_id, member.page_id);
  EXPECT_EQ(groups()[founder.page_id].representative_page_id, 0U);
  EXPECT_EQ(members(founder.page_id), (std::vector<uint64_t>{founder.page_id, member.page_id}));
  // And again: by now its own old text is a tombstone, still its own.
  const Answer again = check(url(1), html(rewritten(article(1), 1, 9)));
  EXPECT_EQ(again.group_id, founder.page_id);
  EXPECT_EQ(again.matched_page_id, member.page_id);
  expect_consistent();
}

TEST_F(EngineTest, AFounderIsNotHeldByTheOldTextThatOnlyItResembles) {
  open(report_parameters());
  const Answer founder = check(url(1), article_html(1, 12));
  // The member has the second half and its own rest; the founder then keeps the first half only.
  const sample::Paragraphs text = article(1, 12), rest = article(2, 6);
  sample::Paragraphs variant(text.begin() + 6, text.end());
  variant.insert(variant.end(), rest.begin(), rest.end());
  ASSERT_EQ(check(url(2), html(variant)).group_id, founder.page_id);
  sample::Paragraphs kept(text.begin(), text.begin() + 6);
  const sample::Paragraphs fresh = article(3, 6);
  kept.insert(kept.end(), fresh.begin(), fresh.end());
  const Answer changed = check(url(1), html(kept));
  EXPECT_EQ(changed.verdict, kNew) << "only its own old text resembles it";
  EXPECT_NE(changed.page_id, founder.page_id);
  expect_consistent();
}

TEST_F(EngineTest, AloneWithItsOwnTombstoneAPageIsNotHeldAgainstIt) {
  const Answer founder = check(url(1), article_html(1));
  check(url(2), html(rewritten(article(1), 1, 7)));
  check(url(1), html(rewritten(article(1), 1, 8)));  // stays; its first text is the tombstone
  ASSERT_TRUE(engine_->remove(url(2)));
  const Answer changed = check(url(1), html(rewritten(article(1), 1, 9)));
  EXPECT_EQ(changed.verdict, kNew);
  EXPECT_EQ(changed.page_id, founder.page_id);
  EXPECT_EQ(changed.group_id, founder.page_id);
  EXPECT_EQ(groups()[founder.page_id].representative_page_id, founder.page_id);
  ASSERT_EQ(events_of(*engine_, EventKind::kReelected).size(), 1U);
  EXPECT_EQ(events_of(*engine_, EventKind::kReelected)[0].page_id, founder.page_id);
  // The current text attracts other pages.
  EXPECT_EQ(check(url(3), html(rewritten(article(1), 1, 9))).verdict, kExactDuplicate);
  expect_consistent();
}

// The last member of a tombstone's group changes: keys that it had brought in itself must lead to its new
// text.
TEST_F(EngineTest, TheLastMemberOfATombstoneStandsForTheGroup) {
  const sample::Paragraphs old = article(1, 6), own = article(2, 6);
  sample::Paragraphs member = old;
  member.insert(member.end(), own.begin(), own.end());
  const Answer founder = check(url(1), html(old));
  ASSERT_EQ(check(url(2), html(member)).group_id, founder.page_id);
  ASSERT_TRUE(engine_->remove(url(1)));
  const Answer changed = check(url(2), html(own));
  EXPECT_EQ(changed.verdict, kNew);
  EXPECT_EQ(changed.group_id, founder.page_id);
  const Answer near = check(url(3), html(rewritten(own, 1, 9)));
  EXPECT_EQ(near.verdict, kNearDuplicate);
  EXPECT_EQ(near.group_id, founder.page_id);
  EXPECT_EQ(check(url(4), html(old)).verdict, kNew) << "the tombstone is gone";
  expect_consistent();
}

TEST_F(EngineTest, FromTextToNoneAndBack) {
  const Answer founder = check(url(1), article_html(1));
  check(url(2), article_html(1));
  const Answer gone = check(url(1), "");
  EXPECT_EQ(gone.verdict, kNoText);
  EXPECT_EQ(gone.flags, kRecrawlChanged | kRegrouped);
  EXPECT_EQ(gone.group_id, gone.page_id);
  const Answer back = check(url(1), article_html(1));
  EXPECT_EQ(back.verdict, kExactDuplicate);
  EXPECT_EQ(back.group_id, founder.page_id);
  expect_consistent();
}

TEST_F(EngineTest, APageAloneWithoutTextKeepsItsGroup) {
  const Answer empty = check(url(1), "");
  const Answer full = check(url(1), article_html(1));
  EXPECT_EQ(full.verdict, kNew);
  EXPECT_EQ(full.group_id, empty.page_id);
  EXPECT_EQ(check(url(2), article_html(1)).group_id, empty.page_id);
  open();
  const Answer first = check(url(1), article_html(1));
  EXPECT_EQ(check(url(1), "").group_id, first.page_id);
  EXPECT_EQ(engine_->sizes().keys, 0U);
  EXPECT_EQ(check(url(2), article_html(1)).verdict, kNew);
}

TEST_F(EngineTest, BackToAnEarlierText) {
  const Answer first = check(url(1), article_html(1));
  check(url(1), article_html(2));
  const Answer back = check(url(1), article_html(1));
  EXPECT_EQ(back.verdict, kNew);
  EXPECT_EQ(back.group_id, first.page_id);
  EXPECT_EQ(check(url(2), article_html(1)).verdict, kExactDuplicate);
  EXPECT_EQ(check(url(3), article_html(2)).verdict, kNew);
}

TEST_F(EngineTest, ManyChangesLeaveNoBytesBehind) {
  check(url(1), article_html(1));
  check(url(2), article_html(1));
  const auto cycle = [&] {
    check(url(2), article_html(2));                    // leaves
    check(url(2), article_html(1));                    // comes back
    check(url(1), html(rewritten(article(1), 1, 8)));  // founder changes, stays
    check(url(1), article_html(3));                    // and leaves
    check(url(1), article_html(1));
    EXPECT_TRUE(engine_->remove(url(1)));
    EXPECT_TRUE(engine_->remove(url(2)));
    check(url(1), article_html(1));
    check(url(2), article_html(1));
    const Sizes sizes = engine_->sizes();
    return std::vector<uint64_t>{sizes.pages, sizes.groups, sizes.keys, sizes.bytes_features,
                                 sizes.bytes_pages};
  };
  cycle();
  const std::vector<uint64_t> settled = cycle();
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(cycle(), settled);
  expect_consistent();
}

}  // namespace
}  // namespace nd::engine
