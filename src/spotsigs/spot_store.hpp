// The documents of the spot index: each vector once, in nine bytes a signature, and the order in which they
// came.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

class StoredDocument {
 public:
  uint32_t length = 0;         // of the signatures that count, kept by the owner
  uint32_t sorted_length = 0;  // what it was when the running epoch began: lists may still be sorted by it
  uint64_t sequence = 0;       // greater: came later

  uint32_t distinct() const noexcept { return distinct_; }
  // Ascending by hash.
  uint64_t hash(uint32_t at) const noexcept { return hashes_[at]; }
  uint32_t count(uint32_t at) const noexcept { return wide_ ? wide_counts()[at] : narrow_counts()[at]; }
  // 0 if the document lacks the signature.
  uint32_t count_of(uint64_t hash) const noexcept;
  struct Shared {
    uint64_t mass = 0;   // the sum of the smaller counts
    uint64_t steps = 0;  // signatures read of both vectors
  };
  // Ends early, with less mass than there is, once `other` has more than `lacking` that is not shared.
  Shared shared(SpotVector other, uint64_t lacking) const noexcept;

 private:
  friend class SpotStore;
  template <typename Count>
  Shared shared_with(SpotVector other, uint64_t lacking, const Count* counts) const noexcept;
  const uint8_t* narrow_counts() const noexcept {
    return reinterpret_cast<const uint8_t*>(hashes_ + distinct_);
  }
  const uint32_t* wide_counts() const noexcept {
    return reinterpret_cast<const uint32_t*>(hashes_ + distinct_);
  }

  uint64_t* hashes_ = nullptr;  // and behind them the counts; null: no document
  uint32_t distinct_ = 0;
  bool wide_ = false;  // counts of four bytes; else all are below 256, in one byte each
  uint32_t older_ = 0;
  uint32_t newer_ = 0;
};

// Slots are the caller's numbers. Threads: as a standard container.
class SpotStore {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;  // never a slot

  SpotStore() noexcept = default;
  SpotStore(const SpotStore&) = delete;
  SpotStore& operator=(const SpotStore&) = delete;
  ~SpotStore();

  bool contains(uint32_t slot) const noexcept;
  // Of a slot that is in use.
  const StoredDocument& at(uint32_t slot) const noexcept { return documents_[slot / kPage][slot % kPage]; }
  StoredDocument& at(uint32_t slot) noexcept { return documents_[slot / kPage][slot % kPage]; }

  // Copies the vector, which is not empty, to a free slot. Throws std::bad_alloc and has changed nothing.
  StoredDocument& add(uint32_t slot, SpotVector spots);
  void remove(uint32_t slot) noexcept;  // in use
  // visit(document&) by slot.
  template <typename Visitor>
  void for_each(Visitor&& visit) noexcept {
    for (StoredDocument* page : documents_) {
      for (uint32_t i = 0; page != nullptr && i < kPage; ++i) {
        if (page[i].hashes_ != nullptr) visit(page[i]);
      }
    }
  }
  uint32_t oldest() const noexcept { return oldest_; }

  uint64_t size() const noexcept { return size_; }
  uint64_t memory_bytes() const noexcept;
  // What a vector takes.
  static uint64_t vector_bytes(SpotVector spots) noexcept;

 private:
  // Documents stand in pages, so that the table grows without moving and gives back what is empty.
  // Small, because a full budget keeps the newest documents, and what changes in a crawl lies all over the
  // slots.
  static constexpr uint32_t kPage = 16;
  void release_page(uint32_t number) noexcept;

  Vector<StoredDocument*> documents_;
  Vector<uint32_t> used_;  // documents of each page
  uint64_t pages_ = 0;
  uint64_t vector_bytes_ = 0;
  uint64_t size_ = 0;
  uint64_t next_sequence_ = 0;
  uint32_t oldest_ = kNone;
  uint32_t newest_ = kNone;
};

}  // namespace nd::spotsigs
