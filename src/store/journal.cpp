#include "store/journal.hpp"

#include <algorithm>
#include <new>

#include "store/store_names.hpp"

namespace nd::store {
namespace {

// A buffer that one large record has made is not kept.
constexpr size_t kBufferBytes = size_t{4} << 20;

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

// No later record may follow what could not be undone. A step that fails may find no memory to say why, and
// throw instead.
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
  // One may be left of an earlier failure.
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
    static_cast<void>(files.remove(unfinished));  // else it is removed when the store is opened
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
  file_bytes_ = file_bytes;
  last_bytes_ = 0;
  const std::lock_guard lock(settled_mutex_);
  settled_bytes_ = settled ? file_bytes : 0;
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

Result<void> Journal::cut_back(uint64_t file_bytes) {
  {
    const std::lock_guard lock(settled_mutex_);
    settled_bytes_ = std::min(settled_bytes_, file_bytes);
    written_bytes_ = file_bytes;
    ++cuts_;
  }
  BreakUnless guard{broken_, false};
  Result<void> cut = file_->truncate(file_bytes);
  guard.undone = static_cast<bool>(cut);
  return cut;
}

// What a failed append has written of its record goes; else the journal is broken.
void Journal::cut_torn_record() noexcept {
  try {
    static_cast<void>(cut_back(file_bytes_));
  } catch (const std::bad_alloc&) {
    return;
  }
}

Result<void> Journal::write(Bytes bytes) {
  try {
    Result<void> appended = file_->append(bytes);
    if (!appended) cut_torn_record();
    return appended;
  } catch (const std::bad_alloc&) {
    cut_torn_record();
    throw;
  }
}

Result<void> Journal::append(Bytes record) {
  if (Result<void> usable = check(); !usable) return usable;
  const uint64_t size = record_file_bytes(record.size());
  if (size == 0) return error(Status::kLimit, "a journal record of no bytes, or of more than 1 GiB");
  if (!is_written()) {
    ++unwritten_count_;
  } else {
    uint64_t settled_bytes = 0;
    {
      const std::lock_guard lock(settled_mutex_);
      settled_bytes = settled_bytes_;
    }
    encode_record(header_, file_bytes_, settled_bytes, record, buffer_);
    if (Result<void> written = write(buffer_); !written) return written;
    file_bytes_ += size;
    const std::lock_guard lock(settled_mutex_);
    written_bytes_ = file_bytes_;
  }
  if (buffer_.size() > kBufferBytes) buffer_ = Vector<uint8_t>();
  last_bytes_ = size;
  bytes_.fetch_add(size, std::memory_order_relaxed);
  appended_.fetch_add(1, std::memory_order_release);
  return {};
}

Result<void> Journal::take_back() {
  if (Result<void> usable = check(); !usable) return usable;
  if (last_bytes_ == 0) return error(Status::kInternal, "no record to take back");
  if (is_written()) {
    if (Result<void> cut = cut_back(file_bytes_ - last_bytes_); !cut) return cut;
    file_bytes_ -= last_bytes_;
  } else {
    --unwritten_count_;
  }
  bytes_.fetch_sub(last_bytes_, std::memory_order_relaxed);
  last_bytes_ = 0;
  return {};
}

Result<void> Journal::sync() {
  return durability_ == Durability::kSync ? sync_all() : Result<void>();
}

Result<void> Journal::sync_all() {
  const uint64_t wanted = appended_.load(std::memory_order_acquire);
  const std::lock_guard lock(sync_mutex_);
  if (Result<void> usable = check(); !usable) return usable;
  return synced_ >= wanted ? Result<void>() : sync_now();
}

// Under sync_mutex_, which also keeps the file from being changed for another.
Result<void> Journal::sync_now() {
  const uint64_t appended = appended_.load(std::memory_order_acquire);
  uint64_t written_bytes = 0;
  uint64_t cuts = 0;
  {
    const std::lock_guard lock(settled_mutex_);
    written_bytes = written_bytes_;
    cuts = cuts_;
  }
  BreakUnless guard{broken_, false};
  if (Result<void> synced = file_->sync(); !synced) return synced;
  guard.undone = true;
  synced_ = appended;
  const std::lock_guard lock(settled_mutex_);
  if (cuts == cuts_) settled_bytes_ = std::max(settled_bytes_, written_bytes);
  return {};
}

Result<void> Journal::switch_to(uint64_t generation) {
  const std::lock_guard lock(sync_mutex_);
  if (Result<void> usable = check(); !usable) return usable;
  if (Result<void> synced = sync_now(); !synced) return synced;
  const JournalHeader next{generation, header_.secret, file_bytes_, unwritten_count_ > 0,
                           durability_ == Durability::kSync};
  // No later record must stand in a journal that another one follows.
  Result<Owned<File>> file = [&] {
    BreakUnless guard{broken_};
    return create_journal(files_, directory_, next, guard.undone);
  }();
  if (!file) return std::move(file).failure();
  attach(*std::move(file), next, kJournalHeaderBytes, true);
  unwritten_count_ = 0;
  bytes_.store(0, std::memory_order_relaxed);
  return {};
}

}  // namespace nd::store
