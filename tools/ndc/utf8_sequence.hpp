#pragma once

#include <cstddef>
#include <string_view>

namespace ndc {

// The bytes of the character of UTF-8 (RFC 3629) that `text` begins with; 0: it begins with none, or is
// empty.
size_t utf8_sequence(std::string_view text);

}  // namespace ndc
