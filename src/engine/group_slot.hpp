#pragma once

#include <cstdint>

namespace nd::engine {

// Where a group stands in the PageTable. Reused once the group is gone: never part of an answer.
using GroupSlot = uint32_t;

}  // namespace nd::engine
