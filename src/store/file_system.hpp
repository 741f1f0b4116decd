// Every call that touches a file goes through here, so that tests can make the n-th call fail.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"

namespace nd::store {

// A read-only mapping, unmapped by the destructor.
class Mapping {
 public:
  virtual ~Mapping() = default;
  virtual std::span<const uint8_t> bytes() const noexcept = 0;
};

// An open file, closed by the destructor. Errors name the path and give the system's message. Threads: read()
// and sync() from any number, alongside everything else; all other calls one at a time.
class File {
 public:
  virtual ~File() = default;
  virtual Result<uint64_t> size() const = 0;
  // Reads at most that many bytes; fewer at the end of the file.
  virtual Result<size_t> read(uint64_t offset, std::span<uint8_t> out) const = 0;
  // Appends all of the bytes.
  virtual Result<void> append(std::span<const uint8_t> bytes) = 0;
  virtual Result<void> truncate(uint64_t size) = 0;
  // Reserves disk space for this many bytes from the offset on, for append() to use later. The size of the
  // file stays the same; truncate() returns the space. False: the file system cannot reserve space. kIo: the
  // disk is full.
  virtual Result<bool> reserve(uint64_t offset, uint64_t bytes) = 0;
  virtual Result<void> sync() = 0;  // data and size
  virtual Result<Owned<Mapping>> map(uint64_t size) const = 0;
  // Locks the whole file until this object is destroyed, even if forked children have the file open. False if
  // there is another holder of the lock, in this process or another.
  virtual Result<bool> lock() = 0;
};

class FileSystem {
 public:
  enum class Access { kRead, kAppend, kCreateNew };  // kAppend creates; kCreateNew fails if it exists

  virtual ~FileSystem() = default;
  // kNotFound if there is no such file.
  virtual Result<Owned<File>> open(std::string_view path, Access access) = 0;
  virtual Result<void> rename(std::string_view from, std::string_view to) = 0;
  virtual Result<void> remove(std::string_view path) = 0;
  virtual Result<void> remove_directory(std::string_view path) = 0;  // an empty one
  virtual Result<void> make_directory(std::string_view path) = 0;    // no error if it already exists
  virtual Result<void> sync_directory(std::string_view path) = 0;
  virtual Result<Vector<String>> list(std::string_view path) = 0;  // sorted; kNotFound, kInvalidArgument
};

// The file system of the machine.
FileSystem& system_files() noexcept;

}  // namespace nd::store
