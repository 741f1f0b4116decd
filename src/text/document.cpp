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
  width = 0;
  body_cut = markup_limited = tokens_limited = false;
}

}  // namespace nd::text
