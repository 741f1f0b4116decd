#include "store/entry_spool.hpp"

#include <algorithm>
#include <utility>

namespace nd::store {

Result<void> EntrySpool::add(const StoredEntry& entry) {
  if (held_.size() == kHeldEntries) {
    if (Result<void> spilled = spill(); !spilled) return spilled;
  }
  held_.push_back(entry);
  return {};
}

Result<void> EntrySpool::spill() {
  if (file_ == nullptr) {
    // One that a crash left behind.
    if (Result<void> removed = files_.remove(path_);
        !removed && removed.failure().status != Status::kNotFound) {
      return removed;
    }
    Result<Owned<File>> file = files_.open(path_, FileSystem::Access::kCreateNew);
    if (!file) return std::move(file).failure();
    if (Result<void> removed = files_.remove(path_); !removed) return removed;
    file_ = std::move(*file);
  }
  Result<void> appended = file_->append(bytes_of(std::span<const StoredEntry>(held_)));
  if (!appended) return appended;
  spilled_count_ += held_.size();
  held_.clear();
  return {};
}

Result<std::span<const StoredEntry>> EntrySpool::read(uint64_t position) {
  if (position >= spilled_count_) {
    return std::span<const StoredEntry>(held_).subspan(static_cast<size_t>(position - spilled_count_));
  }
  read_.resize(static_cast<size_t>(std::min<uint64_t>(kReadEntries, spilled_count_ - position)));
  const std::span<uint8_t> bytes(reinterpret_cast<uint8_t*>(read_.data()),
                                 read_.size() * sizeof(StoredEntry));
  const Result<size_t> count = file_->read(position * sizeof(StoredEntry), bytes);
  if (!count) return count.failure();
  if (*count != bytes.size()) return error(Status::kIo, path_, ": the file has become shorter");
  return std::span<const StoredEntry>(read_);
}

}  // namespace nd::store
