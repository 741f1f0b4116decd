// Makes the folder, copies files into it, and renames it at the end; an attempt that was killed is cleared by
// the next.
#include "store/unfinished_store.hpp"

#include <new>
#include <utility>

#include "store/store_names.hpp"

namespace nd::store {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;

Error is_there(std::string_view path) {
  return error(Status::kInvalidArgument, path, " is there already");
}

// Without the lock and what is unfinished.
Vector<String> files_of(const StoreListing& listing) {
  Vector<String> names(listing.runs.begin(), listing.runs.end());
  for (const uint64_t generation : listing.journals)
    names.push_back(journal_name(generation));
  for (const uint64_t generation : listing.manifests)
    names.push_back(manifest_name(generation));
  return names;
}

}  // namespace

UnfinishedStore::UnfinishedStore(std::string_view path, FileSystem& files)
    : path_(path), folder_(path), files_(files) {
  while (folder_.size() > 1 && folder_.ends_with('/'))
    folder_.pop_back();
  folder_.append(kUnfinishedSuffix);
}

Result<Owned<UnfinishedStore>> UnfinishedStore::begin(std::string_view path, FileSystem& files) {
  const Result<Vector<String>> there = files.list(path);
  if (there || there.failure().status == Status::kInvalidArgument) return is_there(path);
  if (there.failure().status != Status::kNotFound) return there.failure();
  return make_owned<UnfinishedStore>(path, files);
}

UnfinishedStore::~UnfinishedStore() {
  if (!is_made_) return;
  try {
    if (!empty_folder()) return;
    if (!files_.remove(path_of(folder_, kLockName))) return;
    static_cast<void>(files_.remove_directory(folder_));
  } catch (const std::bad_alloc&) {
    return;  // the next attempt empties the folder
  }
}

Result<Owned<File>> UnfinishedStore::make_folder() {
  if (Result<void> made = files_.make_directory(folder_); !made) {
    if (made.failure().status != Status::kNotFound) return std::move(made).failure();
    return error(Status::kIo, path_, ": the folder that it is to stand in is not there");
  }
  Result<StoreListing> listing = list_store(files_, folder_);
  if (!listing) return std::move(listing).failure();
  if (listing->has_others) return is_there(folder_);
  Result<Owned<File>> lock = files_.open(path_of(folder_, kLockName), FileSystem::Access::kAppend);
  if (!lock) return lock;
  const Result<bool> locked = (*lock)->lock();
  if (!locked) return locked.failure();
  if (!*locked) return error(Status::kLocked, folder_, ": another process is making this store");
  is_made_ = true;
  if (Result<void> emptied = empty_folder(); !emptied) return std::move(emptied).failure();
  return lock;
}

Result<void> UnfinishedStore::empty_folder() {
  Result<StoreListing> listing = list_store(files_, folder_);
  if (!listing) return std::move(listing).failure();
  Vector<String> names = files_of(*listing);
  names.insert(names.end(), listing->unfinished.begin(), listing->unfinished.end());
  for (const String& name : names) {
    if (Result<void> removed = files_.remove(path_of(folder_, name)); !removed) return removed;
  }
  return {};
}

Result<void> UnfinishedStore::copy_from(std::string_view path) {
  const Result<Owned<File>> lock = make_folder();
  if (!lock) return lock.failure();
  Result<StoreListing> listing = list_store(files_, path);
  if (!listing) return std::move(listing).failure();
  Vector<uint8_t> piece(kPieceBytes);
  for (const String& name : files_of(*listing)) {
    if (Result<void> copied = copy_file(path_of(path, name), name, piece); !copied) return copied;
  }
  return files_.sync_directory(folder_);
}

Result<void> UnfinishedStore::copy_file(std::string_view from, std::string_view name,
                                        Vector<uint8_t>& piece) {
  Result<Owned<File>> source = files_.open(from, FileSystem::Access::kRead);
  if (!source) return std::move(source).failure();
  Result<Owned<File>> target = files_.open(path_of(folder_, name), FileSystem::Access::kCreateNew);
  if (!target) return std::move(target).failure();
  for (uint64_t offset = 0;;) {
    const Result<size_t> read = (*source)->read(offset, piece);
    if (!read) return read.failure();
    if (*read == 0) break;
    if (Result<void> written = (*target)->append(std::span(piece).first(*read)); !written) return written;
    offset += *read;
  }
  return (*target)->sync();
}

Result<void> UnfinishedStore::finish() {
  if (Result<void> renamed = files_.rename(folder_, path_); !renamed) return renamed;
  Result<void> synced = files_.sync_directory(parent_of(path_));
  // After an error no store is expected there.
  is_made_ = !synced && files_.rename(path_, folder_);
  return synced;
}

}  // namespace nd::store
