// What a search for the pages that are most like one of them returns.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "engine/page_view.hpp"

namespace nd::engine {

// Of a search: the most that can be asked for.
inline constexpr uint32_t kSimilarPagesLimit = 1000;

struct SimilarPage {
  PageView page;
  double score;  // by the engine's detector, 0..1; with the LCS partition the resemblance
};

struct SimilarPages {
  Vector<SimilarPage> pages;  // best first, older first among equals
  bool limited = false;       // some work was cut: others may be as similar
};

}  // namespace nd::engine
