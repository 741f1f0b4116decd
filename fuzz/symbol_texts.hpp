// Two texts of symbols from a fuzzer's input: written out, repeated, made by chance, or taken from each
// other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fuzz/input_reader.hpp"

namespace nd::fuzz {

struct SymbolText {
  std::vector<uint32_t> symbols;
  std::vector<uint16_t>
      widths;  // a function of the symbol, as with tokens; 0 too, which no page has but a record may
};

struct SymbolTexts {
  SymbolText a, b;
};

// Neither is longer than `limit`.
SymbolTexts read_symbol_texts(InputReader& input, size_t limit);

}  // namespace nd::fuzz
