// Opens and reads files, and says in a sentence why one cannot be read.
#include "archives/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace ndc {

std::string shown_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

std::string unreadable_because(int error_number) {
  if (error_number == EISDIR) return "is a folder, where a file belongs";
  return "cannot be read: " + std::generic_category().message(error_number);
}

std::unique_ptr<FileSource> FileSource::open(const std::string& path, std::string& error) {
  if (path == "-") return std::unique_ptr<FileSource>(new FileSource(STDIN_FILENO, false));
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    error = unreadable_because(errno);
    return nullptr;
  }
  return std::unique_ptr<FileSource>(new FileSource(descriptor, true));
}

bool FileSource::check(const std::string& path, std::optional<uint64_t>& size, std::string& error) {
  size.reset();
  struct stat status {};
  const bool standard_input = path == "-";
  const int outcome = standard_input ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  if (outcome != 0 || (!standard_input && ::access(path.c_str(), R_OK) != 0)) {
    error = unreadable_because(errno);
    return false;
  }
  if (S_ISDIR(status.st_mode)) {
    error = unreadable_because(EISDIR);
    return false;
  }
  if (S_ISREG(status.st_mode) && status.st_size >= 0) size = static_cast<uint64_t>(status.st_size);
  return true;
}

FileSource::FileSource(int descriptor, bool owned) : descriptor_(descriptor), owned_(owned) {
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= 0) {
    // Standard input may be a file of which a part has already been read.
    const off_t position = ::lseek(descriptor_, 0, SEEK_CUR);
    if (position >= 0 && position <= status.st_size) {
      size_ = static_cast<uint64_t>(status.st_size - position);
    }
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
}

FileSource::~FileSource() {
  if (owned_) ::close(descriptor_);
}

std::optional<size_t> FileSource::read(char* out, size_t size) {
  for (;;) {
    const ssize_t count = ::read(descriptor_, out, size);
    has_shrunk_ = count == 0 && size_ && given_ < *size_;
    if (has_shrunk_) return std::nullopt;
    if (count >= 0) {
      given_ += static_cast<uint64_t>(count);
      return static_cast<size_t>(count);
    }
    if (errno == EINTR) continue;
    error_number_ = errno;
    return std::nullopt;
  }
}

bool FileSource::seek(uint64_t offset) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) >= 0) {
    given_ = offset;
    return true;
  }
  error_number_ = errno;
  return false;
}

std::string FileSource::error() const {
  if (has_shrunk_) return "has become shorter while it was read";
  return unreadable_because(error_number_);
}

}  // namespace ndc
