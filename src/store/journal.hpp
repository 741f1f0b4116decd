// The journal that is being written.
//
// A record is encoded for its place while its change is made, by one thread at a time. Room for it is
// reserved on the disk before, a megabyte at a time; so it can join a queue once its change is made, and be
// written afterwards, beside the changes of others. Where no room can be reserved, it is written before its
// change. Room that is reserved is not seen in the file's size: nothing of it looks like a part of the
// journal.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
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

  // Called before all others. Continues an existing journal after its last record; a torn end has been cut
  // off before. `settled`: its bytes are on the disk.
  void attach(Owned<File> file, const JournalHeader& header, uint64_t file_bytes, bool settled) noexcept;

  // These three, sync() and switch_to(): see Store.
  Result<void> append(Bytes record);
  void confirm() noexcept;
  Result<void> take_back();
  Result<void> sync();
  // Whatever the durability: when it returns, everything confirmed before the call is on the disk.
  Result<void> sync_all();
  // Writes what comes from here on to the journal of a generation. What came before is on the disk then,
  // whatever the durability: a journal that another one follows has no torn end. Changes nothing if it fails.
  Result<void> switch_to(uint64_t generation);

  // Of the records appended since switch_to() or set_bytes(), whether they were written or not.
  uint64_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }
  void set_bytes(uint64_t bytes) noexcept { bytes_.store(bytes, std::memory_order_relaxed); }
  uint64_t generation() const noexcept { return header_.generation; }

 private:
  using Records = std::list<Vector<uint8_t>, Allocator<Vector<uint8_t>>>;  // encoded

  bool is_written() const noexcept {
    return durability_ == Durability::kJournal || durability_ == Durability::kSync;
  }
  Result<void> check() const;
  bool reserve(uint64_t bytes);
  Records take_spare();
  void keep_spare(Records& written) noexcept;
  Result<void> stage(Bytes record, uint64_t size);
  Result<void> write_directly(Bytes record);
  Result<void> write(Bytes bytes);
  Result<void> write_confirmed(uint64_t wanted);
  Result<void> write_queue(uint64_t wanted);
  Result<void> cut_back(uint64_t file_bytes);
  void cut_torn_record() noexcept;
  Result<void> sync_now();
  void give_room_back() noexcept;
  uint64_t durable_bytes();
  uint64_t written_bytes();

  FileSystem& files_;
  String directory_;
  Durability durability_;
  Owned<File> file_;  // changed under write_mutex_ and sync_mutex_
  JournalHeader header_;
  uint64_t end_bytes_ = 0;        // where the next record will begin
  uint64_t last_bytes_ = 0;       // of the last record, as long as it is neither confirmed nor taken back
  uint64_t unwritten_count_ = 0;  // records that stand in no file
  Records staged_;                // the last record, if it is to join the queue
  bool can_reserve_ = true;
  std::atomic<uint64_t> reserved_bytes_{0};  // of the file: there is room for so many
  std::atomic<uint64_t> bytes_{0};
  std::atomic<bool> broken_{false};

  // Counts of records, not places: a place is used again after take_back().
  std::atomic<uint64_t> confirmed_{0};
  std::atomic<uint64_t> written_{0};

  // What was confirmed and must still be written: first what somebody has begun to write, then the queue.
  // Locks: write_mutex_ before queue_mutex_; sync_mutex_ after write_mutex_; durable_mutex_ last.
  std::mutex write_mutex_;
  Records taken_;  // under write_mutex_
  std::atomic<bool> write_failed_{false};
  std::mutex queue_mutex_;
  Records queue_;  // under queue_mutex_
  std::atomic<uint64_t> queue_bytes_{0};
  Records spare_;  // under queue_mutex_: were written, and keep their memory for the next ones

  std::mutex sync_mutex_;
  uint64_t synced_ = 0;  // under sync_mutex_
  // Under durable_mutex_: the bytes of whole records that were written, those of them that are known to be on
  // the disk, and how often the file was cut.
  std::mutex durable_mutex_;
  uint64_t durable_bytes_ = 0;
  uint64_t written_bytes_ = 0;
  uint64_t cuts_ = 0;
};

}  // namespace nd::store
