// Where an engine tells what its operator should know.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <string_view>

#include "core/memory.hpp"

namespace nd::engine {

// The values are those of ndcapi.h.
enum LogLevel : int32_t { kLogError = 1, kLogWarning = 2, kLogInfo = 3 };

using LogFunction = void (*)(int32_t level, const char* message, size_t size, void* context);

// Threads: any number.
class Logger {
 public:
  // What was told while nobody listened, as when a store was opened, is told now.
  void set(LogFunction function, void* context);
  void log(int32_t level, std::string_view message) noexcept;

 private:
  struct Line {
    int32_t level;
    String message;
  };
  static constexpr size_t kKeptLines = 16;

  std::shared_mutex mutex_;
  LogFunction function_ = nullptr;
  void* context_ = nullptr;
  Vector<Line> kept_;
};

}  // namespace nd::engine
