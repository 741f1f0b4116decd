// What a store is opened with, what identifies it, and what it tells of itself.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/run.hpp"

namespace nd::store {

enum class Verify : uint32_t { kFull, kLazy, kOff };
enum class Durability : uint32_t { kNone, kSnapshot, kJournal, kSync };

struct StoreParameters {
  bool read_only = false;
  bool recover = false;  // opens with the records before damage in the newest journal
  Verify verify = Verify::kLazy;
  bool mmap = true;
  Durability durability = Durability::kJournal;
};

// The tables of a store, by the numbers in its files. Each table has its own limit on the number of runs of
// similar size, above which they are merged.
struct TableKind {
  uint32_t number;       // 1..kTablesLimit
  const char* name;      // part of file names: lower-case letters
  uint32_t merge_count;  // runs of similar size that are merged into one
  bool filter = false;   // for its runs: most look-ups are of keys that are not there
};
inline constexpr uint32_t kTablesLimit = 32;

// The contents of a manifest, except for the runs.
struct Identity {
  uint64_t secret = 0;    // of hash tables and of the keys for URLs
  uint64_t pipeline = 0;  // identifies the text pipeline that made the texts
  // Effective values of the persistent options, each "key=value", as the engine wrote them at creation.
  Vector<String> options;
};

// What a store has done since it was opened; only the first count is older.
struct StoreCounts {
  uint64_t journal_records = 0;   // after the last snapshot
  uint64_t appended_records = 0;  // whether or not they were written in the end
  uint64_t journal_failures = 0;  // failures to append, take back or sync
  uint64_t run_merges = 0;        // each merges several runs into one
};

// Fills the run of a table.
using WriteTable = std::function<Result<void>(uint32_t table, RunSink& sink)>;

// What is wrong with a file of a store.
struct StoreFault {
  std::string_view file;
  uint64_t offset;
  std::string_view sentence;
};

}  // namespace nd::store
