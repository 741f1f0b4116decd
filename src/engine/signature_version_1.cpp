#include "engine/signature_version_1.hpp"

#include "core/hash.hpp"

namespace nd::engine::version_1 {
namespace {

constexpr size_t kBins = 60;
constexpr size_t kBinsOffset = 7;
constexpr size_t kBandBins = 3;

uint16_t bin(std::span<const uint8_t> signature, size_t index) noexcept {
  return static_cast<uint16_t>(signature[kBinsOffset + 2 * index] |
                               (signature[kBinsOffset + 2 * index + 1] << 8));
}

}  // namespace

Vector<uint64_t> keys(std::span<const uint8_t> signature) {
  Vector<uint64_t> keys;
  for (size_t band = 0; band * kBandBins < kBins; ++band) {
    uint64_t key = band + 1;
    for (size_t i = 0; i < kBandBins; ++i)
      key = (key << 16) | bin(signature, band * kBandBins + i);
    keys.push_back(mix(key));
  }
  return keys;
}

double similarity(std::span<const uint8_t> a, std::span<const uint8_t> b) noexcept {
  size_t equal = 0;
  for (size_t i = 0; i < kBins; ++i)
    equal += bin(a, i) == bin(b, i);
  return static_cast<double>(equal) / static_cast<double>(kBins);
}

}  // namespace nd::engine::version_1
