#include "moz/shingle_hashes.hpp"

#include <algorithm>
#include <cassert>

#include "core/hash.hpp"

namespace nd::moz {
namespace {

// Each step is a bijection of what stood before, so the order of the tokens counts.
uint64_t shingle_hash(std::span<const uint32_t> tokens) noexcept {
  uint64_t hash = tokens.size();
  for (const uint32_t token : tokens)
    hash = mix(hash ^ token);
  return hash;
}

}  // namespace

void append_shingles(std::span<const uint32_t> tokens, uint32_t length, Vector<uint64_t>& out) {
  assert(length != 0);
  if (tokens.empty()) return;
  const size_t size = std::clamp<size_t>(length, 1, tokens.size());
  const size_t count = tokens.size() - size + 1;
  const size_t before = out.size();
  out.resize(before + count);
  for (size_t i = 0; i < count; ++i)
    out[before + i] = shingle_hash(tokens.subspan(i, size));
}

}  // namespace nd::moz
