// A store that is made beside its place, and gets its name when it is whole.
#pragma once

#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_system.hpp"

namespace nd::store {

// Its folder is `path` with kUnfinishedSuffix. Whatever ends the process, there is nothing at
// `path`, or a whole store. Threads: one.
class UnfinishedStore {
 public:
  // Makes nothing yet. Errors: kInvalidArgument: something is at `path` already; kIo.
  static Result<Owned<UnfinishedStore>> begin(std::string_view path, FileSystem& files);
  // Removes what it has made, unless finish() has succeeded. A store in it must have been closed.
  ~UnfinishedStore();
  UnfinishedStore(const UnfinishedStore&) = delete;
  UnfinishedStore& operator=(const UnfinishedStore&) = delete;

  const String& folder() const noexcept { return folder_; }
  // Makes the folder, without what an earlier attempt that was cut short has left there, copies the files of
  // a store that nobody writes meanwhile, and flushes them to the disk; then the folder can be opened as a
  // store. Errors: kInvalidArgument: the folder has files that are not a store's; kLocked: another process is
  // at work there; kIo.
  Result<void> copy_from(std::string_view path);
  // Gives the store its name. It must have been closed.
  Result<void> finish();

 private:
  template <typename T, typename... Arguments>
  friend Owned<T> nd::make_owned(Arguments&&... arguments);
  UnfinishedStore(std::string_view path, FileSystem& files);
  Result<Owned<File>> make_folder();
  Result<void> empty_folder();
  Result<void> copy_file(std::string_view from, std::string_view name, Vector<uint8_t>& piece);

  String path_;
  String folder_;
  FileSystem& files_;
  bool is_made_ = false;
};

}  // namespace nd::store
