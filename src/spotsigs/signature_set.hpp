// A set of signatures, built once and then queried for every signature of many documents.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"

namespace nd::spotsigs {

// Threads: immutable, any number of readers.
class SignatureSet {
 public:
  SignatureSet() noexcept = default;
  // `hashes`: ascending, each once. Throws std::bad_alloc.
  explicit SignatureSet(Vector<uint64_t> hashes);

  // Cost: mostly one look into a filter of two bytes per signature.
  bool contains(uint64_t hash) const noexcept;
  std::span<const uint64_t> hashes() const noexcept { return hashes_; }
  size_t size() const noexcept { return hashes_.size(); }
  uint64_t memory_bytes() const noexcept {
    return (hashes_.capacity() + filter_.capacity()) * sizeof(uint64_t);
  }

 private:
  Vector<uint64_t> hashes_;
  Vector<uint64_t> filter_;  // a bit for each value of a hash's low bits; a power of two of words, or none
};

}  // namespace nd::spotsigs
