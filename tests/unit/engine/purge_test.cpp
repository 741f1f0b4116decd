// Removing pages with their texts: another member represents the group then, or the group falls apart. The
// same after a kill and in another process.
#include <gtest/gtest.h>

#include "unit/engine/store_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::paragraph;
using sample::Paragraphs;
using sample::rewritten;
using sample::url;

// Only the last paragraphs of the article are left.
Paragraphs rewritten_at_the_front(Paragraphs text, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count && i < text.size(); ++i)
    text[i] = paragraph(seed * 1000 + 700 + i);
  return text;
}

// Both halves of an article resemble the whole, and not each other.
const std::string kWhole = article_html(1);
const std::string kFrontHalf = html(rewritten(article(1), 3, 7));
const std::string kBackHalf = html(rewritten_at_the_front(article(1), 3, 8));

Result<uint64_t> purge(Engine& engine, std::string_view url_prefix) {
  RemovalFilter filter;
  filter.url_prefix = url_prefix;
  filter.purge = true;
  return engine.remove_matching(filter);
}

TEST_F(EngineTest, AMemberThatDoesNotResembleTheElectedOneFoundsAGroup) {
  open(report_parameters());
  const Answer founder = check(url(1), kWhole, 1000);
  const Answer front = check(url(2), kFrontHalf, 2000);
  const Answer back = check(url(3), kBackHalf, 3000);
  const Answer twin = check(url(4), kFrontHalf, 4000);
  ASSERT_EQ(members(founder.group_id),
            (std::vector<uint64_t>{founder.page_id, front.page_id, back.page_id, twin.page_id}));
  const uint64_t seen = events_of(*engine_, 0).size();
  ASSERT_EQ(*purge(*engine_, url(1)), 1U);
  expect_consistent();
  EXPECT_EQ(groups()[founder.group_id].representative_page_id, front.page_id);
  EXPECT_EQ(members(founder.group_id), (std::vector<uint64_t>{front.page_id, twin.page_id}));
  const PageView moved = page(url(3));
  EXPECT_EQ(moved.answer.verdict, kNew);
  EXPECT_EQ(moved.answer.group_id, moved.answer.page_id) << "it founds a group";
  EXPECT_GT(moved.answer.page_id, twin.page_id) << "an id that no page has had";
  EXPECT_EQ(moved.first_fetched_at_ms, 3000);
  EXPECT_EQ(moved.last_fetched_at_ms, 3000);
  EXPECT_EQ(engine_->counters().regrouped.load(), 1U);
  bool told = false;
  for (const Event& event : events_of(*engine_, 0)) {
    told |= event.kind == EventKind::kRegrouped && event.page_id == moved.answer.page_id &&
            event.old_group_id == founder.group_id && event.new_group_id == moved.answer.group_id;
  }
  EXPECT_TRUE(told);
  EXPECT_GT(events_of(*engine_, 0).size(), seen);
  // Both halves are found now, each by its own group.
  EXPECT_EQ(query(url(5), kFrontHalf).group_id, founder.group_id);
  EXPECT_EQ(query(url(5), kBackHalf).group_id, moved.answer.group_id);
}

TEST_F(StoreTest, AnElectionIsTheSameAfterAKillAndInAnotherProcess) {
  std::string expected;
  {
    const Owned<Engine> engine = open();
    for (uint64_t i = 1; i <= 4; ++i) {
      const std::string& body = i == 1 ? kWhole : i == 3 ? kBackHalf : kFrontHalf;
      ASSERT_TRUE(engine->check(page_input(url(i), body, static_cast<int64_t>(1000 * i))));
    }
    ASSERT_EQ(*purge(*engine, url(1)), 1U);
    expected = picture_of(*engine);
    // Goes without being closed.
  }
  {
    const Owned<Engine> replayed = open();
    ASSERT_NE(replayed, nullptr);
    EXPECT_EQ(picture_of(*replayed), expected);
    const Result<Answer> back = replayed->query(page_input(url(5), kBackHalf));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->group_id, replayed->find_page(url(3))->answer.group_id);
    ASSERT_TRUE(replayed->close());
  }
  const Owned<Engine> read = open();
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(picture_of(*read), expected);
}

// A group's own record names 64 members, its parts 256 each.
TEST_F(StoreTest, MembersOfALargeGroupAreReadBack) {
  constexpr uint64_t kPages = 64 + 256 + 30;
  Owned<Engine> reference = *Engine::open(Parameters{});
  Owned<Engine> engine = open();
  ASSERT_NE(engine, nullptr);
  const auto both = [&](auto&& call) {
    call(*reference);
    call(*engine);
  };
  both([](Engine& each) {
    for (uint64_t i = 1; i <= kPages; ++i)
      ASSERT_TRUE(each.check(page_input(url(i), kWhole)));
  });
  const auto reopened = [&] {
    ASSERT_TRUE(engine->close());
    engine.reset();
    engine = open();
    ASSERT_NE(engine, nullptr);
    EXPECT_EQ(picture_of(*engine), picture_of(*reference));
  };
  ASSERT_NO_FATAL_FAILURE(reopened());
  // One of the record, one of each part; one more comes to the last part.
  both([](Engine& each) {
    for (const uint64_t page : {10U, 74U, 325U})
      EXPECT_TRUE(each.remove(url(page)));
    EXPECT_TRUE(each.check(page_input(url(kPages + 1), kWhole)));
  });
  EXPECT_EQ(picture_of(*engine), picture_of(*reference));
  ASSERT_NO_FATAL_FAILURE(reopened());
  both([](Engine& each) {
    for (uint64_t page = 65; page <= 64 + 256; ++page)
      EXPECT_EQ(static_cast<bool>(each.remove(url(page))), page != 74) << page;
  });
  EXPECT_EQ(picture_of(*engine), picture_of(*reference)) << "without the first part";
  ASSERT_NO_FATAL_FAILURE(reopened());
}

}  // namespace
}  // namespace nd::engine
