// What stands in the directory of a store.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_system.hpp"

namespace nd::store {

struct StoreListing {
  Vector<uint64_t> manifests;  // generations, ascending
  Vector<uint64_t> journals;
  Vector<String> runs;
  Vector<String> unfinished;
  bool has_lock = false;
  bool has_others = false;  // files that are none of ours

  bool is_empty() const noexcept {
    return !has_lock && !has_others && manifests.empty() && journals.empty() && runs.empty() &&
           unfinished.empty();
  }
  // A store, or what is left of one that was being made.
  bool is_store() const noexcept { return has_lock || !manifests.empty(); }
};

// Errors: kNotFound, kInvalidArgument (the path is a file), kIo.
Result<StoreListing> list_store(FileSystem& files, std::string_view directory);

}  // namespace nd::store
