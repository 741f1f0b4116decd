// Keeps the first damage as a sentence with its place, in fixed memory: the reader that finds it cannot fail.
#include "store/damage_report.hpp"

#include <algorithm>
#include <charconv>

namespace nd::store {

void DamageReport::report(std::string_view file, uint64_t offset, std::string_view sentence) noexcept {
  const std::lock_guard lock(mutex_);
  if (damaged_.load(std::memory_order_relaxed)) return;
  char number[24];
  const std::to_chars_result end = std::to_chars(number, number + sizeof number, offset);
  char* out = sentence_;
  char* const limit = sentence_ + kSentenceBytes - 1;
  for (std::string_view part :
       {file, std::string_view(", offset "), std::string_view(number, static_cast<size_t>(end.ptr - number)),
        std::string_view(": "), sentence}) {
    out = std::copy_n(part.data(), std::min<size_t>(part.size(), static_cast<size_t>(limit - out)), out);
  }
  *out = '\0';
  damaged_.store(true, std::memory_order_release);
}

Result<void> DamageReport::first() const {
  if (!damaged_.load(std::memory_order_acquire)) return {};
  return error(Status::kCorrupt, std::string_view(sentence_));
}

}  // namespace nd::store
