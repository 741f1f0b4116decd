// The texts that are compared: symbols (tokens or characters, the algorithms do not care) with their widths.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory.hpp"

namespace nd::lcs {

struct Sequence {
  std::span<const uint32_t> symbols;
  std::span<const uint16_t> widths;  // same length; in units of the LCS partition
  uint32_t size() const noexcept { return static_cast<uint32_t>(symbols.size()); }
};

// A[a .. a+count) equals B[b .. b+count), symbol by symbol.
struct Match {
  uint32_t a;
  uint32_t b;
  uint32_t count;
  friend bool operator==(const Match&, const Match&) = default;
};

// A common subsequence as maximal runs, ascending in a and in b. It is the complement of an edit script:
// symbols of A in no match are deleted, those of B in no match inserted.
using Script = Vector<Match>;

// Appends a match, or lengthens the last one if it continues that.
inline void append_match(Vector<Match>& matches, const Match& match) {
  if (!matches.empty()) {
    Match& last = matches.back();
    if (last.a + last.count == match.a && last.b + last.count == match.b) {
      last.count += match.count;
      return;
    }
  }
  matches.push_back(match);
}

// Reserves room for `count` elements, rounded up to a power of two: a text that is a little longer than all
// before it allocates nothing.
template <typename T>
void reserve_places(Vector<T>& buffer, size_t count) {
  if (buffer.capacity() < count) buffer.reserve(std::bit_ceil(count));
}

// Sum of the matched widths of A (equal to those of B).
inline uint64_t matched_width(const Sequence& a, std::span<const Match> script) noexcept {
  uint64_t sum = 0;
  for (const Match& match : script) {
    for (uint32_t i = 0; i < match.count; ++i)
      sum += a.widths[match.a + i];
  }
  return sum;
}

// The length of the common prefix (or suffix) in symbols.
inline uint32_t common_prefix(std::span<const uint32_t> a, std::span<const uint32_t> b) noexcept {
  const auto shorter = std::min(a.size(), b.size());
  return static_cast<uint32_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<ptrdiff_t>(shorter), b.begin()).first - a.begin());
}
inline uint32_t common_suffix(std::span<const uint32_t> a, std::span<const uint32_t> b) noexcept {
  const auto shorter = std::min(a.size(), b.size());
  return static_cast<uint32_t>(
      std::mismatch(a.rbegin(), a.rbegin() + static_cast<ptrdiff_t>(shorter), b.rbegin()).first - a.rbegin());
}

}  // namespace nd::lcs
