// Counts who takes memory while a call runs. This program's malloc stands in front of the system's; the
// library and what it builds on are told apart by the hooks that each of them has for it (nd_set_allocator,
// xmlMemSetup, u_setMemoryFunctions). What comes by none of them is others': operator new, libpsl.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace steady_state {

enum class Owner : uint8_t { kOthers, kNdc, kLibxml2, kIcu };
inline constexpr size_t kOwners = 4;
std::string_view name_of(Owner owner) noexcept;

struct Count {
  uint64_t allocations = 0;
  uint64_t bytes = 0;     // as requested
  uint64_t returned = 0;  // of the allocations: given back in the same call
  uint64_t returned_bytes = 0;
};
using Counts = std::array<Count, kOwners>;

inline const Count& of(const Counts& counts, Owner owner) noexcept {
  return counts[static_cast<size_t>(owner)];
}

// Sets all hooks; to be called before anything else in the process. False: a library has refused its own.
bool install_hooks();

// Counts what this thread takes from its construction on, until it goes or is stopped: one at a time.
class CountedCall {
 public:
  CountedCall() noexcept;
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;
  ~CountedCall() { stop(); }
  const Counts& stop() noexcept;
};

// Where the last calls took memory that was not libxml2's: a line a frame, for addr2line.
std::string last_places();

}  // namespace steady_state
