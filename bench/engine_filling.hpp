// Fills engines with a number of generated pages before anything is measured.
#pragma once

#include <ndcapi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ndc::bench {

struct CloseEngine {
  void operator()(nd_engine* engine) const { nd_close(engine); }
};
using EngineHandle = std::unique_ptr<nd_engine, CloseEngine>;

// Default options; in memory, or the store at `path`. Ends the process if it cannot.
EngineHandle open_engine(const std::string& path = {});

// Features of generated pages (page_generator.hpp: seven of ten are new). Few are made once and kept, many
// are made again for each engine.
class EngineFiller {
 public:
  explicit EngineFiller(uint64_t pages);
  // By nd_check_features, on the calling thread. Ends the process if a call fails.
  void fill(nd_engine* engine) const;
  uint64_t pages() const { return pages_; }

 private:
  static constexpr uint64_t kMostKept = 200'000;  // of some 2 KB
  template <typename Take>
  void make(Take&& take) const;

  uint64_t pages_;
  std::vector<std::vector<uint8_t>> kept_;  // records
};

}  // namespace ndc::bench
