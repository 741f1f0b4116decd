// Creates, locks, continues and renames the file; one left by a killed run is taken over or cleared.
#include "unfinished_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>

namespace ndc {
namespace {

constexpr mode_t kNewFileMode = 0666;  // without what the process's umask takes
constexpr mode_t kPermissions = 07777;
constexpr size_t kMostNameBytes = 255;  // of Linux's file systems
constexpr std::string_view kSuffix = ".ndc-unfinished";
constexpr const char* kIsWritten = "another process is writing it";

}  // namespace

UnfinishedFile::~UnfinishedFile() {
  if (descriptor_ >= 0 && !is_kept_) ::unlink(unfinished_.c_str());
  close();
}

std::string UnfinishedFile::path_beside(const std::string& path) {
  const std::filesystem::path target = path;
  std::string name = target.filename().string();
  if (name.size() + kSuffix.size() + 1 > kMostNameBytes)
    name = std::to_string(std::hash<std::string_view>()(name));
  return (target.parent_path() / ("." + name + std::string(kSuffix))).string();
}

std::optional<uint64_t> UnfinishedFile::size_beside(const std::string& path) {
  struct stat status {};
  if (::lstat(path_beside(path).c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<uint64_t>(status.st_size);
}

bool UnfinishedFile::create(const std::string& path) {
  path_ = path;
  unfinished_ = path_beside(path);
  struct stat target {};
  const bool replaces = ::stat(path.c_str(), &target) == 0;
  // Another name may be put over a file that may not be written. A user who protects a file means its
  // content.
  if (replaces && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return fail(errno);
  for (;;) {
    if (!clear_left_over()) return false;
    // Nobody else may look in before it has the permissions of what it replaces.
    descriptor_ = ::open(unfinished_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                         replaces ? S_IRUSR | S_IWUSR : kNewFileMode);
    if (descriptor_ < 0 && errno == EEXIST) continue;
    if (descriptor_ < 0) {
      const int reason = errno;
      fail(reason);
      if (replaces && (reason == EACCES || reason == EROFS || reason == EPERM))
        error_ = "its folder takes no file beside it: " + error_;
      return false;
    }
    bool is_current = false;
    if (!lock(is_current)) return false;
    if (is_current) return !replaces || take_permissions();
    close();
  }
}

bool UnfinishedFile::go_on(const std::string& path) {
  path_ = path;
  unfinished_ = path_beside(path);
  descriptor_ = ::open(unfinished_.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) return fail(errno);
  bool is_current = false;
  if (!lock(is_current)) return false;
  return is_current || fail(ENOENT);
}

// `is_current`: the file has its name still, which only the owner of the lock may take from it.
bool UnfinishedFile::lock(bool& is_current) {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close();
    error_ = kIsWritten;
    return false;
  }
  struct stat held {
  }, named{};
  is_current = ::fstat(descriptor_, &held) == 0 && ::lstat(unfinished_.c_str(), &named) == 0 &&
               held.st_dev == named.st_dev && held.st_ino == named.st_ino;
  return true;
}

bool UnfinishedFile::clear_left_over() {
  // To be locked it need not be written. What is no file of ours, such as a pipe, must not be waited for.
  descriptor_ = ::open(unfinished_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0 && errno == ENOENT) return true;
  if (descriptor_ < 0) return fail_at_left_over(errno);
  bool is_current = false;
  if (!lock(is_current)) return false;
  const bool removed = !is_current || ::unlink(unfinished_.c_str()) == 0 || errno == ENOENT;
  const int reason = errno;
  close();
  return removed || fail_at_left_over(reason);
}

bool UnfinishedFile::take_permissions() {
  struct stat target {
  }, own{};
  if (::stat(path_.c_str(), &target) != 0 || ::fstat(descriptor_, &own) != 0) return fail(errno);
  mode_t mode = target.st_mode & kPermissions;
  const bool is_same = target.st_uid == own.st_uid && target.st_gid == own.st_gid;
  if (!is_same && ::fchown(descriptor_, target.st_uid, target.st_gid) != 0 &&
      ::fchown(descriptor_, static_cast<uid_t>(-1), target.st_gid) != 0) {
    // Another group than the one that the permissions were meant for may do what everybody may.
    constexpr mode_t kOfGroup = S_IRWXG | S_ISGID;
    mode = (mode & ~kOfGroup) | (mode & S_IRWXG & (mode & S_IRWXO) << 3);
  }
  return ::fchmod(descriptor_, mode) == 0 || fail(errno);
}

bool UnfinishedFile::is_beside(const std::string& path) const {
  struct stat own {
  }, other{};
  return descriptor_ >= 0 && ::fstat(descriptor_, &own) == 0 &&
         ::lstat(path_beside(path).c_str(), &other) == 0 && own.st_dev == other.st_dev &&
         own.st_ino == other.st_ino;
}

bool UnfinishedFile::give_name() {
  if (std::rename(unfinished_.c_str(), path_.c_str()) != 0) return fail(errno);
  // Some file systems report a full disk only when a file is closed; what was synchronized is there.
  close();
  return true;
}

void UnfinishedFile::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

// The reason need not hold for the output: a folder or a link may have the name of the unfinished file.
bool UnfinishedFile::fail_at_left_over(int error_number) {
  struct stat status {};
  fail(error_number);
  if (::lstat(unfinished_.c_str(), &status) == 0) error_ = unfinished_ + ": " + error_;
  return false;
}

bool UnfinishedFile::fail(int error_number) {
  error_ = std::generic_category().message(error_number);
  return false;
}

}  // namespace ndc
