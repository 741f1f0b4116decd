// Checks a record that came from outside, section by section, so that all later readers use it in place
// without looking again.
#include "page/features.hpp"

#include <bit>
#include <cstring>
#include <utility>

#include "text/document.hpp"

namespace nd::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "features are little-endian and used in place");

// 16 rotations of at most 64 buckets, and at most 256 shingles: the limits of the options' ranges.
constexpr uint32_t kKeysLimit = 16 * 64 + 256;

constexpr size_t kChecksumEnd = offsetof(FeatureHeader, checksum) + sizeof(uint64_t);

// The checksum covers what follows it. Of the fields before it, magic and version have one value each, and
// the method is the seed.
uint64_t checksum_of(std::span<const uint8_t> bytes) noexcept {
  uint16_t method = 0;
  std::memcpy(&method, bytes.data() + offsetof(FeatureHeader, method), sizeof method);
  return stable_hash(
      {reinterpret_cast<const char*>(bytes.data()) + kChecksumEnd, bytes.size() - kChecksumEnd}, method);
}

bool within(uint32_t value, uint32_t least, uint32_t most) noexcept {
  return value >= least && value <= most;
}

// Keys are computed again with these values (RecordKeys): the ranges are those of the options;
// values outside them would divide by zero or cost without bound.
bool is_valid(const KeyParameters& parameters) noexcept {
  return within(parameters.sentences, 1, 16) && within(parameters.buckets, 1, 64) &&
         within(parameters.relaxed_keys, 1, 256) && within(parameters.shingle_tokens, 1, 32) &&
         within(parameters.wide_shingle_tokens, 1, 64);
}

bool is_valid(const FeatureSpotParameters& parameters) noexcept {
  return within(parameters.distance, 1, kSpotDistanceLimit) && within(parameters.chain, 1, kSpotChainLimit) &&
         parameters.signatures >= 1;
}

// A signature begins at a token and ends in its block.
bool are_possible(const FeatureHeader& header) noexcept {
  const bool enabled = header.spot_parameters.enabled != 0;
  return header.spot_count <= (enabled ? header.spot_parameters.signatures : 0U) &&
         header.spot_count <= header.symbol_count &&
         header.block_spot_count <= (enabled ? header.symbol_count : 0U);
}

Result<void> check_blocks(const Features& features) {
  const FeatureHeader& header = features.header();
  uint32_t last = 0;
  for (const FeatureBlock& block : features.blocks()) {
    if (block.token_begin < last || block.token_begin > header.symbol_count) {
      return error(Status::kCorrupt, "features whose blocks are out of order");
    }
    last = block.token_begin;
    if (block.dropped != 0 || block.heading > kHeadingLevels || block.context > kBlockContextMask)
      return error(Status::kCorrupt, "features with an impossible block");
  }
  if (!features.blocks().empty() && features.blocks().front().token_begin != 0) {
    return error(Status::kCorrupt, "features with tokens before the first block");
  }
  if (features.blocks().empty() && header.symbol_count != 0)
    return error(Status::kCorrupt, "features with tokens in no block");
  for (const FeatureSentence& sentence : features.sentences()) {
    if (sentence.block >= header.block_count)
      return error(Status::kCorrupt, "features with a sentence in no block");
  }
  return {};
}

Result<void> check_spots(const Features& features) {
  const std::span<const PackedSpot> packed = features.spots();
  for (size_t i = 0; i < packed.size(); ++i) {
    if (spot_of(packed[i]).count == 0)
      return error(Status::kCorrupt, "features with a signature that does not occur");
    if (i > 0 && spot_of(packed[i]).hash <= spot_of(packed[i - 1]).hash)
      return error(Status::kCorrupt, "features whose signatures are out of order");
  }
  const std::span<const FeatureBlockSpot> spots = features.block_spots();
  for (size_t i = 0; i < spots.size(); ++i) {
    if (spots[i].block >= features.header().block_count || spots[i].hash >> spotsigs::kSpotHashBits != 0 ||
        spots[i].count == 0 || spots[i].count > features.header().symbol_count) {
      return error(Status::kCorrupt, "features with an impossible signature of a block");
    }
    if (i > 0 && std::pair(spots[i].block, spots[i].hash) <= std::pair(spots[i - 1].block, spots[i - 1].hash))
      return error(Status::kCorrupt, "features whose signatures of blocks are out of order");
  }
  return {};
}

}  // namespace

