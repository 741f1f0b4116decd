// Sixty-four counters that are added to at once, kept as planes: plane p holds bit p of each of them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace nd::moz {

// An addition to all counters is one addition of numbers written in planes, a full adder on 64 lanes at a
// time: it ends where no lane carries, after about eight planes, while counters one by one take 64 steps.
class LaneCounters {
 public:
  // Adds `weight` to each counter whose bit in `lanes` is set. All weights together: below 2^64.
  void add(uint64_t lanes, uint32_t weight) noexcept {
    if (weight == 0) return;
    uint64_t carry = 0;
    uint32_t plane = static_cast<uint32_t>(std::countr_zero(weight));
    for (uint32_t left = weight >> plane; left != 0; left >>= 1, ++plane) {
      const uint64_t held = planes_[plane];
      const uint64_t added = (left & 1) != 0 ? lanes : 0;
      planes_[plane] = held ^ added ^ carry;
      carry = (held & added) | (carry & (held ^ added));
    }
    for (; carry != 0 && plane < planes_.size(); ++plane) {
      const uint64_t held = planes_[plane];
      planes_[plane] = held ^ carry;
      carry &= held;
    }
  }

  // The lanes whose counter is `bound` or more.
  uint64_t at_least(uint64_t bound) const noexcept {
    uint64_t above = 0;
    uint64_t level = ~uint64_t{0};  // as the bound in all planes so far
    for (size_t plane = planes_.size(); plane-- > 0;) {
      const uint64_t held = planes_[plane];
      if ((bound >> plane & 1) != 0) {
        level &= held;
      } else {
        above |= level & held;
        level &= ~held;
      }
    }
    return above | level;
  }

 private:
  std::array<uint64_t, 64> planes_{};
};

}  // namespace nd::moz
