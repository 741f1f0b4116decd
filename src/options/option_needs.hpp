// Options that the others keep from having any effect: none is ignored in silence.
#pragma once

#include "core/memory.hpp"
#include "core/result.hpp"
#include "options/parameters.hpp"

namespace nd::engine {

// Errors: kInvalidArgument if a persistent option, which would decide answers, is not its default although
// the others leave it without effect.
Result<void> check_needs(const Parameters& parameters);

// A sentence for each other option of which that is true, in an engine with or without a store. These are a
// warning only: settings of memory and files are often shared by engines of several kinds.
Vector<String> idle_options(const Parameters& parameters, bool has_store);

}  // namespace nd::engine
