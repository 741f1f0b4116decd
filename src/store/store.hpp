// A store directory: generations of sorted runs, each listed by a manifest, and a journal of later changes
// (docs/snapshot_format.md). The store handles bytes; the collection knows their meaning.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_system.hpp"
#include "store/generation.hpp"
#include "store/journal.hpp"
#include "store/snapshot_writer.hpp"
#include "store/store_parameters.hpp"

namespace nd::store {

class Store {
 public:
  // Opens the newest generation whose files exist and are valid, or creates a store with the identity that
  // `make` returns. Errors: kLocked (another writer), kInvalidArgument (not a store, not a directory),
  // kCorrupt (no usable generation; names file and offset), kUnsupportedVersion, kReadOnly, kIo.
  static Result<Owned<Store>> open(std::string_view path, const StoreParameters& parameters,
                                   std::span<const TableKind> tables,
                                   const std::function<Result<Identity>()>& make, FileSystem& files);

  const Identity& identity() const noexcept { return current_->manifest.identity; }
  uint64_t generation() const noexcept { return current_->manifest.generation; }
  Bytes state() const noexcept {
    return current_->manifest.state;
  }  // the engine's, of the generation; empty in a new store
  const Runs& runs(uint32_t table) const noexcept { return current_->runs[table]; }
  struct Content {
    Bytes state;
    std::span<const Runs> runs;  // by table number
  };
  // Both of the above.
  Content content() const noexcept { return content_of(*current_); }
  // What was found damaged, and therefore not used, when the store was opened; empty if nothing.
  std::string_view fallback() const noexcept { return fallback_; }
  // The part of the journal that replay() skipped because it is damaged; empty if none.
  std::string_view journal_loss() const noexcept { return journal_loss_; }

  // The first damage found while reading what is in use; ok if none. Threads: any, but not during
  // end_refresh().
  Result<void> damage() const { return damage_->first(); }

  // --- Journal. The caller sees to it that one thread at a time appends. Passes all records after the
  // generation to `apply`, in order. An unfinished record at the end is cut off silently; an unreadable part
  // is cut off and reported by journal_loss(). Errors: kCorrupt for whole records behind damage, and with
  // Verify::kFull for anything unreadable, unless StoreParameters::recover asks for the records before it.
  // Call it before all functions below, also in a new store, which has no records.
  Result<void> replay(const std::function<Result<void>(Bytes record)>& apply);
  // Called before the record's change is made; confirm() or cancel() follow. On success, either the disk
  // has room for the record or it has already been written, depending on the durability; sync() does the
  // rest. Fails, and has changed nothing, for as long as earlier records cannot be written. A failed write is
  // cut back; if that fails too, every later change fails. Errors: kIo, kLimit (no byte, more than 1 GiB).
  Result<void> append(Bytes record);
  // The change of the record just appended has been made.
  void confirm() noexcept { journal_.confirm(); }
  // The change of the record just appended was not made.
  Result<void> cancel();
  // On return, everything confirmed before the call has been written, or with kSync is on the disk; without a
  // journal this does nothing. Any number of threads may call it, and share writes and fsyncs. A record that
  // could not be written stays in force, and is written before any other is accepted. After an fsync failed,
  // every change fails until the store is reopened.
  Result<void> sync();
  uint64_t journal_bytes() const noexcept { return journal_.bytes(); }  // since the last begin_snapshot()
  StoreCounts counts() const noexcept;                                  // threads: any

  // --- Snapshots, one at a time.
  // Checks that all files of the generation are still there. Errors: kCorrupt, kIo.
  Result<void> check_files();
  // Syncs the journal, without any lock, so that begin_snapshot() has little left to sync.
  Result<void> prepare_snapshot();
  // Records appended from here on belong to the time after the snapshot. The caller holds the writer's lock
  // and has frozen its tables; `state` is what state() will return. Fails before anything has changed. Cost:
  // three fsyncs, whatever the durability: of the journal that ends, of the one that begins, of the
  // directory.
  Result<void> begin_snapshot(Bytes state);
  // Without any lock: writes runs, merges what is to be merged, makes the generation durable. `write` fills
  // the run of a table from what was frozen; a table without entries gets no run. A failure leaves the old
  // generation and both journals in force, and write_snapshot() may be called again.
  // `merge_all`: each table becomes one run without erased keys.
  Result<void> write_snapshot(const WriteTable& write, bool merge_all);
  // After a successful write_snapshot(): runs() of the new generation are these. The caller holds the
  // writer's lock, and installs runs() in its tables.
  void end_snapshot() noexcept;
  // After end_snapshot() or end_refresh(), without any lock: drops the mappings of the generation before and,
  // of a writer, the files that no kept generation names.
  void drop_older() noexcept;
  // Keys below this one are no longer wanted and are left out of merges.
  void forget_below(uint32_t table, uint64_t key) noexcept;

