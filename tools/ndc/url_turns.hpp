// Pages of one URL, one after the other, while many threads check others.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "archives/keyed_hash.hpp"

namespace ndc {

// The item that queued a URL first has its turn; the next waits until the first calls done(). Threads: any
// number; queue() in the order of the turns.
class UrlTurns {
 public:
  void queue(std::string_view url, uint64_t item);

  // Returns when it is this item's turn, or after stop().
  void wait(std::string_view url, uint64_t item);
  void done(std::string_view url, uint64_t item);

  // Nobody waits any more.
  void stop();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  KeyedMap<std::deque<uint64_t>> turns_;
};

}  // namespace ndc
