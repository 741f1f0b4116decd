// The filtered sketch (TR2007012 section 4.3): what is left of a text when everything is dropped that no window of
// width S shares with the other text.
#pragma once

#include <cstdint>

#include "lcs/sequence.hpp"

namespace nd::lcs {

inline constexpr uint32_t kDefaultWindowWidth = 16;  // S, TR2007012 section 5.2, figure 6

// Reusable buffers. Threads: one object, one thread at a time.
class SketchFilter {
 public:
  // Writes the positions (indexes, ascending) of A and of B that survive: covered by a window whose hash
  // occurs among the windows of the other text. A window starts at every symbol and takes the fewest symbols
  // that reach `window_width` (with characters that is the report's window of S bytes). A text narrower than
  // one window is a single window. Cost: O(|A| + |B|).
  void filter(const Sequence& a, const Sequence& b, uint32_t window_width, Vector<uint32_t>& kept_a,
              Vector<uint32_t>& kept_b);

 private:
  Vector<uint64_t> hashes_a_, hashes_b_, table_;
  Vector<uint32_t> ends_a_, ends_b_;
};

}  // namespace nd::lcs
