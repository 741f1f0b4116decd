// Queues the pages of each URL and lets one of them pass at a time.
#include "url_turns.hpp"

namespace ndc {

void UrlTurns::queue(std::string_view url, uint64_t item) {
  const std::lock_guard lock(mutex_);
  turns_[std::string(url)].push_back(item);
}

void UrlTurns::wait(std::string_view url, uint64_t item) {
  const std::string key(url);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    const auto turns = turns_.find(key);
    return stopped_ || turns == turns_.end() || turns->second.front() == item;
  });
}

void UrlTurns::done(std::string_view url, uint64_t item) {
  const std::lock_guard lock(mutex_);
  const auto turns = turns_.find(std::string(url));
  if (turns == turns_.end()) return;
  std::erase(turns->second, item);
  if (turns->second.empty()) {
    turns_.erase(turns);
  } else {
    changed_.notify_all();
  }
}

void UrlTurns::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

}  // namespace ndc
