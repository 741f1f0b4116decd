// A store as files in memory: a real one, what an input does to it, and checksums that are right again.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "fuzz/input_reader.hpp"

namespace nd::fuzz {

using StoreFiles = std::map<std::string, std::string>;  // by name

// Errors end the process: a target without its store tests nothing.
StoreFiles read_store_files(const std::string& folder);
void write_store_files(const StoreFiles& files, const std::string& folder);

uint64_t store_bytes(const std::string& folder);  // of all its files

// Numbers and bytes changed, files cut, lengthened, removed, replaced and made.
void edit_store_files(InputReader& input, StoreFiles& files);

}  // namespace nd::fuzz
