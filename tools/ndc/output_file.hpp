// Where rows, records and other results are written: a file that appears when it is whole, or a pipe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unfinished_file.hpp"

namespace ndc {

// A file, or a stream. A regular file is written beside its place and gets its name by close(), when it is
// whole: what had the name before stays until then. Pipes, devices and what the process has open already
// ("-", /dev/fd/3) are written at once.
//
// Whole pieces only: what a full disk or a closed pipe takes of a line or another piece is cut off again
// where that is possible. One thread at a time.
class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();  // without close(): what is there under the name of a regular file stays
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // False: error() says why.
  bool open(const std::string& path);

  // A new file that has its name from the start: in a folder that is unfinished itself. False: error() says
  // why.
  bool create(const std::string& path);

  // Goes on behind the first `size` bytes of what an earlier process has left unfinished, and cuts off what
  // lies behind them. Pipes and devices begin again. False: error() says why, also where there are fewer
  // bytes.
  bool reopen(const std::string& path, uint64_t size);

  // Whether an output of this name is a regular file, or will be.
  static bool appears_whole(const std::string& path);
  // How much of such an output there is: what is unfinished, and what has the name. nullopt: nothing is
  // there.
  static std::optional<uint64_t> unfinished_size(const std::string& path);
  static std::optional<uint64_t> finished_size(const std::string& path);

  // What is written stays for reopen() if this process ends before close().
  void keep_unfinished() { unfinished_.keep(); }

  // Whether an output of this name would be written to the same unfinished file: on a file system for which
  // two names that differ in case are one.
  bool is_written_as(const std::string& path) const;

  // Takes `piece`, which is written as a whole or not. After a failed write everything is dropped and ok() is
  // false.
  void write(std::string_view piece);

  // The same for `line` and a line end.
  void write_line(std::string_view line);

  // Writes everything still buffered.
  bool flush();

  // And waits until it is on the disk.
  bool sync();

  // What has been written, with what reopen() found.
  uint64_t size() const { return size_; }

  // Writes what is still held, and a regular file gets its name. Not `is_whole`, since the run has failed: it
  // does not, and only a stream shows how far the run came. False: not everything could be written, error()
  // says why, and what had the name has it still.
  bool close(bool is_whole = true);

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  bool is_shown_on_terminal() const { return line_by_line_; }

 private:
  void end_piece();
  bool use(int descriptor);
  void fail(int error_number);
  void fail(const std::string& reason);

  std::string path_;
  UnfinishedFile unfinished_;  // of a regular file
  int descriptor_ = -1;
  bool is_own_ = false;  // to be closed here
  uint64_t size_ = 0;
  bool line_by_line_ = false;  // a person at a terminal sees every line at once
  std::string held_;
  std::vector<size_t> piece_ends_;  // in held_
  std::string error_;
};

}  // namespace ndc
