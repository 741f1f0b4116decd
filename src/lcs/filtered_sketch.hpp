// The filtered sketch (TR2007012 section 4.3): what is left of a text when everything is dropped that no
// window of width S shares with the other text.
#pragma once

#include <cstdint>

#include "lcs/sequence.hpp"

namespace nd::lcs {

inline constexpr uint32_t kDefaultWindowWidth = 16;  // S, TR2007012 section 5.2, figure 6

// Reusable buffers. Threads: one object, one thread at a time.
class SketchFilter {
 public:
  // `secret` mixes the hash table, so that no text can be written to collide in it; the result does not
  // depend on it.
  explicit SketchFilter(uint64_t secret = 0) noexcept : secret_(secret) {}

  // Writes the positions (indexes, ascending) of A and of B that survive: covered by a window whose hash
  // occurs among the windows of the other text. A window starts at every symbol and takes the fewest symbols
  // that reach `window_width` (with characters that is the report's window of S bytes), at least one. The
  // shortest end of the text that is so wide is a window too, or else wide symbols could leave the last ones
  // without any. A text narrower than one window is a single window. The hash is a rolling polynomial modulo
  // 2^63; a collision keeps a position too many, never loses one. Cost: O(|A| + |B|).
  void filter(const Sequence& a, const Sequence& b, uint32_t window_width, Vector<uint32_t>& kept_a,
              Vector<uint32_t>& kept_b);

  // The same for texts out of which something was cut: `cuts` are the positions, ascending, that a cut stands
  // before (0 if the beginning was cut off, the size if the end was). No window spans a cut, each piece has
  // an end window, and a piece narrower than a window has none. So what no window covered before a cut, none
  // covers after it.
  void filter(const Sequence& a, std::span<const uint32_t> cuts_a, const Sequence& b,
              std::span<const uint32_t> cuts_b, uint32_t window_width, Vector<uint32_t>& kept_a,
              Vector<uint32_t>& kept_b);

 private:
  struct Window {
    uint64_t key;
    uint32_t begin;
    uint32_t end;
  };

  static void append_windows(const Sequence& text, std::span<const uint32_t> cuts, uint32_t window_width,
                             Vector<Window>& out);
  size_t slot_of(uint64_t key) const noexcept;
  void fill_table();

  uint64_t secret_;
  uint32_t shift_ = 0;  // 64 − log2 of the size of the table
  Vector<Window> windows_a_, windows_b_;
  Vector<uint64_t> table_;       // keys of B; 0 is empty, bit 0 tells that A has it too
  Vector<uint32_t> slots_of_b_;  // by window of B
};

}  // namespace nd::lcs
