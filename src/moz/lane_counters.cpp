#include "moz/lane_counters.hpp"

#include <algorithm>

namespace nd::moz {
namespace {

// Three bits of each lane as a number of two.
struct Sum {
  uint64_t low;
  uint64_t high;
};
Sum sum_of(uint64_t a, uint64_t b, uint64_t c) noexcept {
  const uint64_t unequal = a ^ b;
  return {unequal ^ c, (a & b) | (unequal & c)};
}

}  // namespace

void LaneCounters::settle(uint32_t plane) noexcept {
  std::array<uint64_t, kWaiting>& lanes = waiting_[plane];
  std::fill(lanes.begin() + counts_[plane], lanes.end(), 0);
  counts_[plane] = 0;

  const Sum first = sum_of(lanes[0], lanes[1], lanes[2]);
  const Sum second = sum_of(lanes[3], lanes[4], lanes[5]);
  const Sum third = sum_of(lanes[6], lanes[7], first.low);
  const Sum ones = sum_of(third.low, second.low, 0);
  const Sum twos = sum_of(first.high, second.high, third.high);
  const Sum more_twos = sum_of(twos.low, ones.high, 0);
  const Sum fours = sum_of(twos.high, more_twos.high, 0);
  const std::array<uint64_t, 4> number{ones.low, more_twos.low, fours.low, fours.high};

  uint64_t carry = 0;
  for (const uint64_t digit : number) {
    const Sum sum = sum_of(planes_[plane], digit, carry);
    planes_[plane++] = sum.low;
    carry = sum.high;
  }
  for (; carry != 0 && plane < planes_.size(); ++plane) {
    const uint64_t held = planes_[plane];
    planes_[plane] = held ^ carry;
    carry &= held;
  }
}

uint64_t LaneCounters::at_least(uint64_t bound) noexcept {
  for (uint32_t plane = 0; plane < kWeightBits; ++plane) {
    if (counts_[plane] != 0) settle(plane);
  }
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

}  // namespace nd::moz
