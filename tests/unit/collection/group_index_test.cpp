// The bound of the index of keys, as an engine keeps it.
#include <gtest/gtest.h>

#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::Paragraphs;
using sample::url;

class KeysBytesTest : public EngineTest {
 protected:
  // Without spot signatures: what the keys do not find is not found.
  void open_with(uint64_t keys_bytes, bool spots = false) {
    Parameters parameters;
    parameters.index.bytes = keys_bytes;
    parameters.spots.enabled = spots;
    parameters.fingerprints = {};  // as many keys as there may be
    open(parameters);
  }
  uint64_t limit_index() const { return engine_->counters().limit_index.load(); }
  // The articles from `first` on until one has no room. Returns its number.
  uint64_t fill(uint64_t first) {
    for (uint64_t number = first; number < first + 1000; ++number) {
      if (check(url(number), article_html(number)).flags & kLimit) return number;
    }
    ADD_FAILURE() << "the index never filled up";
    return 0;
  }
  static std::string longer(uint64_t seed, const std::string& more = "One more thing was said that day.") {
    Paragraphs paragraphs = article(seed, 6);
    paragraphs.push_back(more);
    return html(paragraphs);
  }
};

TEST_F(KeysBytesTest, BeyondThemGroupsAreFoundBySpotsAndFlagged) {
  open_with(1, true);
  const Answer first = check(url(1), html(article(1, 6)));
  EXPECT_EQ(first.verdict, kNew);
  EXPECT_TRUE(first.flags & kLimit);
  EXPECT_TRUE(page(url(1)).answer.flags & kLimit);
  EXPECT_EQ(engine_->sizes().keys, 0U);
  EXPECT_EQ(limit_index(), 1U);
  const Answer second = check(url(2), longer(1));
  EXPECT_EQ(second.verdict, kNearDuplicate);
  EXPECT_TRUE(second.flags & kLimit) << "the group does without the member's keys";
  EXPECT_EQ(limit_index(), 2U);
}

TEST_F(KeysBytesTest, AMemberWithoutNewKeysIsNotFlagged) {
  open_with(8192);
  const uint64_t full = fill(1);
  EXPECT_EQ(limit_index(), 1U);
  const Answer copy = check(url(5000), article_html(1));
  EXPECT_EQ(copy.verdict, kExactDuplicate);
  EXPECT_EQ(copy.flags, 0U);
  EXPECT_EQ(limit_index(), 1U);
  // Equal text is found without keys, too.
  EXPECT_EQ(check(url(5001), article_html(full)).verdict, kExactDuplicate);
}

TEST_F(KeysBytesTest, WhatIsRemovedMakesRoomAgain) {
  open_with(8192);
  const uint64_t full = fill(1);
  const uint64_t keys = engine_->sizes().keys;
  for (uint64_t number = 1; number <= full; ++number)
    ASSERT_TRUE(engine_->remove(url(number)));
  EXPECT_EQ(engine_->sizes().keys, 0U);
  EXPECT_EQ(fill(2001), full + 2000) << "the tables are as large as they were, what they hold is not";
  EXPECT_NEAR(static_cast<double>(engine_->sizes().keys), static_cast<double>(keys), 50);
}

TEST_F(KeysBytesTest, AChangedPageKeepsItsOldKeysWhereItsNewOnesHaveNoRoom) {
  open_with(8192);
  const uint64_t full = fill(1);
  // Another article, of very many more keys: alone in its group, and no room.
  Paragraphs long_text;
  for (uint64_t number = 100; number < 140; ++number) {
    for (const std::string& paragraph : article(number, 6))
      long_text.push_back(paragraph);
  }
  const uint64_t keys = engine_->sizes().keys;
  const uint64_t limited = limit_index();
  // Whatever is left of the bound is used up first.
  const Answer changed = check(url(1), html(long_text));
  ASSERT_TRUE(changed.flags & kChanged);
  ASSERT_FALSE(changed.flags & kRegrouped);
  ASSERT_TRUE(changed.flags & kLimit);
  EXPECT_EQ(limit_index(), limited + 1);
  EXPECT_EQ(engine_->sizes().keys, keys);
  // The old text comes back: by its keys the page's group is looked at again.
  const uint64_t candidates = engine_->counters().candidates;
  check(url(6000), longer(1));
  EXPECT_EQ(engine_->counters().candidates - candidates, 1U);
  // And nothing of them is left when all pages are gone.
  ASSERT_TRUE(engine_->remove(url(6000)));
  for (uint64_t number = 1; number <= full; ++number)
    ASSERT_TRUE(engine_->remove(url(number)));
  EXPECT_EQ(engine_->sizes().keys, 0U);
}

}  // namespace
}  // namespace nd::engine
