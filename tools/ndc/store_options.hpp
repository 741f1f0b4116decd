// The options with which a store was made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ndc {

// Whether the library records an option of this name with a store.
bool is_persistent_option(std::string_view key);

// The key of KEY=VALUE.
std::string_view option_key(std::string_view setting);

// Looks whether the store was made with the defaults of the persistent options, but for those that `named`
// (KEY=VALUE) or `anew` (keys) has. A sentence for each that differs, which tells both values. The library
// has no call that tells an option of a store; but it refuses to open one with another value, and says why.
// `reading`: settings for opening, none of them persistent.
std::vector<std::string> options_that_differ(const std::string& store, const std::vector<std::string>& named,
                                             const std::vector<std::string_view>& anew,
                                             const std::vector<std::string>& reading);

}  // namespace ndc
