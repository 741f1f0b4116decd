// Codes of symbols on one thread and on many: when they are given, how many, and that they stay.
#include "page/symbol_codes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "unit/spotsigs/counted_memory.hpp"

namespace nd::engine {
namespace {

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

Vector<uint8_t> state_of(const SymbolCodes& codes) {
  Vector<uint8_t> state;
  ByteWriter out(state);
  codes.write_state(out);
  return state;
}

bool restore(SymbolCodes& codes, const Vector<uint8_t>& state) {
  ByteReader in(state);
  return codes.restore(in) && in.at_end();
}

TEST(SymbolCodes, AreTheSameFromAStore) {
  for (const uint32_t count : {0U, 1U, 255U, 256U, 257U, 5000U, 32'768U}) {
    SymbolCodes codes(7);
    codes.count_text(1'000'000);
    for (uint32_t symbol = 0; symbol < count; ++symbol) {
      codes.code_of(symbol * 3);
      codes.code_of(symbol * 3);
    }
    ASSERT_EQ(codes.size(), count);
    // With another secret and a smaller limit, too.
    SymbolCodes restored(8, 100);
    ASSERT_TRUE(restore(restored, state_of(codes)));
    ASSERT_EQ(restored.size(), count);
    for (uint32_t symbol = 0; symbol < count; ++symbol)
      ASSERT_EQ(restored.code_of(symbol * 3), symbol);
    restored.code_of(1);
    EXPECT_EQ(restored.code_of(1), count < 100 ? count : SymbolCodes::kNone);
    SymbolCodes going_on(9);
    ASSERT_TRUE(restore(going_on, state_of(codes)));
    going_on.count_text(100);
    going_on.code_of(1);
    EXPECT_EQ(going_on.code_of(1), count < SymbolCodes::kCodes ? count : SymbolCodes::kNone);
  }
}

TEST(SymbolCodes, AreNotTakenFromADamagedState) {
  SymbolCodes codes(7);
  for (const uint32_t symbol : {5U, 6U, 7U, 5U, 6U, 7U})
    codes.code_of(symbol);
  const Vector<uint8_t> state = state_of(codes);
  ASSERT_EQ(state.size(), sizeof(uint64_t) + 3 * sizeof(Symbol));
  for (size_t size = 0; size < state.size(); ++size) {
    SymbolCodes restored(7);
    EXPECT_FALSE(
        restore(restored, Vector<uint8_t>(state.begin(), state.begin() + static_cast<ptrdiff_t>(size))));
  }
  Vector<uint8_t> twice = state;
  twice[12] = 5;  // the second one's symbol is the first one's
  SymbolCodes restored(7);
  EXPECT_FALSE(restore(restored, twice));

  Vector<uint8_t> too_many;
  ByteWriter out(too_many);
  out.number(uint64_t{SymbolCodes::kCodes + 1});
  for (uint32_t symbol = 0; symbol <= SymbolCodes::kCodes; ++symbol)
    out.number(symbol);
  SymbolCodes others(7);
  EXPECT_FALSE(restore(others, too_many));
}

// The secret stands in the same file: whoever forges one can choose symbols that share a place in the table.
TEST(SymbolCodes, AreNotTakenFromAStoreThatMakesThemCollide) {
  constexpr uint64_t kSecret = 7;
  std::vector<Symbol> symbols;
  for (Symbol symbol = 1; symbols.size() < 3000; ++symbol) {
    if ((((symbol ^ kSecret) * 0x9e3779b97f4a7c15U) >> 40 & 0xffff) < 4) symbols.push_back(symbol);
  }
  Vector<uint8_t> state;
  ByteWriter out(state);
  out.number(uint64_t{symbols.size()}).raw(symbols.data(), symbols.size() * sizeof(Symbol));
  SymbolCodes colliding(kSecret);
  EXPECT_FALSE(restore(colliding, state));
  SymbolCodes spread(kSecret + 1);
  EXPECT_TRUE(restore(spread, state));
}

}  // namespace
}  // namespace nd::engine
