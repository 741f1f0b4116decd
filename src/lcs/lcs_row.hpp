// One row of the bit-parallel LCS: V ← (V + (V & M)) | (V & ~M), the carry going from word to word. A zero
// bit of V marks a column where the length grows by one.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace nd::lcs {

// `from` and `to` may be the same row. `carry` goes into the first word; returns the carry out of the last.
inline bool advance_row_portably(const uint64_t* from, const uint64_t* mask, uint64_t* to, size_t words,
                                 bool carry = false) noexcept {
  for (size_t i = 0; i < words; ++i) {
    const uint64_t state = from[i];
    const uint64_t matched = state & mask[i];
    const uint64_t partial = state + matched;
    const uint64_t sum = partial + static_cast<uint64_t>(carry);
    carry = partial < state || sum < partial;
    to[i] = sum | (state ^ matched);
  }
  return carry;
}

#if defined(__x86_64__)
// Four words at a time, so that the carry stays in the processor's flag between them.
inline void advance_row(const uint64_t* from, const uint64_t* mask, uint64_t* to, size_t words) noexcept {
  unsigned char carry = 0;
  size_t i = 0;
  for (; i + 4 <= words; i += 4) {
    const uint64_t state0 = from[i], state1 = from[i + 1], state2 = from[i + 2], state3 = from[i + 3];
    const uint64_t matched0 = state0 & mask[i], matched1 = state1 & mask[i + 1];
    const uint64_t matched2 = state2 & mask[i + 2], matched3 = state3 & mask[i + 3];
    unsigned long long sum0, sum1, sum2, sum3;
    carry = _addcarry_u64(carry, state0, matched0, &sum0);
    carry = _addcarry_u64(carry, state1, matched1, &sum1);
    carry = _addcarry_u64(carry, state2, matched2, &sum2);
    carry = _addcarry_u64(carry, state3, matched3, &sum3);
    to[i] = sum0 | (state0 ^ matched0);
    to[i + 1] = sum1 | (state1 ^ matched1);
    to[i + 2] = sum2 | (state2 ^ matched2);
    to[i + 3] = sum3 | (state3 ^ matched3);
  }
  advance_row_portably(from + i, mask + i, to + i, words - i, carry != 0);
}
#else
inline void advance_row(const uint64_t* from, const uint64_t* mask, uint64_t* to, size_t words) noexcept {
  advance_row_portably(from, mask, to, words);
}
#endif

// The same for a mask of few bits, in place: words without one stay as they are unless a carry reaches them.
// `next` links the columns of the bits in ascending order, from `column` to `none`.
inline void advance_row_at(uint64_t* state, size_t words, uint32_t column, const uint32_t* next,
                           uint32_t none) noexcept {
  constexpr uint32_t kBits = 64;
  size_t word = 0;
  bool carry = false;
  // A carry sets the lowest zero bit that it meets.
  const auto carry_to = [&](size_t end) {
    for (; carry && word < end; ++word) {
      carry = state[word] == ~uint64_t{0};
      state[word] |= state[word] + 1;
    }
    word = end;
  };
  while (column != none) {
    carry_to(column / kBits);
    uint64_t mask = 0;
    do {
      mask |= uint64_t{1} << (column % kBits);
      column = next[column];
    } while (column / kBits == word);
    carry = advance_row_portably(state + word, &mask, state + word, 1, carry);
    ++word;
  }
  carry_to(words);
}

}  // namespace nd::lcs
