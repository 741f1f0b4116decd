// Writes through one buffer, checks each write, and gives the file its name when it is whole.
#include "output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>

#include "output_place.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kHeldBytes = size_t{64} << 10;
constexpr mode_t kFileMode = 0666;

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

}  // namespace

OutputFile::~OutputFile() {
  if (is_own_) ::close(descriptor_);
}

bool OutputFile::open(const std::string& path) {
  path_ = shown_output(path);
  const OutputPlace place = output_place(path);
  if (path == "-") return use(STDOUT_FILENO);
  if (place.appears_whole) {
    const uint64_t left = UnfinishedFile::size_beside(place.path).value_or(0);
    if (!unfinished_.create(place.path)) {
      fail(unfinished_.error());
      return false;
    }
    // `ndc dedup --store` could have continued in it.
    if (left > 0) {
      print_message("removed " + UnfinishedFile::path_beside(place.path) +
                    ", which an interrupted run had left (" + counted(left, "byte") + ")");
    }
    return use(unfinished_.descriptor());
  }
  is_own_ = true;
  // The program that opened the file has decided whether to empty it.
  return use(place.descriptor ? ::fcntl(*place.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                              : ::open(path.c_str(), O_WRONLY | O_CLOEXEC));
}

bool OutputFile::create(const std::string& path) {
  path_ = path;
  is_own_ = true;
  return use(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode));
}

bool OutputFile::reopen(const std::string& path, uint64_t size) {
  const OutputPlace place = output_place(path);
  if (!place.appears_whole) return open(path);
  path_ = path;
  if (!unfinished_.go_on(place.path)) {
    fail(unfinished_.error());
    return false;
  }
  // What was left is not lost when this fails.
  unfinished_.keep();
  if (unfinished_size(path).value_or(0) < size) {
    fail(EINVAL);
    return false;
  }
  if (!use(unfinished_.descriptor())) return false;
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0 ||
      ::lseek(descriptor_, 0, SEEK_END) != static_cast<off_t>(size)) {
    fail(errno);
  }
  size_ = size;
  return ok();
}

bool OutputFile::use(int descriptor) {
  descriptor_ = descriptor;
  if (descriptor_ < 0) {
    is_own_ = false;
    fail(errno);
  }
  line_by_line_ = is_terminal(descriptor_);
  return ok();
}

bool OutputFile::appears_whole(const std::string& path) {
  return output_place(path).appears_whole;
}

std::optional<uint64_t> OutputFile::unfinished_size(const std::string& path) {
  return UnfinishedFile::size_beside(output_place(path).path);
}

std::optional<uint64_t> OutputFile::finished_size(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<uint64_t>(status.st_size);
}

bool OutputFile::is_written_as(const std::string& path) const {
  return unfinished_.is_beside(output_place(path).path);
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

bool OutputFile::close(bool is_whole) {
  if (descriptor_ < 0) return ok();
  if (unfinished_.is_open()) {
    if (!is_whole) return flush();
    if (sync() && !unfinished_.give_name()) fail(unfinished_.error());
  } else {
    flush();
    // Some file systems report a full disk only here.
    if (is_own_ && ::close(descriptor_) != 0 && ok()) fail(errno);
  }
  is_own_ = false;
  descriptor_ = -1;
  return ok();
}

void OutputFile::fail(int error_number) {
  fail(std::generic_category().message(error_number));
}

void OutputFile::fail(const std::string& reason) {
  error_ = "cannot write " + path_ + ": " + reason;
}

}  // namespace ndc
