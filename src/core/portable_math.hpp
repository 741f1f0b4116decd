// Logarithm and exponential by sums and products in a fixed order: the same bits on every machine, which the
// functions of a C library do not promise. The library is compiled without contraction (fused multiply-add).
#pragma once

#include <bit>
#include <cstdint>

namespace nd {

// The natural logarithm of a positive, normal number; the error is below 1e-9.
constexpr double portable_log(double x) noexcept {
  constexpr double kLn2 = 0.6931471805599453;
  constexpr double kSqrt2 = 1.4142135623730951;
  constexpr uint64_t kMantissa = (uint64_t{1} << 52) - 1;
  constexpr int kBias = 1023;
  const auto bits = std::bit_cast<uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - kBias;
  double mantissa = std::bit_cast<double>((bits & kMantissa) | (uint64_t{kBias} << 52));
  if (mantissa > kSqrt2) {
    mantissa /= 2;
    ++exponent;
  }
  // ln m = 2 artanh s with s = (m − 1) / (m + 1), |s| < .172.
  const double s = (mantissa - 1) / (mantissa + 1);
  const double square = s * s;
  double sum = 0;
  for (int odd = 13; odd >= 1; odd -= 2)
    sum = sum * square + 1.0 / odd;
  return 2 * s * sum + exponent * kLn2;
}

// e^x for |x| <= 64; the error is below 1e-9 of the result.
constexpr double portable_exp(double x) noexcept {
  constexpr double kHalvings = 64;
  const double part = x / kHalvings;
  // The series where it converges fast, then squared six times.
  double result = 1;
  constexpr int kTerms = 16;
  for (int term = kTerms; term >= 1; --term)
    result = result * part / term + 1;
  for (int i = 0; i < 6; ++i)
    result *= result;
  return result;
}

}  // namespace nd
