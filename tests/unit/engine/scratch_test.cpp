#include "engine/scratch.hpp"

#include <gtest/gtest.h>

#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

TEST(ScratchTest, TheBuffersOfASearchCount) {
  Result<Owned<Scratch>> created = Scratch::create(1);
  ASSERT_TRUE(created);
  Scratch& scratch = **created;
  const uint64_t before = scratch.memory_bytes();
  scratch.spot_matches.resize(10'000);
  EXPECT_GE(scratch.memory_bytes(), before + 10'000 * sizeof(spotsigs::SpotMatch));
}

TEST(ScratchTest, TheBuffersOfAPagesFeaturesCount) {
  Result<Owned<Scratch>> created = Scratch::create(1);
  ASSERT_TRUE(created);
  Scratch& scratch = **created;
  const std::string page = sample::article_html(1, 20);
  ASSERT_TRUE(scratch.reader.read("https://a.example/",
                                  {reinterpret_cast<const uint8_t*>(page.data()), page.size()}, "text/html",
                                  {}, scratch.document));
  const uint64_t before = scratch.memory_bytes();
  scratch.builder.begin(scratch.document);
  const Features features = scratch.builder.finish({}, scratch.document, {}, Parameters{}, true);
  EXPECT_GE(scratch.memory_bytes(), before + features.symbols().size_bytes() + features.spots().size_bytes() +
                                        features.block_spots().size_bytes());
}

}  // namespace
}  // namespace nd::engine
