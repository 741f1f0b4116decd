// Reserves, queues and writes records, and undoes a write that failed, so that no torn record is ever
// followed by another.
#include "store/journal.hpp"

#include <algorithm>
#include <new>

#include "store/store_names.hpp"

namespace nd::store {
namespace {

// The least that is reserved at a time: about three hundred records of ordinary pages.
constexpr uint64_t kReservedAtOnce = uint64_t{1} << 20;
// One call may make many changes (removals by a filter); their records are written before the call ends.
constexpr uint64_t kMostQueuedBytes = uint64_t{1} << 20;
// Buffers of written records that are kept for later ones: as many as threads are likely to write at once.
constexpr size_t kMostSpares = 16;
constexpr size_t kLargestSpareBytes = size_t{1} << 18;

Result<void> write_unfinished(FileSystem& files, std::string_view path, const JournalHeader& header) {
  const Vector<uint8_t> bytes = encode_journal_header(header);
  Result<Owned<File>> file = files.open(path, FileSystem::Access::kCreateNew);
  if (!file) return std::move(file).failure();
  if (Result<void> written = (*file)->append(bytes); !written) return std::move(written).failure();
  return (*file)->sync();
}

Result<Owned<File>> open_created(FileSystem& files, std::string_view directory, std::string_view path) {
  Result<Owned<File>> file = files.open(path, FileSystem::Access::kAppend);
  if (!file) return std::move(file).failure();
  if (Result<void> synced = files.sync_directory(directory); !synced) return std::move(synced).failure();
  return file;
}

// No record may follow one that could not be undone. A failing step may lack the memory for its error
// message, and throw instead.
struct BreakUnless {
  std::atomic<bool>& broken;
  bool undone = true;
  ~BreakUnless() {
    if (!undone) broken.store(true, std::memory_order_release);
  }
};

}  // namespace

Result<Owned<File>> create_journal(FileSystem& files, std::string_view directory, const JournalHeader& header,
                                   bool& undone) {
  undone = true;
  const String path = path_of(directory, journal_name(header.generation));
  const String unfinished = path + String(kUnfinishedSuffix);
  // An earlier failure may have left an unfinished file.
  if (Result<void> removed = files.remove(unfinished);
      !removed && removed.failure().status != Status::kNotFound)
    return std::move(removed).failure();
  Result<void> made = write_unfinished(files, unfinished, header);
  if (made) {
    undone = false;
    made = files.rename(unfinished, path);
  }
  if (!made) {
    undone = true;
    static_cast<void>(files.remove(unfinished));  // otherwise it is removed when the store is opened
    return std::move(made).failure();
  }
  const auto undo = [&] { return files.remove(path) && files.sync_directory(directory); };
  try {
    Result<Owned<File>> file = open_created(files, directory, path);
    undone = file || undo();
    return file;
  } catch (const std::bad_alloc&) {
    undone = undo();
    throw;
  }
}

Journal::Journal(FileSystem& files, std::string_view directory, Durability durability)
    : files_(files), directory_(directory), durability_(durability) {}

void Journal::attach(Owned<File> file, const JournalHeader& header, uint64_t file_bytes,
                     bool settled) noexcept {
  file_ = std::move(file);
  header_ = header;
  end_bytes_ = file_bytes;
  last_bytes_ = 0;
  reserved_bytes_.store(0, std::memory_order_relaxed);
  const std::lock_guard lock(durable_mutex_);
  durable_bytes_ = settled ? file_bytes : 0;
  written_bytes_ = file_bytes;
  ++cuts_;
}

Result<void> Journal::check() const {
  if (file_ == nullptr) return error(Status::kInternal, "the journal was not replayed");
  if (!broken_.load(std::memory_order_acquire)) return {};
  return error(Status::kIo,
               "an earlier write or sync of the journal failed: nothing is taken until the store is "
               "opened anew");
}

uint64_t Journal::durable_bytes() {
  const std::lock_guard lock(durable_mutex_);
  return durable_bytes_;
}

uint64_t Journal::written_bytes() {
  const std::lock_guard lock(durable_mutex_);
  return written_bytes_;
}

// Under write_mutex_. Cutting the file also releases the reserved space.
Result<void> Journal::cut_back(uint64_t file_bytes) {
  {
    const std::lock_guard lock(durable_mutex_);
    durable_bytes_ = std::min(durable_bytes_, file_bytes);
    written_bytes_ = file_bytes;
    ++cuts_;
  }
  reserved_bytes_.store(0, std::memory_order_relaxed);
  BreakUnless guard{broken_, false};
  Result<void> cut = file_->truncate(file_bytes);
  guard.undone = static_cast<bool>(cut);
  return cut;
}

// Removes what a failed write has left of its record; if that fails, the journal is broken.
void Journal::cut_torn_record() noexcept {
  try {
    static_cast<void>(cut_back(written_bytes()));
  } catch (const std::bad_alloc&) {
    return;
  }
}

// Under write_mutex_. The record's place is the end of what has been written: records are written in the
// order of their places.
Result<void> Journal::write(std::span<uint8_t> record) {
  seal_record(header_, written_bytes(), record);
  try {
    if (Result<void> appended = file_->append(record); !appended) {
      cut_torn_record();
      return appended;
    }
  } catch (const std::bad_alloc&) {
    cut_torn_record();
    throw;
  }
  const std::lock_guard lock(durable_mutex_);
  written_bytes_ += record.size();
  return {};
}

// Under write_mutex_: writes confirmed records in order, until that many have been written. A record that
// fails is tried again by the next call.
Result<void> Journal::write_queue(uint64_t wanted) {
  while (written_.load(std::memory_order_relaxed) < wanted) {
    if (Result<void> usable = check(); !usable) return usable;
    if (taken_.empty()) {
      const std::lock_guard lock(queue_mutex_);
      taken_.swap(queue_);
      queue_bytes_.store(0, std::memory_order_relaxed);
    }
    struct NoteFailure {
      std::atomic<bool>& failed;
      bool is_written = false;
      ~NoteFailure() { failed.store(!is_written, std::memory_order_release); }
    } note{write_failed_};
    if (Result<void> written = write(taken_.front()); !written) return written;
    note.is_written = true;
    keep_spare(taken_);
    written_.fetch_add(1, std::memory_order_release);
  }
  return {};
}

// `wanted`: a count of confirmed_.
Result<void> Journal::write_confirmed(uint64_t wanted) {
  if (written_.load(std::memory_order_acquire) >= wanted) return {};
  const std::lock_guard lock(write_mutex_);
  return write_queue(wanted);  // unless another thread has done so meanwhile
}

// Whether that many bytes fit behind the last record.
bool Journal::reserve(uint64_t bytes) {
  if (end_bytes_ + bytes <= reserved_bytes_.load(std::memory_order_relaxed)) return true;
  if (!can_reserve_) return false;
  const uint64_t wanted = std::max(bytes, kReservedAtOnce);
  const Result<bool> reserved = file_->reserve(end_bytes_, wanted);
  if (!reserved) return false;  // the disk is full, but may have room again later
  can_reserve_ = *reserved;
  if (*reserved) reserved_bytes_.store(end_bytes_ + wanted, std::memory_order_relaxed);
  return *reserved;
}

Result<void> Journal::append(Bytes record) {
  if (Result<void> usable = check(); !usable) return usable;
  if (last_bytes_ != 0) return error(Status::kInternal, "the record before was not confirmed");
  const uint64_t size = record_file_bytes(record.size());
  if (size == 0) return error(Status::kLimit, "a journal record of no bytes, or of more than 1 GiB");
  if (!is_written()) {
    ++unwritten_count_;
  } else if (Result<void> staged = stage(record, size); !staged) {
    return staged;
  } else {
    end_bytes_ += size;
  }
  last_bytes_ = size;
  bytes_.fetch_add(size, std::memory_order_relaxed);
  return {};
}

// A buffer for one record: an earlier record's if there is one.
Journal::Records Journal::take_spare() {
  Records spare;
  {
    const std::lock_guard lock(queue_mutex_);
    if (!spare_.empty()) spare.splice(spare.begin(), spare_, spare_.begin());
  }
  if (spare.empty()) spare.emplace_back();
  return spare;
}

// Removes the first of the written records.
void Journal::keep_spare(Records& written) noexcept {
  Records first;
  first.splice(first.begin(), written, written.begin());
  const std::lock_guard lock(queue_mutex_);
  if (first.front().capacity() <= kLargestSpareBytes && spare_.size() < kMostSpares)
    spare_.splice(spare_.begin(), first);
}

Result<void> Journal::stage(Bytes record, uint64_t size) {
  const bool is_queue_full = queue_bytes_.load(std::memory_order_relaxed) >= kMostQueuedBytes;
  // Records that could not be written before come first.
  if (is_queue_full || write_failed_.load(std::memory_order_acquire)) {
    if (Result<void> written = write_confirmed(confirmed_.load(std::memory_order_relaxed)); !written)
      return written;
  }
  Records staged = take_spare();
  begin_record(header_, durable_bytes(), record, staged.front());
  if (!reserve(size)) return write_directly(staged.front());
  staged_.swap(staged);
  return {};
}

// Writes a record for which no space could be reserved, behind everything that was confirmed before.
Result<void> Journal::write_directly(std::span<uint8_t> record) {
  const std::lock_guard lock(write_mutex_);
  if (Result<void> before = write_queue(confirmed_.load(std::memory_order_relaxed)); !before) return before;
  return write(record);
}

void Journal::confirm() noexcept {
  if (last_bytes_ == 0) return;
  if (staged_.empty()) {
    // The record is either in the file or nowhere.
    const std::lock_guard lock(write_mutex_);
    confirmed_.fetch_add(1, std::memory_order_release);
    written_.fetch_add(1, std::memory_order_release);
  } else {
    const std::lock_guard lock(queue_mutex_);
    queue_.splice(queue_.end(), staged_);
    queue_bytes_.fetch_add(last_bytes_, std::memory_order_relaxed);
    confirmed_.fetch_add(1, std::memory_order_release);
  }
  last_bytes_ = 0;
}

Result<void> Journal::cancel() {
  const bool was_staged = !staged_.empty();
  staged_.clear();
  if (Result<void> usable = check(); !usable) return usable;
  if (last_bytes_ == 0) return error(Status::kInternal, "no record to take back");
  if (!is_written()) {
    --unwritten_count_;
  } else {
    if (!was_staged) {
      const std::lock_guard lock(write_mutex_);
      if (Result<void> cut = cut_back(end_bytes_ - last_bytes_); !cut) return cut;
    }
    end_bytes_ -= last_bytes_;
  }
  bytes_.fetch_sub(last_bytes_, std::memory_order_relaxed);
  last_bytes_ = 0;
  return {};
}

Result<void> Journal::sync() {
  if (durability_ == Durability::kSync) return sync_all();
  return write_confirmed(confirmed_.load(std::memory_order_acquire));
}

Result<void> Journal::sync_all() {
  const uint64_t wanted = confirmed_.load(std::memory_order_acquire);
  if (Result<void> written = write_confirmed(wanted); !written) return written;
  const std::lock_guard lock(sync_mutex_);
  if (Result<void> usable = check(); !usable) return usable;
  return synced_ >= wanted ? Result<void>() : sync_now();
}

// Under sync_mutex_, which also prevents the file from being replaced.
Result<void> Journal::sync_now() {
  const uint64_t written = written_.load(std::memory_order_acquire);
  uint64_t written_bytes = 0;
  uint64_t cuts = 0;
  {
    const std::lock_guard lock(durable_mutex_);
    written_bytes = written_bytes_;
    cuts = cuts_;
  }
  BreakUnless guard{broken_, false};
  if (Result<void> synced = file_->sync(); !synced) return synced;
  guard.undone = true;
  synced_ = written;
  const std::lock_guard lock(durable_mutex_);
  if (cuts == cuts_) durable_bytes_ = std::max(durable_bytes_, written_bytes);
  return {};
}

// Releases the reserved space of a journal that takes no more records.
void Journal::give_room_back() noexcept {
  const uint64_t end = written_bytes();
  if (reserved_bytes_.load(std::memory_order_relaxed) <= end) return;
  try {
    // The file's size stays the same, whether this succeeds or not.
    static_cast<void>(file_->truncate(end));
  } catch (const std::bad_alloc&) {
    return;
  }
}

Result<void> Journal::switch_to(uint64_t generation) {
  const std::lock_guard write_lock(write_mutex_);
  const uint64_t confirmed = confirmed_.load(std::memory_order_relaxed);
  if (Result<void> written = write_queue(confirmed); !written) return written;
  const std::lock_guard lock(sync_mutex_);
  if (Result<void> usable = check(); !usable) return usable;
  if (Result<void> synced = sync_now(); !synced) return synced;
  const JournalHeader next{generation, header_.secret, end_bytes_, unwritten_count_ > 0,
                           durability_ == Durability::kSync};
  // A journal that has a successor must take no more records.
  Result<Owned<File>> file = [&] {
    BreakUnless guard{broken_};
    return create_journal(files_, directory_, next, guard.undone);
  }();
  if (!file) return std::move(file).failure();
  give_room_back();
  attach(*std::move(file), next, kJournalHeaderBytes, true);
  unwritten_count_ = 0;
  bytes_.store(0, std::memory_order_relaxed);
  return {};
}

}  // namespace nd::store
