// Writes the blocks that are the page's own; where too little is left to be a text, it writes them all.
#include "page/own_text.hpp"

#include <algorithm>
#include <string_view>

#include "page/site_counts.hpp"
#include "reading/ascii.hpp"

namespace nd::engine {
namespace {

void append_folded(std::string_view text, String& out) {
  for (size_t at = 0; at < text.size();) {
    const auto word =
        std::find_if_not(text.begin() + static_cast<ptrdiff_t>(at), text.end(), text::is_ascii_space);
    const auto end = std::find_if(word, text.end(), text::is_ascii_space);
    if (at != 0 && word != text.end()) out.push_back(' ');
    out.append(word, end);
    at = static_cast<size_t>(end - text.begin());
  }
}

// Whether any block was written.
bool append_blocks(const text::Document& document, std::span<const FeatureBlock> blocks,
                   std::span<const uint64_t> widths, const SiteCounts& site, String& out) {
  Vector<double> weights;
  take_own_weights(
      blocks, site, [&](size_t i) { return widths[i]; }, weights);
  const bool is_html = document.kind == text::ContentKind::kHtml;
  double own = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (weights[i] < kHardlyOwn) continue;
    own += weights[i] * static_cast<double>(widths[i]);
    if (!out.empty()) out.append(is_html ? "\n" : "\n\n");
    const text::TextBlock& source = document.extraction.blocks[document.blocks[i].source];
    const std::string_view text = source.text.of(document.extraction.text);
    if (is_html && (source.context & text::kInPre) == 0) {
      append_folded(text, out);
    } else {
      out.append(text);
    }
  }
  return own >= kLeastOwnWidth;
}

}  // namespace

void write_own_text(const text::Document& document, std::span<const FeatureBlock> blocks,
                    std::span<const uint64_t> widths, const SiteCounts& site, String& out) {
  out.clear();
  if (append_blocks(document, blocks, widths, site, out) || site.pages == 0) return;
  out.clear();
  append_blocks(document, blocks, widths, {}, out);
}

}  // namespace nd::engine
