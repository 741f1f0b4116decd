// The version of the library as text, so that a store, a log and the command line name the one that made
// them.
#pragma once

#include <string_view>

namespace nd {

// "major.minor.patch"; the build takes it from ndcapi.h.
constexpr std::string_view library_version() noexcept {
  return NDC_VERSION_TEXT;
}

}  // namespace nd
