#include "tsv_text.hpp"

namespace ndc {

void append_tsv_text(std::string_view text, std::string& line) {
  for (const char c : text) {
    switch (c) {
      case '\t':
        line += "%09";
        break;
      case '\n':
        line += "%0A";
        break;
      case '\r':
        line += "%0D";
        break;
      default:
        line += c;
    }
  }
}

}  // namespace ndc
