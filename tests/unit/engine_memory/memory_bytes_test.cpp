// What the structures say that they hold, against what they have taken.
#include <gtest/gtest.h>

#include <cstdlib>
#include <unordered_map>

#include "engine/site_templates.hpp"

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

TEST(MemoryBytesTest, SiteTemplatesCountAllThatTheyHold) {
  set_memory_functions({take,
                        [](void* memory, size_t size, void*) -> void* {
                          taken.erase(memory);
                          void* moved = std::realloc(memory, size);
                          if (moved != nullptr) taken[moved] = size;
                          return moved;
                        },
                        give_back, nullptr});
  taken.clear();
  {
    TemplateParameters parameters;
    parameters.bytes = 100'000;
    SiteTemplates templates(1, parameters);
    const FeatureBlock block{1, 0, 255, 0, {}};
    for (uint64_t site = 1; site <= 2000; ++site) {
      templates.learn(site, {&block, 1}, site, true);
      if (site % 100 == 0) {
        EXPECT_EQ(templates.memory_bytes(), taken_bytes()) << site;
      }
    }
    EXPECT_LT(templates.site_count(), 2000U) << "some were forgotten, and their places are free";
  }
  EXPECT_TRUE(taken.empty());
}

}  // namespace
}  // namespace nd::engine
