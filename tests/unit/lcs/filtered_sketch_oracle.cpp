// The filtered sketch by its definition: all windows of both texts, compared as they are.
#include "unit/lcs/filtered_sketch_oracle.hpp"

#include <iterator>
#include <set>

namespace nd::lcs::oracle {
namespace {

using Piece = std::vector<uint32_t>;

struct Window {
  uint32_t begin, end;
};

uint32_t width_of(const Sequence& text, uint32_t begin, uint32_t end) {
  uint32_t width = 0;
  for (uint32_t i = begin; i < end; ++i)
    width += text.widths[i];
  return width;
}

std::vector<Window> windows_of(const Sequence& text, std::span<const uint32_t> cuts, uint32_t window_width) {
  std::vector<Window> windows;
  std::set<uint32_t> borders(cuts.begin(), cuts.end());
  borders.insert({0, text.size()});
  for (auto border = borders.begin(); std::next(border) != borders.end(); ++border) {
    const uint32_t stretch_begin = *border, stretch_end = *std::next(border);
    uint32_t last_begin = stretch_begin;
    bool any = false;
    for (uint32_t begin = stretch_begin; begin < stretch_end; ++begin) {
      uint32_t end = begin + 1;
      while (end < stretch_end && width_of(text, begin, end) < window_width)
        ++end;
      if (width_of(text, begin, end) < window_width) continue;
      windows.push_back({begin, end});
      last_begin = begin;
      any = true;
    }
    if (any || cuts.empty()) windows.push_back({last_begin, stretch_end});
  }
  return windows;
}

Piece piece(const Sequence& text, const Window& window) {
  return Piece(text.symbols.begin() + window.begin, text.symbols.begin() + window.end);
}

}  // namespace

std::vector<uint32_t> kept_positions(const Sequence& text, std::span<const uint32_t> cuts,
                                     const Sequence& other, std::span<const uint32_t> other_cuts,
                                     uint32_t window_width) {
  std::set<Piece> pieces;
  for (const Window& window : windows_of(other, other_cuts, window_width))
    pieces.insert(piece(other, window));
  std::set<uint32_t> kept;
  for (const Window& window : windows_of(text, cuts, window_width)) {
    if (!pieces.contains(piece(text, window))) continue;
    for (uint32_t position = window.begin; position < window.end; ++position)
      kept.insert(position);
  }
  return {kept.begin(), kept.end()};
}

}  // namespace nd::lcs::oracle
