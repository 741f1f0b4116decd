// The join takes all its memory from ndc's functions. Those of the standard library that sort stably take
// theirs from the operator that is counted here.
#include <gtest/gtest.h>

#include <atomic>
#include <new>

#include "spotsigs/batch_join.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace {
std::atomic<uint64_t> allocations{0};
}  // namespace

void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  try {
    return ::operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

namespace nd::spotsigs {
namespace {

TEST(BatchJoinMemoryTest, IsAllFromTheMemoryFunctions) {
  sample::Random random(5);
  const std::vector<sample::Spots> documents = random.collection(200, 300, 60);
  const std::vector<SpotVector> views = sample::views(documents);
  const uint64_t before = allocations;
  const JoinResult result = batch_join(views, {});
  EXPECT_EQ(allocations, before);
  EXPECT_GT(result.pairs.size(), 10U);
}

}  // namespace
}  // namespace nd::spotsigs
