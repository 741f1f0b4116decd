// Containers draw from the caller's functions, and failed allocations leave everything as it was.
#include "core/memory.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace nd {
namespace {

// malloc with a count of what is held and a budget of allocations.
struct Ledger {
  int held = 0;
  int budget = 1000000;
  int reallocations = 0;
};

void* allocate(size_t size, void* context) {
  auto* ledger = static_cast<Ledger*>(context);
  if (ledger->budget-- <= 0) return nullptr;
  ++ledger->held;
  return std::malloc(size);
}

void* reallocate(void* memory, size_t size, void* context) {
  auto* ledger = static_cast<Ledger*>(context);
  if (ledger->budget-- <= 0) return nullptr;
  ++ledger->reallocations;
  if (memory == nullptr) ++ledger->held;
  return std::realloc(memory, size);
}

void release(void* memory, void* context) {
  --static_cast<Ledger*>(context)->held;
  std::free(memory);
}

class MemoryTest : public ::testing::Test {
 protected:
  MemoryTest() { set_memory_functions({allocate, reallocate, release, &ledger_}); }
  ~MemoryTest() override {
    set_memory_functions({[](size_t size, void*) { return std::malloc(size); },
                          [](void* memory, size_t size, void*) { return std::realloc(memory, size); },
                          [](void* memory, void*) { std::free(memory); }, nullptr});
  }

  Ledger ledger_;
};

TEST_F(MemoryTest, ContainersDrawFromTheFunctions) {
  {
    const Vector<int> numbers(100, 7);
    const String text(1000, 'x');
    UnorderedMap<int, int> map;
    map[1] = 2;
    const std::shared_ptr<int> shared = make_shared<int>(3);
    EXPECT_GE(ledger_.held, 5);
    EXPECT_EQ(*shared + map[1] + numbers[99], 12);
  }
  EXPECT_EQ(ledger_.held, 0);
}

TEST_F(MemoryTest, FailedAllocationThrows) {
  ledger_.budget = 0;
  EXPECT_THROW(static_cast<void>(allocate_bytes(10)), std::bad_alloc);
  EXPECT_THROW(static_cast<void>(make_owned<int>(1)), std::bad_alloc);
  EXPECT_THROW(String(1000, 'x'), std::bad_alloc);
  EXPECT_EQ(reallocate_bytes(nullptr, 10), nullptr);
  EXPECT_EQ(ledger_.held, 0);
}

TEST_F(MemoryTest, ImpossibleCountThrowsBeforeItAllocates) {
  EXPECT_THROW(static_cast<void>(Allocator<uint64_t>().allocate(static_cast<size_t>(-1) / 4)),
               std::bad_alloc);
  EXPECT_EQ(ledger_.budget, 1000000);
}

TEST_F(MemoryTest, ReallocationKeepsTheBytes) {
  auto* bytes = static_cast<char*>(reallocate_bytes(nullptr, 1));
  ASSERT_NE(bytes, nullptr);
  bytes[0] = 'q';
  bytes = static_cast<char*>(reallocate_bytes(bytes, 100000));
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ(bytes[0], 'q');
  EXPECT_EQ(ledger_.reallocations, 2);
  release_bytes(bytes);
  release_bytes(nullptr);
  EXPECT_EQ(ledger_.held, 0);
}

TEST_F(MemoryTest, NothingIsStillAnAllocation) {
  void* memory = allocate_bytes(0);
  EXPECT_NE(memory, nullptr);
  release_bytes(memory);
}

struct Guest {
  explicit Guest(int& count) : alive(count) { ++alive; }
  Guest(int& count, bool) : alive(count) { throw std::bad_alloc(); }
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;
  ~Guest() { --alive; }
  int& alive;
};

TEST_F(MemoryTest, OwnedDestroysAndReleases) {
  int alive = 0;
  {
    const Owned<Guest> guest = make_owned<Guest>(alive);
    EXPECT_EQ(alive, 1);
    EXPECT_EQ(ledger_.held, 1);
  }
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(ledger_.held, 0);
}

TEST_F(MemoryTest, OwnedReleasesWhenTheConstructorThrows) {
  int alive = 0;
  EXPECT_THROW(static_cast<void>(make_owned<Guest>(alive, true)), std::bad_alloc);
  EXPECT_EQ(ledger_.held, 0);
}

}  // namespace
}  // namespace nd
