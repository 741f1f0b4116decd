// Packed records give back what was packed, on many threads, and take the bytes that they should.
#include "page/packed_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "unit/page/feature_sample.hpp"

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

// `kind`: which sections it has.
FeatureSample random_sample(std::mt19937_64& random, int kind) {
  FeatureSample sample;
  for (uint64_t block = random() % 12; block-- > 0;) {
    std::vector<uint32_t> text;
    for (uint64_t word = random() % 60; word-- > 0;) {
      const uint64_t width = random() % 20;
      text.push_back(static_cast<uint32_t>(random() % (uint64_t{1} << width)));
    }
    sample.blocks.push_back({text, static_cast<uint8_t>(random()), 0,
                             static_cast<uint8_t>(random() % 4 == 0 ? random() % (kHeadingLevels + 1) : 0),
                             static_cast<uint8_t>(random() % 4 == 0 ? random() & kBlockContextMask : 0)});
  }
  for (uint64_t word = kind % 6 == 0 ? 0 : random() % 65; word-- > 0;)
    sample.title.push_back(static_cast<uint32_t>(random() % 2000));
  const bool has_words =
      std::ranges::any_of(sample.blocks, [](const BlockSample& block) { return !block.words.empty(); });
  sample.site = kind % 3 == 0 ? "" : kind % 3 == 1 ? "b.example" : "elsewhere.example";
  sample.url = kind % 5 == 0 ? "" : "https://x.b.example/" + std::to_string(random());
  if (has_words && kind % 4 == 0) sample.text = std::string(random() % 300, 'x');
  for (uint64_t key = random() % 40; key-- > 0;)
    sample.keys.push_back(random());
  std::ranges::sort(sample.keys);
  return sample;
}

