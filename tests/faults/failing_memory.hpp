// Memory that runs out when told to (memory_clock), and is counted while a call of the library holds it.
//
// Two files do it. interposed_malloc.cpp stands in front of the system's malloc, so that it reaches libxml2,
// ICU, the C++ library and the C library too. Where a sanitizer has its own malloc that is impossible: there
// failing_allocators.cpp gives failing functions to ndc, libxml2 and ICU.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace faults {

enum class Owner { kNdc, kLibxml2, kIcu, kOthers };
inline constexpr size_t kOwners = 4;
std::string_view name_of(Owner owner) noexcept;

// Before any other call of these libraries. False if one of them refuses.
bool install_failing_memory();

// Blocks that calls of the library have taken and nobody has given back.
using HeldBlocks = std::array<long, kOwners>;
HeldBlocks held_blocks() noexcept;

}  // namespace faults
