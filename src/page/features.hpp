// Everything needed to compare a page later: one flat, checksummed, portable record
// (docs/features_format.md), used in place.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "core/hash.hpp"
#include "core/result.hpp"
#include "method/description.hpp"
#include "page/feature_layout.hpp"

namespace nd::engine {

// The memory of a record, reused for records that are built, examined and dropped page after page.
struct RecordMemory {
  RecordMemory() = default;
  // A moved-from object is empty: after an exception it may be used next.
  RecordMemory(RecordMemory&& other) noexcept
      : words(std::move(other.words)), bytes(std::exchange(other.bytes, 0)) {}
  RecordMemory& operator=(RecordMemory&& other) noexcept {
    words = std::move(other.words);
    bytes = std::exchange(other.bytes, 0);
    return *this;
  }

  Owned<uint64_t> words;
  size_t bytes = 0;
};

// Immutable; shared between threads.
class Features {
 public:
  Features(Features&& other) noexcept = default;
  Features& operator=(Features&& other) noexcept = default;

  // Checks every count and parameter, the checksum and the order of the blocks before anything is used.
  // Copies the bytes.
  static Result<Features> parse(std::span<const uint8_t> bytes);
  // A record in place, aligned to 8, valid as long as `owner` exists. Makes the same checks except for the
  // checksum, since the store has its own.
  static Result<Features> view(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner);
  // Takes sections that were built in this process.
  struct Sections {
    std::span<const FeatureBlock> blocks;
    std::span<const uint64_t> keys;
    std::span<const PackedSpot> spots;
    std::span<const FeatureBlockSpot> block_spots;
    std::span<const FeatureSentence> sentences;
    std::span<const Symbol> symbols;
    std::span<const Symbol> title{};
    std::string_view url, site, text;
    detectors::Description description{};    // of header.method
    std::span<const CountedPart> on_site{};  // as on_site() below
  };
  // The sections of this record, for another one that differs in a few of them.
  Sections sections() const noexcept;
  // Uses `memory` if it is large enough.
  static Features build(FeatureHeader header, const Sections& sections, RecordMemory memory = {});
  // A record of `size` bytes, which write(to) writes to a place aligned to 8. They are not checked, since
  // this process made them. Uses `memory` if it is large enough. Throws std::bad_alloc.
  template <typename Write>
  static Features trusted(size_t size, RecordMemory memory, Write&& write) {
    Features features;
    features.memory_ = std::move(memory);
    write(features.allocate(size));
    return features;
  }
  // The checks of view(), for a record that was made by trusted() from bytes of a file.
  Result<void> check() const;
  // Whether it is the record that was once built, byte for byte. view() and check() leave this to the store.
  bool has_right_checksum() const noexcept;
  // The size of the record that the header begins. No overflow: every factor is at most 2^32 and every
  // element at most 24 bytes.
  static uint64_t size_of(const FeatureHeader& header) noexcept;
  // The memory of a record that is no longer needed.
  RecordMemory release() && noexcept { return std::move(memory_); }
  // A record that owns its bytes and takes no more memory than it needs.
  Features copy() const;

