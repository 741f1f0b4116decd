// The journal that is being written.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/journal_file.hpp"
#include "store/store.hpp"

namespace nd::store {

// Makes an empty journal, of which nothing is seen under its name until it is on the disk. A failure, or
// std::bad_alloc, has changed nothing, unless `undone` is false: then the journal may be there or not.
Result<Owned<File>> create_journal(FileSystem& files, std::string_view directory, const JournalHeader& header,
                                   bool& undone);

// After a write that could not be undone, or an fsync that failed (what it should have written may be lost,
// though a second one succeeds), everything fails until the store is opened anew.
// Threads: one at a time, but sync() and sync_all(), which any number may call, and bytes().
class Journal {
 public:
  Journal(FileSystem& files, std::string_view directory, Durability durability);

  // Comes before all others. Goes on behind the records of a journal, at whose end nothing is torn any more.
  // `settled`: its bytes are on the disk.
  void attach(Owned<File> file, const JournalHeader& header, uint64_t file_bytes, bool settled) noexcept;

  Result<void> append(Bytes record);
  Result<void> take_back();
  Result<void> sync();
  // Whatever the durability: what was appended before the call.
  Result<void> sync_all();
  // Writes what comes from here on to the journal of a generation. What came before is on the disk then,
  // whatever the durability: a journal that another one follows has no torn end. Changes nothing if it fails.
  Result<void> switch_to(uint64_t generation);

  // Of the records appended since switch_to() or set_bytes(), whether they were written or not.
  uint64_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }
  void set_bytes(uint64_t bytes) noexcept { bytes_.store(bytes, std::memory_order_relaxed); }
  uint64_t generation() const noexcept { return header_.generation; }

 private:
  bool is_written() const noexcept {
    return durability_ == Durability::kJournal || durability_ == Durability::kSync;
  }
  Result<void> check() const;
  Result<void> write(Bytes bytes);
  Result<void> cut_back(uint64_t file_bytes);
  void cut_torn_record() noexcept;
  Result<void> sync_now();

  FileSystem& files_;
  String directory_;
  Durability durability_;
  Owned<File> file_;
  JournalHeader header_;
  uint64_t file_bytes_ = 0;
  uint64_t last_bytes_ = 0;       // of the last record, which take_back() removes; 0 if there is none
  uint64_t unwritten_count_ = 0;  // records that stand in no file
  Vector<uint8_t> buffer_;
  std::atomic<uint64_t> bytes_{0};
  std::atomic<bool> broken_{false};

  // What the threads that sync share. Counts of appended records, not places: a place is used again after
  // take_back().
  std::atomic<uint64_t> appended_{0};
  std::mutex sync_mutex_;
  uint64_t synced_ = 0;  // under sync_mutex_
  // Under settled_mutex_: the journal's bytes that are known to be on the disk, and how often it was cut.
  std::mutex settled_mutex_;
  uint64_t settled_bytes_ = 0;
  uint64_t written_bytes_ = 0;
  uint64_t cuts_ = 0;
};

}  // namespace nd::store
