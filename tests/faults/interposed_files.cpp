// Stands in for the file calls of the C library, each of which can fail as a disk would.
#include "faults/interposed_files.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "faults/fault_clock.hpp"

namespace faults {
namespace {

bool applies(FileOperation operation, FileFault fault) noexcept {
  using Operation = FileOperation;
  switch (fault) {
    case FileFault::kNoSpace:
      return operation == Operation::kCreate || operation == Operation::kWrite ||
             operation == Operation::kAllocate || operation == Operation::kSync ||
             operation == Operation::kRename || operation == Operation::kMakeDirectory;
    case FileFault::kInputOutput:
      return operation != Operation::kReserve && operation != Operation::kMap &&
             operation != Operation::kThread;
    case FileFault::kTooManyFiles:
      return operation == Operation::kOpen || operation == Operation::kCreate ||
             operation == Operation::kOpenDirectory;
    case FileFault::kNoAccess:
      return operation == Operation::kOpen || operation == Operation::kCreate ||
             operation == Operation::kRename || operation == Operation::kRemove ||
             operation == Operation::kMakeDirectory || operation == Operation::kOpenDirectory;
    case FileFault::kNoMemory:
      return operation == Operation::kMap || operation == Operation::kReserve;
    case FileFault::kNoThread:
      return operation == Operation::kThread;
    case FileFault::kShort:
      return operation == Operation::kWrite || operation == Operation::kRead;
  }
  return false;
}

int number_of(FileFault fault) noexcept {
  switch (fault) {
    case FileFault::kNoSpace:
    case FileFault::kShort:
      return ENOSPC;
    case FileFault::kInputOutput:
      return EIO;
    case FileFault::kTooManyFiles:
      return EMFILE;
    case FileFault::kNoAccess:
      return EACCES;
    case FileFault::kNoThread:
      return EAGAIN;
    case FileFault::kNoMemory:
      break;
  }
  return ENOMEM;
}

FileFault armed_fault() noexcept {
  return static_cast<FileFault>(file_clock.armed_kind());
}

bool is_struck(FileOperation operation) noexcept {
  if (!file_clock.strikes(static_cast<uint32_t>(operation)) || !applies(operation, armed_fault()))
    return false;
  if (file_clock.mode() == Mode::kStarving && !memory_clock.has_struck())
    memory_clock.arm(1, Mode::kFromThenOn);
  return true;
}

// Sets errno if the operation is to fail.
bool fails(FileOperation operation) noexcept {
  if (!is_struck(operation)) return false;
  errno = number_of(armed_fault());
  return true;
}

template <typename Function>
Function* real(const char* name) noexcept {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Few at a time: a store maps each run once.
std::array<std::atomic<void*>, 4096> mappings;
std::atomic<long> mapping_count{0};

void note_mapped(void* memory) noexcept {
  if (memory == MAP_FAILED || !is_inside_call()) return;
  for (std::atomic<void*>& place : mappings) {
    void* empty = nullptr;
    if (!place.compare_exchange_strong(empty, memory)) continue;
    ++mapping_count;
    return;
  }
}

void note_unmapped(void* memory) noexcept {
  if (mapping_count == 0) return;
  for (std::atomic<void*>& place : mappings) {
    void* expected = memory;
    if (!place.compare_exchange_strong(expected, nullptr)) continue;
    --mapping_count;
    return;
  }
}

}  // namespace

std::string_view name_of(FileOperation operation) noexcept {
  constexpr std::string_view kNames[] = {"open",           "create",        "read",    "write",
                                         "sync",           "truncate",      "map",     "lock",
                                         "status",         "rename",        "remove",  "make a directory",
                                         "open directory", "list",          "reserve", "allocate",
                                         "random",         "start a thread"};
  return kNames[static_cast<size_t>(operation)];
}

std::string_view name_of(FileFault fault) noexcept {
  constexpr std::string_view kNames[] = {"ENOSPC", "EIO", "EMFILE", "EACCES", "ENOMEM", "EAGAIN", "short"};
  return kNames[static_cast<size_t>(fault)];
}

std::vector<FileFault> faults_of(FileOperation operation) {
  std::vector<FileFault> out;
  for (const FileFault fault :
       {FileFault::kNoSpace, FileFault::kInputOutput, FileFault::kTooManyFiles, FileFault::kNoAccess,
        FileFault::kNoMemory, FileFault::kNoThread, FileFault::kShort}) {
    if (applies(operation, fault)) out.push_back(fault);
  }
  return out;
}

long held_mappings() noexcept {
  return mapping_count;
}

}  // namespace faults

using faults::FileOperation;

extern "C" {
int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  if (faults::fails((flags & O_CREAT) != 0 ? FileOperation::kCreate : FileOperation::kOpen)) return -1;
  static auto* const next = faults::real<int(const char*, int, ...)>("open");
  return next(path, flags, mode);
}

ssize_t pread(int file, void* out, size_t size, off_t offset) {
  static auto* const next = faults::real<ssize_t(int, void*, size_t, off_t)>("pread");
  if (faults::is_struck(FileOperation::kRead)) {
    if (faults::armed_fault() == faults::FileFault::kShort) return next(file, out, (size + 1) / 2, offset);
    errno = faults::number_of(faults::armed_fault());
    return -1;
  }
  return next(file, out, size, offset);
}

ssize_t write(int file, const void* bytes, size_t size) {
  static auto* const next = faults::real<ssize_t(int, const void*, size_t)>("write");
  const bool was_struck = faults::file_clock.has_struck();
  if (faults::is_struck(FileOperation::kWrite)) {
    if (faults::armed_fault() == faults::FileFault::kShort && !was_struck)
      return next(file, bytes, (size + 1) / 2);
    errno = faults::number_of(faults::armed_fault());
    return -1;
  }
  return next(file, bytes, size);
}

int fsync(int) {
  return faults::fails(FileOperation::kSync) ? -1 : 0;
}

int fdatasync(int) {
  return faults::fails(FileOperation::kSync) ? -1 : 0;
}

int ftruncate(int file, off_t size) noexcept {
  static auto* const next = faults::real<int(int, off_t)>("ftruncate");
  return faults::fails(FileOperation::kTruncate) ? -1 : next(file, size);
}

int fallocate(int file, int mode, off_t offset, off_t size) {
  static auto* const next = faults::real<int(int, int, off_t, off_t)>("fallocate");
  return faults::fails(FileOperation::kAllocate) ? -1 : next(file, mode, offset, size);
}

void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  static auto* const next = faults::real<void*(void*, size_t, int, int, int, off_t)>("mmap");
  if (faults::fails(file == -1 ? FileOperation::kReserve : FileOperation::kMap)) return MAP_FAILED;
  void* const memory = next(at, size, protection, flags, file, offset);
  faults::note_mapped(memory);
  return memory;
}

