// The time of day in the unit of the interface, milliseconds since 1970: when a page came, and when it
// expires.
#pragma once

#include <chrono>
#include <cstdint>

namespace nd {

// Milliseconds since 1970, UTC. It may be set back.
inline int64_t wall_clock_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace nd
