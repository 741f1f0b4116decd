// Signatures of version 1, which ndc 1.0.0 wrote (docs/signature_format.md). Only read. `signature` has 127
// bytes, the first of which is 1.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"

namespace nd::engine::version_1 {

inline constexpr uint8_t kVersion = 1;

// 20 keys, each of a run of three bins.
Vector<uint64_t> keys(std::span<const uint8_t> signature);

// The share of equal bins.
double similarity(std::span<const uint8_t> a, std::span<const uint8_t> b) noexcept;

}  // namespace nd::engine::version_1
