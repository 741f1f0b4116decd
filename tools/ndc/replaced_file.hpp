// A file that appears under its name when all of it is there.
#pragma once

#include <string>

#include "output_file.hpp"

namespace ndc {

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
