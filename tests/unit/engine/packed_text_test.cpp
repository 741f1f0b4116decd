#include "engine/packed_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "unit/engine/feature_sample.hpp"
#include "unit/spotsigs/counted_memory.hpp"

namespace nd::engine {
namespace {

void expect_same(const Features& unpacked, const Features& features) {
  ASSERT_TRUE(std::ranges::equal(unpacked.bytes(), features.bytes()));
  EXPECT_TRUE(Features::parse(unpacked.bytes()));
}

FeatureSample sample_of(std::vector<uint32_t> text) {
  FeatureSample sample;
  sample.blocks = {{std::move(text)}};
  sample.site = "a.example";
  sample.url = "https://www.a.example/page";
  return sample;
}

TEST(SymbolCodes, GivesACodeAtTheSecondMeeting) {
  SymbolCodes codes(7);
  EXPECT_EQ(codes.code_of(100), SymbolCodes::kNone);
  EXPECT_EQ(codes.code_of(200), SymbolCodes::kNone);
  EXPECT_EQ(codes.code_of(100), 0);
  EXPECT_EQ(codes.code_of(100), 0);
  EXPECT_EQ(codes.code_of(200), 1);
  EXPECT_EQ(codes.symbol_of(0), 100U);
  EXPECT_EQ(codes.symbol_of(1), 200U);
  EXPECT_EQ(codes.size(), 2U);
}

TEST(SymbolCodes, AreTheSymbolsOwnAndEndWhenAllAreGiven) {
  SymbolCodes codes(7);
  std::set<uint16_t> given;
  for (uint32_t symbol = 0; symbol < 50'000; ++symbol) {
    codes.code_of(symbol);
    const uint16_t code = codes.code_of(symbol);
    if (code == SymbolCodes::kNone) continue;
    EXPECT_EQ(codes.symbol_of(code), symbol);
    EXPECT_TRUE(given.insert(code).second);
  }
  EXPECT_EQ(given.size(), SymbolCodes::kCodes);
  EXPECT_EQ(codes.size(), SymbolCodes::kCodes);
  for (uint32_t symbol = 0; symbol < SymbolCodes::kCodes; ++symbol)
    EXPECT_EQ(codes.code_of(symbol), symbol) << "the first ones keep theirs";
  EXPECT_EQ(codes.code_of(60'000), SymbolCodes::kNone);
  EXPECT_EQ(codes.code_of(60'000), SymbolCodes::kNone);
}

TEST(SymbolCodes, CountTheirMemory) {
  const spotsigs::sample::CountedMemory memory;
  const uint64_t before = memory.held_bytes();
  SymbolCodes codes(7);
  for (uint32_t symbol = 0; symbol < 40'000; ++symbol) {
    codes.code_of(symbol);
    codes.code_of(symbol);
    if (symbol % 997 == 0) ASSERT_EQ(codes.memory_bytes(), memory.held_bytes() - before) << symbol;
  }
  EXPECT_EQ(codes.memory_bytes(), memory.held_bytes() - before);
  EXPECT_LT(codes.memory_bytes(), 300'000U);
}

TEST(TextPacker, GivesBackWhatItPacked) {
  TextPacker packer(3);
  FeatureSample sample = sample_of({1, 2, 3, 1, 2, 3, 1, 2});
  sample.keys = {5, 9, 11};
  sample.fingerprint_count = 1;
  sample.spots = {spotsigs::make_packed_spot({77, 3})};
  const Features features = sample.features();
  for (int i = 0; i < 3; ++i) {
    const PackedText packed = packer.pack(features);
    expect_same(packer.unpack(packed), features);
    EXPECT_LT(packed.size, features.bytes().size() - 80);
  }
}

// What was packed early is read by codes that came later, too.
TEST(TextPacker, GivesBackRandomRecords) {
  std::mt19937_64 random(11);
  TextPacker packer(3);
  std::vector<Features> all;
  std::vector<PackedText> packed;
  for (int i = 0; i < 400; ++i) {
    FeatureSample sample;
    for (uint64_t block = random() % 12; block-- > 0;) {
      std::vector<uint32_t> text;
      for (uint64_t word = random() % 60; word-- > 0;) {
        const uint64_t width = random() % 20;
        text.push_back(static_cast<uint32_t>(random() % (uint64_t{1} << width)));
      }
      sample.blocks.push_back(
          {text, static_cast<uint8_t>(random()), static_cast<uint8_t>(random() % 8 == 0)});
    }
    const bool has_words =
        std::ranges::any_of(sample.blocks, [](const BlockSample& block) { return !block.words.empty(); });
    sample.site = i % 3 == 0 ? "" : i % 3 == 1 ? "b.example" : "elsewhere.example";
    sample.url = i % 5 == 0 ? "" : "https://x.b.example/" + std::to_string(random());
    if (has_words && i % 4 == 0) sample.text = std::string(random() % 300, 'x');
    for (uint64_t key = random() % 40; key-- > 0;)
      sample.keys.push_back(random());
    std::ranges::sort(sample.keys);
    all.push_back(sample.features());
    packed.push_back(packer.pack(all.back()));
  }
  for (size_t i = 0; i < all.size(); ++i)
    expect_same(packer.unpack(packed[i]), all[i]);
}

// An engine keeps records that were made elsewhere, with any parameters.
TEST(TextPacker, TakesRecordsOfAnyNumberOfMakings) {
  TextPacker packer(3);
  for (uint16_t width = 1; width < 40; ++width) {
    const Features made = sample_of({1, 2, width}).features();
    FeatureHeader header = made.header();
    header.key_parameters.sentence_width = width;
    header.pipeline = width / 2;
    const Features features = Features::build(header, {.blocks = made.blocks(),
                                                       .keys = made.keys(),
                                                       .spots = made.spots(),
                                                       .block_spots = {},
                                                       .sentences = {},
                                                       .symbols = made.symbols(),
                                                       .url = made.url(),
                                                       .site = made.site(),
                                                       .text = made.text()});
    expect_same(packer.unpack(packer.pack(features)), features);
  }
}

// Pages of words that no other page has cost two bytes a word more than they would as they are.
TEST(TextPacker, PagesOfRareWordsCostLittleMore) {
  TextPacker packer(3);
  for (uint32_t page = 0; page < 100; ++page) {
    const Features features = sample_of(words(page * 1000, 1000)).features();
    const PackedText packed = packer.pack(features);
    expect_same(packer.unpack(packed), features);
    EXPECT_LE(packed.size, features.bytes().size() + 2 * features.symbols().size());
  }
}

TEST(TextPacker, WordsInCommonCostHalf) {
  TextPacker packer(3);
  std::mt19937_64 random(5);
  uint64_t plain = 0, packed = 0;
  for (int page = 0; page < 200; ++page) {
    std::vector<uint32_t> text;
    for (int i = 0; i < 500; ++i)
      text.push_back(static_cast<uint32_t>(random() % 2000));
    const Features features = sample_of(text).features();
    const uint64_t size = packer.pack(features).size;
    if (page < 100) continue;
    plain += features.bytes().size();
    packed += size;
  }
  EXPECT_LT(packed, plain * 55 / 100);
}

}  // namespace
}  // namespace nd::engine
