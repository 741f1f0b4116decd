// The windows of a text for the filtered sketch (TR2007012 section 4.3), with their rolling hash (Rabin
// 1981).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "lcs/sequence.hpp"

namespace nd::lcs {

// The inverse of an odd number modulo 2^64: Newton's iteration doubles the number of correct bits each time,
// and starts with three.
constexpr uint64_t inverse_of(uint64_t odd) noexcept {
  uint64_t result = odd;
  for (int i = 0; i < 5; ++i)
    result *= 2 - odd * result;
  return result;
}

// The hash of a stretch of symbols that grows at its end and shrinks at its beginning: a polynomial modulo
// 2^64.
class RollingHash {
 public:
  void push_back(uint32_t symbol) noexcept {
    // Symbols count from 1, so that appending symbol 0 changes the hash too.
    hash_ = hash_ * kMultiplier + symbol + 1;
    power_ *= kMultiplier;
  }
  void pop_front(uint32_t symbol) noexcept {
    hash_ -= (uint64_t{symbol} + 1) * power_;
    power_ *= kInverse;
  }
  // Undoes the last pop_front().
  void push_front(uint32_t symbol) noexcept {
    power_ *= kMultiplier;
    hash_ += (uint64_t{symbol} + 1) * power_;
  }
  uint64_t value() const noexcept { return hash_; }

 private:
  // Any odd number with well mixed bits does; these are the first 64 bits of the fractional part of √5.
  static constexpr uint64_t kMultiplier = 0x3c6ef372fe94f82bULL;

  static constexpr uint64_t kInverse = inverse_of(kMultiplier);
  static_assert(kMultiplier * kInverse == 1);

  uint64_t hash_ = 0;
  uint64_t power_ = kInverse;  // kMultiplier to the number of symbols, minus one
};

struct Window {
  uint64_t hash;
  uint32_t begin;
  uint32_t end;
};

// Calls visit(begin, end) for each non-empty piece between cuts, in order.
template <typename Visitor>
void for_each_piece(uint32_t size, std::span<const uint32_t> cuts, Visitor&& visit) {
  uint32_t begin = 0;
  for (size_t cut = 0; begin < size; ++cut) {
    const uint32_t end = cut < cuts.size() ? std::min(cuts[cut], size) : size;
    if (begin < end) visit(begin, end);
    begin = end;
  }
}

// A window starts at every symbol and takes the fewest symbols whose width is at least `reach` (at least 1).
// The shortest end of the text that is so wide is a window too; otherwise wide symbols could leave the last
// ones without a window. A text narrower than one window is a single window.
//
// `cuts`: positions, ascending, before which something was cut out of the text (0 if the beginning was, the
// size if the end was). No window spans a cut, each piece has an end window, and a piece narrower than a
// window has none.
//
// Ascending by begin; an end window follows the last other one of its piece. Cost: O(size).
inline void make_windows(const Sequence& text, std::span<const uint32_t> cuts, uint32_t reach,
                         Vector<Window>& out) {
  out.clear();
  out.reserve(text.size() + cuts.size() + 1);
  for_each_piece(text.size(), cuts, [&](uint32_t piece_begin, uint32_t piece_end) {
    uint64_t width = 0;
    RollingHash hash;
    uint32_t begin = piece_begin, end = piece_begin;
    while (begin < piece_end) {
      for (; end < piece_end && width < reach; ++end) {
        hash.push_back(text.symbols[end]);
        width += text.widths[end];
      }
      if (width < reach) break;
      out.push_back({hash.value(), begin, end});
      hash.pop_front(text.symbols[begin]);
      width -= text.widths[begin];
      ++begin;
    }
    if (begin > piece_begin && out.back().end < piece_end) {
      hash.push_front(text.symbols[begin - 1]);
      out.push_back({hash.value(), begin - 1, piece_end});
    } else if (begin == 0 && cuts.empty()) {
      out.push_back({hash.value(), 0, piece_end});
    }
  });
}

}  // namespace nd::lcs
