// Whether a ZIP file's list of entries is whole, and what the entries call themselves. libzip takes a damaged
// list that still reads as one at its word.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct zip_source;

namespace ndc {

struct ZipDirectory {
  // The list begins and ends where the record behind it says.
  bool is_whole = false;
  // Where the entries begin, in the order of the list, as far as it could be read.
  std::vector<uint64_t> places;
};

// `source`: the ZIP file, which can be read at any place; `count`: how many entries libzip finds in it. Reads
// the list once more, in large pieces.
ZipDirectory read_zip_directory(zip_source* source, uint64_t count);

// Of the entry that begins there; empty if none does.
std::string name_of_zip_entry(zip_source* source, uint64_t place);

}  // namespace ndc
