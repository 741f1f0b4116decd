// Pages as an engine knows them.
#pragma once

#include <ndcapi.h>
#include <cstdint>
#include <optional>
#include <string>

#include "archive_item.hpp"

namespace ndc {

// The URL of a page of the engine; nullopt: it is no page any more.
std::optional<std::string> url_of(nd_engine* engine, uint64_t page_id);

// After a call about the item's page that failed with `status`: if the page is to blame, the item is damage
// from now on and "" is returned; else what to report at the end of the run.
std::string refuse_page(nd_status status, ArchiveItem& item);

// The URL of the page's canonical link, resolved; empty: there is none. Cost: as nd_extract.
std::string canonical_url(const nd_page& page, const nd_options* options);

}  // namespace ndc
