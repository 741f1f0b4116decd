// What an engine counts. Every answer that a limit changed shows up here.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/work_tally.hpp"
#include "reading/html.hpp"

namespace nd::engine {

using Counter = std::atomic<uint64_t>;

struct Counters {
  Counter checks{0}, queries{0};
  std::array<Counter, 6> verdicts{};  // by verdict, of checks
  Counter recrawls{0}, changed{0}, reverified{0}, regrouped{0}, removed{0}, expired{0};
  Counter snapshot_failures{0};
  Counter body_bytes{0};
  Counter without_own_text{0};  // checks of pages that are all their site's, see Check::read()
  std::array<Counter, text::kDoubts> pages_left{};  // to libxml2, by text::Doubt
  Counter candidates{0}, verifications{0}, rejected_by_sketch{0}, retried_commits{0}, spot_searches{0};
  Counter limit_page_bytes{0}, limit_markup{0}, limit_tokens{0}, limit_candidates{0}, limit_verifications{0},
      limit_work{0}, limit_memory{0}, limit_index{0}, limit_spots{0};
  std::array<Counter, kWorkKinds> work{};  // of checks and queries

  void add(const WorkTally& tally) noexcept {
    for (size_t kind = 0; kind < kWorkKinds; ++kind)
      work[kind].fetch_add(tally.amounts()[kind], std::memory_order_relaxed);
  }
};

// Latency of checks in powers of two: bucket i counts up to 64 · 2^i microseconds, the last one everything
// longer.
class LatencyHistogram {
 public:
  static constexpr size_t kBuckets = 16;
  static constexpr uint64_t limit_us(size_t bucket) noexcept { return uint64_t{64} << bucket; }

  void add(uint64_t microseconds) noexcept {
    size_t bucket = 0;
    while (bucket + 1 < kBuckets && microseconds > limit_us(bucket))
      ++bucket;
    buckets_[bucket].fetch_add(1, std::memory_order_relaxed);
    sum_us_.fetch_add(microseconds, std::memory_order_relaxed);
  }
  uint64_t count(size_t bucket) const noexcept { return buckets_[bucket].load(std::memory_order_relaxed); }
  uint64_t sum_us() const noexcept { return sum_us_.load(std::memory_order_relaxed); }

 private:
  std::array<Counter, kBuckets> buckets_{};
  Counter sum_us_{0};
};

}  // namespace nd::engine
