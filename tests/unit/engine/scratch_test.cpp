#include "engine/scratch.hpp"

#include <gtest/gtest.h>

#include "engine/feature_spots.hpp"
#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

TEST(ScratchTest, TheBuffersOfASearchCount) {
  Result<Owned<Scratch>> scratch = Scratch::create(1);
  ASSERT_TRUE(scratch);
  const uint64_t before = (*scratch)->memory_bytes();
  Vector<PackedSpot> spots;
  for (uint64_t hash = 0; hash < 10'000; ++hash)
    spots.push_back(make_packed_spot({hash, 1}));
  spotsigs::SpotIndex(1, {}).probe(spots, (*scratch)->spot_search);
  EXPECT_GE((*scratch)->memory_bytes(), before + spots.size() * sizeof(PackedSpot));
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
