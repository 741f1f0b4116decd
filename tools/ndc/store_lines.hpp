// JSON objects, one a line, of what a store holds.
#pragma once

#include <ndcapi.h>
#include <string>
#include <string_view>

namespace ndc {

// `kept`: the URL of the page that the group keeps; nullptr: nobody asks.
std::string page_line(const nd_page_info& info, std::string_view url, const std::string* kept = nullptr);
std::string group_line(const nd_group_info& info);
std::string event_line(const nd_event& event);

// The counts of a store.
std::string stats_object(const nd_stats& stats);

}  // namespace ndc
