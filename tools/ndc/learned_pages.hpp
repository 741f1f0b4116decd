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

// What nd_read_page() gave of them waits in a temporary file. Memory: about 100 bytes and the URL of each.
// One thread at a time.
class LearnedPages {
 public:
  // In the order of input. `note`: what check() gives with the answer. False: error() says why.
  bool add(std::string_view url, std::string_view note, std::string_view features);
  uint64_t size() const { return spool_.size(); }

  // `wanted`: by the order of add(), those that are learned or checked; empty: all of them.
  using Wanted = std::vector<bool>;
  // Tells a new engine in memory of them. False: error() says why.
  bool learn(nd_engine* engine, const Wanted& wanted = {});
  // Then checks them in their order, and gives the answers to `take`; false ends the calls. False: error()
  // says why.
  using Take = std::function<bool(std::string_view note, const nd_result& result)>;
  bool check(nd_engine* engine, size_t threads, const Take& take, const Wanted& wanted = {});

  const std::string& error() const { return error_.empty() ? spool_.error() : error_; }

 private:
  struct Slot {
    std::string note;
    std::string features;
    nd_result result = ND_RESULT_INIT;
    std::string failure;
  };
  bool read_wanted(const Wanted& wanted, std::string& note, std::string& features);

  FeatureSpool spool_;
  KeyedMap<uint64_t> last_of_;  // URL to the last page that has it
  std::string error_;
};

}  // namespace ndc
