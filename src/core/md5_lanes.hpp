// MD5 (RFC 1321) of several messages at a time, one in each lane of a vector register. MD5, because the
// fingerprints of the LCS partition (TR2007012 section 4.2) are defined with it; never as a proof of
// identity.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace nd {

using Md5Digest = std::array<uint8_t, 16>;

// Writes the digests of `messages`, in their order, to `digests`. No allocation, no state. Cost: a block of
// 64 bytes takes as long as in a plain MD5, but processes eight messages at a time with AVX2, four without; a
// lane whose message is done takes the next one.
void md5_side_by_side(std::span<const std::string_view> messages, Md5Digest* digests) noexcept;
// The same without AVX2, for machines that lack it and for tests.
void md5_side_by_side_portable(std::span<const std::string_view> messages, Md5Digest* digests) noexcept;

}  // namespace nd