uint64_t Features::size_of(const FeatureHeader& header) noexcept {
  return sizeof(FeatureHeader) + uint64_t{header.block_count} * sizeof(FeatureBlock) +
         uint64_t{header.key_count} * sizeof(uint64_t) + uint64_t{header.spot_count} * sizeof(PackedSpot) +
         uint64_t{header.block_spot_count} * sizeof(FeatureBlockSpot) +
         uint64_t{header.sentence_count} * sizeof(FeatureSentence) +
         uint64_t{header.site_count} * sizeof(CountedPart) +
         (uint64_t{header.symbol_count} + header.title_count) * sizeof(Symbol) + uint64_t{header.url_size} +
         header.site_size + header.text_size + header.description_size;
}

// Everything that must hold before a section is read.
Result<void> Features::check_header(std::span<const uint8_t> bytes) {
  FeatureHeader header;
  if (bytes.size() < sizeof header) return error(Status::kCorrupt, "features are shorter than their header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kFeatureMagic) return error(Status::kCorrupt, "these bytes are not features");
  if (header.version != kFeatureVersion)
    return error(Status::kUnsupportedVersion, "features of another version");
  if (header.method == 0 && header.description_size != 0)
    return error(Status::kCorrupt, "features with a description of no method");
  if (!detectors::is_method(header.method))
    return error(Status::kUnsupportedVersion, "features with a description of a method that is not known");
  const bool has_shingles = detectors::uses_shingles(detectors::Method{header.method});
  if (header.description_shingle > (has_shingles ? kDescriptionShingleLimit : 0))
    return error(Status::kCorrupt, "features with shingles of an impossible width");
  if (size_of(header) != bytes.size()) return error(Status::kCorrupt, "features whose sizes do not add up");
  return {};
}

Result<void> Features::check_sections() const {
  const FeatureHeader& header = this->header();
  if (header.fingerprint_count > header.key_count)
    return error(Status::kCorrupt, "features with more fingerprints than keys");
  if (header.key_count > kKeysLimit)
    return error(Status::kCorrupt, "features with more keys than a page can have");
  if (((header.flags & kFeatureNoText) != 0) != (header.symbol_count == 0)) {
    return error(Status::kCorrupt, "features that disagree on whether there is text");
  }
  const bool finds_candidates = header.key_count != 0 || header.spot_count != 0 ||
                                header.sentence_count != 0 || header.block_spot_count != 0 ||
                                header.text_size != 0;
  if (is_compared_only() && finds_candidates)
    return error(Status::kCorrupt, "features with what they were said to be without");
  if (!is_valid(header.key_parameters)) return error(Status::kCorrupt, "features with impossible parameters");
  if (!is_valid(header.spot_parameters) || !are_possible(header))
    return error(Status::kCorrupt, "features with more signatures than a page can have");
  if (header.title_count > text::kTitleTokens)
    return error(Status::kCorrupt, "features with an impossible title");
  if (header.site_count != 0 && header.site_count != uint64_t{header.block_count} + header.title_count + 1)
    return error(Status::kCorrupt, "features that do not know each part on its site");
  if (header.url_size > kUrlBytesLimit)
    return error(Status::kCorrupt, "features with a URL longer than 1 MiB");
  if (header.fetched_at_ms < 0) return error(Status::kCorrupt, "features with a negative time");
  if (Result<void> checked = check_blocks(*this); !checked) return checked;
  if (Result<void> checked = check_spots(*this); !checked) return checked;
  return detectors::check_description(method(), description());
}

Result<Features> Features::parse(std::span<const uint8_t> bytes) {
  if (Result<void> checked = check_header(bytes); !checked) return std::move(checked).failure();
  Features features;
  std::memcpy(features.allocate(bytes.size()), bytes.data(), bytes.size());
  if (!features.has_right_checksum()) return error(Status::kCorrupt, "features with a wrong checksum");
  if (Result<void> checked = features.check_sections(); !checked) return std::move(checked).failure();
  return features;
}

Result<Features> Features::view(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner) {
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(FeatureHeader) != 0)
    return error(Status::kCorrupt, "features that are not aligned");
  Features features;
  features.data_ = bytes.data();
  features.size_ = bytes.size();
  features.owner_ = std::move(owner);
  if (Result<void> checked = features.check(); !checked) return std::move(checked).failure();
  return features;
}

