// The order of last use against a list, with failing memory.
#include "core/use_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>

#include "unit/spotsigs/counted_memory.hpp"

namespace nd {
namespace {

TEST(UseOrderTest, TheOneThatWasNotUsedForLongestIsTheOldest) {
  UseOrder order(1);
  EXPECT_EQ(order.oldest(), std::nullopt);
  for (const uint64_t thing : {7U, 0U, 9U})
    order.use(thing);
  EXPECT_EQ(order.oldest(), 7U);
  order.use(7);
  EXPECT_EQ(order.oldest(), 0U);
  order.forget(0);
  EXPECT_EQ(order.oldest(), 9U);
  order.forget(5);
  order.forget(9);
  order.forget(7);
  EXPECT_EQ(order.oldest(), std::nullopt);
  EXPECT_EQ(order.size(), 0U);
}

TEST(UseOrderTest, EqualsAListUnderRandomUseAndWantOfMemory) {
  spotsigs::sample::CountedMemory memory;
  std::mt19937_64 random(5);
  UseOrder order(random());
  std::list<uint64_t> oracle;
  for (int step = 0; step < 50'000; ++step) {
    const uint64_t thing = random() % 2000;
    const bool is_used = random() % 3 != 0;
    bool happened = true;
    if (is_used) {
      if (random() % 4 == 0) memory.fail_after(0, true);
      try {
        order.use(thing);
      } catch (const std::bad_alloc&) {
        happened = false;
        ASSERT_EQ(std::ranges::count(oracle, thing), 0) << "one that is known cannot fail";
      }
      memory.stop_failing();
    } else {
      order.forget(thing);
    }
    if (happened) oracle.remove(thing);
    if (happened && is_used) oracle.push_back(thing);
    ASSERT_EQ(order.size(), oracle.size());
    ASSERT_EQ(order.oldest(), oracle.empty() ? std::nullopt : std::optional(oracle.front()));
  }
  EXPECT_EQ(order.memory_bytes(), memory.held_bytes());
  for (; !oracle.empty(); oracle.pop_front()) {
    ASSERT_EQ(order.oldest(), oracle.front());
    order.forget(oracle.front());
  }
}

}  // namespace
}  // namespace nd
