// How a walk in pieces leaves room for others.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

#include "core/update_lock.hpp"

namespace nd::engine {

// A change waits for each walker that is within a piece and, where there are fewer processors than threads,
// until that walker runs again. So while others make changes, walks rest between two pieces, some times as
// long as a piece takes.
class WalkPace {
 public:
  explicit WalkPace(const UpdateLock& lock) noexcept : lock_(lock), changes_(lock.changes()) {}

  // Between two pieces, without the lock.
  void rest() noexcept {
    const uint32_t changes = lock_.changes();
    changes != changes_ ? std::this_thread::sleep_for(kRest) : std::this_thread::yield();
    changes_ = changes;
  }

 private:
  static constexpr std::chrono::microseconds kRest{100};
  const UpdateLock& lock_;
  uint32_t changes_;
};

}  // namespace nd::engine
