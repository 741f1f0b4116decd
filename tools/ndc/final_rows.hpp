// Rows that wait until the last page was checked, because groups may merge and pages may move until then.
#pragma once

#include <ndcapi.h>
#include <cstdio>
#include <memory>
#include <string>

#include "kept_pages.hpp"
#include "row_writer.hpp"

namespace ndc {

// They wait in a file without a name, in the folder for temporary files, so that memory does not grow with
// them. One thread at a time.
class FinalRows {
 public:
  // False: error() says why.
  bool open();
  // What cannot be kept is told by write().
  void add(const Row& row);
  // All rows, in their order, with the ids that the engine has for their pages now; what else a row says is
  // of the page's check. `kept`, after choose(), may be NULL. False: error() says why.
  bool write(nd_engine* engine, const KeptPages* kept, RowWriter& output);
  const std::string& error() const { return error_; }

 private:
  struct Closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void put(std::string_view text);
  bool take(std::string& text);
  bool read(Row& row);
  void fail(const char* what);

  std::unique_ptr<std::FILE, Closing> file_;
  uint64_t count_ = 0;
  std::string error_;
};

}  // namespace ndc
