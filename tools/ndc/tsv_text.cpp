#include "tsv_text.hpp"

namespace ndc {

void append_tsv_text(std::string_view text, std::string& line) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  const auto append_escaped = [&line](unsigned char byte) {
    line += '%';
    line += kDigits[byte >> 4];
    line += kDigits[byte & 0xf];
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F steer terminals as well.
    const bool pair =
        byte == 0xc2 && i + 1 < text.size() && (static_cast<unsigned char>(text[i + 1]) & 0xe0) == 0x80;
    if (pair) {
      append_escaped(byte);
      append_escaped(static_cast<unsigned char>(text[++i]));
    } else if (byte < 0x20 || byte == 0x7f) {
      append_escaped(byte);
    } else {
      line += text[i];
    }
  }
}

}  // namespace ndc
