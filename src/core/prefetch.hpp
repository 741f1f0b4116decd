// Asks the processor for memory before it is read.
#pragma once

namespace nd {

// g++ 12 takes a function that does nothing but __builtin_prefetch() for one without effect, and removes
// calls of it (tests/checks/prefetches_check.py looks at what is compiled). The empty asm statement counts as
// an effect, so the call stays; it costs no instruction.
inline void prefetch(const void* at) noexcept {
  __builtin_prefetch(at);
  asm volatile("");
}

// The same for memory that is going to change.
inline void prefetch_for_change(const void* at) noexcept {
  __builtin_prefetch(at, 1);
  asm volatile("");
}

}  // namespace nd
