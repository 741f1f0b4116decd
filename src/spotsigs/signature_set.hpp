// A set of signatures, built once and then queried for every signature of many documents: a bit filter in
// front of a bisection, because nearly all signatures that are asked for are not in the set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "core/memory.hpp"

namespace nd::spotsigs {

// Threads: immutable, any number of readers.
class SignatureSet {
 public:
  SignatureSet() noexcept = default;
  // `hashes`: ascending, each once. Throws std::bad_alloc.
  explicit SignatureSet(Vector<uint64_t> hashes) : hashes_(std::move(hashes)) {
    if (hashes_.empty()) return;
    filter_.resize(std::bit_ceil((hashes_.size() * kBitsPerSignature + kBits - 1) / kBits));
    for (const uint64_t hash : hashes_)
      filter_[hash / kBits % filter_.size()] |= uint64_t{1} << hash % kBits;
  }

  // Cost: mostly one look into a filter of two bytes per signature.
  bool contains(uint64_t hash) const noexcept {
    if (hashes_.empty()) return false;
    const uint64_t word = filter_[hash / kBits & (filter_.size() - 1)];
    if ((word >> hash % kBits & 1) == 0) return false;
    return std::binary_search(hashes_.begin(), hashes_.end(), hash);
  }
  std::span<const uint64_t> hashes() const noexcept { return hashes_; }
  size_t size() const noexcept { return hashes_.size(); }
  uint64_t memory_bytes() const noexcept {
    return (hashes_.capacity() + filter_.capacity()) * sizeof(uint64_t);
  }

 private:
  static constexpr size_t kBits = 64;  // of a word
  static constexpr size_t kBitsPerSignature = 16;

  Vector<uint64_t> hashes_;
  Vector<uint64_t> filter_;  // a bit for each value of a hash's low bits; a power of two of words, or none
};

}  // namespace nd::spotsigs
