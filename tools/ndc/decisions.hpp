// What people have said of pages: the tables of `ndc report`, and lists of URLs that other tools write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archives/keyed_hash.hpp"
#include "keep_rule.hpp"

namespace ndc {

struct Decision {
  Judgement judgement = Judgement::kNone;
  uint64_t document = 0;                 // as KeepCandidate has it
  std::optional<int64_t> fetched_at_ms;  // of the capture that was judged; nullopt: all of the URL
  bool is_listed = false;                // as KeepCandidate has it
  bool is_met = false;                   // its URL is in the input
  bool is_fresh = false;                 // and the capture that was judged
};

// Files of lines with tabs. A first line that has a column "url" names them: "decision" is keep or leave-out,
// "fetched" the time of the capture that was judged; "group" and "kind" are those of labels.tsv, in which
// pages of one group are the same document. Without such a line the columns are url and decision, and a URL
// alone is to be kept in the place of the others of its group. Memory: the URL and about 150 bytes for each
// line.
class Decisions {
 public:
  // False: error() says why, with the place.
  bool read(const std::string& path);
  const std::string& error() const { return error_; }
  bool empty() const { return by_url_.empty(); }

  // Enters what was said into the candidates, and puts those that are the same document into one group.
  // False: no URL of one of the files is there; error() says so.
  bool apply(std::vector<KeepCandidate>& candidates);
  // After apply(): sentences about what could not be applied.
  std::vector<std::string> remarks() const;

 private:
  struct Columns;
  struct File {
    std::string path;
    size_t urls = 0;
    bool is_met = false;  // one of them is in the input
  };
  struct JudgedUrl {
    std::vector<Decision> decisions;  // several are about captures of different times
    std::vector<size_t> files;        // which of `files_` have it
    std::optional<uint64_t> group;    // of its first capture, in apply()
    // Its captures were in more than one group once, though those that are left may be in one.
    bool has_several_groups = false;
    bool is_unclear = false;  // so labels without a time did not say which of them are meant
  };
  bool add_line(const Columns& columns, std::string_view line);
  bool add(std::string_view url, const Decision& decision);
  bool fail(const std::string& what);

  KeyedMap<JudgedUrl> by_url_;  // as the tables spell it
  KeyedMap<uint64_t> documents_;
  std::vector<std::string> urls_;  // in the order of the files
  std::vector<File> files_;
  size_t line_ = 0;
  std::string error_;
};

}  // namespace ndc
