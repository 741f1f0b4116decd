// Draws label groups with replacement (the bootstrap), because the pages of one group are not independent.
#include "f1_interval.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "even_draw.hpp"

namespace nd::eval {
namespace {

constexpr size_t kDraws = 1'000;
constexpr size_t kLow = 25;  // so many of the draws are below the interval, as many above

// Of one label group, each pair once for each of its pages: twice the right and missed pairs, and the wrong
// pairs, the other half of which are with another group.
struct Tally {
  uint64_t right = 0;
  uint64_t wrong = 0;
  uint64_t missed = 0;

  void operator+=(const Tally& other) {
    right += other.right;
    wrong += other.wrong;
    missed += other.missed;
  }
  // 0 where there is nothing right.
  double f1() const {
    const uint64_t all = 2 * right + wrong + missed;
    return all == 0 ? 0 : 2 * static_cast<double>(right) / static_cast<double>(all);
  }
};

// In the order of the labels' numbers, so that the draws are the same everywhere.
std::vector<Tally> tallies_of(std::span<const PageTruth> pages, std::span<const uint64_t> groups) {
  std::unordered_map<uint64_t, uint64_t> in_group;
  std::unordered_map<uint32_t, uint64_t> of_label;
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> together;
  for (size_t i = 0; i < pages.size(); ++i) {
    if (pages[i].label == kNoLabel) continue;
    ++in_group[groups[i]];
    ++of_label[pages[i].label];
    ++together[{pages[i].label, groups[i]}];
  }
  std::map<uint32_t, Tally> tallies;
  for (const auto& [key, count] : together) {
    const auto [label, group] = key;
    tallies[label] +=
        {count * (count - 1), count * (in_group[group] - count), count * (of_label[label] - count)};
  }
  std::vector<Tally> found;
  for (const auto& [label, tally] : tallies)
    found.push_back(tally);
  return found;
}

}  // namespace

std::optional<Interval> f1_interval(std::span<const PageTruth> pages, std::span<const uint64_t> groups,
                                    uint64_t seed) {
  const std::vector<Tally> tallies = tallies_of(pages, groups);
  const bool has_pairs = std::ranges::any_of(
      tallies, [](const Tally& tally) { return tally.right + tally.wrong + tally.missed != 0; });
  if (!has_pairs) return std::nullopt;
  std::mt19937_64 random(seed);
  std::vector<double> drawn(kDraws);
  for (double& f1 : drawn) {
    Tally sum;
    for (size_t i = 0; i < tallies.size(); ++i)
      sum += tallies[draw_below(tallies.size(), random)];
    f1 = sum.f1();
  }
  std::ranges::sort(drawn);
  return Interval{drawn[kLow], drawn[kDraws - 1 - kLow]};
}

}  // namespace nd::eval
