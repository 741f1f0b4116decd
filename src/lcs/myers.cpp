// The O(ND) algorithm of Myers (1986): its cost grows with the number of edits, so it suits texts that are
// nearly equal.
#include <algorithm>

#include "lcs/longest_common_subsequence.hpp"

namespace nd::lcs {
namespace {

constexpr size_t kLongest = INT32_MAX / 2;  // diagonals are signed sums of two positions
constexpr int32_t kNowhere = -1;            // beside a row: less than any x

}  // namespace

inline MyersSolver::Step MyersSolver::step_onto(int32_t diagonal, const Row& previous) const noexcept {
  const int32_t* const beside = furthest_.data() + previous.place_of(diagonal - 1);
  return beside[0] < beside[1] ? Step{beside[1], true} : Step{beside[0] + 1, false};
}

void MyersSolver::trace_back(int32_t diagonal, Script& script) const {
  for (size_t edits = rows_.size() - 1; edits > 0; --edits) {
    const Row& row = rows_[edits];
    const int32_t x = furthest_[row.place_of(diagonal)];
    const Step step = step_onto(diagonal, rows_[edits - 1]);
    if (x > step.x) {
      script.push_back({static_cast<uint32_t>(step.x), static_cast<uint32_t>(step.x - diagonal),
                        static_cast<uint32_t>(x - step.x)});
    }
    diagonal += step.inserts ? 1 : -1;
  }
}

// Each further edit adds a diagonal, and each row has two sentinels.
void MyersSolver::reserve(size_t edits) {
  reserve_places(rows_, edits + 1);
  reserve_places(furthest_, (edits + 1) * (edits + 6) / 2);
}

std::optional<uint32_t> MyersSolver::solve(std::span<const uint32_t> a, std::span<const uint32_t> b,
                                           uint32_t edit_budget, Script& script, uint64_t& work,
                                           uint64_t work_limit) {
  script.clear();
  // Myers begins with the common prefix anyway. (A common suffix stays: removing it would change which script
  // is found.)
  const uint32_t prefix = common_prefix(a, b);
  work += prefix;
  a = a.subspan(prefix);
  b = b.subspan(prefix);
  if (std::max(a.size(), b.size()) > kLongest) return std::nullopt;
  const auto n = static_cast<int32_t>(a.size());
  const auto m = static_cast<int32_t>(b.size());
  if (static_cast<uint32_t>(std::abs(n - m)) > edit_budget || work > work_limit) return std::nullopt;
  const auto whole = static_cast<uint32_t>(n + m);
  const uint32_t limit = std::min(edit_budget, whole);

  furthest_.assign({kNowhere, 0, kNowhere});
  rows_.assign(1, Row{0, 0, 0});
  bool found = n == 0 && m == 0;
  for (uint32_t edits = 1; !found && edits <= limit; ++edits) {
    const auto d = static_cast<int32_t>(edits);
    // Among d edits at most n delete and at most m insert, so the outermost diagonals are dropped when d
    // exceeds them.
    const Row row{furthest_.size(), -(d - 2 * std::max(0, d - m)), d - 2 * std::max(0, d - n)};
    furthest_.resize(row.place_of(row.highest) + 2, kNowhere);
    const int32_t* beside = furthest_.data() + rows_.back().place_of(row.lowest - 1);
    int32_t* to = furthest_.data() + row.place_of(row.lowest);
    rows_.push_back(row);
    int32_t left = *beside;
    for (int32_t k = row.lowest; k <= row.highest; k += 2) {
      const int32_t above = *++beside;
      const int32_t start = std::max(left + 1, above);  // as in step_onto()
      left = above;
      const int32_t end = std::min(n, m + k);
      int32_t x = start;
      while (x < end && a[static_cast<size_t>(x)] == b[static_cast<size_t>(x - k)])
        ++x;
      *to++ = x;
      work += static_cast<uint64_t>(x - start) + 1;
      if (work > work_limit) return std::nullopt;
      if (k == n - m && x >= n) {
        found = true;
        break;
      }
    }
  }
  if (!found) return std::nullopt;

  trace_back(n - m, script);
  for (Match& match : script) {
    match.a += prefix;
    match.b += prefix;
  }
  if (prefix > 0) script.push_back({0, 0, prefix});
  std::reverse(script.begin(), script.end());
  return static_cast<uint32_t>(rows_.size() - 1);
}

}  // namespace nd::lcs
