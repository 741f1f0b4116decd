// Which blocks are held, and whose they are: an open table of addresses.
#pragma once

#include "faults/failing_memory.hpp"

namespace faults {

void note_taken(void* memory, Owner owner) noexcept;
// False if the block was not taken inside a call.
bool note_returned(void* memory, Owner& owner) noexcept;

}  // namespace faults
