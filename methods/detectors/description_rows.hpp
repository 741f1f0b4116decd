// Descriptions as rows of numbers: how the methods write and read them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "core/memory.hpp"
#include "method/description.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::detectors {

// The most that is kept per page.
inline constexpr size_t kSpotsLimit = 65535;
inline constexpr size_t kShinglesLimit = 16384;
inline constexpr size_t kTermsLimit = 16384;
inline constexpr size_t kMwoTermsLimit = 4096;
// A term of MWO: 8 bytes hash, 4 bytes share.
inline constexpr size_t kMwoTermBytes = 12;

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

}  // namespace nd::detectors
