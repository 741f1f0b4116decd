// The file system of Linux: each failed call becomes a sentence with the path, and calls that a signal
// interrupts are repeated.
#include "store/file_system.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace nd::store {
namespace {

// The most that a single write() or read() of Linux transfers.
constexpr size_t kCallBytes = size_t{1} << 30;

// strerror_r() exists in two versions: one returns the text, the other a number.
template <typename Returned>
std::string_view text_of(Returned returned, const char* buffer) noexcept {
  if constexpr (std::is_pointer_v<Returned>) {
    return returned;
  } else {
    return returned == 0 ? buffer : "unknown error";
  }
}

// `what`: what failed, as the predicate of a sentence whose subject is the path.
Error system_error(std::string_view path, std::string_view what, int number) {
  char buffer[128] = {};
  const std::string_view text = text_of(strerror_r(number, buffer, sizeof buffer), buffer);
  return error(number == ENOENT ? Status::kNotFound : Status::kIo, path, ": ", what, ": ", text);
}

// Repeats the call while signals interrupt it.
template <typename Call>
auto uninterrupted(Call&& call) noexcept {
  auto result = call();
  while (result == -1 && errno == EINTR)
    result = call();
  return result;
}

// A NUL-terminated path. A path of usual length allocates nothing, so that a file can still be renamed or
// removed when memory has run out: that is how earlier steps are undone.
class TerminatedPath {
 public:
  explicit TerminatedPath(std::string_view path) {
    if (path.size() < buffer_.size()) {
      *std::copy(path.begin(), path.end(), buffer_.begin()) = '\0';
    } else {
      long_path_ = path;
    }
  }
  const char* c_str() const noexcept { return long_path_.empty() ? buffer_.data() : long_path_.c_str(); }

 private:
  std::array<char, 1024> buffer_;
  String long_path_;
};

class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ != -1) close(number_);
  }
  int number() const noexcept { return number_; }

 private:
  int number_;
};

class SystemMapping final : public Mapping {
 public:
  explicit SystemMapping(std::span<const uint8_t> bytes) noexcept : bytes_(bytes) {}
  SystemMapping(const SystemMapping&) = delete;
  SystemMapping& operator=(const SystemMapping&) = delete;
  ~SystemMapping() override {
    if (!bytes_.empty()) munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
  }
  std::span<const uint8_t> bytes() const noexcept override { return bytes_; }

 private:
  std::span<const uint8_t> bytes_;
};

class SystemFile final : public File {
 public:
  SystemFile(Descriptor descriptor, String path) noexcept
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}
  SystemFile(const SystemFile&) = delete;
  SystemFile& operator=(const SystemFile&) = delete;
  // A forked child has the descriptor too, so closing it here would leave the lock in force.
  ~SystemFile() override {
    if (locked_) flock(descriptor_.number(), LOCK_UN);
  }

  Result<uint64_t> size() const override {
    struct stat status;
    if (fstat(descriptor_.number(), &status) == -1) return failed("cannot be looked at");
    return static_cast<uint64_t>(status.st_size);
  }

  Result<size_t> read(uint64_t offset, std::span<uint8_t> out) const override {
    size_t done = 0;
    while (done < out.size()) {
      const uint64_t from = offset + done;
      if (from > static_cast<uint64_t>(std::numeric_limits<off_t>::max())) break;
      const size_t wanted = std::min(out.size() - done, kCallBytes);
      const ssize_t count = uninterrupted(
          [&] { return pread(descriptor_.number(), out.data() + done, wanted, static_cast<off_t>(from)); });
      if (count == -1) return failed("cannot be read");
      if (count == 0) break;
      done += static_cast<size_t>(count);
    }
    return done;
  }

  Result<void> append(std::span<const uint8_t> bytes) override {
    while (!bytes.empty()) {
      const size_t wanted = std::min(bytes.size(), kCallBytes);
      const ssize_t count = uninterrupted([&] { return write(descriptor_.number(), bytes.data(), wanted); });
      if (count == -1) return failed("cannot be written");
      if (count == 0) return error(Status::kIo, path_, ": cannot be written: nothing was taken");
      bytes = bytes.subspan(static_cast<size_t>(count));
    }
    return {};
  }

  Result<void> truncate(uint64_t size) override {
    if (size > static_cast<uint64_t>(std::numeric_limits<off_t>::max())) {
      return error(Status::kIo, path_, ": cannot be cut to another length: no file can be so long");
    }
    const off_t to = static_cast<off_t>(size);
    if (uninterrupted([&] { return ftruncate(descriptor_.number(), to); }) == -1)
      return failed("cannot be cut to another length");
    return {};
  }

  Result<bool> reserve(uint64_t offset, uint64_t bytes) override {
#ifdef FALLOC_FL_KEEP_SIZE
    const uint64_t most = static_cast<uint64_t>(std::numeric_limits<off_t>::max());
    if (offset > most || bytes > most - offset) return false;
    // Reserved space does not count towards the file's size, so the system does not check this limit before
    // the write.
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        offset + bytes > limit.rlim_cur)
      return system_error(path_, "no room can be reserved in it", EFBIG);
    const auto allocate = [&] {
      return fallocate(descriptor_.number(), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                       static_cast<off_t>(bytes));
    };
    if (uninterrupted(allocate) == 0) return true;
    const bool is_possible = errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO;
    if (is_possible) return failed("no room can be reserved in it");
