// The reported sizes of structures against the memory that they have allocated.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <unordered_map>

#include "engine/scratch.hpp"
#include "options/parameters.hpp"
#include "unit/collection/counted_page_sample.hpp"

namespace nd::engine {
namespace {

std::unordered_map<void*, size_t> taken;

void* take(size_t size, void*) {
  void* memory = std::malloc(size);
  if (memory != nullptr) taken[memory] = size;
  return memory;
}

void give_back(void* memory, void*) {
  taken.erase(memory);
  std::free(memory);
}

uint64_t taken_bytes() {
  uint64_t sum = 0;
  for (const auto& [memory, size] : taken)
    sum += size;
  return sum;
}

void count_memory() {
  set_memory_functions({take,
                        [](void* memory, size_t size, void*) -> void* {
                          taken.erase(memory);
                          void* moved = std::realloc(memory, size);
                          if (moved != nullptr) taken[moved] = size;
                          return moved;
                        },
                        give_back, nullptr});
  taken.clear();
}

TEST(MemoryBytesTest, SiteKnowledgeCountsAllThatItHolds) {
  count_memory();
  {
    SiteKnowledgeLimits limits;
    limits.bytes = 100'000;
    SiteKnowledge knowledge(1, limits);
    for (uint64_t site = 1; site <= 2000; ++site) {
      knowledge.learn(site, counted_page({1}));
      if (site % 100 == 0) {
        EXPECT_EQ(knowledge.memory_bytes(), taken_bytes()) << site;
      }
    }
    EXPECT_LT(knowledge.table().size(), 2000U) << "some were forgotten, and their places are free";
  }
  EXPECT_TRUE(taken.empty());
}

// For a page of many pieces, and for one of plain text in another charset.
TEST(MemoryBytesTest, AScratchCountsWhatAPageTakes) {
  count_memory();
  for (const bool is_text : {false, true}) {
    Result<Owned<Scratch>> created = Scratch::create(1);
    ASSERT_TRUE(created);
    Scratch& scratch = **created;
    std::string page = "<p>";
    for (int i = 0; page.size() < 3'000'000; ++i)
      page += is_text ? "caf\xe9 au lait number " + std::to_string(i) + " of the day. " : "a &#9;";
    const uint64_t said_before = scratch.memory_bytes();
    const uint64_t taken_before = taken_bytes();
    ASSERT_TRUE(scratch.reader.read("https://a.example/",
                                    {reinterpret_cast<const uint8_t*>(page.data()), page.size()},
                                    "text/html; charset=windows-1252", {}, scratch.document));
    scratch.builder.begin(scratch.document);
    scratch.builder.reuse(
        scratch.builder.finish({}, scratch.document, {}, Parameters{}, RecordFor::kElsewhere));
    const auto grown = static_cast<double>(taken_bytes() - taken_before);
    const auto said = static_cast<double>(scratch.memory_bytes() - said_before);
    EXPECT_GT(grown, 3e6) << is_text;
    EXPECT_NEAR(said / grown, 1, 0.1) << is_text;
  }
}

}  // namespace
}  // namespace nd::engine
