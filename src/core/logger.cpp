// Calls the operator's function without holding the mutex, and waits until an earlier function has returned
// before it is replaced.
#include "core/logger.hpp"

#include <new>
#include <utility>

namespace nd {

void Logger::set(const LogTarget& target) {
  Vector<Line> lines;
  const std::thread::id self = std::this_thread::get_id();
  {
    std::unique_lock lock(mutex_);
    target_ = target;
    ++target_number_;
    if (target.function != nullptr) lines.swap(kept_);
    if (!is_called_by(self)) left_.wait(lock, [this] { return !is_older_running(); });
  }
  for (const Line& line : lines)
    log(line.level, line.message);
}

// Losing a line for lack of memory is better than failing the call that logs it.
void Logger::log(int32_t level, std::string_view message) noexcept {
  Call call{std::this_thread::get_id(), 0, nullptr};
  LogTarget target;
  {
    const std::lock_guard lock(mutex_);
    if (target_.function == nullptr) {
      if (kept_.size() >= kKeptLines) return;
      try {
        kept_.push_back({level, String(message)});
      } catch (const std::bad_alloc&) {
        return;
      }
      return;
    }
    target = target_;
    call.target_number = target_number_;
    call.next = std::exchange(calls_, &call);
  }
  report(target, level, message);
  leave(call);
}

void Logger::report(const LogTarget& target, int32_t level, std::string_view message) noexcept {
  try {
    target.function(level, message.data(), message.size(), target.context);
  } catch (...) {
    return;
  }
}

bool Logger::is_called_by(std::thread::id thread) const noexcept {
  for (const Call* call = calls_; call != nullptr; call = call->next) {
    if (call->thread == thread) return true;
  }
  return false;
}

bool Logger::is_older_running() const noexcept {
  for (const Call* call = calls_; call != nullptr; call = call->next) {
    if (call->target_number < target_number_) return true;
  }
  return false;
}

void Logger::leave(Call& call) noexcept {
  const std::lock_guard lock(mutex_);
  Call** place = &calls_;
  while (*place != &call)
    place = &(*place)->next;
  *place = call.next;
  left_.notify_all();
}

}  // namespace nd
