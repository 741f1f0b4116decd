// The filtered sketch (TR2007012 section 4.3): a text without everything that is in no window of width S
// shared with the other text.
#pragma once

#include <cstdint>

#include "lcs/sequence.hpp"
#include "lcs/sketch_windows.hpp"

namespace nd::lcs {

inline constexpr uint32_t kDefaultWindowWidth = 16;  // S, TR2007012 section 5.2, figure 6

// A text that others are filtered against: its pairs of neighbouring symbols, and its windows. Both indexes
// are built at their first use and kept for every later filtering.
//
// Reusable buffers. Threads: one object, one thread at a time.
class SketchIndex {
 public:
  // `secret` mixes the hash tables, so that no text can be written to collide in them; results do not depend
  // on it.
  explicit SketchIndex(uint64_t secret = 0) noexcept : secret_(secret) {}

  // `text` and `cuts` (see make_windows) must stay in place while the index is used. Cost: O(1); the work is
  // done at the first use.
  void set(const Sequence& text, std::span<const uint32_t> cuts, uint32_t window_width) noexcept;

  // Reserves memory for texts of up to `size` symbols, whole or with parts cut out; they then allocate
  // nothing.
  void reserve(size_t size);

  uint64_t memory_bytes() const noexcept {
    return pairs_.capacity() * sizeof(uint64_t) + windows_.capacity() * sizeof(Window) +
           (places_.capacity() + same_.capacity()) * sizeof(uint32_t) + shared_.capacity();
  }

 private:
  friend class SketchFilter;

  static constexpr uint32_t kNone = UINT32_MAX;

  void index_pairs();    // O(size), once
  void index_windows();  // O(size), once
  uint32_t place_of_pair(uint32_t first, uint32_t second) const noexcept;
  // Whether the symbols may be neighbours in the text; always true if they are.
  bool may_have_pair(uint32_t first, uint32_t second) const noexcept;
  uint32_t find(uint64_t hash) const noexcept;  // number of the first window with that hash, or kNone
  size_t place_of(uint64_t hash) const noexcept;

  uint64_t secret_;
  Sequence text_;
  std::span<const uint32_t> cuts_;
  uint32_t reach_ = 1;
  bool has_pairs_ = false, has_windows_ = false;
  uint32_t pair_shift_ = 0;  // 32 − log2 of the bits of pairs_
  Vector<uint64_t> pairs_;   // a bit per hash of two symbols
  Vector<Window> windows_;
  uint32_t place_shift_ = 0;  // 64 − log2 of the size of places_
  Vector<uint32_t> places_;   // hash table: number of a window + 1; 0 is empty
  Vector<uint32_t> same_;     // by window: the first one of the same hash
  Vector<uint8_t> shared_;    // by first window of a hash: the other text has it; for SketchFilter
};

// Reusable buffers. Threads: one object, one thread at a time.
class SketchFilter {
 public:
  explicit SketchFilter(uint64_t secret = 0) noexcept : index_(secret) {}

  // Writes the positions (indexes, ascending) of A and of B that survive: those covered by a window whose
  // hash occurs among the windows of the other text (with characters, the report's window of S bytes). Hashes
  // are modulo 2^64; a collision keeps a position too many, never loses one. Equal symbols have equal widths.
  // Cost: O(|A| + |B|).
  void filter(const Sequence& a, const Sequence& b, uint32_t window_width, Vector<uint32_t>& kept_a,
              Vector<uint32_t>& kept_b);

  // The same for texts out of which parts were cut: a window does not span a cut, so nothing is covered that
  // was not covered before the cut.
  void filter(const Sequence& a, std::span<const uint32_t> cuts_a, const Sequence& b,
              std::span<const uint32_t> cuts_b, uint32_t window_width, Vector<uint32_t>& kept_a,
              Vector<uint32_t>& kept_b);

  // The same against an index of B. If less than `need_width` of A is kept, both outputs may be empty. Often
  // the pairs of neighbours that both texts have show this, which takes a small part of the time of the rest:
  // a shared window consists of shared pairs.
  void filter(const Sequence& a, std::span<const uint32_t> cuts_a, SketchIndex& b, uint64_t need_width,
              Vector<uint32_t>& kept_a, Vector<uint32_t>& kept_b);

  // Reserves memory for texts of up to `size` symbols that are compared with an index.
  void reserve(size_t size) { reserve_places(stretches_, size); }

  uint64_t memory_bytes() const noexcept {
    return index_.memory_bytes() + stretches_.capacity() * sizeof(Stretch);
  }

 private:
  // A piece of A in which all neighbours are neighbours in B too, as far as the index shows.
  struct Stretch {
    uint32_t begin;
    uint32_t end;
    bool ends_piece;
  };
  class Walk;

  uint64_t find_stretches(const Sequence& a, std::span<const uint32_t> cuts_a, const SketchIndex& b);
  static void keep_narrow(const Sequence& a, const SketchIndex& b, Vector<uint32_t>& kept_a,
                          Vector<uint32_t>& kept_b);
  static void keep_shared(SketchIndex& b, Vector<uint32_t>& kept_b);

  SketchIndex index_;
  Vector<Stretch> stretches_;
};

}  // namespace nd::lcs
