// The methods by which an engine can look for near-duplicates, and what their thresholds mean.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.hpp"

namespace nd::detectors {

// Features records hold these numbers, so they never change; they are the order of option `detector`.
enum class Method : uint16_t {
  kLcs = 0,  // the LCS partition with its candidate keys and spot signatures: the engine's own
  kSpotSigs = 1,
  kIMatchS = 2,
  kLshS = 3,
  kMozVector = 4,
  kSimhash64 = 5,
  kSimhash128 = 6,
  kMwo = 7,
  kShingles = 8,
  kMinHash = 9,
  kCosine = 10,
  kIMatch = 11,
  kExact = 12,
};
inline constexpr uint32_t kMethods = 13;

constexpr bool is_method(uint32_t number) noexcept {
  return number < kMethods;
}

// A threshold says how much must be equal at least: the greater, the stricter. A score of 0..1 corresponds to
// a threshold of 0..`whole`.
struct MethodInfo {
  std::string_view name;
  uint32_t threshold;  // by default
  uint32_t most;       // greatest allowed; the least is 1. 0: the method distinguishes only equal and unequal
  uint32_t whole;      // corresponds to a score of 1
  std::string_view unit;
};
// For kLcs everything except the name is ignored: the LCS has options of its own for its thresholds.
const MethodInfo& info_of(Method method) noexcept;

// The least score of near-duplicates, 0..1. `threshold`: in the method's unit, 0: its default.
double least_score(Method method, uint32_t threshold) noexcept;

// Whether the method compares spot signatures.
bool uses_spots(Method method) noexcept;

// Whether the method compares shingles of a width that is an option.
bool uses_shingles(Method method) noexcept;

// 0: the default. Errors: kInvalidArgument, with a sentence that says what the method takes.
Result<void> check_threshold(Method method, uint32_t threshold);

}  // namespace nd::detectors
