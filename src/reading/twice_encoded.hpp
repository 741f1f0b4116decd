// UTF-8 whose bytes were once taken for windows-1252 (or ISO 8859-1) and encoded as UTF-8 again: "Ã¤" for
// "ä".
#pragma once

#include <string_view>

#include "reading/utf8_scan.hpp"

namespace nd::text {

// Appends to `out` what such text was before, and returns true, if all of it reads so: at least four
// characters beyond ASCII, and none of them is anything but a part of one that was encoded twice. A page that
// quotes such text, or of which only a part was damaged, is left as it is: there is no telling what its other
// characters were. `text`: well-formed UTF-8. Threads: any. Cost: of other text, one search for its first
// character beyond ASCII.
bool append_encoded_once(std::string_view text, Utf8Output& out);

}  // namespace nd::text
