#pragma once

#include <cstdint>
#include <string>

namespace ndc {

// "2024-05-06T07:08:09Z", with milliseconds where there are any; UTC, independent of the locale. Any number
// is fine.
std::string iso_time(int64_t milliseconds_since_1970);

}  // namespace ndc
