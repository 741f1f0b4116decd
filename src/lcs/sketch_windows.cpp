// Cuts a text into windows and hashes each from the one before it, in constant time a symbol.
#include "lcs/sketch_windows.hpp"

namespace nd::lcs {

void make_windows(const Sequence& text, std::span<const uint32_t> cuts, uint32_t reach, Vector<Window>& out) {
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
