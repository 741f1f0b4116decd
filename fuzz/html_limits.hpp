// Limits of a page's text from a fuzzer's input.
#pragma once

#include "fuzz/input_reader.hpp"
#include "reading/html.hpp"

namespace nd::fuzz {

// Each from 0 to that of `most`, in as many bytes as that needs.
inline text::HtmlLimits take_html_limits(InputReader& input, const text::HtmlLimits& most) {
  const auto take = [&](uint32_t limit) { return static_cast<uint32_t>(input.take_number(0, limit)); };
  text::HtmlLimits limits;
  limits.depth = take(most.depth);
  limits.text_bytes = take(most.text_bytes);
  limits.blocks = take(most.blocks);
  limits.anchors = take(most.anchors);
  return limits;
}

}  // namespace nd::fuzz
