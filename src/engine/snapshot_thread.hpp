// The thread that takes an engine's automatic snapshots, so that no check waits for them.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "core/result.hpp"

namespace nd::engine {

// Threads: any number, except for start() and stop().
class SnapshotThread {
 public:
  ~SnapshotThread() { stop(); }

  // `take` runs on the thread each time a snapshot is requested. Errors: kLimit if the thread cannot be
  // started.
  Result<void> start(std::function<void()> take);
  void stop() noexcept;  // once the running snapshot is done
  bool is_running() const noexcept { return thread_.joinable(); }

  // Requests a snapshot unless one is already requested.
  void ask() noexcept;
  // As ask(), and waits until `is_enough` holds or a snapshot that began after the call has ended.
  void wait(const std::function<bool()>& is_enough);

 private:
  void run();

  std::function<void()> take_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  bool asked_ = false;
  bool stopping_ = false;
  uint64_t begun_ = 0;
  uint64_t ended_ = 0;
  std::thread thread_;
};

}  // namespace nd::engine
