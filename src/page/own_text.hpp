// The text of a page that is its own: without what its site is known to repeat.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "page/features.hpp"
#include "page/site_counts.hpp"
#include "text/document.hpp"

namespace nd::engine {

// Gets the text of a page that is its own, which stays until it returns.
using TakeText = std::function<void(std::string_view)>;

// Replaces `out` by the blocks that are not hardly the page's own (site_counts.hpp), in their order and as
// the page has them, with a newline between two, and an empty line between paragraphs of plain text. White
// space is as it is shown: one blank for a run of it, and as written in preformatted text. If hardly anything
// is left, the page as a whole stands on other pages of its site, which says nothing about its parts; then
// the learned weights alone choose, as for a site that is not known. `blocks`, `widths`: of the document, by
// FeatureBuilder::begin(). `site`: without the page itself. Cost: O(text).
void write_own_text(const text::Document& document, std::span<const FeatureBlock> blocks,
                    std::span<const uint64_t> widths, const SiteCounts& site, String& out);

}  // namespace nd::engine
