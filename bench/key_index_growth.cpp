// Adds keys of generated pages to an index of its own and measures memory and look-ups as it grows.
#include "key_index_growth.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "collection/key_index.hpp"
#include "core/hash.hpp"
#include "cpu_clock.hpp"
#include "spread.hpp"

namespace ndc::bench {
namespace {

constexpr uint64_t kFirstLine = 10'000;
constexpr uint64_t kLookedUpPages = 20'000;
constexpr uint64_t kSecret = 0x6b65797321ULL;

class GrowingIndex {
 public:
  explicit GrowingIndex(uint64_t keys_a_page) : keys_a_page_(keys_a_page), index_(kSecret, {}) {}

  void add_page(uint64_t number) {
    const uint64_t draw = nd::mix(number);
    if (draw % 10 >= 7 && !groups_.empty()) {
      known_ += look_up(groups_[draw / 10 % groups_.size()]);
      return;
    }
    groups_.push_back(number);
    index_.reserve_more(keys_a_page_);
    for (uint64_t i = 0; i < keys_a_page_; ++i)
      index_.add(key(number, i), number, [](uint64_t group) { return group % 1000; });
  }

  // How many of a group's keys are in the index.
  uint64_t look_up(uint64_t group) {
    uint64_t found = 0;
    for (uint64_t i = 0; i < keys_a_page_; ++i)
      found += index_.find(key(group, i)).size();
    return found;
  }

  // Nanoseconds per look-up, of random groups of the index or of none.
  double look_up_cost(bool present, uint64_t seed) {
    std::vector<uint64_t> groups;
    for (uint64_t i = 0; i < kLookedUpPages; ++i) {
      const uint64_t draw = nd::mix(seed * kLookedUpPages + i);
      groups.push_back(present ? groups_[draw % groups_.size()] : draw | uint64_t{1} << 63);
    }
    uint64_t found = 0;
    const double start = thread_cpu_seconds();
    for (const uint64_t group : groups)
      found += look_up(group);
    const double seconds = thread_cpu_seconds() - start;
    // A count that is never read could be optimised away with everything that it counts.
    if (found != (present ? kLookedUpPages * keys_a_page_ : 0)) std::abort();
    return seconds * 1e9 / static_cast<double>(kLookedUpPages * keys_a_page_);
  }

  const nd::engine::KeyIndex& index() const { return index_; }
  uint64_t group_count() const { return groups_.size(); }

 private:
  static uint64_t key(uint64_t group, uint64_t i) { return nd::mix(nd::mix(group) + i); }

  uint64_t keys_a_page_;
  nd::engine::KeyIndex index_;
  std::vector<uint64_t> groups_;
  uint64_t known_ = 0;
};

nlohmann::json line(GrowingIndex& growing, uint64_t pages, unsigned rounds, double add_seconds) {
  std::vector<double> hits, misses;
  for (unsigned round = 0; round < rounds; ++round) {
    hits.push_back(growing.look_up_cost(true, 2 * round));
    misses.push_back(growing.look_up_cost(false, 2 * round + 1));
  }
  const auto a_page = [pages](uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(pages);
  };
  return {{"pages", pages},
          {"groups", growing.group_count()},
          {"keys", growing.index().key_count()},
          {"bytes_a_page", a_page(growing.index().memory_bytes())},
          {"hit_ns", to_json(spread_of(std::move(hits)))},
          {"miss_ns", to_json(spread_of(std::move(misses)))},
          {"add_us_a_page", add_seconds * 1e6}};
}

}  // namespace

nlohmann::json measure_key_growth(const KeyGrowth& growth) {
  GrowingIndex growing(growth.keys_a_page);
  nlohmann::json lines = nlohmann::json::array();
  uint64_t next_line = std::min(growth.pages, kFirstLine), pages_before = 0;
  double start = thread_cpu_seconds();
  for (uint64_t number = 1; number <= growth.pages; ++number) {
    growing.add_page(number);
    if (number != next_line) continue;
    const double seconds = (thread_cpu_seconds() - start) / static_cast<double>(number - pages_before);
    lines.push_back(line(growing, number, growth.rounds, seconds));
    pages_before = number;
    next_line = std::min(growth.pages, next_line * 10);
    start = thread_cpu_seconds();
  }
  return lines;
}

}  // namespace ndc::bench
