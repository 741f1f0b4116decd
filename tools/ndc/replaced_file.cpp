#include "replaced_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace ndc {
namespace {

// What a new file may be used for, as the process has it.
mode_t new_file_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

ReplacedFile::~ReplacedFile() {
  file_.close();
  if (!written_path_.empty()) ::unlink(written_path_.c_str());
}

bool ReplacedFile::open(const std::string& path) {
  path_ = path;
  struct stat status {};
  mode_t mode = new_file_mode();
  if (::stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) {
      error_ = "cannot write " + path + ": it is no regular file";
      return false;
    }
    mode = status.st_mode & 0777;
    // The file of a link is replaced, not the link.
    std::error_code failed;
    const std::filesystem::path real = std::filesystem::canonical(path, failed);
    if (!failed) path_ = real.string();
  }
  std::string name = path_ + ".XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) {
    fail(errno);
    return false;
  }
  written_path_ = name;
  if (::fchmod(descriptor, mode) != 0) fail(errno);
  ::close(descriptor);
  return error_.empty() && file_.open(name);
}

bool ReplacedFile::finish() {
  if (!file_.sync() || !file_.close()) return false;
  if (::rename(written_path_.c_str(), path_.c_str()) != 0) {
    fail(errno);
    return false;
  }
  written_path_.clear();
  return true;
}

void ReplacedFile::fail(int error_number) {
  error_ = "cannot write " + path_ + ": " + std::generic_category().message(error_number);
}

}  // namespace ndc
