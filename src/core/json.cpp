// Commas, nesting and escapes of the JSON that nd_explain and the other reports give; strings that are not
// UTF-8 are repaired.
#include "core/json.hpp"

#include <charconv>
#include <cmath>

#include "core/utf8.hpp"

namespace nd {

void JsonWriter::separate() {
  if (need_comma_) out_.push_back(',');
  need_comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_.push_back(bracket);
  need_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_.push_back(bracket);
  need_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  value(name);
  out_.push_back(':');
  need_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  separate();
  out_.push_back('"');
  for (size_t position = 0; position < text.size();) {
    const char32_t c = next_code_point(text, position);
    if (c == '"' || c == '\\') {
      out_.push_back('\\');
      out_.push_back(static_cast<char>(c));
    } else if (c == '\n') {
      out_.append("\\n");
    } else if (c < 0x20 || c == 0x7f) {
      out_.append("\\u00");
      out_.push_back(kHex[(c >> 4) & 15]);
      out_.push_back(kHex[c & 15]);
    } else {
      append_utf8(out_, is_scalar_value(c) ? c : U'\uFFFD');
    }
  }
  out_.push_back('"');
  return *this;
}

JsonWriter& JsonWriter::value(uint64_t number) {
  separate();
  char digits[24];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
  out_.append(digits, static_cast<size_t>(end.ptr - digits));
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  separate();
  if (!std::isfinite(number)) {
    out_.append("null");
    return *this;
  }
  char digits[64];
  const double rounded = std::round(number * 1e6) / 1e6;
  const std::to_chars_result end =
      std::to_chars(digits, digits + sizeof digits, std::isfinite(rounded) ? rounded : number);
  out_.append(digits, static_cast<size_t>(end.ptr - digits));
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  separate();
  out_.append(truth ? "true" : "false");
  return *this;
}

}  // namespace nd
