// Numbers of bookmarks: the lowest free one is given, and those of an earlier run stay.
#include "mark_slots.hpp"

#include <gtest/gtest.h>

namespace ndc::test {
namespace {

TEST(MarkSlots, GivesTheLowestThatIsFree) {
  MarkSlots slots;
  EXPECT_EQ(slots.take(10), 0u);
  EXPECT_EQ(slots.take(11), 1u);
  EXPECT_EQ(slots.take(12), 2u);
  slots.release(11);
  EXPECT_EQ(slots.take(13), 1u);
  slots.release(99);  // which has none
  EXPECT_EQ(slots.take(14), 3u);
}

TEST(MarkSlots, KeepsWhatAnEarlierRunHas) {
  MarkSlots slots;
  slots.hold(7, 1);
  slots.hold(7, 0);  // it has one
  slots.hold(8, 3);
  EXPECT_EQ(slots.take(9), 0u);
  EXPECT_EQ(slots.take(10), 2u);
  EXPECT_EQ(slots.take(11), 4u);
  slots.release(8);
  EXPECT_EQ(slots.take(12), 3u);
}

}  // namespace
}  // namespace ndc::test
