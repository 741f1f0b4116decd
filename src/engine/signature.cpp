#include "engine/signature.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/hash.hpp"
#include "engine/signature_version_1.hpp"
#include "text/words.hpp"

namespace nd::engine {
namespace {

constexpr uint8_t kVersion = 2;
constexpr size_t kWidthOffset = 1;
constexpr size_t kTitleOffset = 2;
constexpr size_t kWideOffset = 3;
constexpr size_t kNarrowOffset = kWideOffset + 2 * kSignatureWideBins;
constexpr uint32_t kShingleTokens = 3;
constexpr float kContentWeight = 0.4F;
// By chance one narrow bin in 16 is equal.
constexpr double kChance = 1.0 / 16;

// What two pages of one site share may be its frame. If their titles differ they reach at most this, and a
// stricter threshold for one site keeps them apart.
constexpr double kOtherTitle = 0.9;
// Little text in common tells little: a pair with a text narrower than 256 needs about twice the similarity.
constexpr uint8_t kShortClass = 9;

using Bins = std::array<uint64_t, kSignatureBins>;

uint64_t hash_tokens(const text::Token* tokens, uint32_t count) noexcept {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < count; ++i)
    hash = mix(hash ^ tokens[i].hash) + 0x9e3779b97f4a7c15ULL;
  return mix(hash);
}

// The width of the blocks that were taken.
uint64_t add_shingles(const text::Document& document, bool all_text, Bins& smallest) {
  uint64_t width = 0;
  for (const text::DocumentBlock& block : document.blocks) {
    if (!all_text && block.weight < kContentWeight) continue;
    width += block.width;
    const uint32_t size = std::min(kShingleTokens, block.tokens.size());
    for (uint32_t i = block.tokens.begin; size > 0 && i + size <= block.tokens.end; ++i) {
      const uint64_t hash = hash_tokens(document.tokens.data() + i, size);
      uint64_t& least = smallest[hash % kSignatureBins];
      least = std::min(least, hash / kSignatureBins);
    }
  }
  return width;
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

// 0: no title.
uint8_t title_byte(const text::Document& document) {
  Vector<text::Token> tokens;
  text::append_tokens(document.extraction.title, 0, tokens);
  if (tokens.empty()) return 0;
  return static_cast<uint8_t>(1 + hash_tokens(tokens.data(), static_cast<uint32_t>(tokens.size())) % 255);
}

void write_bins(const Bins& smallest, Vector<uint8_t>& signature) {
  for (size_t i = 0; i < kSignatureBins; ++i) {
    // With the bin's number: a value that was borrowed by many bins must not agree by chance in all of them.
    const uint64_t value = mix(smallest[i] + i * 0x9e3779b97f4a7c15ULL);
    if (i < kSignatureWideBins) {
      signature[kWideOffset + 2 * i] = static_cast<uint8_t>(value);
      signature[kWideOffset + 2 * i + 1] = static_cast<uint8_t>(value >> 8);
    } else {
      const size_t narrow = i - kSignatureWideBins;
      signature[kNarrowOffset + narrow / 2] |= static_cast<uint8_t>((value & 15) << (4 * (narrow % 2)));
    }
  }
}

uint64_t wide_bin(std::span<const uint8_t> signature, size_t index) noexcept {
  return signature[kWideOffset + 2 * index] | (uint64_t{signature[kWideOffset + 2 * index + 1]} << 8);
}

double estimate(std::span<const uint8_t> a, std::span<const uint8_t> b) noexcept {
  size_t wide = 0, narrow = 0;
  for (size_t i = 0; i < kSignatureWideBins; ++i)
    wide += wide_bin(a, i) == wide_bin(b, i);
  for (size_t i = kNarrowOffset; i < kSignatureSize; ++i) {
    const int different = a[i] ^ b[i];
    narrow += (different & 0x0f) == 0;
    narrow += (different & 0xf0) == 0;
  }
  constexpr double kByChance = kChance * kSignatureNarrowBins;
  const double equal = static_cast<double>(wide) + (static_cast<double>(narrow) - kByChance) / (1 - kChance);
  return std::max(0.0, equal / static_cast<double>(kSignatureBins));
}

Result<void> check_signature(std::span<const uint8_t> signature) {
  if (signature.size() != kSignatureSize) return error(Status::kCorrupt, "a signature has 127 bytes");
  if (signature[0] != kVersion && signature[0] != version_1::kVersion)
    return error(Status::kUnsupportedVersion, "a signature of another version");
  return {};
}

}  // namespace

Vector<uint8_t> compute_signature(const text::Document& document, const Parameters& parameters) {
  if (document.tokens.empty()) return {};
  double content_width = 0;
  for (const text::DocumentBlock& block : document.blocks)
    content_width += double{block.weight} * block.width;
  Bins smallest;
  smallest.fill(UINT64_MAX);
  uint64_t width = add_shingles(document, content_width < parameters.decision.content_width, smallest);
  if (std::all_of(smallest.begin(), smallest.end(), [](uint64_t value) { return value == UINT64_MAX; })) {
    width = add_shingles(document, true, smallest);
  }
  densify(smallest);
  Vector<uint8_t> signature(kSignatureSize, 0);
  signature[0] = kVersion;
  signature[kWidthOffset] = static_cast<uint8_t>(std::bit_width(width));
  signature[kTitleOffset] = title_byte(document);
  write_bins(smallest, signature);
  return signature;
}

Result<Vector<uint64_t>> signature_keys(std::span<const uint8_t> signature) {
  if (signature.empty()) return Vector<uint64_t>{};
  if (Result<void> checked = check_signature(signature); !checked) return std::move(checked).failure();
  if (signature[0] == version_1::kVersion) return version_1::keys(signature);
  Vector<uint64_t> keys;
  for (size_t i = 0; i < kSignatureWideBins; ++i) {
    const uint64_t next = wide_bin(signature, (i + 1) % kSignatureWideBins);
    keys.push_back(mix((((uint64_t{kVersion} << 8 | i) << 16 | wide_bin(signature, i)) << 16) | next));
  }
  return keys;
}

Result<double> compare_signatures(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  if (a.empty() || b.empty()) return 0.0;  // two pages without text are no duplicates
  if (Result<void> checked = check_signature(a); !checked) return std::move(checked).failure();
  if (Result<void> checked = check_signature(b); !checked) return std::move(checked).failure();
  if (a[0] != b[0])
    return error(Status::kUnsupportedVersion, "signatures of different versions do not compare");
  if (a[0] == version_1::kVersion) return version_1::similarity(a, b);
  double similarity = estimate(a, b);
  if (a[kWidthOffset] < kShortClass || b[kWidthOffset] < kShortClass) similarity *= similarity;
  if (a[kTitleOffset] != b[kTitleOffset]) similarity *= kOtherTitle;
  return similarity;
}

}  // namespace nd::engine
