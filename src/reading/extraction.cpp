// Empties an extraction for the next page while it keeps its memory.
#include "reading/extraction.hpp"

namespace nd::text {

void Extraction::clear() noexcept {
  text.clear();
  blocks.clear();
  containers.clear();
  anchors.clear();
  title.clear();
  keywords.clear();
  description.clear();
  language.clear();
  canonical_url.clear();
  alternates.clear();
  limited = false;
  work = WorkTally();
}

}  // namespace nd::text
