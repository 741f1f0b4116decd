// Empties a document for the next page while it keeps its memory, and says how much that is.
#include "text/document.hpp"

namespace nd::text {

void Document::clear() noexcept {
  kind = ContentKind::kNone;
  host.clear();
  site.clear();
  charset = {};
  charset_source = CharsetSource::kFallback;
  extraction.clear();
  text.clear();
  blocks.clear();
  tokens.clear();
  sentences.clear();
  title.clear();
  width = 0;
  body_cut = markup_limited = tokens_limited = false;
  work = WorkTally();
}

uint64_t Document::memory_bytes() const noexcept {
  return text.capacity() + blocks.capacity() * sizeof(DocumentBlock) +
         (tokens.capacity() + title.capacity()) * sizeof(Token) + sentences.capacity() * sizeof(Range) +
         extraction.text.capacity() + extraction.blocks.capacity() * sizeof(TextBlock) +
         extraction.containers.capacity() * sizeof(Container) +
         extraction.anchors.capacity() * sizeof(Anchor);
}

}  // namespace nd::text
