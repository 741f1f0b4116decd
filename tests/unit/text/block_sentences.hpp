// Cuts one text into sentences without a document around it, for tests.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/sentences.hpp"

namespace nd::text::test {

// As ranges of `text` shifted by `offset`.
inline void append_sentences(std::string_view text, uint32_t offset, Vector<Range>& out) {
  const size_t before = out.size();
  DocumentBlock block;
  block.text = {0, static_cast<uint32_t>(text.size())};
  cut_sentences(text, {&block, 1}, out);
  for (size_t i = before; i < out.size(); ++i) {
    out[i].begin += offset;
    out[i].end += offset;
  }
}

}  // namespace nd::text::test
