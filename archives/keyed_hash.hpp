// Hash tables over what strangers write: ids, digests, URLs. With a hash that everybody can compute, an
// archive could be made of which all keys fall into one bucket, and each look-up would go through them all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace ndc {

// SipHash-2-4 (Aumasson and Bernstein, 2012).
struct HashKey {
  uint64_t low = 0;
  uint64_t high = 0;
};
uint64_t sip_hash(const HashKey& key, std::string_view bytes);

// The same with a key that this process draws at its first use.
struct KeyedHash {
  using is_transparent = void;
  size_t operator()(std::string_view bytes) const;
};

template <typename Value>
using KeyedMap = std::unordered_map<std::string, Value, KeyedHash, std::equal_to<>>;
using KeyedSet = std::unordered_set<std::string, KeyedHash, std::equal_to<>>;

}  // namespace ndc
