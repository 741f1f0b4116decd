// Two stores become one, as if the pages of the second had come after those of the first
// (docs/guide-store.md, "Merging").
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/result.hpp"
#include "options/options.hpp"
#include "store/file_system.hpp"

namespace nd::engine {

// What became of a page of the second store; values of ndcapi.h.
enum MergedAs : int32_t {
  kAdded = 1,    // it has a new id
  kNewer = 2,    // the first store had its URL, and its fetch is the later one: the page has its text now
  kOlder = 3,    // the first store had its URL and a fetch that is as late
  kWithheld = 4  // its text was not kept, so that nothing can be decided about it
};

struct MergedPage {
  int32_t kind = kAdded;
  uint64_t old_page_id = 0;
  uint64_t old_group_id = 0;
  uint64_t page_id = 0;  // 0 of kWithheld
  uint64_t group_id = 0;
};

struct MergeCounts {
  uint64_t pages = 0;  // in the new store
  uint64_t groups = 0;
  uint64_t added = 0, newer = 0, older = 0, withheld = 0;  // pages of the second store, by MergedAs
  uint64_t joined = 0;                                     // of `added`: into a group of the first store
};

// False: the merge is given up.
using MergeVisitor = std::function<bool(const MergedPage& page, std::string_view url)>;

// Makes a store at `new_path` of the store `path` and the pages of `other_path`, neither of which is changed;
// no process may have them open for writing. `visit` gets each page of the second store, in the order of its
// ids. Errors: kInvalidArgument (an option that differs, one store twice, something at `new_path`), kLocked,
// kNotFound, kCorrupt (either is damaged), kUnsupportedVersion, kIo, also where `visit` gives up. Cost: reads
// both stores twice, writes the first; of each page of the second what a check costs without reading the
// page. Memory: the changes that are not yet written, both journals.
Result<MergeCounts> merge_stores(std::string_view path, std::string_view other_path,
                                 std::string_view new_path, const Options& options, const MergeVisitor& visit,
                                 store::FileSystem& files);

}  // namespace nd::engine
