// A row of the bit-parallel LCS against its definition.
#include "lcs/lcs_row.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "unit/lcs/sequence_sample.hpp"

namespace nd::lcs {
namespace {

// The definition, bit by bit.
std::vector<uint64_t> plain_row(const std::vector<uint64_t>& state, const std::vector<uint64_t>& mask) {
  std::vector<uint64_t> row(state.size());
  unsigned carry = 0;
  for (size_t bit = 0; bit < 64 * state.size(); ++bit) {
    const unsigned in_state = state[bit / 64] >> (bit % 64) & 1;
    const unsigned in_mask = mask[bit / 64] >> (bit % 64) & 1;
    const unsigned sum = in_state + (in_state & in_mask) + carry;
    carry = sum >> 1;
    row[bit / 64] |= uint64_t{(sum & 1) | (in_state & ~in_mask & 1)} << (bit % 64);
  }
  return row;
}

// Words that carries run through, and words that stop them.
std::vector<uint64_t> random_words(Random& random, size_t count) {
  std::vector<uint64_t> words(count);
  for (uint64_t& word : words) {
    const auto kind = random() % 6;
    word = kind == 0 ? 0 : kind == 1 ? ~uint64_t{0} : kind == 2 ? random() & random() & random() : random();
    if (kind == 3) word |= random() | random();
  }
  return words;
}

TEST(LcsRowTest, EqualsItsDefinition) {
  Random random(2026);
  for (int round = 0; round < 3000; ++round) {
    const size_t words = random() % 23;
    const std::vector<uint64_t> state = random_words(random, words), mask = random_words(random, words);
    const std::vector<uint64_t> expected = plain_row(state, mask);
    std::vector<uint64_t> row(words);
    advance_row(state.data(), mask.data(), row.data(), words);
    EXPECT_EQ(row, expected) << words;
    advance_row_portably(state.data(), mask.data(), row.data(), words);
    EXPECT_EQ(row, expected) << words;
    row = state;
    advance_row(row.data(), mask.data(), row.data(), words);
    EXPECT_EQ(row, expected) << words << ", in place";
  }
}

TEST(LcsRowTest, AMaskOfFewBitsEqualsItsWords) {
  constexpr uint32_t kNone = UINT32_MAX;
  Random random(2027);
  for (int round = 0; round < 3000; ++round) {
    const size_t words = 1 + random() % 22;
    const std::vector<uint64_t> state = random_words(random, words);
    std::vector<uint64_t> mask(words);
    for (uint64_t bits = random() % 12; bits > 0; --bits) {
      const uint64_t bit = random() % (64 * words);
      mask[bit / 64] |= uint64_t{1} << (bit % 64);
    }
    std::vector<uint32_t> next(64 * words);
    uint32_t first = kNone;
    for (auto column = static_cast<uint32_t>(64 * words); column-- > 0;) {
      if ((mask[column / 64] >> (column % 64) & 1) == 0) continue;
      next[column] = first;
      first = column;
    }
    std::vector<uint64_t> row = state;
    advance_row_at(row.data(), words, first, next.data(), kNone);
    EXPECT_EQ(row, plain_row(state, mask)) << words;
  }
}

}  // namespace
}  // namespace nd::lcs
