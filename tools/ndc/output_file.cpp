#include "output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kHeldBytes = size_t{64} << 10;
constexpr mode_t kFileMode = 0666;

bool is_same_regular(const struct stat& a, const struct stat& b) {
  return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Removes the beginning of a piece whose end could not be written.
void cut_partial_piece(int descriptor, size_t partial) {
  struct stat status {};
  if (partial == 0 || ::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
  const off_t end = ::lseek(descriptor, 0, SEEK_CUR);
  if (end >= static_cast<off_t>(partial) && end == status.st_size) {
    // Where this fails too, there is nothing left to try.
    [[maybe_unused]] const int outcome = ::ftruncate(descriptor, end - static_cast<off_t>(partial));
  }
}

// What a new file may be used for, as the process has it.
mode_t new_file_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

OutputFile::~OutputFile() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

bool OutputFile::open(const std::string& path) {
  return open_as_it_is(path) && empty();
}

bool OutputFile::open_as_it_is(const std::string& path) {
  path_ = path == "-" ? "standard output" : path;
  descriptor_ = path == "-" ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kFileMode);
  if (descriptor_ < 0) fail(errno);
  line_by_line_ = is_terminal(descriptor_);
  return ok();
}

bool OutputFile::empty() {
  struct stat status {};
  // Whether standard output is truncated was decided by whoever redirected it. Pipes and devices have nothing
  // to truncate.
  if (descriptor_ == STDOUT_FILENO || (::fstat(descriptor_, &status) == 0 && !S_ISREG(status.st_mode)))
    return ok();
  if (::ftruncate(descriptor_, 0) != 0) fail(errno);
  return ok();
}

bool OutputFile::reopen(const std::string& path, uint64_t size) {
  path_ = path;
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  struct stat status {};
  // NOLINTNEXTLINE(bugprone-branch-clone): the questions are asked in this order.
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
    fail(errno);
  } else if (!S_ISREG(status.st_mode) || status.st_size < 0 || static_cast<uint64_t>(status.st_size) < size) {
    fail(EINVAL);
  } else if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0 ||
             ::lseek(descriptor_, 0, SEEK_END) != static_cast<off_t>(size)) {
    fail(errno);
  }
  size_ = size;
  return ok();
}

std::optional<uint64_t> OutputFile::regular_size(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 0)
    return std::nullopt;
  return static_cast<uint64_t>(status.st_size);
}

bool OutputFile::is_same_file(const std::string& path, const std::string& other) {
  struct stat a {
  }, b{};
  if (::stat(path.c_str(), &a) != 0 || ::stat(other.c_str(), &b) != 0) return false;
  return is_same_regular(a, b);
}

bool OutputFile::is_same_file(const OutputFile& other) const {
  struct stat a {
  }, b{};
  return ::fstat(descriptor_, &a) == 0 && ::fstat(other.descriptor_, &b) == 0 && is_same_regular(a, b);
}

void OutputFile::write(std::string_view piece) {
  if (!ok()) return;
  held_.append(piece);
  end_piece();
}

void OutputFile::write_line(std::string_view line) {
  if (!ok()) return;
  held_.append(line).append(1, '\n');
  end_piece();
}

void OutputFile::end_piece() {
  piece_ends_.push_back(held_.size());
  if (line_by_line_ || held_.size() >= kHeldBytes) flush();
}

bool OutputFile::flush() {
  size_t written = 0;
  while (ok() && written < held_.size()) {
    const ssize_t count = ::write(descriptor_, held_.data() + written, held_.size() - written);
    if (count > 0) {
      written += static_cast<size_t>(count);
      size_ += static_cast<uint64_t>(count);
    } else if (count < 0 && errno != EINTR) {
      const int error_number = errno;
      const auto next_end = std::upper_bound(piece_ends_.begin(), piece_ends_.end(), written);
      cut_partial_piece(descriptor_,
                        next_end == piece_ends_.begin() ? written : written - *std::prev(next_end));
      fail(error_number);
    }
  }
  held_.clear();
  piece_ends_.clear();
  return ok();
}

bool OutputFile::sync() {
  // Pipes and terminals have no disk behind them.
  if (flush() && ::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail(errno);
  return ok();
}

bool OutputFile::close() {
  if (descriptor_ < 0) return ok();
  flush();
  // Some file systems report a full disk only here.
  if (::close(descriptor_) != 0 && ok()) fail(errno);
  descriptor_ = -1;
  return ok();
}

void OutputFile::fail(int error_number) {
  error_ = "cannot write " + path_ + ": " + std::generic_category().message(error_number);
}

std::filesystem::path plain_path(const std::string& path) {
  std::error_code failed;
  std::filesystem::path plain = std::filesystem::absolute(path, failed);
  if (!failed) plain = std::filesystem::weakly_canonical(plain, failed);
  if (failed) return {};
  return plain.has_filename() ? plain : plain.parent_path();
}

bool lies_in(const std::string& folder, const std::string& path) {
  const std::filesystem::path outer = plain_path(folder);
  const std::filesystem::path inner = plain_path(path);
  return !outer.empty() &&
         std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

bool are_one_file(const std::string& path, const std::string& other) {
  return plain_path(path) == plain_path(other) || OutputFile::is_same_file(path, other);
}

bool overwrites_input(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  const auto file_of = [](const std::string& name, const char* standard) {
    return name == "-" ? standard : name;
  };
  for (const std::string& output : outputs) {
    for (const std::string& input : inputs) {
      if (OutputFile::is_same_file(file_of(output, "/dev/stdout"), file_of(input, "/dev/stdin"))) {
        report("the output " + output + " is one of the inputs");
        return true;
      }
    }
  }
  return false;
}

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
