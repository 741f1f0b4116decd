// Pages that are all read before the first of them is checked, so that each is decided by what all have shown
// of their sites.
#pragma once

#include <ndcapi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "archives/keyed_hash.hpp"
#include "spool_files.hpp"

namespace ndc {

// A URL that comes several times is one page to the engine, which gets its last text only.
//
// What nd_read_page() gives of the pages, and the notes, wait in files without names, in the folder for
// temporary files. Memory: about 150 bytes a page, and 100 and the URL for each URL. One thread at a time.
class LearnedPages {
 public:
  // In the order of input. `note`: what each() gives with the answer. False: error() says why.
  bool add(std::string_view url, std::string_view note, std::string_view features);
  size_t size() const { return pages_.size(); }

  // `wanted`: by the order of add(), the pages that the engine gets; empty: all.
  using Wanted = std::vector<bool>;
  // Tells a new engine in memory what the pages show of their sites. False: error() says why.
  bool learn(nd_engine* engine, const Wanted& wanted = {});
  // Has the last text of each URL checked; `done` is called after each. False: error() says why.
  bool check(nd_engine* engine, size_t threads, const std::function<void()>& done, const Wanted& wanted = {});
  // Asks which pages the earlier texts match, where a URL came with several; their group is that of the page
  // that they match, or 0. After check() of all. False: error() says why.
  bool query_earlier_texts(nd_engine* engine);

  // All notes and answers in the order of input, until `take` returns false. False: error() says why.
  using Take = std::function<bool(std::string_view note, const nd_result& answer)>;
  bool each(const Take& take);

  const std::string& error() const {
    return !error_.empty() ? error_ : !spool_.error().empty() ? spool_.error() : notes_.error();
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  struct Page {
    uint64_t offset = 0;          // in the file
    size_t text_as = 0;           // the page before it whose text its URL still has; else itself
    size_t last_text = 0;         // the page from which on its URL has its last text
    size_t earlier_text = kNone;  // the page from which on its URL had another text before
    uint32_t history = 0;         // ND_FLAG_RECRAWL, ND_FLAG_CHANGED
  };
  struct Text {
    size_t page = 0;  // from which on the URL has it
    uint64_t hash = 0;
    uint64_t width = 0;
  };
  struct Slot {
    size_t page = 0;
    std::string features;
    nd_result answer = ND_RESULT_INIT;
    std::string failure;
  };
  void find_last_texts();
  bool next_wanted(size_t& page, const Wanted& wanted) const;
  bool read(size_t page, std::string& features);
  nd_result answer_of(size_t page) const;

  FeatureSpool spool_;
  FeatureSpool notes_;  // without features: the answers are given without reading those again
  std::vector<Page> pages_;
  std::vector<nd_result> answers_;
  KeyedMap<Text> texts_;  // the last one of each URL
  std::string error_;
};

}  // namespace ndc
