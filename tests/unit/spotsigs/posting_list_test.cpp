#include "spotsigs/posting_list.hpp"

#include <gtest/gtest.h>

#include <new>
#include <random>
#include <set>
#include <vector>

#include "spotsigs/posting_lists.hpp"
#include "unit/spotsigs/counted_memory.hpp"

namespace nd::spotsigs {
namespace {

std::vector<Posting> from(const PostingList& list, Posting first, size_t limit = SIZE_MAX) {
  std::vector<Posting> found;
  list.visit_from(first, [&](Posting visited) {
    found.push_back(visited);
    return found.size() < limit;
  });
  return found;
}

TEST(PostingTest, LongestFirstThenLowestSlot) {
  EXPECT_LT(posting(10, 5), posting(9, 1));
  EXPECT_LT(posting(10, 5), posting(10, 6));
  EXPECT_LT(posting(UINT32_MAX, 0), posting(0, 0));
  EXPECT_EQ(length_of(posting(1234, 77)), 1234U);
  EXPECT_EQ(slot_of(posting(1234, 77)), 77U);
}

TEST(PostingListTest, EqualsASetUnderRandomChanges) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    std::mt19937_64 random(seed);
    PostingList list;
    std::set<Posting> oracle;
    const size_t most = seed % 2 == 0 ? 20 : 6000;
    bool grows = true;
    for (size_t step = 0; step < most * 8; ++step) {
      if (oracle.size() >= most) grows = false;
      if (oracle.size() < most / 50) grows = true;
      if (oracle.empty() || random() % 10 < (grows ? 8U : 2U)) {
        const Posting added =
            posting(static_cast<uint32_t>(random() % 300), static_cast<uint32_t>(random() % 90000));
        if (oracle.insert(added).second) list.insert(added);
      } else {
        auto removed = oracle.lower_bound(posting(static_cast<uint32_t>(random() % 300), 0));
        if (removed == oracle.end()) removed = oracle.begin();
        list.erase(*removed);
        oracle.erase(removed);
      }
      ASSERT_EQ(list.size(), oracle.size());
      if (step % 97 != 0) continue;
      ASSERT_EQ(from(list, 0), std::vector<Posting>(oracle.begin(), oracle.end()));
      const Posting first = posting(static_cast<uint32_t>(random() % 320), 1000);
      ASSERT_EQ(from(list, first), std::vector<Posting>(oracle.lower_bound(first), oracle.end()));
      ASSERT_LE(from(list, first, 3).size(), 3U);
    }
    // Blocks are at least a quarter full on the average, and shrink.
    EXPECT_LE(list.memory_bytes(), 4 * 8 * oracle.size() + 6000);
  }
}

TEST(PostingListTest, RewriteKeepsTheNumber) {
  PostingList list;
  std::vector<Posting> postings;
  for (uint32_t slot = 0; slot < 3000; ++slot) {
    list.insert(posting(slot % 70, slot));
    postings.push_back(posting(slot % 31, slot));
  }
  std::sort(postings.begin(), postings.end());
  list.rewrite(postings);
  EXPECT_EQ(from(list, 0), postings);
  list.erase(postings[1000]);
  postings.erase(postings.begin() + 1000);
  EXPECT_EQ(from(list, 0), postings);
}

// Beside a full block, with which it cannot fill half of one.
TEST(PostingListTest, AnEmptiedBlockGoes) {
  PostingList list;
  for (uint32_t slot = 1000; slot < 1512; ++slot)
    list.insert(posting(5, slot));
  const uint64_t one_block = list.memory_bytes();
  for (uint32_t slot = 0; slot < 256; ++slot)  // the lower half of the split fills up
    list.insert(posting(5, slot));
  for (uint32_t slot = 1256; slot < 1512; ++slot)
    list.erase(posting(5, slot));
  EXPECT_EQ(list.size(), 512U);
  EXPECT_EQ(list.memory_bytes(), one_block);
}

TEST(PostingListTest, AFailedInsertionLeavesAListThatWorks) {
  for (uint64_t count = 0; count < 4; ++count) {
    sample::CountedMemory memory;
    PostingList list;
    std::vector<Posting> postings;
    for (uint32_t slot = 0; slot < 512; ++slot) {
      postings.push_back(posting(9, slot));
      list.insert(postings.back());
    }
    memory.fail_after(count, false);
    EXPECT_THROW(list.insert(posting(9, 600)), std::bad_alloc) << count;
    memory.stop_failing();
    EXPECT_EQ(from(list, 0), postings);
    EXPECT_EQ(list.memory_bytes(), memory.held_bytes());
    for (uint32_t slot = 0; slot < 300; ++slot)
      list.erase(posting(9, slot));
    postings.erase(postings.begin(), postings.begin() + 300);
    EXPECT_EQ(from(list, 0), postings);
    list.insert(posting(9, 600));
    postings.push_back(posting(9, 600));
    EXPECT_EQ(from(list, 0), postings);
  }
}

TEST(PostingListsTest, NumbersAndBytesComeBack) {
  PostingLists lists;
  std::vector<uint32_t> numbers;
  const auto fill = [&] {
    for (uint32_t i = 0; i < 2500; ++i) {
      numbers.push_back(lists.create());
      for (uint32_t slot = 0; slot < i % 7; ++slot)
        lists.insert(numbers.back(), posting(slot, i));
    }
  };
  const auto clear = [&] {
    for (const uint32_t number : numbers)
      lists.release(number);
    numbers.clear();
  };
  fill();
  EXPECT_EQ(std::set<uint32_t>(numbers.begin(), numbers.end()).size(), numbers.size());
  const uint64_t full = lists.memory_bytes();
  clear();
  const uint64_t empty = lists.memory_bytes();
  EXPECT_LT(empty, full);
  for (int round = 0; round < 3; ++round) {
    fill();
    EXPECT_EQ(lists.memory_bytes(), full);
    clear();
    EXPECT_EQ(lists.memory_bytes(), empty);
  }
}

}  // namespace
}  // namespace nd::spotsigs
