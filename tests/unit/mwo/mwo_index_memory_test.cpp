// The memory of the index, and its state after memory runs out.
#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "mwo/mwo_index.hpp"
#include "unit/mwo/share_sample.hpp"
#include "unit/spotsigs/counted_memory.hpp"

namespace nd::mwo {
namespace {

using sample::shares;
using sample::Terms;
using sample::Weights;
using spotsigs::sample::CountedMemory;

TEST(MwoIndexMemoryTest, MemoryBytesIsWhatIsHeld) {
  CountedMemory memory;
  sample::Random random(1);
  MwoIndex index(1, {});
  std::vector<Weights> seen;
  for (uint64_t i = 1; i <= 400; ++i) {
    seen.push_back(random.next(seen, 500, 100));
    index.insert(i, shares(seen.back()));
    if (i % 3 == 0) index.remove(i / 2);
    if (i % 150 == 0) index.start_epoch();
    ASSERT_EQ(index.memory_bytes(), memory.held_bytes()) << i;
  }
  MwoScratch scratch;
  const uint64_t before = memory.held_bytes();
  (void)index.find(shares(seen.back()), scratch);
  EXPECT_EQ(scratch.memory_bytes(), memory.held_bytes() - before);
}

TEST(MwoIndexMemoryTest, WhatFailsForWantOfMemoryChangesNothing) {
  CountedMemory memory;
  sample::Random random(2);
  MwoIndex index(1, {});
  MwoScratch scratch;
  std::vector<Weights> seen;
  uint64_t failures = 0;
  for (uint64_t i = 1; i <= 60; ++i) {
    seen.push_back(random.next(seen, 100, 40));
    const Terms page = shares(seen.back());
    const MwoCounts before = index.counts();
    for (uint64_t left = 0;; ++left) {
      memory.fail_after(left, true);
      try {
        if (i % 20 == 0) index.start_epoch();
        EXPECT_TRUE(index.insert(i, page).indexed);
        memory.stop_failing();
        break;
      } catch (const std::bad_alloc&) {
        EXPECT_TRUE(memory.stop_failing());
        ++failures;
        ASSERT_EQ(index.counts().documents, before.documents);
        ASSERT_FALSE(index.contains(i));
        if (index.counts().epoch == before.epoch) {
          ASSERT_EQ(index.counts().postings, before.postings);
        }
      }
    }
    if (i % 4 == 0) {
      memory.fail_after(0, true);
      EXPECT_TRUE(index.remove(i / 2));
      EXPECT_FALSE(memory.stop_failing());
    }
    const MwoMatches answer = index.find(page, scratch);
    ASSERT_FALSE(answer.matches.empty());
    EXPECT_EQ(answer.matches[0].overlap, kShareUnit);
  }
  EXPECT_GT(failures, 100U);
}

}  // namespace
}  // namespace nd::mwo
