// Takes the minimum of 128 fixed permutations over the shingles of a page, several at a time to stay in
// registers.
#include "moz/fingerprint_vector.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/hash.hpp"

namespace nd::moz {
namespace {

struct Permutations {
  FingerprintVector factors;
  FingerprintVector offsets;
};
constexpr Permutations fixed_permutations() noexcept {
  Permutations made{};
  for (size_t i = 0; i < kVectorEntries; ++i) {
    made.factors[i] = mix(i + 1) | 1;
    made.offsets[i] = mix(i + 1 + kVectorEntries);
  }
  return made;
}
constexpr Permutations kPermutations = fixed_permutations();

// As many minima as fit in registers; the shingles of a chunk stay in the first-level cache meanwhile.
constexpr size_t kMinima = 8;
constexpr size_t kChunk = 256;
static_assert(kVectorEntries % kMinima == 0);

template <size_t... kAt>
void lower(std::span<const uint64_t> mixed, size_t first, FingerprintVector& vector,
           std::index_sequence<kAt...>) noexcept {
  const uint64_t* factors = &kPermutations.factors[first];
  const uint64_t* offsets = &kPermutations.offsets[first];
  uint64_t least[] = {vector[first + kAt]...};
  for (const uint64_t value : mixed)
    ((least[kAt] = std::min(least[kAt], value * factors[kAt] + offsets[kAt])), ...);
  ((vector[first + kAt] = least[kAt]), ...);
}

}  // namespace

Permutation permutation(size_t entry) noexcept {
  return {kPermutations.factors[entry], kPermutations.offsets[entry]};
}

std::optional<FingerprintVector> fingerprint_vector(std::span<const uint64_t> shingles) noexcept {
  if (shingles.empty()) return std::nullopt;
  FingerprintVector vector;
  vector.fill(std::numeric_limits<uint64_t>::max());
  std::array<uint64_t, kChunk> mixed;
  while (!shingles.empty()) {
    const size_t size = std::min(shingles.size(), kChunk);
    std::transform(shingles.begin(), shingles.begin() + static_cast<ptrdiff_t>(size), mixed.begin(), mix);
    for (size_t entry = 0; entry < kVectorEntries; entry += kMinima)
      lower({mixed.data(), size}, entry, vector, std::make_index_sequence<kMinima>());
    shingles = shingles.subspan(size);
  }
  return vector;
}

uint32_t difference(const FingerprintVector& a, const FingerprintVector& b) noexcept {
  uint32_t unequal = 0;
  for (size_t i = 0; i < kVectorEntries; ++i)
    unequal += a[i] != b[i];
  return unequal;
}

bool differ_by_at_most(const FingerprintVector& a, const FingerprintVector& b, uint32_t most) noexcept {
  constexpr size_t kStep = 8;
  uint32_t unequal = 0;
  for (size_t i = 0; i < kVectorEntries; i += kStep) {
    for (size_t j = i; j < i + kStep; ++j)
      unequal += a[j] != b[j];
    if (unequal > most) return false;
  }
  return true;
}

void part_keys(const FingerprintVector& vector, uint32_t most, Vector<uint64_t>& out) {
  const size_t parts = std::min<size_t>(most, kVectorEntries - 1) + 1;
  out.clear();
  for (size_t part = 0; part < parts; ++part) {
    uint64_t hash = part + 1;
    for (size_t i = part * kVectorEntries / parts; i < (part + 1) * kVectorEntries / parts; ++i)
      hash = mix(hash ^ vector[i]);
    out.push_back(hash);
  }
}

}  // namespace nd::moz
