// Sketches both shingle sets into bins, densifies the empty ones, and scores two signatures with the caps of
// small evidence.
#include "page/signature.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/hash.hpp"
#include "page/feature_parameters.hpp"
#include "words/word_segmenter.hpp"

namespace nd::engine {
namespace {

constexpr uint8_t kVersion = 1;
constexpr size_t kWidthOffset = 1;
constexpr size_t kTitleOffset = 2;
constexpr size_t kWideOffset = 3;
constexpr size_t kNarrowOffset = kWideOffset + 3 * kSignatureWideBins / 2;
constexpr size_t kPageOffset = kNarrowOffset + kSignatureNarrowBins / 2;
constexpr uint32_t kShingleTokens = 3;
constexpr float kContentWeight = 0.4F;
// One narrow bin in 16 is equal by chance.
constexpr double kChance = 1.0 / 16;

// Text that two pages of one site share may be its boilerplate. If their titles differ they reach at most
// this, and a stricter threshold for pages of one site separates them.
constexpr double kOtherTitle = 0.9;
// List pages share a title and an introduction; they differ in the list outside the main content. A pair with
// fewer equal bins for all text reaches at most this. It is a cap rather than a factor: between sites the
// boilerplate differs, and their threshold lies far below.
constexpr size_t kEqualPageBins = 25;
constexpr double kOtherPage = 0.9;
// Little shared text is weak evidence: a pair with a text narrower than 256 needs about twice the similarity.
constexpr uint8_t kShortClass = 9;

// The smallest hash of each bin; UINT64_MAX: empty.
template <size_t N>
struct Bins {
  std::array<uint64_t, N> smallest;

  Bins() { smallest.fill(UINT64_MAX); }
  void add(uint64_t hash) noexcept { smallest[hash % N] = std::min(smallest[hash % N], hash / N); }
  bool empty() const noexcept {
    return std::all_of(smallest.begin(), smallest.end(), [](uint64_t value) { return value == UINT64_MAX; });
  }
};

struct Sketch {
  Bins<kSignatureBins> main;
  Bins<kSignaturePageBins> page;
  uint64_t width = 0;  // of the blocks in `main`
};

uint64_t hash_tokens(const text::Token* tokens, uint32_t count) noexcept {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < count; ++i)
    hash = mix(hash ^ tokens[i].hash) + 0x9e3779b97f4a7c15ULL;
  return mix(hash);
}

// `main` takes the main content or, with all_text, what `page` always takes.
Sketch sketch_of(const text::Document& document, bool all_text) {
  Sketch sketch;
  for (const text::DocumentBlock& block : document.blocks) {
    const bool is_main = all_text || block.weight >= kContentWeight;
    if (is_main) sketch.width += block.width;
    const uint32_t size = std::min(kShingleTokens, block.tokens.size());
    for (uint32_t i = block.tokens.begin; size > 0 && i + size <= block.tokens.end; ++i) {
      const uint64_t hash = hash_tokens(document.tokens.data() + i, size);
      sketch.page.add(hash);
      if (is_main) sketch.main.add(hash);
    }
  }
  return sketch;
}

// An empty bin borrows from a full one, chosen by hashes of its own number, so that both pages of a pair
// borrow from the same bins (optimal densification, A. Shrivastava, ICML 2017). At least one bin is full.
template <size_t N>
void densify(Bins<N>& bins) {
  const Bins<N> sparse = bins;
  for (size_t i = 0; i < N; ++i) {
    for (uint64_t attempt = 1; bins.smallest[i] == UINT64_MAX; ++attempt)
      bins.smallest[i] = sparse.smallest[mix(i * 0x10001 + attempt) % N];
  }
}

// 0: no title.
uint8_t title_byte(const text::Document& document) {
  Vector<text::Token> tokens;
  text::append_tokens(document.extraction.title, 0, tokens);
  if (tokens.empty()) return 0;
  return static_cast<uint8_t>(1 + hash_tokens(tokens.data(), static_cast<uint32_t>(tokens.size())) % 255);
}

// Includes the bin's number: a value that many bins borrowed must not agree by chance in all of them.
uint64_t stored_value(uint64_t smallest, size_t number) noexcept {
  return mix(smallest + number * 0x9e3779b97f4a7c15ULL);
}

void write_narrow(uint64_t value, size_t index, uint8_t* bytes) noexcept {
  bytes[index / 2] |= static_cast<uint8_t>((value & 15) << (4 * (index % 2)));
}

void write_bins(const Sketch& sketch, Vector<uint8_t>& signature) {
  for (size_t i = 0; i < kSignatureBins; ++i) {
    const uint64_t value = stored_value(sketch.main.smallest[i], i);
    if (i < kSignatureWideBins) {
      for (size_t part = 0; part < 3; ++part)
        write_narrow(value >> (4 * part), 3 * i + part, signature.data() + kWideOffset);
    } else {
      write_narrow(value, i - kSignatureWideBins, signature.data() + kNarrowOffset);
    }
  }
  for (size_t i = 0; i < kSignaturePageBins; ++i)
    write_narrow(stored_value(sketch.page.smallest[i], i), i, signature.data() + kPageOffset);
}

uint64_t wide_bin(std::span<const uint8_t> signature, size_t index) noexcept {
  const size_t begin = kWideOffset + 3 * index / 2;
  const unsigned two_bytes = signature[begin] | (unsigned{signature[begin + 1]} << 8);
  return (two_bytes >> (4 * (index % 2))) & 0xfff;
}

size_t equal_narrow_bins(std::span<const uint8_t> a, std::span<const uint8_t> b) noexcept {
  size_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const int different = a[i] ^ b[i];
    equal += (different & 0x0f) == 0;
    equal += (different & 0xf0) == 0;
  }
  return equal;
}

