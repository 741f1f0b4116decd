// The posting lists of the spot index by number, in pages, so that their table grows without moving.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "spotsigs/posting_list.hpp"

namespace nd::spotsigs {

// Threads: as a standard container.
class PostingLists {
 public:
  // An empty list. Throws std::bad_alloc and has changed nothing.
  uint32_t create();
  void release(uint32_t number) noexcept;

  const PostingList& operator[](uint32_t number) const noexcept {
    return pages_[number / kPage]->lists[number % kPage];
  }
  // As the functions of PostingList.
  void insert(uint32_t number, Posting added);
  void erase(uint32_t number, Posting removed) noexcept;
  void rewrite(uint32_t number, std::span<const Posting> postings) noexcept {
    list(number).rewrite(postings);
  }

  // Whether the epoch leaves the signature out; of a new list false.
  bool dropped(uint32_t number) const noexcept { return pages_[number / kPage]->dropped[number % kPage]; }
  void set_dropped(uint32_t number, bool dropped) noexcept {
    pages_[number / kPage]->dropped[number % kPage] = dropped;
  }

  // Numbers are below it; those released are empty lists.
  uint32_t number_end() const noexcept { return static_cast<uint32_t>(pages_.size() * kPage); }
  uint64_t memory_bytes() const noexcept {
    return pages_.capacity() * sizeof(Owned<Page>) + pages_.size() * sizeof(Page) + posting_bytes_;
  }

 private:
  static constexpr uint32_t kPage = 1024;
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Page {
    PostingList lists[kPage];
    uint32_t next_free[kPage];
    bool dropped[kPage] = {};
  };
  PostingList& list(uint32_t number) noexcept { return pages_[number / kPage]->lists[number % kPage]; }
  void add_page();

  Vector<Owned<Page>> pages_;
  uint32_t first_free_ = kNone;
  uint64_t posting_bytes_ = 0;
};

}  // namespace nd::spotsigs
