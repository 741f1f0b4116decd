#include "moz/block_table.hpp"

#include <algorithm>

namespace nd::moz {

void BlockTable::add(uint32_t number, const Key& key) noexcept {
  Bucket& bucket = buckets_[key.block & (buckets_.size() - 1)];
  if (positions_.size() <= number) positions_.resize(size_t{number} + 1);
  positions_[number] = static_cast<uint32_t>(bucket.size());
  bucket.push_back({key.check, number});
  ++size_;
}

void BlockTable::erase(uint32_t number, uint32_t block) noexcept {
  Bucket& bucket = buckets_[block & (buckets_.size() - 1)];
  const uint32_t position = positions_[number];
  bucket[position] = bucket.back();
  positions_[bucket[position].number] = position;
  bucket.pop_back();
  --size_;
}

void BlockTable::reserve_positions(uint32_t number) {
  if (positions_.capacity() <= number) positions_.reserve(std::max<size_t>(8, size_t{number} * 2));
}

// By half, not by double: buckets are most of the index.
void BlockTable::reserve(Bucket& bucket) {
  if (bucket.size() < bucket.capacity()) return;
  const size_t before = bucket.capacity();
  bucket.reserve(std::max<size_t>(4, before + before / 2));
  item_bytes_ += (bucket.capacity() - before) * sizeof(BucketItem);
}

void BlockTable::replace(Vector<Bucket>& buckets, uint32_t bits) noexcept {
  buckets_.swap(buckets);
  bucket_bits_ = bits;
  item_bytes_ = 0;
  for (const Bucket& bucket : buckets_) {
    item_bytes_ += bucket.capacity() * sizeof(BucketItem);
    for (size_t i = 0; i < bucket.size(); ++i)
      positions_[bucket[i].number] = static_cast<uint32_t>(i);
  }
}

}  // namespace nd::moz