#else
    static_cast<void>(offset);
    static_cast<void>(bytes);
#endif
    return false;
  }

  Result<void> sync() override {
    if (uninterrupted([&] { return fdatasync(descriptor_.number()); }) == -1)
      return failed("cannot be flushed to the disk");
    return {};
  }

  Result<Owned<Mapping>> map(uint64_t size) const override {
    Result<uint64_t> present = this->size();
    if (!present) return std::move(present).failure();
    // Reading a mapping beyond the end of its file raises a signal.
    if (size > *present)
      return error(Status::kIo, path_, ": cannot be mapped: the file is shorter than expected");
    if (size > std::numeric_limits<size_t>::max()) {
      return error(Status::kIo, path_, ": cannot be mapped: the file is longer than the address space");
    }
    const size_t bytes = static_cast<size_t>(size);
    if (bytes == 0) return Owned<Mapping>(make_owned<SystemMapping>(std::span<const uint8_t>()));
    void* memory = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor_.number(), 0);
    if (memory == MAP_FAILED) return failed("cannot be mapped");
    try {
      return Owned<Mapping>(make_owned<SystemMapping>(std::span(static_cast<const uint8_t*>(memory), bytes)));
    } catch (...) {
      munmap(memory, bytes);
      throw;
    }
  }

  Result<bool> lock() override {
    if (uninterrupted([&] { return flock(descriptor_.number(), LOCK_EX | LOCK_NB); }) == 0) {
      locked_ = true;
      return true;
    }
    if (errno == EWOULDBLOCK) return false;
    return failed("cannot be locked");
  }

 private:
  Error failed(std::string_view what) const {
    return system_error(path_, what, errno);
  }

  Descriptor descriptor_;
  String path_;
  bool locked_ = false;
};

class SystemFiles final : public FileSystem {
 public:
  Result<Owned<File>> open(std::string_view path, Access access) override {
    String name(path);
    // O_NONBLOCK: a named pipe in the file's place must not block us; regular files are not affected.
    int flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    switch (access) {
      case Access::kRead:
        flags |= O_RDONLY;
        break;
      case Access::kAppend:
        flags |= O_RDWR | O_APPEND | O_CREAT;
        break;
      case Access::kCreateNew:
        flags |= O_RDWR | O_APPEND | O_CREAT | O_EXCL;
        break;
    }
    Descriptor descriptor(uninterrupted([&] { return ::open(name.c_str(), flags, 0644); }));
    if (descriptor.number() == -1) return system_error(path, "cannot be opened", errno);
    struct stat status;
    if (fstat(descriptor.number(), &status) == -1) return system_error(path, "cannot be looked at", errno);
    if (!S_ISREG(status.st_mode) && !(S_ISDIR(status.st_mode) && access == Access::kRead))
      return error(Status::kIo, path, ": is not a regular file");
    return Owned<File>(make_owned<SystemFile>(std::move(descriptor), std::move(name)));
  }

  Result<void> rename(std::string_view from, std::string_view to) override {
    if (::rename(TerminatedPath(from).c_str(), TerminatedPath(to).c_str()) == -1)
      return system_error(from, "cannot be renamed", errno);
    return {};
  }

  Result<void> remove(std::string_view path) override {
    if (unlink(TerminatedPath(path).c_str()) == -1) return system_error(path, "cannot be removed", errno);
    return {};
  }

  Result<void> remove_directory(std::string_view path) override {
    if (rmdir(TerminatedPath(path).c_str()) == -1) return system_error(path, "cannot be removed", errno);
    return {};
  }

  Result<void> make_directory(std::string_view path) override {
    const TerminatedPath name(path);
    if (mkdir(name.c_str(), 0777) == 0) return {};
    const int number = errno;
    struct stat status;
    if (number == EEXIST && stat(name.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return {};
    return system_error(path, "the folder cannot be made", number);
  }

  Result<void> sync_directory(std::string_view path) override {
    const TerminatedPath name(path);
    const Descriptor descriptor(
        uninterrupted([&] { return ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (descriptor.number() == -1) return system_error(path, "cannot be opened", errno);
    if (uninterrupted([&] { return fsync(descriptor.number()); }) == -1) {
      return system_error(path, "cannot be flushed to the disk", errno);
    }
    return {};
  }

  Result<Vector<String>> list(std::string_view path) override {
    struct Close {
      void operator()(DIR* directory) const noexcept { closedir(directory); }
    };
    const TerminatedPath terminated(path);
    const std::unique_ptr<DIR, Close> directory(opendir(terminated.c_str()));
    if (directory == nullptr) {
      const int number = errno;
      if (number == ENOMEM) throw std::bad_alloc();  // the C library had no memory for its buffer
      struct stat status;
      if (number == ENOTDIR && stat(terminated.c_str(), &status) == 0)
        return error(Status::kInvalidArgument, path, ": is not a folder");
      return system_error(path, "the folder cannot be read", number);
    }
    Vector<String> names;
    for (;;) {
      errno = 0;
      const dirent* entry = readdir(directory.get());
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    if (errno != 0) return system_error(path, "the folder cannot be read", errno);
    std::sort(names.begin(), names.end());
    return names;
  }
};

}  // namespace

FileSystem& system_files() noexcept {
  static SystemFiles files;
  return files;
}

}  // namespace nd::store
