// Rows of `ndc dedup` that wait until the last page was checked: then it is known which group each is in.
#pragma once

#include <ndcapi.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "row_writer.hpp"
#include "verdict_records.hpp"

namespace ndc {

// They wait in a file without a name, in the folder for temporary files. Memory: a number for each page. One
// thread at a time.
class WaitingRows {
 public:
  // False: error() says why.
  bool open();
  // What cannot be kept is reported by write().
  void add(const Row& row, const RecordOrigin& origin);
  // After the last row: gives all rows in their order, without `kept`. The rows of a page's last text have
  // the ids that the page has now. The row of an earlier text has the group that the page which it matched is
  // in now; 0 if it matched none, since nothing that is known at the end has that text. False: error() says
  // why.
  bool write(nd_engine* engine, const std::function<void(Row& row, const RecordOrigin& origin)>& give);
  const std::string& error() const { return error_; }

 private:
  struct Closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void put(std::string_view text);
  bool take(std::string& text);
  bool read(Row& row, RecordOrigin& origin);
  bool rewind();
  bool find_last_rows(nd_engine* engine);
  void renew(nd_engine* engine, uint64_t index, Row& row) const;
  void fail(const char* what);

  std::unique_ptr<std::FILE, Closing> file_;
  uint64_t count_ = 0;
  std::unordered_map<uint64_t, uint64_t> last_row_of_;  // page id to the row that decided its last text
  std::string error_;
};

// Fills in the URLs of the pages that the row's result names by their ids.
void name_other_pages(nd_engine* engine, bool with_founder, Row& row);

}  // namespace ndc
