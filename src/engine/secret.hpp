#pragma once

#include <cstdint>

namespace nd::engine {

// 64 random bits of the operating system, for the hash tables of an engine. No answer depends on them.
uint64_t random_secret();

}  // namespace nd::engine
