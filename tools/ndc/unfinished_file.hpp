// The file beside an output's place in which the output is written until it is whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ndc {

// ".NAME.ndc-unfinished" beside NAME, which input folders pass over because of the dot.
//
// Its writer holds a lock on it (flock), which goes with the process: so what a killed process has left is
// told from what a living one still writes. Where the file system has no locks, two writers of one output at
// the same time are not kept apart. The Python package does the same (ndc/_outputs.py). One thread at a time.
class UnfinishedFile {
 public:
  UnfinishedFile() = default;
  ~UnfinishedFile();  // removes it, unless it has got its name or is kept
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  // Where the file of this output is written. `path`: behind all symbolic links.
  static std::string path_beside(const std::string& path);
  // The size of what is there; nullopt: nothing is.
  static std::optional<uint64_t> size_beside(const std::string& path);

  // Makes it, in the place of what a dead process has left. It gets mode, owner and group of the file at
  // `path` as far as this process may give them. False: error() says why.
  bool create(const std::string& path);
  // Takes what a dead process has left. False: error() says why.
  bool go_on(const std::string& path);

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  // Whether an output of this path, behind all links, would be written to the same file: names that a file
  // system takes for one.
  bool is_beside(const std::string& path) const;

  // From now on the destructor leaves it where it is.
  void keep() { is_kept_ = true; }
  // Gives the file its name, in the place of what had it, and closes it. False: error() says why, and what
  // had the name has it still.
  bool give_name();

  const std::string& error() const { return error_; }  // without the name of the output

 private:
  bool lock(bool& is_current);
  bool clear_left_over();
  bool take_permissions();
  void close();
  bool fail_at_left_over(int error_number);
  bool fail(int error_number);

  std::string path_;
  std::string unfinished_;
  int descriptor_ = -1;
  bool is_kept_ = false;
  std::string error_;
};

}  // namespace ndc
