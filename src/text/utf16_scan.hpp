// UTF-16 without a byte order mark, told by where its zero bytes are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "text/charset_labels.hpp"

namespace nd::text {

// kUtf16Le or kUtf16Be if the first 8 KB of the bytes are text in it. The bytes decide about the byte order.
// 10 % of the units, and four of them, must be ASCII, which shows as zero bytes at one parity. If the charset
// `is_declared`, one unit and 0.5 % (the line ends of a Chinese text) are enough, unless the bytes without
// their NULs are `is_other_text`, ASCII or UTF-8. Threads: any.
std::optional<Charset> detect_utf16(std::span<const uint8_t> bytes, bool is_declared,
                                    bool is_other_text) noexcept;

// Whether the first 8 KB of the bytes can be text in `charset`, one of the two, which the HTTP header
// declares: there is ASCII in them, however little, and at most one unit in 100 is malformed. Threads: any.
bool may_be_utf16(std::span<const uint8_t> bytes, Charset charset) noexcept;

}  // namespace nd::text
