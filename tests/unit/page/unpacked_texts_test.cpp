// Buffers of unpacked texts that are reused while nobody holds them.
#include "page/packed_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "unit/page/feature_sample.hpp"
#include "unit/spotsigs/counted_memory.hpp"

namespace nd::engine {
namespace {

struct Packed {
  std::vector<uint8_t> record;
  PackedText text;
};

std::deque<Packed> packed_texts(TextPacker& packer, size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  PackingMemory memory;
  std::deque<Packed> texts;
  for (size_t i = 0; i < count; ++i) {
    FeatureSample sample;
    std::vector<uint32_t> words(10 + random() % 500);
    for (uint32_t& word : words)
      word = static_cast<uint32_t>(random() % 100);
    sample.blocks = {{std::move(words)}};
    sample.site = "a.example";
    sample.url = "https://a.example/" + std::to_string(i);
    const Features features = sample.features();
    texts.push_back({{features.bytes().begin(), features.bytes().end()}, packer.pack(features, memory)});
  }
  return texts;
}

bool is(const std::shared_ptr<const Features>& unpacked, const Packed& packed) {
  return std::ranges::equal(unpacked->bytes(), packed.record);
}

TEST(UnpackedTexts, GiveWhatIsStillThereAndUnpackTheRest) {
  TextPacker packer(1);
  const std::deque<Packed> texts = packed_texts(packer, 60, 1);
  UnpackedTexts unpacked;
  const auto first = packer.unpack(1, texts[0].text, unpacked);
  EXPECT_TRUE(is(first, texts[0]));
  EXPECT_EQ(packer.unpack(1, texts[0].text, unpacked), first);
  const auto other = packer.unpack(1, texts[1].text, unpacked);
  EXPECT_NE(other, first) << "of the same number, but another text";
  EXPECT_TRUE(is(other, texts[1]));
  EXPECT_TRUE(is(first, texts[0]));
}

// More than there are places, of which some are held while others come.
TEST(UnpackedTexts, NeverChangeWhatSomebodyHolds) {
  TextPacker packer(1);
  const std::deque<Packed> texts = packed_texts(packer, 200, 2);
  UnpackedTexts unpacked;
  std::mt19937_64 random(2);
  std::deque<std::pair<size_t, std::shared_ptr<const Features>>> held;
  for (int step = 0; step < 4000; ++step) {
    const size_t i = random() % texts.size();
    held.emplace_back(i, packer.unpack(i, texts[i].text, unpacked));
    while (held.size() > static_cast<size_t>(step % 1000) / 40)
      held.pop_front();
    if (step % 700 == 0) unpacked.clear();
    for (const auto& [number, text] : held)
      ASSERT_TRUE(is(text, texts[number])) << step;
  }
}

TEST(UnpackedTexts, AllocateNothingOnceTheyHaveTheirSize) {
  spotsigs::sample::CountedMemory memory;
  {
    TextPacker packer(1);
    const std::deque<Packed> texts = packed_texts(packer, 100, 3);
    UnpackedTexts unpacked;
    const auto call = [&](size_t begin) {  // compares with eight texts
      std::vector<std::shared_ptr<const Features>> held;
      for (size_t i = begin; i < begin + 8; ++i) {
        held.push_back(packer.unpack(i, texts[i].text, unpacked));
        ASSERT_TRUE(is(held.back(), texts[i]));
      }
    };
    for (int round = 0; round < 3; ++round) {
      for (size_t begin = 0; begin + 8 <= texts.size(); ++begin)
        call(begin);
    }
    memory.fail_after(0, true);
    for (size_t begin = 0; begin + 8 <= texts.size(); begin += 3)
      call(begin);
    EXPECT_FALSE(memory.stop_failing());
    const uint64_t held_before = memory.held_bytes();
    const uint64_t bytes = unpacked.memory_bytes();
    EXPECT_GT(bytes, 8U * 500);
    unpacked.clear();
    EXPECT_LE(memory.held_bytes(), held_before - bytes);
    EXPECT_EQ(unpacked.memory_bytes(), 0U);
  }
}

TEST(UnpackedTexts, AreAsBeforeWhereThereIsNoMemory) {
  spotsigs::sample::CountedMemory memory;
  {
    TextPacker packer(1);
    const std::deque<Packed> texts = packed_texts(packer, 30, 4);
    UnpackedTexts unpacked;
    for (size_t i = 0; i < texts.size(); ++i) {
      memory.fail_after(i % 2, true);
      try {
        EXPECT_TRUE(is(packer.unpack(i, texts[i].text, unpacked), texts[i]));
      } catch (const std::bad_alloc&) {
      }
      memory.stop_failing();
      EXPECT_TRUE(is(packer.unpack(i, texts[i].text, unpacked), texts[i]));
    }
  }
}

}  // namespace
}  // namespace nd::engine
