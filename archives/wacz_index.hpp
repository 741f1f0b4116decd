// Indexes (CDXJ), of a WACZ file or by themselves, which tell where a URL's record is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "archives/input_list.hpp"
#include "archives/revisit_index.hpp"

namespace ndc {

// Where the first record of this URL begins, for ArchiveReader::start_at() of a reader of this path alone.
// nullopt: the path is no WACZ, its index does not know the URL or leads to something else, and all must be
// read. Cost: the index is read, from its first line to its last.
std::optional<ArchivePlace> place_in_wacz(const std::string& path, std::string_view url,
                                          const InputLimits& limits);

// The earlier of the places of two URLs, if both are known.
std::optional<ArchivePlace> place_in_wacz(const std::string& path, std::string_view url,
                                          std::string_view other, const InputLimits& limits);

// A record in one of the files that an index names.
struct IndexedPlace {
  std::string path;
  InputPosition position;
};

// Whether the file is an index by itself, plain or gzip: lines of CDXJ.
bool is_index(const std::string& path);

// Where the first line about this URL leads whose file is there: beside the index, in a folder archive/
// beside it or beside its own folder, or in the folder above. nullopt: `reason` says why. The record may be
// another one. Cost: as place_in_wacz.
std::optional<IndexedPlace> place_in_index(const std::string& path, std::string_view url,
                                           const InputLimits& limits, std::string& reason);

}  // namespace ndc
