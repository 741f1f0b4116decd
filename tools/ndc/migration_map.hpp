// From the ids of an old store to those of a new one.
#pragma once

#include <ndcapi.h>
#include <cstdint>

#include "output_file.hpp"

namespace ndc {

struct MigrationCounts {
  uint64_t carried = 0;  // URLs that both stores have
  uint64_t missing = 0;  // pages of the old store that the new one lacks
  uint64_t added = 0;    // pages of the new store that the old one lacks
};

// A header line that begins with '#', then a row a page: those of the old store by their groups, then those
// that only the new one has. "-" stands for an id that there is not. `missing`: takes a URL a line of the old
// pages that the new store lacks; NULL: not wanted. `failed`: the store that could not be read.
nd_status write_migration_map(nd_engine* old_engine, nd_engine* new_engine, OutputFile& map,
                              OutputFile* missing, MigrationCounts& counts, nd_engine*& failed);

}  // namespace ndc
