// UTF-16 without a byte order mark, told by where its zero bytes are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "text/charset_labels.hpp"

namespace nd::text {

// kUtf16Le or kUtf16Be if the first 8 KB of the bytes are text in it. The bytes decide about the byte order.
// How much ASCII must be in it depends on what speaks for and against it:
// `is_declared`: somebody called it UTF-16; then any ASCII, or CJK characters for the most part, are enough.
// Otherwise 5 % of the units must be ASCII, and four of them at least.
// `is_other_text`: but for its NULs it is ASCII or UTF-8; then half of the units must be ASCII.
// Threads: any.
std::optional<Charset> detect_utf16(std::span<const uint8_t> bytes, bool is_declared,
                                    bool is_other_text) noexcept;

}  // namespace nd::text
