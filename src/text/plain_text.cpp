#include "text/plain_text.hpp"

#include <algorithm>

#include "core/utf8.hpp"

namespace nd::text {
namespace {

bool is_blank(std::string_view line) {
  return std::all_of(line.begin(), line.end(),
                     [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; });
}

}  // namespace

void extract_plain_text(std::string_view text, const HtmlLimits& limits, Extraction& out) {
  out.clear();
  if (text.size() > limits.text_bytes) {
    text = whole_characters(text, limits.text_bytes);
    out.limited = true;
  }
  out.text.assign(text);
  out.containers.push_back({0});
  Range paragraph{0, 0};
  const auto close = [&] {
    if (paragraph.empty()) return;
    if (out.blocks.size() >= limits.blocks) {
      out.limited = true;
    } else {
      out.blocks.push_back({paragraph, 0, 0, 0, 0, 0});
    }
    paragraph = {0, 0};
  };
  for (size_t begin = 0; begin < text.size();) {
    const size_t newline = std::min(text.find('\n', begin), text.size());
    if (is_blank(text.substr(begin, newline - begin))) {
      close();
    } else {
      if (paragraph.empty()) paragraph.begin = static_cast<uint32_t>(begin);
      paragraph.end = static_cast<uint32_t>(newline);
    }
    begin = newline + 1;
  }
  close();
}

}  // namespace nd::text
