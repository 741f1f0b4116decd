#include "engine/signature.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/hash.hpp"

namespace nd::engine {
namespace {

constexpr uint8_t kVersion = 1;
constexpr size_t kBinsOffset = 7;
constexpr size_t kBandBins = 3;
constexpr uint32_t kShingleTokens = 3;
constexpr float kContentWeight = 0.4F;

using Bins = std::array<uint64_t, kSignatureBins>;

Result<void> check_signature(std::span<const uint8_t> signature) {
  if (signature.size() != kSignatureSize) return error(Status::kCorrupt, "a signature has 127 bytes");
  if (signature[0] != kVersion) return error(Status::kUnsupportedVersion, "a signature of another version");
  return {};
}

uint16_t bin(std::span<const uint8_t> signature, size_t index) noexcept {
  return static_cast<uint16_t>(signature[kBinsOffset + 2 * index] |
                               (signature[kBinsOffset + 2 * index + 1] << 8));
}

void add_shingles(const text::Document& document, bool all_text, Bins& smallest) {
  for (const text::DocumentBlock& block : document.blocks) {
    if (!all_text && block.weight < kContentWeight) continue;
    const uint32_t size = std::min(kShingleTokens, block.tokens.size());
    for (uint32_t i = block.tokens.begin; size > 0 && i + size <= block.tokens.end; ++i) {
      uint64_t hash = 0;
      for (uint32_t k = 0; k < size; ++k)
        hash = mix(hash ^ document.tokens[i + k].hash) + 0x9e3779b97f4a7c15ULL;
      hash = mix(hash);
      uint64_t& least = smallest[hash % kSignatureBins];
      least = std::min(least, hash / kSignatureBins);
    }
  }
}

// An empty bin borrows from the next full one, chosen by a hash of its own number, so that both pages of a
// pair borrow alike (optimal densification, A. Shrivastava, ICML 2017).
void densify(Bins& smallest) {
  const Bins sparse = smallest;
  for (size_t i = 0; i < kSignatureBins; ++i) {
    for (uint64_t attempt = 1; smallest[i] == UINT64_MAX; ++attempt)
      smallest[i] = sparse[mix(i * 0x10001 + attempt) % kSignatureBins];
  }
}

}  // namespace

Vector<uint8_t> compute_signature(const text::Document& document, const Parameters& parameters) {
  if (document.tokens.empty()) return {};
  double content_width = 0;
  for (const text::DocumentBlock& block : document.blocks)
    content_width += double{block.weight} * block.width;
  Bins smallest;
  smallest.fill(UINT64_MAX);
  add_shingles(document, content_width < parameters.decision.content_width, smallest);
  if (std::all_of(smallest.begin(), smallest.end(), [](uint64_t value) { return value == UINT64_MAX; })) {
    add_shingles(document, true, smallest);
  }
  densify(smallest);
  Vector<uint8_t> signature(kSignatureSize, 0);
  signature[0] = kVersion;
  signature[1] = static_cast<uint8_t>(std::bit_width(static_cast<uint64_t>(content_width)));
  for (size_t i = 0; i < kSignatureBins; ++i) {
    const uint16_t value = static_cast<uint16_t>(mix(smallest[i]));
    signature[kBinsOffset + 2 * i] = static_cast<uint8_t>(value);
    signature[kBinsOffset + 2 * i + 1] = static_cast<uint8_t>(value >> 8);
  }
  return signature;
}

Result<Vector<uint64_t>> signature_keys(std::span<const uint8_t> signature) {
  if (signature.empty()) return Vector<uint64_t>{};
  if (Result<void> checked = check_signature(signature); !checked) return std::move(checked).failure();
  Vector<uint64_t> keys;
  for (size_t band = 0; band * kBandBins < kSignatureBins; ++band) {
    uint64_t key = band + 1;
    for (size_t i = 0; i < kBandBins; ++i)
      key = (key << 16) | bin(signature, band * kBandBins + i);
    keys.push_back(mix(key));
  }
  return keys;
}

Result<double> compare_signatures(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  if (a.empty() || b.empty()) return 0.0;  // two pages without text are no duplicates
  if (Result<void> checked = check_signature(a); !checked) return std::move(checked).failure();
  if (Result<void> checked = check_signature(b); !checked) return std::move(checked).failure();
  size_t equal = 0;
  for (size_t i = 0; i < kSignatureBins; ++i)
    equal += bin(a, i) == bin(b, i);
  return static_cast<double>(equal) / static_cast<double>(kSignatureBins);
}

}  // namespace nd::engine
