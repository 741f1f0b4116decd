// Collects the damage that readers of files find, since most of them can only return "absent".
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "core/result.hpp"

namespace nd::store {

// Keeps the first report only. Threads: any number.
class DamageReport {
 public:
  void report(std::string_view file, uint64_t offset, std::string_view sentence) noexcept;
  // kCorrupt with file and offset; ok if nothing was reported. Cost: one load as long as nothing was
  // reported.
  Result<void> first() const;

 private:
  static constexpr size_t kSentenceBytes = 256;
  std::atomic<bool> damaged_{false};
  mutable std::mutex mutex_;
  char sentence_[kSentenceBytes] = {};  // fixed: a report must not fail for lack of memory
};

}  // namespace nd::store
