// Reports what the operator of an engine should know.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <thread>

#include "core/memory.hpp"

namespace nd {

// The values are those of ndcapi.h.
enum LogLevel : int32_t { kLogError = 1, kLogWarning = 2 };

using LogFunction = void (*)(int32_t level, const char* message, size_t size, void* context);

struct LogTarget {
  LogFunction function = nullptr;
  void* context = nullptr;
};

// Threads: any number.
class Logger {
 public:
  // Lines logged before a target was set, for example while a store was opened, are reported now. When this
  // returns, the previous target is not running on another thread and will not run again. A call from within
  // a target does not wait, since two such calls would wait for each other.
  void set(const LogTarget& target);
  // Exceptions from the target are dropped.
  void log(int32_t level, std::string_view message) noexcept;

 private:
  // A call of a target, on the stack of the thread that makes it.
  struct Call {
    std::thread::id thread;
    uint64_t target_number;
    Call* next;
  };
  struct Line {
    int32_t level;
    String message;
  };
  static constexpr size_t kKeptLines = 16;

  void report(const LogTarget& target, int32_t level, std::string_view message) noexcept;
  bool is_called_by(std::thread::id thread) const noexcept;
  bool is_older_running() const noexcept;
  void leave(Call& call) noexcept;

  std::mutex mutex_;  // guards all that follows; not held while a target runs
  std::condition_variable left_;
  LogTarget target_;
  uint64_t target_number_ = 0;  // how many were set
  Call* calls_ = nullptr;
  Vector<Line> kept_;
};

}  // namespace nd
