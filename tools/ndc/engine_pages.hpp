// Pages as an engine knows them.
#pragma once

#include <ndcapi.h>
#include <cstdint>
#include <optional>
#include <string>

namespace ndc {

// The URL of a page of the engine; nullopt: it is no page any more.
std::optional<std::string> url_of(nd_engine* engine, uint64_t page_id);

// Such a failure is about the page at hand; any other would meet the next page as well.
bool is_about_page(nd_status status);

// The URL of the page's canonical link, resolved (keep_rule.hpp); empty: there is none. Cost: as nd_extract.
std::string canonical_url(const nd_page& page, const nd_options* options);

}  // namespace ndc