int munmap(void* memory, size_t size) noexcept {
  static auto* const next = faults::real<int(void*, size_t)>("munmap");
  faults::note_unmapped(memory);
  return next(memory, size);
}

int flock(int file, int operation) noexcept {
  static auto* const next = faults::real<int(int, int)>("flock");
  return faults::fails(FileOperation::kLock) ? -1 : next(file, operation);
}

int fstat(int file, struct stat* out) noexcept {
  static auto* const next = faults::real<int(int, struct stat*)>("fstat");
  return faults::fails(FileOperation::kStatus) ? -1 : next(file, out);
}

int stat(const char* path, struct stat* out) noexcept {
  static auto* const next = faults::real<int(const char*, struct stat*)>("stat");
  return faults::fails(FileOperation::kStatus) ? -1 : next(path, out);
}

int rename(const char* from, const char* to) noexcept {
  static auto* const next = faults::real<int(const char*, const char*)>("rename");
  return faults::fails(FileOperation::kRename) ? -1 : next(from, to);
}

int unlink(const char* path) noexcept {
  static auto* const next = faults::real<int(const char*)>("unlink");
  return faults::fails(FileOperation::kRemove) ? -1 : next(path);
}

int rmdir(const char* path) noexcept {
  static auto* const next = faults::real<int(const char*)>("rmdir");
  return faults::fails(FileOperation::kRemove) ? -1 : next(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const next = faults::real<int(const char*, mode_t)>("mkdir");
  return faults::fails(FileOperation::kMakeDirectory) ? -1 : next(path, mode);
}

DIR* opendir(const char* path) {
  static auto* const next = faults::real<DIR*(const char*)>("opendir");
  return faults::fails(FileOperation::kOpenDirectory) ? nullptr : next(path);
}

dirent* readdir(DIR* directory) {
  static auto* const next = faults::real<dirent*(DIR*)>("readdir");
  return faults::fails(FileOperation::kList) ? nullptr : next(directory);
}

int getentropy(void* out, size_t size) {
  static auto* const next = faults::real<int(void*, size_t)>("getentropy");
  if (!faults::is_inside_call()) return next(out, size);
  if (faults::fails(FileOperation::kRandom)) return -1;
  std::memset(out, 0x5a, size);
  return 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* argument) noexcept {
  static auto* const next =
      faults::real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (faults::fails(FileOperation::kThread)) return EAGAIN;
  return next(thread, attributes, work, argument);
}
}