bool Features::has_right_checksum() const noexcept {
  return checksum_of(bytes()) == header().checksum;
}

Result<void> Features::check() const {
  if (Result<void> checked = check_header(bytes()); !checked) return checked;
  return check_sections();
}

uint8_t* Features::allocate(size_t size) {
  const size_t needed = (size + 7) / 8 * 8;
  if (memory_.bytes < needed) {
    // A record that follows others leaves room for a longer one.
    const size_t bytes = memory_.bytes == 0 ? needed : needed + needed / 2 / 8 * 8;
    memory_ = {};
    memory_.words.reset(static_cast<uint64_t*>(allocate_bytes(bytes)));
    memory_.bytes = bytes;
  }
  auto* data = reinterpret_cast<uint8_t*>(memory_.words.get());
  data_ = data;
  size_ = size;
  return data;
}

Features Features::copy() const {
  Features features;
  std::memcpy(features.allocate(size_), data_, size_);
  return features;
}

Features Features::build(FeatureHeader header, const Sections& sections, RecordMemory memory) {
  header.magic = kFeatureMagic;
  header.version = kFeatureVersion;
  header.block_count = static_cast<uint32_t>(sections.blocks.size());
  header.key_count = static_cast<uint32_t>(sections.keys.size());
  header.spot_count = static_cast<uint32_t>(sections.spots.size());
  header.block_spot_count = static_cast<uint32_t>(sections.block_spots.size());
  header.sentence_count = static_cast<uint32_t>(sections.sentences.size());
  header.symbol_count = static_cast<uint32_t>(sections.symbols.size());
  header.title_count = static_cast<uint32_t>(sections.title.size());
  header.site_count = static_cast<uint32_t>(sections.on_site.size());
  header.url_size = static_cast<uint32_t>(sections.url.size());
  header.site_size = static_cast<uint32_t>(sections.site.size());
  header.text_size = static_cast<uint32_t>(sections.text.size());
  header.description_size = static_cast<uint32_t>(sections.description.size()) & kDescriptionBytesLimit;

  Features features;
  features.memory_ = std::move(memory);
  uint8_t* base = features.allocate(static_cast<size_t>(size_of(header)));
  uint8_t* out = base + sizeof header;
  const auto put = [&out](const void* data, size_t size) {
    if (size != 0) std::memcpy(out, data, size);
    out += size;
  };
  put(sections.blocks.data(), sections.blocks.size_bytes());
  put(sections.keys.data(), sections.keys.size_bytes());
  put(sections.spots.data(), sections.spots.size_bytes());
  put(sections.block_spots.data(), sections.block_spots.size_bytes());
  put(sections.sentences.data(), sections.sentences.size_bytes());
  put(sections.on_site.data(), sections.on_site.size_bytes());
  put(sections.symbols.data(), sections.symbols.size_bytes());
  put(sections.title.data(), sections.title.size_bytes());
  put(sections.url.data(), sections.url.size());
  put(sections.site.data(), sections.site.size());
  put(sections.text.data(), sections.text.size());
  put(sections.description.data(), sections.description.size());
  std::memcpy(base, &header, sizeof header);
  header.checksum = checksum_of(features.bytes());
  std::memcpy(base, &header, sizeof header);
  return features;
}

Features::Sections Features::sections() const noexcept {
  return {.blocks = blocks(),
          .keys = keys(),
          .spots = spots(),
          .block_spots = block_spots(),
          .sentences = sentences(),
          .symbols = symbols(),
          .title = title(),
          .url = url(),
          .site = site(),
          .text = text(),
          .description = description(),
          .on_site = on_site()};
}

}  // namespace nd::engine
