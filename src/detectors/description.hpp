// What a method keeps of a page: bytes that mean the same on every machine (docs/features_format.md).
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "detectors/method.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::detectors {

// Empty: the method finds nothing in the page to compare, so no other page is similar to it.
using Description = std::span<const uint8_t>;

// The most that is kept per page.
inline constexpr size_t kSpotsLimit = 65535;
inline constexpr size_t kShinglesLimit = 16384;
inline constexpr size_t kTermsLimit = 16384;
inline constexpr size_t kMwoTermsLimit = 4096;
// A term of MWO: 8 bytes hash, 4 bytes share.
inline constexpr size_t kMwoTermBytes = 12;

// Checks bytes that may come from anywhere. Bytes that pass can be given to a Detector of the method. Errors:
// kCorrupt.
Result<void> check_description(Method method, Description description);

// An array of numbers, or of structs of numbers without padding. The bytes need not be aligned.
template <typename T>
void read_row(Description description, Vector<T>& out) {
  out.resize(description.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), description.data(), out.size() * sizeof(T));
}
template <typename T>
Vector<T> row_of(Description description) {
  Vector<T> row;
  read_row(description, row);
  return row;
}
template <typename T>
void append_row(std::span<const T> row, Vector<uint8_t>& out) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(row.data());
  out.insert(out.end(), bytes, bytes + row.size_bytes());
}

// The spot signatures in the description of a method that compares them. Throws std::bad_alloc.
inline Vector<spotsigs::Spot> spots_of(Description description) {
  Vector<spotsigs::Spot> spots;
  for (const spotsigs::PackedSpot packed : row_of<spotsigs::PackedSpot>(description))
    spots.push_back(spotsigs::spot_of(packed));
  return spots;
}

inline double jaccard(const spotsigs::Overlap& overlap) noexcept {
  return overlap.united == 0 ? 0 : static_cast<double>(overlap.shared) / static_cast<double>(overlap.united);
}

// What a method's score of two pages counts, for people who ask why.
struct MethodEvidence {
  std::string_view unit;  // in the plural: "terms", "bits"
  uint64_t of_a;          // in each page; what occurs more than once counts as often as in the method
  uint64_t of_b;
  uint64_t shared;
};

// Both descriptions have passed check_description() of the method; kLcs has nothing to count. Throws
// std::bad_alloc. Cost: O(|a| + |b|).
MethodEvidence evidence_of(Method method, Description a, Description b);

// The least score of near-duplicates, 0..1. `threshold`: in the method's unit, 0: its default.
double least_score(Method method, uint32_t threshold) noexcept;

}  // namespace nd::detectors