  const FeatureHeader& header() const noexcept { return *reinterpret_cast<const FeatureHeader*>(data_); }
  std::span<const FeatureBlock> blocks() const noexcept {
    return elements<FeatureBlock>(sizeof(FeatureHeader), header().block_count);
  }
  std::span<const uint64_t> keys() const noexcept {
    return elements<uint64_t>(keys_offset(), header().key_count);
  }
  std::span<const uint64_t> fingerprints() const noexcept { return keys().first(header().fingerprint_count); }
  // Ascending, each signature once.
  std::span<const PackedSpot> spots() const noexcept {
    return elements<PackedSpot>(spots_offset(), header().spot_count);
  }
  // Ascending by block, then by hash.
  std::span<const FeatureBlockSpot> block_spots() const noexcept {
    return elements<FeatureBlockSpot>(block_spots_offset(), header().block_spot_count);
  }
  std::span<const FeatureSentence> sentences() const noexcept {
    return elements<FeatureSentence>(sentences_offset(), header().sentence_count);
  }
  // What is known of its site, with the page itself: first the site's pages and how many of them it has
  // learned, then each block in order, then each word of the title. Empty if nothing was said.
  std::span<const CountedPart> on_site() const noexcept {
    return elements<CountedPart>(site_offset(), header().site_count);
  }
  std::span<const Symbol> symbols() const noexcept {
    return symbols_and_title().first(header().symbol_count);
  }
  // The words of the title, in order. They are no part of the text.
  std::span<const Symbol> title() const noexcept {
    return symbols_and_title().subspan(header().symbol_count);
  }
  std::span<const Symbol> symbols_and_title() const noexcept {
    return elements<Symbol>(symbols_offset(), size_t{header().symbol_count} + header().title_count);
  }
  std::string_view url() const noexcept { return string(0, header().url_size); }
  std::string_view site() const noexcept { return string(header().url_size, header().site_size); }
  // The normalised text, if kept: one piece per token (the token and what follows up to the next), separated
  // by kPieceSeparator.
  std::string_view text() const noexcept {
    return string(size_t{header().url_size} + header().site_size, header().text_size);
  }
  // What method() keeps of the page, already checked. kLcs: the record has none.
  detectors::Method method() const noexcept { return static_cast<detectors::Method>(header().method); }
  detectors::Description description() const noexcept {
    const char* const begin = text().data() + header().text_size;
    return {reinterpret_cast<const uint8_t*>(begin), header().description_size};
  }
  Hash128 digest() const noexcept { return {header().digest_low, header().digest_high}; }
  // Whether the body was cut, so that it is unknown how the page continues.
  bool is_truncated() const noexcept { return (header().flags & kFeatureTruncated) != 0; }
  bool is_limited() const noexcept { return (header().flags & kFeatureLimited) != 0; }
  // Whether the body was cut, or its text was cut by a limit.
  bool is_cut() const noexcept { return (header().flags & (kFeatureTruncated | kFeatureLimited)) != 0; }
  bool is_plain_text() const noexcept { return (header().flags & kFeaturePlainText) != 0; }
  // Whether it was reduced to what comparisons need.
  bool is_compared_only() const noexcept { return (header().flags & kFeatureComparedOnly) != 0; }
  bool has_text() const noexcept { return (header().flags & kFeatureNoText) == 0; }

  std::span<const uint8_t> bytes() const noexcept { return {data_, size_}; }
  // Memory of its own; the memory that a view points to belongs to its owner.
  uint64_t memory_bytes() const noexcept { return memory_.bytes + sizeof *this; }

 private:
  Features() noexcept = default;
  static Result<void> check_header(std::span<const uint8_t> bytes);
  Result<void> check_sections() const;
  uint8_t* allocate(size_t size);

  template <typename T>
  std::span<const T> elements(size_t offset, size_t count) const noexcept {
    return {reinterpret_cast<const T*>(data_ + offset), count};
  }
  // Of the strings, which follow all else.
  std::string_view string(size_t begin, size_t size) const noexcept {
    return {reinterpret_cast<const char*>(data_ + strings_offset() + begin), size};
  }
  size_t keys_offset() const noexcept {
    return sizeof(FeatureHeader) + header().block_count * sizeof(FeatureBlock);
  }
  size_t spots_offset() const noexcept { return keys_offset() + header().key_count * sizeof(uint64_t); }
  size_t block_spots_offset() const noexcept {
    return spots_offset() + header().spot_count * sizeof(PackedSpot);
  }
  size_t sentences_offset() const noexcept {
    return block_spots_offset() + header().block_spot_count * sizeof(FeatureBlockSpot);
  }
  size_t site_offset() const noexcept {
    return sentences_offset() + header().sentence_count * sizeof(FeatureSentence);
  }
  size_t symbols_offset() const noexcept { return site_offset() + header().site_count * sizeof(CountedPart); }
  size_t strings_offset() const noexcept {
    return symbols_offset() + (size_t{header().symbol_count} + header().title_count) * sizeof(Symbol);
  }

  const uint8_t* data_ = nullptr;  // aligned to 8
  size_t size_ = 0;
  RecordMemory memory_;                // of the bytes, unless they are the owner's
  std::shared_ptr<const void> owner_;  // of a view
};

}  // namespace nd::engine
