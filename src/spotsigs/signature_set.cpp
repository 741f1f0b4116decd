// A bit filter in front of a bisection, because nearly all signatures that are asked for are not in the set.
#include "spotsigs/signature_set.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace nd::spotsigs {
namespace {

constexpr size_t kBits = 64;  // of a word
constexpr size_t kBitsPerSignature = 16;

}  // namespace

SignatureSet::SignatureSet(Vector<uint64_t> hashes) : hashes_(std::move(hashes)) {
  if (hashes_.empty()) return;
  filter_.resize(std::bit_ceil((hashes_.size() * kBitsPerSignature + kBits - 1) / kBits));
  for (const uint64_t hash : hashes_)
    filter_[hash / kBits % filter_.size()] |= uint64_t{1} << hash % kBits;
}

bool SignatureSet::contains(uint64_t hash) const noexcept {
  if (hashes_.empty()) return false;
  const uint64_t word = filter_[hash / kBits & (filter_.size() - 1)];
  if ((word >> hash % kBits & 1) == 0) return false;
  return std::binary_search(hashes_.begin(), hashes_.end(), hash);
}

}  // namespace nd::spotsigs
