#include "engine/packed_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <string>
#include <thread>
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

TEST(SymbolCodes, AreOnePerSixteenSymbolsOfAllTextsAndNoMoreThanTheLimit) {
  constexpr size_t kLimit = 1500;
  SymbolCodes codes(7, kLimit);
  uint32_t next = 0;
  for (const size_t texts : {0U, 1U, 2U, 3U, 10U}) {
    while (next < 2000 * (texts + 1)) {
      codes.code_of(next);
      codes.code_of(next++);
    }
    EXPECT_EQ(codes.size(), std::min<size_t>(kLimit, 256 + texts * 8000 / 16));
    codes.count_text(8000 * (texts == 3 ? 7 : 1));
  }
  EXPECT_LT(codes.memory_bytes(), 16'384 + kLimit * 4 * SymbolCodes::kBytesPerCode);
}

// In a table of any size, and of symbols that get their codes within the same text.
TEST(SymbolCodes, AreTheSameOfManyAtOnce) {
  std::mt19937 random(5);
  SymbolCodes one_by_one(7);
  SymbolCodes at_once(7);
  size_t coded = 0;
  for (size_t size = 0; size < 3000; size += 1 + size / 20) {
    std::vector<Symbol> text(size);
    for (Symbol& symbol : text)
      symbol = static_cast<Symbol>(random() % (random() % 60'000 + 1));
    std::vector<uint16_t> codes(size);
    at_once.count_text(size);
    at_once.codes_of(text, codes.data());
    one_by_one.count_text(size);
    for (size_t i = 0; i < size; ++i) {
      ASSERT_EQ(codes[i], one_by_one.code_of(text[i])) << size << ' ' << i;
      coded += codes[i] != SymbolCodes::kNone;
    }
  }
  EXPECT_EQ(at_once.size(), one_by_one.size());
  EXPECT_GT(coded, 5'000U);
}

TEST(SymbolCodes, AreTheSymbolsOwnAndEndWhenAllAreGiven) {
  SymbolCodes codes(7);
  codes.count_text(1'000'000);
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

TEST(SymbolCodes, AreOneForEachSymbolOnManyThreads) {
  constexpr uint32_t kSymbols = 20'000;
  SymbolCodes codes(7);
  codes.count_text(1'000'000);
  std::vector<std::vector<uint16_t>> seen(4, std::vector<uint16_t>(kSymbols, SymbolCodes::kNone));
  std::vector<std::thread> threads;
  for (std::vector<uint16_t>& own : seen) {
    threads.emplace_back([&codes, &own] {
      for (uint32_t symbol = 0; symbol < kSymbols; ++symbol) {
        for (int i = 0; i < 3; ++i)
          own[symbol] = codes.code_of(symbol);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  std::set<uint16_t> given;
  for (uint32_t symbol = 0; symbol < kSymbols; ++symbol) {
    const uint16_t code = codes.code_of(symbol);
    if (code == SymbolCodes::kNone) continue;  // its meetings were overlooked
    EXPECT_EQ(codes.symbol_of(code), symbol);
    EXPECT_TRUE(given.insert(code).second);
    for (const std::vector<uint16_t>& own : seen)
      EXPECT_TRUE(own[symbol] == code || own[symbol] == SymbolCodes::kNone);
  }
  EXPECT_EQ(given.size(), codes.size());
  EXPECT_GT(given.size(), kSymbols / 2);
}

TEST(SymbolCodes, CountTheirMemory) {
  const spotsigs::sample::CountedMemory memory;
  const uint64_t before = memory.held_bytes();
  SymbolCodes codes(7);
  codes.count_text(1'000'000);
  for (uint32_t symbol = 0; symbol < 40'000; ++symbol) {
    codes.code_of(symbol);
    codes.code_of(symbol);
    if (symbol % 997 == 0) {
      ASSERT_EQ(codes.memory_bytes(), memory.held_bytes() - before) << symbol;
    }
  }
  EXPECT_EQ(codes.memory_bytes(), memory.held_bytes() - before);
  EXPECT_LT(codes.memory_bytes(), 850'000U);
}

TEST(TextPacker, GivesBackWhatItPacked) {
  TextPacker packer(3);
  PackingMemory memory;
  FeatureSample sample = sample_of({1, 2, 3, 1, 2, 3, 1, 2});
  sample.keys = {5, 9, 11};
  sample.fingerprint_count = 1;
  sample.spots = {spotsigs::make_packed_spot({77, 3})};
  const Features features = sample.features();
  for (int i = 0; i < 3; ++i) {
    const PackedText packed = packer.pack(features, memory);
    expect_same(packer.unpack(packed), features);
    EXPECT_TRUE(std::ranges::equal(packed.spots.spots(), features.spots()));
    EXPECT_LT(packed.size, features.bytes().size() - 80);
  }
}

// Texts packed early can still be read after later codes were added.
TEST(TextPacker, GivesBackRandomRecords) {
  std::mt19937_64 random(11);
  TextPacker packer(3);
  PackingMemory memory;
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
    packed.push_back(packer.pack(all.back(), memory));
  }
  for (size_t i = 0; i < all.size(); ++i)
    expect_same(packer.unpack(packed[i]), all[i]);
}

// Threads that pack give codes to the same symbols at the same time, while others unpack what they have
// packed.
TEST(TextPacker, PacksAndUnpacksOnManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kPages = 60;
  TextPacker packer(3);
  std::vector<Features> pages;
  std::mt19937_64 random(17);
  for (int page = 0; page < kPages; ++page) {
    std::vector<uint32_t> text;
    for (int i = 0; i < 300; ++i)
      text.push_back(static_cast<uint32_t>(random() % (uint64_t{1} << random() % 13)));
    pages.push_back(sample_of(text).features());
  }
  std::vector<PackedText> packed(size_t{kThreads} * kPages);
  std::vector<std::atomic<bool>> is_packed(packed.size());
  std::atomic<int> wrong{0};
  const auto unpack = [&](size_t place) {
    if (!is_packed[place].load(std::memory_order_acquire)) return;
    const Features unpacked = packer.unpack(packed[place]);
    if (!std::ranges::equal(unpacked.bytes(), pages[place % kPages].bytes())) ++wrong;
  };
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      PackingMemory memory;
      for (size_t page = 0; page < kPages; ++page) {
        const size_t place = thread * kPages + page;
        packed[place] = packer.pack(pages[page], memory);
        is_packed[place].store(true, std::memory_order_release);
        for (size_t other = 0; other < kThreads; ++other)
          unpack(other * kPages + page);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  for (size_t place = 0; place < packed.size(); ++place)
    unpack(place);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(packer.memory_bytes(), 0U);
}

// An engine keeps records that were made elsewhere, with any parameters.
TEST(TextPacker, TakesRecordsOfAnyNumberOfMakings) {
  TextPacker packer(3);
  PackingMemory memory;
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
    expect_same(packer.unpack(packer.pack(features, memory)), features);
  }
}

// Pages of words that no other page has cost two bytes a word more than they would as they are.
TEST(TextPacker, PagesOfRareWordsCostLittleMore) {
  TextPacker packer(3);
  PackingMemory memory;
  for (uint32_t page = 0; page < 100; ++page) {
    const Features features = sample_of(words(page * 1000, 1000)).features();
    const PackedText packed = packer.pack(features, memory);
    expect_same(packer.unpack(packed), features);
    EXPECT_LE(packed.size, features.bytes().size() + 2 * features.symbols().size());
  }
}

TEST(TextPacker, WordsInCommonCostHalf) {
  TextPacker packer(3);
  PackingMemory memory;
  std::mt19937_64 random(5);
  uint64_t plain = 0, packed = 0;
  for (int page = 0; page < 200; ++page) {
    std::vector<uint32_t> text;
    for (int i = 0; i < 500; ++i)
      text.push_back(static_cast<uint32_t>(random() % 2000));
    const Features features = sample_of(text).features();
    const uint64_t size = packer.pack(features, memory).size;
    if (page < 100) continue;
    plain += features.bytes().size();
    packed += size;
  }
  EXPECT_LT(packed, plain * 55 / 100);
}

}  // namespace
}  // namespace nd::engine
