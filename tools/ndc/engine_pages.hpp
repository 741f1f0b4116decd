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

}  // namespace ndc
