// The bytes of the entries of a run file (docs/snapshot_format.md, "Entries and values").
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "store/run_layout.hpp"

namespace nd::store {

// The kind of an entry: if at most kInlineBytes, the size of the value, which is in the data; else one of
// these.
inline constexpr uint32_t kInlineBytes = 7;
inline constexpr uint32_t kErased = 0xFE;     // data: 0
inline constexpr uint32_t kOutOfLine = 0xFF;  // data: where the value record is, see EntryLayout::offset()

// What an entry says of its value.
struct EntryPlace {
  uint64_t data : 56;
  uint64_t kind : 8;
};
static_assert(sizeof(EntryPlace) == 8);

// The little-endian number of 0..8 bytes. Reads no others.
inline uint64_t load_number(const uint8_t* bytes, uint32_t count) noexcept {
  // From four bytes on, and from two on, two loads that overlap.
  const auto load = [&]<typename Half>(Half) {
    Half low;
    Half high;
    const uint32_t at = count - uint32_t{sizeof(Half)};
    std::memcpy(&low, bytes, sizeof low);
    std::memcpy(&high, bytes + at, sizeof high);
    return low | uint64_t{high} << 8 * at;
  };
  if (count >= sizeof(uint32_t)) return load(uint32_t{});
  if (count >= sizeof(uint16_t)) return load(uint16_t{});
  return count == 0 ? 0 : *bytes;
}

// The bytes of an entry: key, data, kind. The key is its distance from where its bucket begins, the *rest*,
// in as many bytes as such distances need, so that the key of an entry is known only together with its
// bucket. The data have as many bytes as the run's entries need.
class EntryLayout {
 public:
  static constexpr size_t kGreatestBytes = 16;

  explicit EntryLayout(const RunTrailer& trailer) noexcept
      : key_bytes_(trailer.key_bytes),
        data_bytes_(trailer.data_bytes),
        shift_(trailer.bucket_shift),
        first_key_(trailer.least_key),
        greatest_rest_((uint64_t{1} << shift_) - 1),
        greatest_distance_(trailer.greatest_key - first_key_) {}

  // For RunTrailer::key_bytes.
  static constexpr uint32_t key_bytes_of(uint32_t bucket_shift) noexcept {
    return std::max<uint32_t>(1, (bucket_shift + 7) / 8);
  }

  uint32_t data_bytes() const noexcept { return data_bytes_; }
  uint64_t entry_bytes() const noexcept { return uint64_t{key_bytes_} + data_bytes_ + 1; }

  // The rest of a key between the least and the greatest. It ascends within a bucket.
  uint64_t rest_of(uint64_t key) const noexcept { return (key - first_key_) & greatest_rest_; }
  uint64_t rest(const uint8_t* entry) const noexcept { return load_number(entry, key_bytes_); }
  // The key of an entry of a bucket; nothing if it cannot be one of this bucket and this run.
  std::optional<uint64_t> key(const uint8_t* entry, uint64_t bucket) const noexcept {
    const uint64_t distance = bucket << shift_ | rest(entry);
    if (rest(entry) > greatest_rest_ || distance > greatest_distance_) return std::nullopt;
    return first_key_ + distance;
  }

  const uint8_t* data(const uint8_t* entry) const noexcept { return entry + key_bytes_; }
  EntryPlace place(const uint8_t* entry) const noexcept {
    return {load_number(data(entry), data_bytes_) & kGreatestData, data(entry)[data_bytes_]};
  }
  // For a value of up to kInlineBytes.
  static EntryPlace place_of(Bytes value) noexcept {
    const auto size = static_cast<uint8_t>(value.size());
    return {load_number(value.data(), size) & kGreatestData, size};
  }
  // For values out of line, whose records begin at multiples of 8.
  static uint64_t offset(EntryPlace place) noexcept { return uint64_t{place.data} * 8; }
  static EntryPlace place_at(uint64_t offset) noexcept { return {offset / 8 & kGreatestData, kOutOfLine}; }
  // How many bytes of data an entry needs.
  static uint32_t needed_bytes(EntryPlace place) noexcept {
    if (place.kind <= kInlineBytes) return place.kind;
    return static_cast<uint32_t>(std::bit_width(uint64_t{place.data}) + 7) / 8;
  }

  // `out`: entry_bytes().
  void write(uint64_t key, EntryPlace place, uint8_t* out) const noexcept {
    const uint64_t rest = rest_of(key);
    const uint64_t data = place.data;
    std::memcpy(out, &rest, key_bytes_);
    std::memcpy(out + key_bytes_, &data, data_bytes_);
    out[key_bytes_ + data_bytes_] = place.kind;
  }

 private:
  static constexpr uint64_t kGreatestData = (uint64_t{1} << 56) - 1;

  uint32_t key_bytes_;
  uint32_t data_bytes_;
  uint32_t shift_;
  uint64_t first_key_;
  uint64_t greatest_rest_;
  uint64_t greatest_distance_;
};

// Zeros follow up to the directory.
inline uint64_t entries_end(const RunTrailer& trailer) noexcept {
  return trailer.entries_offset + trailer.entry_count * EntryLayout(trailer).entry_bytes();
}

}  // namespace nd::store
