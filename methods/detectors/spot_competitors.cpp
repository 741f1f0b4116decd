// The keys of both competitors: one hash of a page's signatures in the band, and bands of their smallest
// permuted values.
#include "detectors/spot_competitors.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "core/hash.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {
namespace {

// Little-endian, so that all machines hash the same bytes.
void append(String& bytes, uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8)
    bytes.push_back(static_cast<char>(value >> shift));
}

// mix() is a bijection, hence so is this: for each number a permutation of all 64-bit values.
uint64_t permuted(uint64_t hash, uint64_t permutation) noexcept {
  return mix(hash ^ mix(permutation + 1));
}

}  // namespace

std::optional<Hash128> i_match_s(SpotVector spots, const Epoch& epoch) {
  String bytes;
  for (const Spot& spot : spots) {
    if (epoch.keeps(spot.hash)) append(bytes, spot.hash);
  }
  if (bytes.empty()) return std::nullopt;
  return stable_hash_128(std::string_view(bytes));
}

void lsh_bands(SpotVector spots, const LshOptions& options, Vector<uint64_t>& out) {
  out.clear();
  if (spots.empty()) return;
  for (uint64_t band = 0; band < options.bands; ++band) {
    uint64_t combined = mix(band);
    for (uint64_t row = 0; row < options.rows; ++row) {
      uint64_t least = std::numeric_limits<uint64_t>::max();
      for (const Spot& spot : spots)
        least = std::min(least, permuted(spot.hash, band * options.rows + row));
      combined = mix(combined ^ least) + row;
    }
    out.push_back(combined);
  }
}

}  // namespace nd::spotsigs
