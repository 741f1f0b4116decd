// The header and the entries of a features record (docs/features_format.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/hash.hpp"
#include "core/md5_lanes.hpp"
#include "spotsigs/spot_extractor.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::engine {

// The spot signatures of a features record (docs/features_format.md).

using spotsigs::kSpotCountBits;
using spotsigs::kSpotCountLimit;
using spotsigs::make_packed_spot;
using spotsigs::PackedSpot;
using spotsigs::spot_of;

// A signature of one block, kept in portable features only (nd_features_with_site recomputes the packed
// ones).
struct FeatureBlockSpot {
  uint64_t hash;
  uint32_t block;  // index
  uint32_t count;  // in this block
};
static_assert(sizeof(FeatureBlockSpot) == 16);

// How the signatures were made; see spotsigs::SpotParameters.
struct FeatureSpotParameters {
  uint16_t enabled : 1;
  uint16_t antecedents : 15;  // 0: the lists of ndc; otherwise identifies a caller's own list
  uint16_t distance, chain, signatures;

  // Whether signatures made with these and with `other` can be equal.
  bool makes_the_same_as(const FeatureSpotParameters& other) const noexcept {
    return antecedents == other.antecedents && distance == other.distance && chain == other.chain;
  }
};
static_assert(sizeof(FeatureSpotParameters) == 8);

// The greatest values that a features record can store.
inline constexpr uint32_t kSpotDistanceLimit = 16;
inline constexpr uint32_t kSpotChainLimit = 16;
inline constexpr uint32_t kSpotSignaturesLimit = 65535;

// `antecedents`: of option `x_antecedents`; empty: the lists of ndc.
inline FeatureSpotParameters feature_spot_parameters_of(const spotsigs::SpotParameters& parameters,
                                                        std::string_view antecedents) noexcept {
  constexpr uint16_t kAntecedentsMask = 0x7fff;
  const auto u16 = [](uint32_t value) {
    return static_cast<uint16_t>(std::min<uint32_t>(value, UINT16_MAX));
  };
  FeatureSpotParameters out{};
  out.enabled = parameters.enabled ? 1 : 0;
  if (!antecedents.empty()) {
    const auto list = static_cast<uint16_t>(stable_hash(antecedents) & kAntecedentsMask);
    out.antecedents = std::max<uint16_t>(list, 1) & kAntecedentsMask;
  }
  out.distance = u16(parameters.distance);
  out.chain = u16(parameters.chain);
  out.signatures = u16(parameters.signatures);
  return out;
}

// A token in four bytes: 27 bits of its stable hash and its width (capped at 31), so that a comparison needs
// nothing else.
using Symbol = uint32_t;
inline constexpr uint32_t kSymbolWidthBits = 5;
inline constexpr uint32_t kSymbolWidthMask = (1U << kSymbolWidthBits) - 1;

constexpr Symbol make_symbol(uint32_t hash, uint32_t width) noexcept {
  return (hash & ~kSymbolWidthMask) | (width < kSymbolWidthMask ? width : kSymbolWidthMask);
}
constexpr uint16_t symbol_width(Symbol symbol) noexcept {
  return symbol & kSymbolWidthMask;
}

// Where a block is in its page: bits of FeatureBlock::context.
enum FeatureBlockContext : uint8_t {
  kBlockInNavigation = 1 << 0,  // nav, or role=navigation
  kBlockInForm = 1 << 1,        // form, button, select, label, textarea
};
inline constexpr uint8_t kBlockContextMask = 3;
inline constexpr uint8_t kHeadingLevels = 6;

struct FeatureBlock {
  uint64_t hash;         // of its tokens, runs of digits folded; see feature_builder.hpp
  uint32_t token_begin;  // it ends where the next one begins, see token_end()
  uint8_t weight;        // main content, 0..255 for 0..1
  uint8_t dropped;       // 0; 1 where keys are made: gives none, even to a short page
  uint8_t heading = 0;   // level of its heading, 1..6; 0: none
  uint8_t context = 0;   // FeatureBlockContext

