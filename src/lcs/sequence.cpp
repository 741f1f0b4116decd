#include "lcs/sequence.hpp"

namespace nd::lcs {

uint64_t matched_width(const Sequence& a, std::span<const Match> script) noexcept {
  uint64_t sum = 0;
  for (const Match& match : script) {
    for (uint32_t i = 0; i < match.count; ++i)
      sum += a.widths[match.a + i];
  }
  return sum;
}

}  // namespace nd::lcs
