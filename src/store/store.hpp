// A store directory: generations of sorted runs, each listed by a manifest, and a journal of later changes
// (docs/snapshot_format.md). The store handles bytes; the collection knows their meaning.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_system.hpp"
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

class Store {
 public:
  // Opens the newest generation whose files exist and are valid, or creates a store with the identity that
  // `make` returns. Errors: kLocked (another writer), kInvalidArgument (not a store, not a directory),
  // kCorrupt (no usable generation; names file and offset), kUnsupportedVersion, kReadOnly, kIo.
  static Result<Owned<Store>> open(std::string_view path, const StoreParameters& parameters,
                                   std::span<const TableKind> tables,
                                   const std::function<Result<Identity>()>& make, FileSystem& files);
  virtual ~Store() = default;

  virtual const Identity& identity() const noexcept = 0;
  virtual uint64_t generation() const noexcept = 0;
  virtual Bytes state() const noexcept = 0;  // the engine's, of the generation; empty in a new store
  virtual const Runs& runs(uint32_t table) const noexcept = 0;
  struct Content {
    Bytes state;
    std::span<const Runs> runs;  // by table number
  };
  // Both of the above.
  virtual Content content() const noexcept = 0;
  // What was found damaged, and therefore not used, when the store was opened; empty if nothing.
  virtual std::string_view fallback() const noexcept = 0;
  // The part of the journal that replay() skipped because it is damaged; empty if none.
  virtual std::string_view journal_loss() const noexcept = 0;

  // The first damage found while reading what is in use; ok if none. Threads: any, but not during
  // end_refresh().
  virtual Result<void> damage() const = 0;

  // --- Journal. The caller sees to it that one thread at a time appends. Passes all records after the
  // generation to `apply`, in order. An unfinished record at the end is cut off silently; an unreadable part
  // is cut off and reported by journal_loss(). Errors: kCorrupt for whole records behind damage, and with
  // Verify::kFull for anything unreadable, unless StoreParameters::recover asks for the records before it.
  // Call it before all functions below, also in a new store, which has no records.
  virtual Result<void> replay(const std::function<Result<void>(Bytes record)>& apply) = 0;
  // Called before the record's change is made; confirm() or cancel() follow. On success, either the disk
  // has room for the record or it has already been written, depending on the durability; sync() does the
  // rest. Fails, and has changed nothing, for as long as earlier records cannot be written. A failed write is
  // cut back; if that fails too, every later change fails. Errors: kIo, kLimit (no byte, more than 1 GiB).
  virtual Result<void> append(Bytes record) = 0;
  // The change of the record just appended has been made.
  virtual void confirm() noexcept = 0;
  // The change of the record just appended was not made.
  virtual Result<void> cancel() = 0;
  // On return, everything confirmed before the call has been written, or with kSync is on the disk; without a
  // journal this does nothing. Any number of threads may call it, and share writes and fsyncs. A record that
  // could not be written stays in force, and is written before any other is accepted. After an fsync failed,
  // every change fails until the store is reopened.
  virtual Result<void> sync() = 0;
  virtual uint64_t journal_bytes() const noexcept = 0;  // since the last begin_snapshot()
  virtual StoreCounts counts() const noexcept = 0;      // threads: any

  // --- Snapshots, one at a time.
  // Checks that all files of the generation are still there. Errors: kCorrupt, kIo.
  virtual Result<void> check_files() = 0;
  // Syncs the journal, without any lock, so that begin_snapshot() has little left to sync.
  virtual Result<void> prepare_snapshot() = 0;
  // Records appended from here on belong to the time after the snapshot. The caller holds the writer's lock
  // and has frozen its tables; `state` is what state() will return. Fails before anything has changed. Cost:
  // three fsyncs, whatever the durability: of the journal that ends, of the one that begins, of the
  // directory.
  virtual Result<void> begin_snapshot(Bytes state) = 0;
  // Without any lock: writes runs, merges what is to be merged, makes the generation durable. `write` fills
  // the run of a table from what was frozen; a table without entries gets no run. A failure leaves the old
  // generation and both journals in force, and write_snapshot() may be called again.
  // `merge_all`: each table becomes one run without erased keys.
  using WriteTable = std::function<Result<void>(uint32_t table, RunSink& sink)>;
  virtual Result<void> write_snapshot(const WriteTable& write, bool merge_all) = 0;
  // After a successful write_snapshot(): runs() of the new generation are these. The caller holds the
  // writer's lock, and installs runs() in its tables.
  virtual void end_snapshot() noexcept = 0;
  // After end_snapshot() or end_refresh(), without any lock: drops the mappings of the generation before and,
  // of a writer, the files that no kept generation names.
  virtual void drop_older() noexcept = 0;
  // Keys below this one are no longer wanted and are left out of merges.
  virtual void forget_below(uint32_t table, uint64_t key) noexcept = 0;

  // For a read-only store, one refresh at a time: opens the newest generation if it is newer than the one in
  // use; true if so. Takes no lock: the generation in use remains in use, and its damage counts, until
  // end_refresh().
  virtual Result<bool> refresh() = 0;
  // The content that refresh() opened; valid until end_refresh().
  virtual Content next_content() const noexcept = 0;
  // kCorrupt: damage was found in what refresh() opened.
  virtual Result<void> check_refresh() const = 0;
  // The caller has taken over next_content(): that generation is in use now, and earlier damage no longer
  // matters. No other call may run at the same time.
  virtual void end_refresh() noexcept = 0;

  virtual uint64_t disk_bytes() const noexcept = 0;  // files of the generation; journals apart
};

// Examines every file of a store, with all generations and journals, whatever the options. Calls report(file,
// offset, sentence) for each fault.
struct StoreFault {
  std::string_view file;
  uint64_t offset;
  std::string_view sentence;
};
Result<void> verify_store(std::string_view path, const std::function<void(const StoreFault&)>& report,
                          FileSystem& files);

}  // namespace nd::store
