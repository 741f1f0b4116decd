// A URL without the tabs, line ends and controls that would break a row of a table.
#pragma once

#include <cstdio>
#include <string>

// Control characters would break the table; a URL may carry them only in this form (RFC 3986, section 2.1).
inline std::string printable(const std::string& url) {
  std::string out;
  for (const char c : url) {
    const auto byte = static_cast<unsigned char>(c);
    char escaped[4];
    if (byte < 0x20 || byte == 0x7f) {
      std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned>(byte));
      out += escaped;
    } else {
      out += c;
    }
  }
  return out;
}
