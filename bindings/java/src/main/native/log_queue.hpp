// Where an engine's log waits for Java. The engine also logs from a thread of its own, which the JVM does not
// know and shall not get to know: attaching it could hold up the JVM's end.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace ndc::jni {

class LogQueue {
 public:
  struct Line {
    int32_t level;  // ND_LOG_...
    std::string text;
  };

  // Never throws; what does not fit any more is counted instead.
  void add(int32_t level, std::string_view text) noexcept;
  bool empty() const noexcept { return !waiting_.load(std::memory_order_acquire); }
  // All lines, oldest first, and one that tells how many were dropped.
  std::vector<Line> take();

 private:
  static constexpr size_t kMaxLines = 1000;
  static constexpr size_t kMaxLineBytes = 4096;

  std::mutex mutex_;
  std::vector<Line> lines_;
  uint64_t dropped_ = 0;
  std::atomic<bool> waiting_{false};
};

}  // namespace ndc::jni
