// Random input of the Moz tests: the same on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "core/hash.hpp"

namespace nd::moz::sample {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint64_t number() { return engine_(); }
  uint64_t below(uint64_t end) { return engine_() % end; }
  void make(uint64_t& hash) { hash = number(); }
  void make(Hash128& hash) { hash = {number(), number()}; }

 private:
  std::mt19937_64 engine_;
};

inline void flip(uint64_t& hash, uint64_t bit) {
  hash ^= uint64_t{1} << bit;
}
inline void flip(Hash128& hash, uint64_t bit) {
  flip(bit < 64 ? hash.low : hash.high, bit % 64);
}

// Another hash that differs in exactly `distance` bits.
template <typename Hash>
Hash at_distance(Hash hash, uint32_t distance, Random& random) {
  std::vector<uint64_t> bits(sizeof(Hash) * 8);
  for (size_t i = 0; i < bits.size(); ++i)
    bits[i] = i;
  for (uint32_t i = 0; i < distance; ++i) {
    std::swap(bits[i], bits[i + random.below(bits.size() - i)]);
    flip(hash, bits[i]);
  }
  return hash;
}

}  // namespace nd::moz::sample
