// The destination of the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ndc {

// A file, or standard output for "-". Whole pieces only: what a full disk or a closed pipe takes of a line or
// another piece is cut off again where that is possible. One thread at a time.
class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Creates or empties the file. False: error() says why.
  bool open(const std::string& path);

  // The same in two steps, between which nothing is lost.
  bool open_as_it_is(const std::string& path);
  bool empty();

  // Goes on behind the first `size` bytes of a regular file and cuts off what lies behind them. False:
  // error() says why, also where the file has fewer.
  bool reopen(const std::string& path, uint64_t size);

  // The size of a regular file; nullopt: it is something else, or not there.
  static std::optional<uint64_t> regular_size(const std::string& path);

  // Whether this path, which need not exist, is the same file as the other.
  static bool is_same_file(const std::string& path, const std::string& other);

  // Whether both are open, and write to the same regular file, whatever it was called.
  bool is_same_file(const OutputFile& other) const;

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

  // Writes what is still held and closes. False: not everything could be written, error() says why.
  bool close();

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  bool is_shown_on_terminal() const { return line_by_line_; }

 private:
  void end_piece();
  void fail(int error_number);

  std::string path_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
  bool line_by_line_ = false;  // a person at a terminal sees every line at once
  std::string held_;
  std::vector<size_t> piece_ends_;  // in held_
  std::string error_;
};

// Whether an output may go where the command line says.
//
// The canonical form of the path, as far as it exists. Empty: it cannot be found out.
std::filesystem::path plain_path(const std::string& path);

bool lies_in(const std::string& folder, const std::string& path);

// Whether both names lead to one file, which need not exist.
bool are_one_file(const std::string& path, const std::string& other);

// True after a message if one of `outputs` is one of `inputs`: emptying the output must not empty an input,
// nor may what is written be read again. "-" is a standard stream; an empty name is no output.
bool overwrites_input(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

// A file that appears under its name only when it is complete.
//
// Written beside its place under a name of its own, which is removed again if finish() was not reached. One
// thread at a time.
class ReplacedFile {
 public:
  ReplacedFile() = default;
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  // False: error() says why, also where something other than a regular file has the name.
  bool open(const std::string& path);
  OutputFile& file() { return file_; }
  // Writes all to the disk and gives the file its name, in the place of what had it. False: error() says why,
  // and what was there is as it was.
  bool finish();
  const std::string& error() const { return error_.empty() ? file_.error() : error_; }

 private:
  void fail(int error_number);

  std::string path_;
  std::string written_path_;  // empty: there is nothing to remove
  OutputFile file_;
  std::string error_;
};

}  // namespace ndc
