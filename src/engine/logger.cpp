#include "engine/logger.hpp"

#include <mutex>
#include <new>
#include <utility>

namespace nd::engine {

void Logger::set(LogFunction function, void* context) {
  Vector<Line> lines;
  {
    const std::unique_lock lock(mutex_);
    function_ = function;
    context_ = context;
    if (function != nullptr) lines.swap(kept_);
  }
  for (const Line& line : lines)
    function(line.level, line.message.data(), line.message.size(), context);
}

// Losing a line for want of memory is better than failing the call that tells it.
void Logger::log(int32_t level, std::string_view message) noexcept {
  LogFunction function = nullptr;
  void* context = nullptr;
  {
    const std::unique_lock lock(mutex_);
    function = function_;
    context = context_;
    if (function == nullptr && kept_.size() < kKeptLines) {
      try {
        kept_.push_back({level, String(message)});
      } catch (const std::bad_alloc&) {
        return;
      }
    }
  }
  if (function != nullptr) function(level, message.data(), message.size(), context);
}

}  // namespace nd::engine
