// Chosen only once: the random secret of an engine, and the options with which a store is created.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.hpp"
#include "options/options.hpp"
#include "store/store_parameters.hpp"

namespace nd::engine {

// 64 random bits from the operating system, for the hash tables of an engine. No answer depends on them.
Result<uint64_t> random_secret();

// The defaults of the persistent options and the constants beside them, which decide what is a
// near-duplicate. A change of one of them raises the version: a store of another profile is refused.
inline constexpr std::string_view kProfile = "document/1";

// The identity of a new store. It records the profile and, in the order of the option table, the persistent
// options that differ from it. Errors: kInvalidArgument (options that contradict each other), kIo (no random
// numbers).
Result<store::Identity> new_identity(const Options& options);

// Gives the options the values of an existing store. Errors: kInvalidArgument (the caller has set an option
// to a different value), kUnsupportedVersion (the store has another profile, or an option or value that this
// version lacks).
Result<void> adopt_options(const store::Identity& identity, Options& options);

}  // namespace nd::engine
