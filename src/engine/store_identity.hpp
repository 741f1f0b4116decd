// What is chosen once: the random secret of an engine, and the options with which a store was created.
#pragma once

#include <cstdint>

#include "core/result.hpp"
#include "engine/options.hpp"
#include "store/store.hpp"

namespace nd::engine {

// 64 random bits of the operating system, for the hash tables of an engine. No answer depends on them.
Result<uint64_t> random_secret();

// Of a store that is made. It keeps the values of the persistent options; of those that 1.0 lacks only what
// is not as before the option, so that 1.0 opens what it understands. Errors: kInvalidArgument (options that
// do not go together), kIo (no random numbers).
Result<store::Identity> new_identity(const Options& options);

// Gives the options the values of a store that is there. Errors: kInvalidArgument (one that the caller has
// set is another one), kUnsupportedVersion (it has an option that this version lacks), kCorrupt.
Result<void> adopt_options(const store::Identity& identity, Options& options);

}  // namespace nd::engine