  // Whether it is in a heading that names the page's subject.
  bool is_title() const noexcept { return heading == 1 || heading == 2; }
};
static_assert(sizeof(FeatureBlock) == 16);

// Where the tokens of a block end, of a page with so many symbols.
inline uint32_t token_end(std::span<const FeatureBlock> blocks, size_t block, size_t symbol_count) noexcept {
  return block + 1 < blocks.size() ? blocks[block + 1].token_begin : static_cast<uint32_t>(symbol_count);
}

// A sentence that can give fingerprints, kept in portable features only (nd_features_with_site computes keys
// anew).
struct FeatureSentence {
  Md5Digest digest;
  uint32_t width;
  uint32_t block;  // index
};
static_assert(sizeof(FeatureSentence) == 24);

// How many pages of its site have a part of a page, which is a block or a word of the title.
struct CountedPart {
  uint16_t pages;  // with it
  uint16_t span;   // how many pages the site learned from the first of them to the last, without the first
  uint32_t first;  // how many pages the site had learned when the first of them came, with that one

  bool operator==(const CountedPart&) const = default;
};
static_assert(sizeof(CountedPart) == 8);

// How the keys were made; see lcs::FingerprintParameters and RelaxedParameters.
struct KeyParameters {
  uint16_t sentence_width, sentences, cover_width, buckets;
  uint16_t relaxed, relaxed_keys, shingle_tokens, wide_shingle_tokens;
  uint32_t content_width;  // less main content than this: keys from all text

  bool operator==(const KeyParameters&) const = default;
};
static_assert(sizeof(KeyParameters) == 20);

enum FeatureFlags : uint32_t {
  kFeatureTruncated = 1 << 0,
  kFeatureLimited = 1 << 1,
  kFeatureNoText = 1 << 2,
  kFeatureSpotsLimited = 1 << 3,  // more distinct spot signatures than are kept
  kFeaturePlainText = 1 << 4,     // it has no markup
  kFeatureComparedOnly = 1 << 5,  // without what finds candidates and what that is made from
};

struct FeatureHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t method;    // detectors::Method of the description; 0: there is none
  uint64_t checksum;  // stable_hash of everything behind this field, with the method as its seed
  // What made the text: versions of ndc's text layer, Unicode, libxml2, public suffix list.
  uint64_t pipeline;
  KeyParameters key_parameters;
  uint32_t description_size : 24;
  uint32_t description_shingle : 8;  // tokens per shingle in a description of shingles; 0: none, or 5
  uint64_t digest_low;               // of the normalised visible text
  uint64_t digest_high;
  int64_t fetched_at_ms;
  uint64_t width;          // of all tokens
  uint64_t content_width;  // weighted
  uint32_t block_count;
  uint32_t fingerprint_count;  // the first of the keys: the strict ones
  uint32_t key_count;          // fingerprints and relaxed keys
  uint32_t symbol_count;
  uint32_t url_size;
  uint32_t site_size;
  uint32_t text_size;       // 0 unless the text is kept
  uint32_t body_size;       // of the page, saturated
  uint32_t sentence_count;  // 0 unless portable
  uint32_t flags;           // FeatureFlags
  FeatureSpotParameters spot_parameters;
  uint32_t spot_count;
  uint32_t block_spot_count;  // 0 unless portable
  uint32_t title_count;       // symbols of the title, which follow those of the text
  uint32_t site_count;        // of the entries about its site, 0 if the record has none
};
static_assert(sizeof(FeatureHeader) == 152);

inline constexpr uint32_t kFeatureMagic = 0x3146444eU;  // "NDF1", little-endian
inline constexpr uint16_t kFeatureVersion = 1;
inline constexpr uint32_t kUrlBytesLimit = 1U << 20;
inline constexpr uint32_t kDescriptionBytesLimit = 0xffffff;
inline constexpr uint32_t kDescriptionShingleLimit = 32;
inline constexpr char kPieceSeparator = '\x1f';

}  // namespace nd::engine
