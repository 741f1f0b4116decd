// The texts that a scratch has unpacked, and the memory to unpack the next ones into: calls that compare
// pages all day long allocate nothing for it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "engine/features.hpp"

namespace nd::engine {

// Pages of one site come one after the other and are compared with the same few groups: a text that was
// unpacked for the last page often serves the next one.
//
// Threads: one object, one thread at a time, which also drops what it was given.
class UnpackedTexts {
 public:
  // What a text was unpacked from. Its number alone is not enough: a follower of a store may meet it again
  // with another text.
  struct Identity {
    uint64_t text = 0;
    uint64_t checksum = 0;
    uint64_t size = 0;  // of the record
    friend bool operator==(const Identity&, const Identity&) = default;
  };

  // Null: it is not here.
  std::shared_ptr<const Features> find(const Identity& identity) noexcept;
  // make(memory) gives the record, in that memory if it is enough. Throws std::bad_alloc. Cost: a look at
  // kTexts places.
  template <typename Make>
  std::shared_ptr<const Features> add(const Identity& identity, Make&& make) {
    Entry* entry = room_for(identity.size);
    if (entry == nullptr) return make_shared<const Features>(make(RecordMemory()));
    entry->identity = {};
    if (entry->features == nullptr) {
      entry->features = make_shared<Features>(make(RecordMemory()));
    } else {
      *entry->features = make(std::move(*entry->features).release());
    }
    entry->identity = identity;
    entry->last_use = ++clock_;
    return entry->features;
  }
  // Those that nobody uses.
  void clear() noexcept;

  uint64_t memory_bytes() const noexcept;

 private:
  // More than one call compares with by default (verifications_limit, digests); beyond, texts are unpacked
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
