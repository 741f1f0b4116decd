// Pages in GB 18030 or Big5 from which every declaration of the charset was removed.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "source_pages.hpp"

namespace ndc::bench {

// Those of `pages` that decode as GB 18030 (GBK with it) or Big5, without a byte order mark; and the same
// with a header of text/html alone and all words "charset" and "encoding" of the body made unreadable. How
// many are there, keep their charset, give the very same text except for those words, and went to ICU's
// detector; and the CPU time of decoding them, declared and not, by a bare parse of the same pages in the
// same round.
// {"pages": 0} if there are none.
nlohmann::json measure_undeclared(std::span<const SourcePage> pages, unsigned rounds);

}  // namespace ndc::bench
