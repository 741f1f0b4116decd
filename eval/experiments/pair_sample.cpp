// Draws a sample without repetition in one pass (selection sampling), so that no list of all pairs is needed.
#include "pair_sample.hpp"

#include <algorithm>

#include "even_draw.hpp"

namespace nd::eval {

bool SelectionSample::takes_next() {
  const uint64_t left = left_--;
  if (wanted_ == 0 || (wanted_ < left && draw_below(left, random_) >= wanted_)) return false;
  --wanted_;
  return true;
}

std::vector<uint32_t> spread_items(uint32_t items, uint32_t limit) {
  const uint32_t taken = std::min(items, limit);
  std::vector<uint32_t> out(taken);
  for (uint32_t i = 0; i < taken; ++i)
    out[i] = static_cast<uint32_t>(uint64_t{i} * items / taken);
  return out;
}

std::string told_pages(size_t taken, size_t items) {
  return std::to_string(taken) + " pages, " +
         (taken == items ? "all." : "evenly spread over " + std::to_string(items) + ".");
}

}  // namespace nd::eval