// A record made in another way for each `width`.
Features made_with(uint16_t width) {
  const Features made = sample_of({1, 2, width}).features();
  FeatureHeader header = made.header();
  header.key_parameters.sentence_width = width;
  header.pipeline = width / 2;
  return Features::build(header, {.blocks = made.blocks(),
                                  .keys = made.keys(),
                                  .spots = made.spots(),
                                  .block_spots = {},
                                  .sentences = {},
                                  .symbols = made.symbols(),
                                  .url = made.url(),
                                  .site = made.site(),
                                  .text = made.text()});
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

TEST(TextPacker, TitlesCostTwoBytesAWordAndBlocksOneForTheirPlace) {
  TextPacker packer(3);
  PackingMemory memory;
  FeatureSample sample = sample_of({1, 2, 3, 1, 2, 3, 1, 2});
  for (int i = 0; i < 3; ++i)
    packer.pack(sample.features(), memory);
  const size_t bare = packer.pack(sample.features(), memory).size;
  sample.title = {3, 2, 1};
  const PackedText titled = packer.pack(sample.features(), memory);
  expect_same(packer.unpack(titled), sample.features());
  EXPECT_EQ(titled.size, bare + 6);
  sample.title.clear();
  sample.blocks[0].heading = 6;
  sample.blocks[0].context = kBlockContextMask;
  const PackedText placed = packer.pack(sample.features(), memory);
  expect_same(packer.unpack(placed), sample.features());
  EXPECT_EQ(placed.size, bare + 1);
}

// Texts packed early can still be read after later codes were added.
TEST(TextPacker, GivesBackRandomRecords) {
  std::mt19937_64 random(11);
  TextPacker packer(3);
  PackingMemory memory;
  std::vector<Features> all;
  std::vector<PackedText> packed;
  for (int i = 0; i < 400; ++i) {
    const FeatureSample sample = random_sample(random, i);
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
  for (uint16_t width = 1; width < 100; ++width) {
    const Features features = made_with(width);
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

// The value of a text in a run of version 2.
Vector<uint8_t> stored(TextPacker& packer, const Features& features) {
  PackingMemory memory;
  Vector<uint8_t> value;
  packer.write(packer.pack(features, memory), value);
  return value;
}

void restore(TextPacker& packer, const TextPacker& from) {
  Vector<uint8_t> state;
  ByteWriter out(state);
  from.write_state(out);
  ByteReader in(state);
  ASSERT_TRUE(packer.restore(in));
  EXPECT_TRUE(in.at_end());
}

// Random records with whatever a record can have.
std::vector<Features> random_records(int count) {
  std::mt19937_64 random(13);
  std::vector<Features> all;
  for (int i = 0; i < count; ++i) {
    FeatureSample sample = random_sample(random, i);
    if (i % 2 == 0 && !sample.blocks.empty() && sample.blocks.front().words.size() > 3)
      sample.spots = {spotsigs::make_packed_spot({77, 3}), spotsigs::make_packed_spot({random() >> 8, 1})};
    std::ranges::sort(sample.spots);
    all.push_back(sample.features());
  }
  return all;
}

TEST(TextPacker, ReadsItsTextsInRunsAfterARestart) {
  const std::vector<Features> all = random_records(400);
  TextPacker packer(3);
  std::vector<Vector<uint8_t>> values;
  for (const Features& features : all)
    values.push_back(stored(packer, features));
  TextPacker next(4);
  restore(next, packer);
  UnpackedTexts unpacked;
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_TRUE(TextPacker::is_packed(values[i]));
    for (const TextPacker* reader : {&packer, &next}) {
      const auto text = reader->unpack_stored(values[i]);
      ASSERT_NE(text, nullptr) << i;
      expect_same(*text, all[i]);
    }
    for (int again = 0; again < 2; ++again) {
      const auto text = next.unpack_stored(i + 1, values[i], unpacked);
      ASSERT_NE(text, nullptr) << i;
      expect_same(*text, all[i]);
    }
    EXPECT_LE(all[i].bytes().size(), values[i].size() * TextPacker::kMostExpansion);
  }
}

// More ways to make records than a packer tells apart: the rest is stored as it is.
TEST(TextPacker, RunsHaveRecordsOfFurtherMakingsAsTheyAre) {
  TextPacker packer(3);
  size_t packed_count = 0;
  for (uint16_t width = 1; width <= 100; ++width) {
    const Features features = made_with(width);
    const Vector<uint8_t> value = stored(packer, features);
    if (TextPacker::is_packed(value)) {
      ++packed_count;
      expect_same(*packer.unpack_stored(value), features);
    } else {
      EXPECT_TRUE(std::ranges::equal(value, features.bytes()));
    }
  }
  EXPECT_EQ(packed_count, 64U);
}

// A damaged file: no text, or one whose sections are in order; and never a byte beyond the value, which is
// copied so that a sanitizer sees it.
TEST(TextPacker, DamagedTextsOfRunsAreNone) {
  const std::vector<Features> all = random_records(60);
  TextPacker packer(3);
  std::vector<Vector<uint8_t>> values;
  for (const Features& features : all)
    values.push_back(stored(packer, features));
  std::mt19937_64 random(21);
  UnpackedTexts unpacked;
  size_t none = 0, other = 0;
  for (const Vector<uint8_t>& value : values) {
    for (size_t size = 0; size < value.size(); ++size) {
      const std::vector<uint8_t> cut(value.begin(), value.begin() + static_cast<ptrdiff_t>(size));
      EXPECT_EQ(packer.unpack_stored(cut), nullptr) << size;
      EXPECT_EQ(packer.unpack_stored(7, cut, unpacked), nullptr) << size;
    }
    for (size_t place = 0; place < value.size(); ++place) {
      std::vector<uint8_t> changed(value.begin(), value.end());
      changed[place] = static_cast<uint8_t>(random());
      if (!TextPacker::is_packed(changed)) continue;
      const auto text = packer.unpack_stored(changed);
      if (text == nullptr) {
        ++none;
      } else {
        ++other;
        EXPECT_TRUE(text->check());
        EXPECT_LE(text->bytes().size(), changed.size() * TextPacker::kMostExpansion);
      }
    }
  }
  EXPECT_GT(none, 1000U);
  EXPECT_GT(other, 1000U);
}

TEST(TextPacker, CodesThatStandForNothingAreDamage) {
  TextPacker packer(3);
  Vector<uint8_t> value;
  for (int i = 0; i < 3; ++i)
    value = stored(packer, sample_of({1, 2, 3, 1, 2, 3, 1, 2}).features());
  EXPECT_NE(packer.unpack_stored(value), nullptr);
  TextPacker without_codes(3);
  stored(without_codes, sample_of({1}).features());  // the same making
  EXPECT_EQ(without_codes.unpack_stored(value), nullptr);
  EXPECT_EQ(TextPacker(3).unpack_stored(value), nullptr) << "nor has it the making";
}

TEST(TextPacker, IsNotRestoredFromADamagedState) {
  TextPacker packer(3);
  for (int i = 0; i < 3; ++i)
    stored(packer, sample_of({1, 2, 3, 1, 2, 3, 1, 2}).features());
  Vector<uint8_t> state;
  ByteWriter out(state);
  packer.write_state(out);
  for (size_t size = 0; size < state.size(); ++size) {
    ByteReader in(std::span<const uint8_t>(state).first(size));
    EXPECT_FALSE(TextPacker(3).restore(in)) << size;
  }
  state[0] = 65;  // makings
  ByteReader in(state);
  EXPECT_FALSE(TextPacker(3).restore(in));
}

// A forged text may name a code at the moment at which it is given.
TEST(TextPacker, ForgedCodesAreReadBesideThoseWhoGiveThem) {
  constexpr uint16_t kTried = 1000;
  TextPacker packer(3);
  const Vector<uint8_t> value = stored(packer, sample_of({1, 2, 3, 4, 5, 6, 7, 8}).features());
  // All eight symbols are rare: the codes stand before them, and the first becomes another one.
  const std::vector<uint8_t> codes(16, 0xff);
  const auto place = std::find_end(value.begin(), value.end(), codes.begin(), codes.end()) - value.begin();
  std::atomic<bool> all_given{false};
  std::thread giver([&] {
    PackingMemory memory;
    for (uint32_t page = 0; page < kTried; ++page) {
      std::vector<uint32_t> words;
      for (uint32_t i = 0; i < 32; ++i)
        words.push_back(100 + page * 8 + i % 8);
      packer.pack(sample_of(words).features(), memory);
    }
    all_given = true;
  });
  size_t found = 0;
  for (uint16_t code = 0; code < kTried; ++code) {
    Vector<uint8_t> forged = value;
    std::memcpy(forged.data() + place, &code, sizeof code);
    forged.erase(forged.begin() + place + 16, forged.begin() + place + 20);
    std::shared_ptr<const Features> text;
    do {
      text = packer.unpack_stored(forged);
    } while (text == nullptr && !all_given);
    found += text != nullptr;
  }
  giver.join();
  EXPECT_GT(found, 0U);
}

}  // namespace
}  // namespace nd::engine
