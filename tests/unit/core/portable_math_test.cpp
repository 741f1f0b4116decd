// Logarithm and exponential: close to the C library's, and the same bits on every machine.
#include "core/portable_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace nd {
namespace {

constexpr double kMostError = 1e-9;

// Both may be used where a constant is asked for.
static_assert(portable_log(1) == 0);
static_assert(portable_exp(0) == 1);
constexpr double kLogOfTwo = portable_log(2);
constexpr double kE = portable_exp(1);

TEST(PortableMath, KnowsTheConstants) {
  EXPECT_NEAR(kLogOfTwo, 0.6931471805599453, 1e-15);
  EXPECT_NEAR(kE, 2.718281828459045, 1e-12);
  EXPECT_NEAR(portable_log(10), 2.302585092994046, 1e-12);
  EXPECT_NEAR(portable_exp(-1), 0.36787944117144233, 1e-12);
}

TEST(PortableMath, TheLogarithmIsRightAtEveryMagnitude) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mantissa(1, 2);
  for (int exponent = -1022; exponent <= 1023; ++exponent) {
    for (const double m : {1.0, 1.4142135623730949, 1.4142135623730951, 1.4142135623730954, 2 - 1e-15,
                           mantissa(random), mantissa(random), mantissa(random)}) {
      const double x = std::ldexp(m, exponent);
      ASSERT_NEAR(portable_log(x), std::log(x), kMostError) << m << " * 2^" << exponent;
    }
  }
  for (const double x : {std::numeric_limits<double>::min(), std::numeric_limits<double>::max()})
    EXPECT_NEAR(portable_log(x), std::log(x), kMostError);
}

// Where the logarithm is near 0 it keeps its own precision, too.
TEST(PortableMath, TheLogarithmIsRightNearOne) {
  for (double gap = 1; gap > 1e-15; gap /= 1.7) {
    for (const double x : {1 + gap, 1 - gap / 2}) {
      ASSERT_NEAR(portable_log(x), std::log(x), kMostError * std::abs(std::log(x))) << gap;
    }
  }
}

TEST(PortableMath, TheExponentialIsRightFromMinusToPlus64) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> any(-64, 64);
  const auto check = [](double x) { ASSERT_NEAR(portable_exp(x) / std::exp(x), 1, kMostError) << x; };
  for (int i = -6400; i <= 6400; ++i)
    check(i / 100.0);
  for (int i = 0; i < 100000; ++i)
    check(any(random));
  for (double x = 1; x > 1e-300; x /= 10) {
    check(x);
    check(-x);
  }
}

TEST(PortableMath, EachUndoesTheOther) {
  for (double x = -64; x <= 64; x += 0.37)
    EXPECT_NEAR(portable_log(portable_exp(x)), x, 2 * kMostError);
}

// A greater argument never gives a smaller result, also where the series of two magnitudes meet.
TEST(PortableMath, BothAreMonotone) {
  double log_before = portable_log(1e-3);
  double exp_before = portable_exp(-64);
  for (int i = 1; i <= 200000; ++i) {
    const double log_now = portable_log(1e-3 + i * 1e-4);
    const double exp_now = portable_exp(-64 + i * 6.4e-4);
    ASSERT_GT(log_now, log_before) << i;
    ASSERT_GT(exp_now, exp_before) << i;
    log_before = log_now;
    exp_before = exp_now;
  }
}

}  // namespace
}  // namespace nd
