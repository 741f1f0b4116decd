// An engine that is called as an input says, beside a register of what its answers have said.
#pragma once

#include <ndcapi.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/acting_options.hpp"
#include "fuzz/engine_log.hpp"
#include "fuzz/fetched_pages.hpp"
#include "fuzz/input_reader.hpp"
#include "fuzz/page_register.hpp"

namespace nd::fuzz {

// The state that outlives an engine: its pages and bookmarks.
struct Knowledge {
  PageRegister pages;
  std::map<std::string, std::string> bookmarks;
};

class EngineSession {
 public:
  explicit EngineSession(InputReader& input);
  EngineSession(const EngineSession&) = delete;
  EngineSession& operator=(const EngineSession&) = delete;
  ~EngineSession();

  // False if the options of the input do not go together: there is nothing to call.
  bool is_open() const { return engine_ != nullptr; }
  void call(InputReader& input);
  void finish();

 private:
  // Counts of the calls since the engine was opened.
  struct Tally {
    uint64_t checks = 0, queries = 0, recrawls = 0, changed = 0, removed = 0;
    uint64_t verdicts[ND_NO_TEXT + 1] = {};
  };

  void set_option(const char* key, const char* value);
  void read_options(InputReader& input);
  void close();
  void read_storage_options(InputReader& input);
  void open();
  void reopen(InputReader& input, bool verifies);
  void crash(InputReader& input);
  void after_loss();

  nd_result check(const FetchedPage& page, bool by_features);
  nd_result query(const FetchedPage& page) const;
  void check_read(const nd_page& page, nd_result& result) const;
  void check_page(InputReader& input);
  void query_page(InputReader& input);
  void remove_page(InputReader& input);
  void remove_matching(InputReader& input);
  void snapshot(bool compacts);
  void read_concurrently();
  void use_bookmark(InputReader& input);
  void look_at_pages(InputReader& input);
  void look_at_texts(InputReader& input);
  void compare_pages(uint64_t page_a, uint64_t page_b, std::string_view explanation);
  nd_stats stats() const;
  void check_stats() const;

  std::string path_;  // empty: in memory
  nd_options* options_ = nullptr;
  std::optional<ActingOptions> page_options_, feature_options_;  // those of them for calls without the engine
  nd_engine* engine_ = nullptr;
  EngineLog log_;
  bool method_decides_ = false;
  std::string durability_;
  FetchedPages fetched_;
  std::vector<uint8_t> signature_;  // of the page that was looked at last
  Knowledge now_;
  Knowledge snapshot_;  // of the last one, which readers see
  Knowledge kept_;      // what is left where only snapshots are durable
  Tally tally_;
};

}  // namespace nd::fuzz
