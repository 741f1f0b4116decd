// The journal that is being written.
//
// A record is copied while its change is made, by one thread at a time; its place and its checksum are
// settled when it is written. Disk space is reserved for it beforehand, a megabyte at a time, so it can be
// queued once its change is made, and written afterwards while other threads make changes. Where no space can
// be reserved, the record is written before its change is made. Reserved space does not count towards the
// file's size, so no part of it can be mistaken for a part of the journal.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/journal_file.hpp"
#include "store/store_parameters.hpp"

namespace nd::store {

// Creates an empty journal, which appears under its name only when it is on the disk. A failure, or
// std::bad_alloc, has changed nothing, unless `undone` is false: then the journal may or may not exist.
Result<Owned<File>> create_journal(FileSystem& files, std::string_view directory, const JournalHeader& header,
                                   bool& undone);

// After a write that could not be undone, or an fsync that failed (its data may be lost even if a second
// fsync succeeds), everything fails until the store is reopened. Threads: one at a time, except for sync(),
// sync_all() and bytes(), which any number may call.
class Journal {
 public:
  Journal(FileSystem& files, std::string_view directory, Durability durability);

  // Called before all other methods. Continues an existing journal after its last record; a torn end must
  // already have been cut off. `settled`: the journal's bytes are on the disk.
  void attach(Owned<File> file, const JournalHeader& header, uint64_t file_bytes, bool settled) noexcept;

  // These three, sync() and switch_to() are described in Store.
  Result<void> append(Bytes record);
  void confirm() noexcept;
  Result<void> cancel();
  Result<void> sync();
  // Whatever the durability: on return, everything confirmed before the call is on the disk.
  Result<void> sync_all();
  // Writes all later records to the journal of another generation. Earlier ones are on the disk by then,
  // whatever the durability: a journal that has a successor has no torn end. Changes nothing if it fails.
  Result<void> switch_to(uint64_t generation);

  // Bytes of the records appended since switch_to() or set_bytes(), whether or not they have been written.
  uint64_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }
  void set_bytes(uint64_t bytes) noexcept { bytes_.store(bytes, std::memory_order_relaxed); }
  uint64_t generation() const noexcept { return header_.generation; }

 private:
  using Records = std::list<Vector<uint8_t>, Allocator<Vector<uint8_t>>>;  // by begin_record()

  bool is_written() const noexcept {
    return durability_ == Durability::kJournal || durability_ == Durability::kSync;
  }
  Result<void> check() const;
  bool reserve(uint64_t bytes);
  Records take_spare();
  void keep_spare(Records& written) noexcept;
  Result<void> stage(Bytes record, uint64_t size);
  Result<void> write_directly(std::span<uint8_t> record);
  Result<void> write(std::span<uint8_t> record);
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
  uint64_t last_bytes_ = 0;       // of the last record, until it is confirmed or taken back
  uint64_t unwritten_count_ = 0;  // records that are in no file
  Records staged_;                // the last record, if it is to be queued
  bool can_reserve_ = true;
  std::atomic<uint64_t> reserved_bytes_{0};  // space is reserved up to this size of the file
  std::atomic<uint64_t> bytes_{0};
  std::atomic<bool> broken_{false};

  // Counts of records rather than places, since a place is used again after cancel().
  std::atomic<uint64_t> confirmed_{0};
  std::atomic<uint64_t> written_{0};

  // Records that are confirmed and not yet written: first those that a thread has begun to write, then the
  // queue. Locks: write_mutex_ before queue_mutex_; sync_mutex_ after write_mutex_; durable_mutex_ last.
  std::mutex write_mutex_;
  Records taken_;  // under write_mutex_
  std::atomic<bool> write_failed_{false};
  std::mutex queue_mutex_;
  Records queue_;  // under queue_mutex_
  std::atomic<uint64_t> queue_bytes_{0};
  Records spare_;  // under queue_mutex_: buffers of written records, kept for the next ones

  std::mutex sync_mutex_;
  uint64_t synced_ = 0;  // under sync_mutex_
  // Under durable_mutex_: how many bytes of whole records have been written, how many of them are known to be
  // on the disk, and how often the file was cut.
  std::mutex durable_mutex_;
  uint64_t durable_bytes_ = 0;
  uint64_t written_bytes_ = 0;
  uint64_t cuts_ = 0;
};

}  // namespace nd::store
