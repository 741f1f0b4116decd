// Texts that were unpacked, for the comparisons that need them again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/memory.hpp"
#include "page/features.hpp"

namespace nd::engine {

// The texts that a scratch has unpacked, and the memory for the next ones, so that comparing pages does not
// allocate for it again and again.
//
// Pages of one site follow each other and are compared with the same few groups: a text that was unpacked for
// one page is often needed for the next one.
//
// Threads: one object, one thread at a time, which must also release the texts it was given.
class UnpackedTexts {
 public:
  // Identifies the source of an unpacked text. Its number alone is not enough: a follower of a store may find
  // another text under the same number.
  struct Identity {
    uint64_t text = 0;
    uint64_t checksum = 0;
    uint64_t size = 0;  // of the record
    friend bool operator==(const Identity&, const Identity&) = default;
  };

  // Null if it is not here.
  std::shared_ptr<const Features> find(const Identity& identity) noexcept;
  // make(memory) returns the record, in that memory if it is large enough, or nothing; then null is returned.
  // Throws std::bad_alloc. Cost: examines kTexts places.
  template <typename Make>
  std::shared_ptr<const Features> add(const Identity& identity, Make&& make) {
    Entry* entry = room_for(identity.size);
    if (entry == nullptr) {
      std::optional<Features> made = make(RecordMemory());
      return made ? make_shared<const Features>(*std::move(made)) : nullptr;
    }
    entry->identity = {};
    std::shared_ptr<Features> features = std::exchange(entry->features, nullptr);
    std::optional<Features> made =
        make(features == nullptr ? RecordMemory() : std::move(*features).release());
    if (!made) return nullptr;
    if (features == nullptr) {
      features = make_shared<Features>(*std::move(made));
    } else {
      *features = *std::move(made);
    }
    *entry = {identity, ++clock_, std::move(features)};
    return entry->features;
  }
  // Frees the texts that are not in use.
  void clear() noexcept;

  uint64_t memory_bytes() const noexcept;

 private:
  // More texts than one call compares by default (x_verifications_limit, digests); further texts are unpacked
  // into memory of their own.
  static constexpr size_t kTexts = 16;
  struct Entry {
    Identity identity;
    uint64_t last_use = 0;
    std::shared_ptr<Features> features;

    bool is_free() const noexcept { return features == nullptr || features.use_count() == 1; }
  };
  Entry* room_for(uint64_t size) noexcept;

  std::array<Entry, kTexts> entries_;
  uint64_t clock_ = 0;
};

}  // namespace nd::engine
