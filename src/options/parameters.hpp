// Every number that decides an answer, in one place; the options of ndcapi.h set them. Each layer declares
// its own parameters; `Parameters` inherits them all.
#pragma once

#include <cstdint>

#include "collection/collection_parameters.hpp"
#include "core/result.hpp"
#include "decision/work_budget.hpp"

namespace nd::engine {

// What a search for similar pages may compare. Not tuned: enough for a human reader, and at most a second of
// comparisons by the LCS for ordinary pages.
struct SimilarParameters {
  uint32_t members = 256;     // of a group, the oldest
  uint32_t pages = 2048;      // in all
  uint64_t work = 512000000;  // of all comparisons by the LCS, in steps as comparison.work_limit
};

// How a store is kept; the choices are numbered as in store/store.hpp.
struct StorageParameters {
  uint32_t durability = 2;  // journal
  bool read_only = false;
  bool overlay = false;  // read_only, and changes stay in memory
  bool recover = false;  // gives up what follows damage in the newest journal
  uint32_t verify = 1;   // lazy
  bool mmap = true;
  uint64_t journal_bytes = 24 * 1024 * 1024;  // since the last snapshot; then the next one is taken
  uint64_t page_ttl_s = 0;                    // pages not fetched for longer are removed; 0: none
  uint32_t strict_pipeline = 0;               // 1: a store whose texts another pipeline made is not opened
};

struct Parameters : CollectionParameters {
  BudgetParameters budget;
  SimilarParameters similar;
  StorageParameters storage;
};

// Errors: kInvalidArgument for options that contradict each other, and for one that would decide answers if
// the others did not keep it from having any effect (option_needs.hpp).
Result<void> check_parameters(const Parameters& parameters);

}  // namespace nd::engine
