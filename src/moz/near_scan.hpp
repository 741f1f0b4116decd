// Linear scans for hashes that differ in few bits: the innermost loops of the Hamming index.
#pragma once

#include <cstdint>
#include <span>

#include "core/hash.hpp"
#include "core/memory.hpp"

namespace nd::moz {

// A hash in a bucket: 32 bits of it and its number. Bits of it cannot differ in more than the whole does, and
// of unrelated hashes one in 17,000 passes at a distance of 5.
struct BucketItem {
  uint32_t check;
  uint32_t number;
};

// Each appends the numbers, of whole hashes those of their places, that differ from the query in at most
// `distance` bits. Cost: about a nanosecond each, see docs/moz.md. Throws std::bad_alloc.
void scan(std::span<const BucketItem> items, uint32_t check, uint32_t distance, Vector<uint32_t>& out);
void scan(std::span<const uint64_t> hashes, uint64_t hash, uint32_t distance, Vector<uint32_t>& out);
void scan(std::span<const Hash128> hashes, const Hash128& hash, uint32_t distance, Vector<uint32_t>& out);

}  // namespace nd::moz