  // For a read-only store, one refresh at a time: opens the newest generation if it is newer than the one in
  // use; true if so. Takes no lock: the generation in use remains in use, and its damage counts, until
  // end_refresh().
  Result<bool> refresh();
  // The content that refresh() opened; valid until end_refresh().
  Content next_content() const noexcept { return content_of(*next_); }
  // kCorrupt: damage was found in what refresh() opened.
  Result<void> check_refresh() const;
  // The caller has taken over next_content(): that generation is in use now, and earlier damage no longer
  // matters. No other call may run at the same time.
  void end_refresh() noexcept;

  uint64_t disk_bytes() const noexcept {
    return current_->disk_bytes;
  }  // files of the generation; journals apart

 private:
  template <typename T, typename... Arguments>
  friend Owned<T> nd::make_owned(Arguments&&... arguments);
  Store(std::string_view path, const StoreParameters& parameters, std::span<const TableKind> tables,
        FileSystem& files);
  // One of these is called, once, before anything else.
  Result<void> open_writer(const std::function<Result<Identity>()>& make);
  Result<void> open_reader();
  GenerationReader reader(const std::shared_ptr<DamageReport>& damage) const noexcept {
    return {files_, path_, tables_, parameters_, damage};
  }
  static Content content_of(const Generation& generation) noexcept {
    return {generation.manifest.state, generation.runs};
  }
  Result<void> find_directory();
  Result<void> take_lock();
  Result<void> create(const StoreListing& listing, const std::function<Result<Identity>()>& make);
  Result<void> open_existing(const StoreListing& listing);
  Result<void> read_journal_headers(const StoreListing& listing);
  Result<void> check_skipped(const ChosenGeneration& chosen) const;
  Result<ChosenGeneration> choose_for_reading(const GenerationReader& reader, uint64_t newer_than, bool any);
  String fallback_of(const Generation& generation, const std::optional<Error>& fault) const;
  void use(ChosenGeneration chosen);
  Result<uint64_t> replay_one(size_t position, const std::function<Result<void>(Bytes record)>& apply);
  Result<void> count_failure(Result<void> outcome) noexcept;
  Result<void> take_tail(std::string_view name, const JournalEnd& end);
  void drop_unneeded(const StoreListing& listing, const Manifest& newest, const Manifest* older) noexcept;
  void keep_two(const StoreListing& listing);

  String path_;
  StoreParameters parameters_;
  Vector<TableKind> tables_;
  FileSystem& files_;
  std::shared_ptr<DamageReport> damage_;  // of what is in use
  Owned<File> lock_;                      // held while the store is open
  Owned<File> directory_lock_;            // of the directory itself
  Owned<Generation> current_;
  String fallback_;
  // What refresh() has opened, until end_refresh().
  Owned<Generation> next_;
  String next_fallback_;
  std::shared_ptr<DamageReport> next_damage_;
  String journal_loss_;

  Vector<JournalHeader> chain_;  // of the journals from the generation's on
  Journal journal_;
  std::atomic<uint64_t> journal_records_{0}, appended_records_{0}, journal_failures_{0}, run_merges_{0};
  std::array<uint64_t, kTablesLimit + 1> least_keys_{};

  SnapshotContent content_;  // from begin_snapshot() to end_snapshot()
  bool begun_ = false;
  Owned<Generation> pending_;  // written, but not yet in force
  Owned<Generation> older_;    // no longer in force, but not yet dropped
};

// Examines every file of a store, with all generations and journals, whatever the options. Calls report(file,
// offset, sentence) for each fault.
Result<void> verify_store(std::string_view path, const std::function<void(const StoreFault&)>& report,
                          FileSystem& files);

}  // namespace nd::store
