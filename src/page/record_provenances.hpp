// The ways in which the records of an engine were made, by number: what their headers have in common, which a
// packed text does not repeat.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "core/byte_stream.hpp"
#include "page/feature_layout.hpp"

namespace nd::engine {

// How a record was made: its header with 0 for what differs from page to page.
FeatureHeader provenance_of(const FeatureHeader& header) noexcept;

// Threads: any number. A thread that uses a number must have got it in a way that synchronizes with the
// thread that asked for it. restore() comes first, alone.
class RecordProvenances {
 public:
  // The most, in all the life of a store: each version of ICU, libxml2 or the text layer is another one.
  static constexpr size_t kMost = 64;
  static constexpr uint8_t kNone = 0xff;

  // kNone if there is no room for another one.
  uint8_t number_of(const FeatureHeader& header) noexcept;
  bool has(uint8_t number) const noexcept { return number < count_.load(std::memory_order_acquire); }
  // A header with 0 for what differs from page to page.
  const FeatureHeader& operator[](uint8_t number) const noexcept { return provenances_[number]; }

  // For the state of a store (docs/snapshot_format.md, "State"). Throws std::bad_alloc.
  void write_state(ByteWriter& out) const;
  // False if it is damaged.
  bool restore(ByteReader& in);

 private:
  std::array<FeatureHeader, kMost> provenances_{};  // entries never change
  std::atomic<uint8_t> count_{0};
  mutable std::mutex new_;
};

}  // namespace nd::engine
