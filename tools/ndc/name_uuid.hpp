#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace ndc {

using UuidBytes = std::array<uint8_t, 16>;

// The name-based UUID, version 5 (RFC 9562, section 5.5), of a name in a namespace, as text: 36 characters in
// lower case. The same name always has the same one.
std::string name_uuid(const UuidBytes& name_space, std::string_view name);

}  // namespace ndc
