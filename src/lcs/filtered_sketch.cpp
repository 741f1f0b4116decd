#include "lcs/filtered_sketch.hpp"

#include <algorithm>
#include <bit>

#include "core/hash.hpp"

namespace nd::lcs {
namespace {

// Any odd number with well mixed bits does; these are the first 64 bits of the fractional part of √5.
constexpr uint64_t kMultiplier = 0x3c6ef372fe94f82bULL;

// Newton's iteration modulo 2^64 doubles the number of right bits each time; an odd number starts with three.
constexpr uint64_t inverse(uint64_t odd) noexcept {
  uint64_t result = odd;
  for (int i = 0; i < 5; ++i)
    result *= 2 - odd * result;
  return result;
}
constexpr uint64_t kInverse = inverse(kMultiplier);
static_assert(kMultiplier * kInverse == 1);

// Bit 0 is the mark of the table, 0 its empty place. The bit lost is the highest: the low ones tell short
// windows apart.
uint64_t key_of_hash(uint64_t hash) noexcept {
  const uint64_t key = hash << 1;
  return key == 0 ? ~uint64_t{1} : key;
}

}  // namespace

void SketchFilter::append_windows(const Sequence& text, std::span<const uint32_t> cuts, uint32_t window_width,
                                  Vector<Window>& out) {
  const uint32_t size = text.size();
  const uint64_t reach = std::max<uint32_t>(window_width, 1);
  out.clear();
  out.reserve(size);
  uint32_t begin = 0;
  for (size_t cut = 0; begin < size; ++cut) {
    const uint32_t stretch_end = cut < cuts.size() ? std::min(cuts[cut], size) : size;
    const uint32_t stretch_begin = begin;
    uint64_t width = 0, hash = 0;
    uint64_t power = kInverse;  // kMultiplier to the number of symbols of the window, minus one
    uint32_t end = begin;
    while (begin < stretch_end) {
      for (; end < stretch_end && width < reach; ++end) {
        // A symbol counts from 1, so that symbol 0 too changes the hash of a window it is appended to.
        hash = hash * kMultiplier + text.symbols[end] + 1;
        power *= kMultiplier;
        width += text.widths[end];
      }
      if (width < reach) break;
      out.push_back({key_of_hash(hash), begin, end});
      hash -= (uint64_t{text.symbols[begin]} + 1) * power;
      power *= kInverse;
      width -= text.widths[begin];
      ++begin;
    }
    if (begin > stretch_begin && out.back().end < stretch_end) {
      const uint32_t last = begin - 1;
      hash += (uint64_t{text.symbols[last]} + 1) * power * kMultiplier;
      out.push_back({key_of_hash(hash), last, stretch_end});
    } else if (begin == 0 && cuts.empty()) {
      out.push_back({key_of_hash(hash), 0, size});
    }
    begin = stretch_end;
  }
}

inline size_t SketchFilter::slot_of(uint64_t key) const noexcept {
  const size_t mask = table_.size() - 1;
  size_t slot = mix(key ^ secret_) >> shift_;
  while (table_[slot] != 0 && (table_[slot] & ~uint64_t{1}) != key)
    slot = (slot + 1) & mask;
  return slot;
}

void SketchFilter::fill_table() {
  const size_t capacity = std::bit_ceil(std::max<size_t>(windows_b_.size() * 2, 2));
  shift_ = static_cast<uint32_t>(64 - std::countr_zero(capacity));
  table_.assign(capacity, 0);
  slots_of_b_.clear();
  for (const Window& window : windows_b_) {
    const size_t slot = slot_of(window.key);
    table_[slot] = window.key;
    slots_of_b_.push_back(static_cast<uint32_t>(slot));
  }
}

void SketchFilter::filter(const Sequence& a, std::span<const uint32_t> cuts_a, const Sequence& b,
                          std::span<const uint32_t> cuts_b, uint32_t window_width, Vector<uint32_t>& kept_a,
                          Vector<uint32_t>& kept_b) {
  kept_a.clear();
  kept_b.clear();
  append_windows(a, cuts_a, window_width, windows_a_);
  append_windows(b, cuts_b, window_width, windows_b_);
  if (windows_a_.empty() || windows_b_.empty()) return;
  fill_table();

  const auto keep = [](const Window& window, Vector<uint32_t>& kept) {
    uint32_t next = kept.empty() ? 0 : kept.back() + 1;
    for (next = std::max(next, window.begin); next < window.end; ++next)
      kept.push_back(next);
  };
  for (const Window& window : windows_a_) {
    const size_t slot = slot_of(window.key);
    if (table_[slot] == 0) continue;
    table_[slot] |= 1;
    keep(window, kept_a);
  }
  if (kept_a.empty()) return;
  for (size_t i = 0; i < windows_b_.size(); ++i) {
    if ((table_[slots_of_b_[i]] & 1) != 0) keep(windows_b_[i], kept_b);
  }
}

void SketchFilter::filter(const Sequence& a, const Sequence& b, uint32_t window_width,
                          Vector<uint32_t>& kept_a, Vector<uint32_t>& kept_b) {
  filter(a, {}, b, {}, window_width, kept_a, kept_b);
}

}  // namespace nd::lcs
