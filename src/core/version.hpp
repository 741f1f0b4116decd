#pragma once

#include <string_view>

namespace nd {

// "major.minor.patch"; the build takes it from ndcapi.h.
constexpr std::string_view library_version() noexcept {
  return NDC_VERSION_TEXT;
}

}  // namespace nd
