// Options that have no effect under the others, or in a call: none is ignored in silence.
#pragma once

#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "options/options.hpp"
#include "options/parameters.hpp"

namespace nd::engine {

// Errors: kInvalidArgument if a persistent option, which would decide answers, is not its default although
// the others leave it without effect.
Result<void> check_needs(const Parameters& parameters);

// A sentence for each other option of which that is true, in an engine with or without a store. These are a
// warning only: settings of memory and files are often shared by engines of several kinds.
Vector<String> idle_options(const Parameters& parameters, bool has_store);

// Errors: kInvalidArgument if an option that was set, and not to its default, acts on none of `things`, with
// which alone a call works: words of OptionInfo::acts_on, between spaces.
Result<void> check_acts_on(const Options& options, std::string_view things);

// A sentence for each option that is not its default, not persistent and acts on none of `things`, for a call
// that goes on without it.
Vector<String> options_without_use(const Parameters& parameters, std::string_view things);

}  // namespace nd::engine
