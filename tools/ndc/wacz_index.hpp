// The index of a WACZ file (CDXJ), which tells where a URL's record is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "input_list.hpp"
#include "revisit_index.hpp"

namespace ndc {

// Where the first record of this URL begins, for ArchiveReader::start_at() of a reader of this path alone.
// nullopt: the path is no WACZ, its index does not know the URL or leads to something else, and all must be
// read. Cost: the index is read, from its first line to its last.
std::optional<ArchivePlace> place_in_wacz(const std::string& path, std::string_view url,
                                          const InputLimits& limits);

// The earlier of the places of two URLs, if both are known.
std::optional<ArchivePlace> place_in_wacz(const std::string& path, std::string_view url,
                                          std::string_view other, const InputLimits& limits);

}  // namespace ndc
