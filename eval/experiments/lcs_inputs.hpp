// The common input of the experiments of TR2007012: the pages as the report sees them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collection.hpp"
#include "lcs_candidates.hpp"
#include "lcs_text.hpp"
#include "options/parameters.hpp"

namespace nd::eval::partition {

// One extent of the text of all pages.
struct ExtentInput {
  Extent extent;
  std::vector<ComparedText> tokens;  // by page
  std::vector<PageKeys> keys;        // by page
};

// The report looks at article pages only, those with a coherent text of some length (section 5), and does not
// say how long. Here: main_width() of as much as the engine asks of a page that is not short. The engine asks
// it of the weighted width, where a block that weighs .5 counts half: some pages that it calls short are
// articles here.
inline constexpr uint32_t kArticleWidth = engine::kContentWidth;

struct Input {
  std::span<const text::Document> documents;
  std::vector<uint32_t> labels;    // by page; kNoLabel: of unknown group
  std::vector<uint32_t> sites;     // by page
  std::vector<uint32_t> articles;  // pages with main content of kArticleWidth or more
  std::vector<ExtentInput> extents;
  uint64_t seed = 1;
};

}  // namespace nd::eval::partition
