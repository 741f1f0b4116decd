// Texts for the tests of the LCS layer.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "lcs/sequence.hpp"

namespace nd::lcs {

// A sequence that owns its symbols. The width of a symbol is a function of it, as with tokens.
struct Sample {
  std::vector<uint32_t> symbols;
  std::vector<uint16_t> widths;

  Sample() = default;
  explicit Sample(std::vector<uint32_t> of, uint32_t widest = 1) : symbols(std::move(of)) {
    for (const uint32_t symbol : symbols)
      widths.push_back(static_cast<uint16_t>(1 + symbol % widest));
  }
  explicit Sample(std::string_view letters) : Sample(std::vector<uint32_t>(letters.begin(), letters.end())) {}
  Sequence sequence() const { return {symbols, widths}; }
};

using Random = std::mt19937_64;

inline std::vector<uint32_t> random_symbols(Random& random, size_t size, uint32_t alphabet) {
  std::vector<uint32_t> symbols(size);
  for (uint32_t& symbol : symbols)
    symbol = static_cast<uint32_t>(random() % alphabet);
  return symbols;
}

// Replaces, inserts or deletes at each symbol with probability `edits` in a thousand.
inline std::vector<uint32_t> edited(Random& random, const std::vector<uint32_t>& symbols, uint32_t alphabet,
                                    uint32_t edits) {
  std::vector<uint32_t> result;
  for (const uint32_t symbol : symbols) {
    const uint64_t kind = random() % 1000 < edits ? random() % 3 : 3;
    if (kind == 0 || kind == 1) result.push_back(static_cast<uint32_t>(random() % alphabet));
    if (kind == 1 || kind == 3) result.push_back(symbol);
  }
  return result;
}

}  // namespace nd::lcs
