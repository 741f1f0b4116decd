// The documents of one signature, the longest first. Sorted blocks: a short list is one of them and as large
// as it needs, a long one a directory of blocks, so that no insertion moves more than one block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "core/memory.hpp"

namespace nd::spotsigs {

// A document and its length, in ascending order the longest first, among equals the lowest slot.
using Posting = uint64_t;
constexpr Posting posting(uint32_t length, uint32_t slot) noexcept {
  return uint64_t{~length} << 32 | slot;
}
constexpr uint32_t length_of(Posting posting) noexcept {
  return ~static_cast<uint32_t>(posting >> 32);
}
constexpr uint32_t slot_of(Posting posting) noexcept {
  return static_cast<uint32_t>(posting);
}

// One word. Threads: as a standard container.
class PostingList {
 public:
  PostingList() noexcept = default;
  PostingList(const PostingList&) = delete;
  PostingList& operator=(const PostingList&) = delete;
  void swap(PostingList& other) noexcept { std::swap(word_, other.word_); }
  ~PostingList();

  size_t size() const noexcept;
  // Heap bytes; the word itself is its owner's. Cost: O(1).
  uint64_t memory_bytes() const noexcept;

  // A posting that is not in the list. Throws std::bad_alloc and has changed nothing. A first insertion makes
  // room for a second, which then does not allocate.
  void insert(Posting added);
  // A posting that is in the list.
  void erase(Posting removed) noexcept;
  // As many other postings in place of all, ascending.
  void rewrite(std::span<const Posting> postings) noexcept;

  // visit(posting) in ascending order from `from` on, until it returns false.
  template <typename Visitor>
  void visit_from(Posting from, Visitor&& visit) const {
    for (size_t number = block_of(from); number < block_count(); ++number) {
      const std::span<const Posting> block = this->block(number);
      for (auto at = std::lower_bound(block.begin(), block.end(), from); at != block.end(); ++at) {
        if (!visit(*at)) return;
      }
    }
  }

 private:
  struct Block;      // a header and the postings behind it
  struct Directory;  // blocks of a long list, none empty

  bool is_long() const noexcept { return (word_ & 1) != 0; }
  Block* only_block() const noexcept { return reinterpret_cast<Block*>(word_); }
  Directory* directory() const noexcept { return reinterpret_cast<Directory*>(word_ - 1); }
  size_t block_count() const noexcept;
  size_t block_of(Posting posting) const noexcept;
  std::span<const Posting> block(size_t number) const noexcept;
  void insert_short(Posting added);
  void become_long();
  void insert_long(Posting added);
  void erase_long(Posting removed) noexcept;

  uintptr_t word_ = 0;  // 0, a block, or a directory with the lowest bit set
};

}  // namespace nd::spotsigs
