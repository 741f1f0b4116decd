// One of the tables of a Hamming index: hashes in buckets by the value of one block of their bits. What
// Manku, Jain and Das Sarma (WWW 2007, section 3.1) sort by, with the block permuted to the front, and then
// search by bisection, is a bucket here, so that insertion and removal are O(1).
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "moz/near_scan.hpp"

namespace nd::moz {

// Hashes are known by their numbers. Threads: as a standard container.
class BlockTable {
 public:
  // Hashes that a bucket holds on average when the buckets are doubled: a look-up reads as many bytes as
  // a cache line that is not there takes the time of, some hundreds.
  static constexpr uint64_t kBucketHashes = 64;
  // Beyond it buckets grow instead; a table of 2^20 buckets is right for 64 million hashes.
  static constexpr uint32_t kGreatestBucketBits = 20;

  struct Key {
    uint32_t block;  // the value of the block
    uint32_t check;  // 32 other bits of the hash
  };

  // `block_bits`: 1..32, of the values that keys have.
  explicit BlockTable(uint32_t block_bits) noexcept : block_bits_(block_bits) {}

  // Those with the block's value, and some others.
  std::span<const BucketItem> bucket(uint32_t block) const noexcept {
    if (buckets_.empty()) return {};
    return buckets_[block & (buckets_.size() - 1)];
  }

  // The next add() of this number and block does not allocate. `key_of(number)`: the key of any number in the
  // table. Throws std::bad_alloc, the content is as before. Cost: O(1) amortised over the insertions.
  template <typename KeyOf>
  void prepare(uint32_t number, uint32_t block, const KeyOf& key_of) {
    if (buckets_.empty()) {
      resize(0, key_of);
    } else if (bucket_bits_ < greatest_bucket_bits() && size_ >= kBucketHashes << bucket_bits_) {
      resize(bucket_bits_ + 1, key_of);
    }
    reserve_positions(number);
    reserve(buckets_[block & (buckets_.size() - 1)]);
  }
  void add(uint32_t number, const Key& key) noexcept;
  void erase(uint32_t number, uint32_t block) noexcept;

  // Hashes that went to another bucket when the buckets were doubled, since it was made.
  uint64_t moved_count() const noexcept { return moved_count_; }

  // Exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept {
    return buckets_.capacity() * sizeof(Bucket) + item_bytes_ + positions_.capacity() * sizeof(uint32_t);
  }

 private:
  using Bucket = Vector<BucketItem>;

  uint32_t greatest_bucket_bits() const noexcept {
    return block_bits_ < kGreatestBucketBits ? block_bits_ : kGreatestBucketBits;
  }
  void reserve_positions(uint32_t number);
  void reserve(Bucket& bucket);
  void replace(Vector<Bucket>& buckets, uint32_t bits) noexcept;

  // Doubling splits each bucket in two, by the next bit of the block.
  template <typename KeyOf>
  void resize(uint32_t bits, const KeyOf& key_of) {
    Vector<Bucket> buckets(size_t{1} << bits);
    const size_t mask = buckets.size() - 1;
    for (const Bucket& old : buckets_) {
      for (const BucketItem& item : old)
        buckets[key_of(item.number).block & mask].push_back(item);
    }
    replace(buckets, bits);
    moved_count_ += size_;
  }

  uint32_t block_bits_;
  uint32_t bucket_bits_ = 0;
  uint64_t size_ = 0;
  uint64_t moved_count_ = 0;
  uint64_t item_bytes_ = 0;
  Vector<Bucket> buckets_;      // 2^bucket_bits_ by the low bits of the block, or none
  Vector<uint32_t> positions_;  // by number: where in its bucket it stands
};

}  // namespace nd::moz