double estimate(std::span<const uint8_t> a, std::span<const uint8_t> b) noexcept {
  constexpr size_t kNarrowBytes = kSignatureNarrowBins / 2;
  size_t wide = 0;
  for (size_t i = 0; i < kSignatureWideBins; ++i)
    wide += wide_bin(a, i) == wide_bin(b, i);
  const size_t narrow =
      equal_narrow_bins(a.subspan(kNarrowOffset, kNarrowBytes), b.subspan(kNarrowOffset, kNarrowBytes));
  constexpr double kByChance = kChance * kSignatureNarrowBins;
  const double equal = static_cast<double>(wide) + (static_cast<double>(narrow) - kByChance) / (1 - kChance);
  return std::max(0.0, equal / static_cast<double>(kSignatureBins));
}

bool other_page(std::span<const uint8_t> a, std::span<const uint8_t> b) noexcept {
  return equal_narrow_bins(a.subspan(kPageOffset), b.subspan(kPageOffset)) < kEqualPageBins;
}

Result<void> check_signature(std::span<const uint8_t> signature) {
  if (signature.size() != kSignatureSize) return error(Status::kCorrupt, "a signature has 127 bytes");
  if (signature[0] != kVersion) return error(Status::kUnsupportedVersion, "a signature of another version");
  return {};
}

}  // namespace

Vector<uint8_t> compute_signature(const text::Document& document) {
  if (document.tokens.empty()) return {};
  double content_width = 0;
  for (const text::DocumentBlock& block : document.blocks)
    content_width += double{block.weight} * block.width;
  Sketch sketch = sketch_of(document, content_width < kContentWidth);
  if (sketch.main.empty()) sketch = sketch_of(document, true);
  densify(sketch.main);
  densify(sketch.page);
  Vector<uint8_t> signature(kSignatureSize, 0);
  signature[0] = kVersion;
  signature[kWidthOffset] = static_cast<uint8_t>(std::bit_width(sketch.width));
  signature[kTitleOffset] = title_byte(document);
  write_bins(sketch, signature);
  return signature;
}

Result<Vector<uint64_t>> signature_keys(std::span<const uint8_t> signature) {
  if (signature.empty()) return Vector<uint64_t>{};
  if (Result<void> checked = check_signature(signature); !checked) return std::move(checked).failure();
  Vector<uint64_t> keys;
  for (size_t i = 0; i < kSignatureWideBins; ++i) {
    const uint64_t next = wide_bin(signature, (i + 1) % kSignatureWideBins);
    keys.push_back(mix((((uint64_t{kVersion} << 8 | i) << 12 | wide_bin(signature, i)) << 12) | next));
  }
  return keys;
}

Result<double> compare_signatures(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  if (a.empty() || b.empty()) return 0.0;  // two pages without text are no duplicates
  if (Result<void> checked = check_signature(a); !checked) return std::move(checked).failure();
  if (Result<void> checked = check_signature(b); !checked) return std::move(checked).failure();
  double similarity = estimate(a, b);
  if (a[kWidthOffset] < kShortClass || b[kWidthOffset] < kShortClass) similarity *= similarity;
  if (a[kTitleOffset] != b[kTitleOffset]) similarity *= kOtherTitle;
  if (other_page(a, b)) similarity = std::min(similarity, kOtherPage);
  return similarity;
}

}  // namespace nd::engine
