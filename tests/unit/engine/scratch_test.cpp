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

TEST(ScratchTest, TheListsOfADecisionCountAndAreKept) {
  Result<Owned<Scratch>> created = Scratch::create(1);
  ASSERT_TRUE(created);
  Scratch& scratch = **created;
  const uint64_t before = scratch.memory_bytes();
  const auto text = make_shared<const Features>(Features::build({}, {}));
  Prospect prospect{};
  prospect.text = text;
  scratch.decision.prospects.resize(1000, prospect);
  scratch.decision.limited_spots = true;
  scratch.decision.model_version = 3;
  scratch.decision.clear();
  EXPECT_EQ(text.use_count(), 2);  // `prospect` has it
  EXPECT_TRUE(scratch.decision.prospects.empty());
  EXPECT_FALSE(scratch.decision.limited_spots);
  EXPECT_FALSE(scratch.decision.model_version);
  EXPECT_GE(scratch.memory_bytes(), before + 1000 * sizeof(Prospect));
}

TEST(ScratchTest, TheBuffersOfAComparisonCount) {
  Result<Owned<Scratch>> created = Scratch::create(1);
  ASSERT_TRUE(created);
  Scratch& scratch = **created;
  const auto features = [](uint32_t last) {
    Vector<Symbol> symbols(5000, make_symbol(64, 4));
    symbols.back() = make_symbol(last, 4);
    const FeatureBlock block{1, 0, 255, 0, {}};
    FeatureHeader header{};
    header.width = 4 * symbols.size();
    header.content_width = header.width;
    return Features::build(header, {.blocks = {&block, 1},
                                    .keys = {},
                                    .spots = {},
                                    .block_spots = {},
                                    .sentences = {},
                                    .symbols = symbols,
                                    .url = {},
                                    .site = {},
                                    .text = {}});
  };
  const uint64_t before = scratch.memory_bytes();
  scratch.verifier.verify(features(128), features(256), {}, Parameters{});
  EXPECT_GE(scratch.memory_bytes(), before + 2 * 5000 * (sizeof(Symbol) + sizeof(uint16_t)));
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
