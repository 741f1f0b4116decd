// What a method may see of a page.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "spotsigs/packed_spot.hpp"
#include "text/document.hpp"

namespace nd::detectors {

struct PageText {
  const text::Document& document;
  std::span<const uint8_t> counts;  // by block: 1 if its text counts, as main content does
  spotsigs::PackedSpots spots;      // of the blocks that count
  std::string_view url;
  uint32_t shingle_tokens;  // w of shingles and minhash
};

}  // namespace nd::detectors
