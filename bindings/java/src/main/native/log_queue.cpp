// Keeps a bounded number of lines and counts those that found no room.
#include "log_queue.hpp"

#include <ndcapi.h>

#include <new>

namespace ndc::jni {

void LogQueue::add(int32_t level, std::string_view text) noexcept {
  const std::lock_guard lock(mutex_);
  waiting_.store(true, std::memory_order_release);
  try {
    if (lines_.size() < kMaxLines) {
      lines_.push_back({level, std::string(text.substr(0, kMaxLineBytes))});
      return;
    }
  } catch (const std::bad_alloc&) {
  }
  ++dropped_;
}

std::vector<LogQueue::Line> LogQueue::take() {
  std::vector<Line> taken;
  uint64_t dropped = 0;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(lines_);
    std::swap(dropped, dropped_);
    waiting_.store(false, std::memory_order_release);
  }
  if (dropped != 0)
    taken.push_back({ND_LOG_WARNING, std::to_string(dropped) + " more lines of the log were dropped"});
  return taken;
}

}  // namespace ndc::jni
