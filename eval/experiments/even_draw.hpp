// Evenly distributed numbers, the same on every machine, unlike those of std::uniform_int_distribution.
#pragma once

#include <cstdint>
#include <random>

namespace nd::eval {

// 0..end - 1, each as likely as any other. `end` > 0.
inline uint64_t draw_below(uint64_t end, std::mt19937_64& random) {
  for (;;) {
    const uint64_t number = random();
    const uint64_t remainder = number % end;
    // The last numbers of 64 bits are fewer than `end`: they would make small remainders likelier.
    if (number - remainder <= UINT64_MAX - (end - 1)) return remainder;
  }
}

}  // namespace nd::eval
