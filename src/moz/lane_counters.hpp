// Sixty-four counters that are added to at once, kept as planes: plane p holds bit p of each of them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace nd::moz {

// Additions of equal weight wait until there are eight; then the eight are counted in all lanes by seven
// adders of single bits and go into the planes as one number. That is about ten operations on words for an
// addition of one bit of weight, where counters one by one take 64 additions.
class LaneCounters {
 public:
  // Adds `weight` to each counter whose bit in `lanes` is set. All weights together: below 2^64.
  void add(uint64_t lanes, uint32_t weight) noexcept {
    for (; weight != 0; weight &= weight - 1) {
      const auto plane = static_cast<uint32_t>(std::countr_zero(weight));
      waiting_[plane][counts_[plane]++] = lanes;
      if (counts_[plane] == kWaiting) settle(plane);
    }
  }

  // The lanes whose counter is `bound` or more.
  uint64_t at_least(uint64_t bound) noexcept;

 private:
  static constexpr size_t kWaiting = 8;
  static constexpr size_t kWeightBits = 32;

  void settle(uint32_t plane) noexcept;

  std::array<uint64_t, 64> planes_{};
  std::array<uint8_t, kWeightBits> counts_{};
  std::array<std::array<uint64_t, kWaiting>, kWeightBits> waiting_;  // the first counts_ of each
};

}  // namespace nd::moz
