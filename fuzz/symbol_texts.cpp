// Reads instructions from the input by which two texts are put together, so that few bytes make long ones.
#include "fuzz/symbol_texts.hpp"

#include <algorithm>
#include <array>

#include "core/hash.hpp"

namespace nd::fuzz {
namespace {

constexpr int kPartsLimit = 64;

using Symbols = std::vector<uint32_t>;

// A part of one of both texts goes to the end of `to`, sometimes backwards.
void append_part(InputReader& input, const Symbols& from, Symbols& to) {
  const uint16_t place = static_cast<uint16_t>(input.take_number(0, UINT16_MAX));
  const uint16_t count = static_cast<uint16_t>(input.take_number(0, UINT16_MAX));
  if (from.empty()) return;
  const size_t begin = place % from.size();
  const size_t end = begin + std::min<size_t>(count, from.size() - begin);
  Symbols part(from.begin() + static_cast<std::ptrdiff_t>(begin),
               from.begin() + static_cast<std::ptrdiff_t>(end));
  if (input.take_flag()) std::reverse(part.begin(), part.end());
  to.insert(to.end(), part.begin(), part.end());
}

void append_by_chance(InputReader& input, size_t limit, Symbols& to) {
  const uint64_t count = std::min<uint64_t>(input.take_number(0, UINT16_MAX), limit);
  const uint64_t alphabet = input.take_number(1, UINT16_MAX);
  const uint64_t seed = input.take_byte();
  for (uint64_t i = 0; i < count; ++i)
    to.push_back(static_cast<uint32_t>(mix(i + seed * limit) % alphabet));
}

void read_part(InputReader& input, size_t limit, SymbolTexts& texts) {
  const uint8_t kind = input.take_byte();
  Symbols& to = (kind & 1) == 0 ? texts.a.symbols : texts.b.symbols;
  switch (kind / 2 % 8) {
    case 0:
    case 1:
      for (const uint8_t symbol : input.take_bytes(input.take_byte()))
        to.push_back(symbol);
      break;
    case 2:
      to.insert(to.end(), std::min<uint64_t>(input.take_number(0, UINT16_MAX), limit), input.take_byte());
      break;
    case 3:
      append_by_chance(input, limit, to);
      break;
    case 4:
      append_part(input, texts.a.symbols, to);
      break;
    case 5:
      append_part(input, texts.b.symbols, to);
      break;
    case 6:
      // The greatest symbols, which a table's marks must not be.
      to.push_back(UINT32_MAX - input.take_byte());
      break;
    default: {
      const uint16_t place = static_cast<uint16_t>(input.take_number(0, UINT16_MAX));
      const uint8_t symbol = input.take_byte();
      if (!to.empty()) to[place % to.size()] = symbol;
    }
  }
  to.resize(std::min(to.size(), limit));
}

}  // namespace

SymbolTexts read_symbol_texts(InputReader& input, size_t limit) {
  SymbolTexts texts;
  const uint8_t widest = input.take_byte();
  const bool has_none = input.take_flag();
  for (int parts = 0; parts < kPartsLimit && !input.at_end(); ++parts)
    read_part(input, limit, texts);
  for (SymbolText* text : {&texts.a, &texts.b}) {
    for (const uint32_t symbol : text->symbols)
      text->widths.push_back(static_cast<uint16_t>(symbol % (widest % 32U + 1U) + (has_none ? 0U : 1U)));
  }
  return texts;
}

}  // namespace nd::fuzz
