// The memory of the Hamming index: counted exactly, bounded, and unchanged by a failure.
#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <vector>

#include "moz/hamming_index.hpp"
#include "unit/moz/moz_sample.hpp"
#include "unit/spotsigs/counted_memory.hpp"

namespace nd::moz {
namespace {

using spotsigs::sample::CountedMemory;

template <typename Hash>
void expect_counted_exactly(uint32_t distance) {
  CountedMemory memory;
  {
    sample::Random random(1);
    HammingParameters parameters;
    parameters.distance = distance;
    HammingIndex<Hash> index(2, parameters);
    for (uint64_t id = 0; id < 5000; ++id) {
      Hash hash;
      random.make(hash);
      index.insert(id, hash);
      if (id % 3 == 0) index.remove(random.below(id + 1));
      ASSERT_EQ(index.memory_bytes(), memory.held_bytes()) << id;
    }
  }
  EXPECT_EQ(memory.held_bytes(), 0U);
}

TEST(HammingIndexMemoryTest, IsCountedExactly) {
  expect_counted_exactly<uint64_t>(5);
  expect_counted_exactly<uint64_t>(0);
  expect_counted_exactly<Hash128>(5);
  expect_counted_exactly<Hash128>(31);
}

TEST(HammingIndexMemoryTest, TheBudgetIsAboutWhatItTakes) {
  CountedMemory memory;
  sample::Random random(2);
  HammingIndex<uint64_t> index(2, {});
  for (uint64_t id = 0; id < 50000; ++id)
    index.insert(id, random.number());
  EXPECT_LT(memory.held_bytes(), index.content_bytes() * 2);
  EXPECT_GT(memory.held_bytes(), index.content_bytes() / 2);
}

// Each allocation of each insertion fails once.
TEST(HammingIndexMemoryTest, AFailedInsertionChangesNothing) {
  CountedMemory memory;
  uint64_t failures = 0;
  {
    sample::Random random(3);
    HammingIndex<uint64_t> index(4, {});
    HammingScratch scratch;
    scratch.numbers.reserve(4096);
    scratch.matches.reserve(4096);
    std::vector<uint64_t> hashes;
    for (uint64_t id = 0; id < 400; ++id) {
      hashes.push_back(id % 4 == 0 && id > 0 ? hashes[id / 2] : random.number());
      for (uint64_t allowed = 0;; ++allowed) {
        memory.fail_after(allowed, allowed % 2 == 0);
        bool failed = false;
        try {
          ASSERT_TRUE(index.insert(id, hashes.back()));
        } catch (const std::bad_alloc&) {
          failed = true;
        }
        memory.stop_failing();
        if (!failed) break;
        ++failures;
        ASSERT_FALSE(index.contains(id));
        ASSERT_EQ(index.counts().documents, id);
        if (id > 0) {
          ASSERT_EQ(index.find(hashes[id - 1], 5, scratch).matches.back().id, id - 1);
        }
      }
    }
    for (uint64_t id = 0; id < hashes.size(); ++id) {
      const HammingMatches found = index.find(hashes[id], 0, scratch);
      EXPECT_TRUE(std::any_of(found.matches.begin(), found.matches.end(),
                              [&](const HammingMatch& match) { return match.id == id; }));
      // A removal never needs memory.
      memory.fail_after(0, true);
      EXPECT_TRUE(index.remove(id));
      EXPECT_FALSE(memory.stop_failing());
    }
  }
  EXPECT_GT(failures, 100U);
  EXPECT_EQ(memory.held_bytes(), 0U);
}

}  // namespace
}  // namespace nd::moz
