// The textbook table of the LCS and the script by the ties that the library promises.
#include "unit/lcs/longest_common_subsequence_oracle.hpp"

#include <algorithm>
#include <map>

namespace nd::lcs::oracle {

namespace {

using Table = std::vector<std::vector<uint32_t>>;

Table lengths_of(Symbols a, Symbols b) {
  Table length(a.size() + 1, std::vector<uint32_t>(b.size() + 1, 0));
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      length[i][j] =
          a[i - 1] == b[j - 1] ? length[i - 1][j - 1] + 1 : std::max(length[i - 1][j], length[i][j - 1]);
    }
  }
  return length;
}

}  // namespace

uint32_t lcs_length(Symbols a, Symbols b) {
  return lengths_of(a, b)[a.size()][b.size()];
}

Pairs table_pairs(Symbols a, Symbols b) {
  Pairs pairs;
  const uint32_t prefix = common_prefix(a, b);
  const uint32_t suffix = common_suffix(a.subspan(prefix), b.subspan(prefix));
  auto i = static_cast<uint32_t>(a.size());
  auto j = static_cast<uint32_t>(b.size());
  for (uint32_t k = 0; k < suffix; ++k)
    pairs.emplace_back(--i, --j);
  const Table length = lengths_of(a.subspan(prefix, i - prefix), b.subspan(prefix, j - prefix));
  while (i > prefix && j > prefix) {
    const uint32_t here = length[i - prefix][j - prefix];
    if (length[i - prefix][j - prefix - 1] == here) {
      --j;
    } else if (length[i - prefix - 1][j - prefix] == here) {
      --i;
    } else {
      pairs.emplace_back(--i, --j);
    }
  }
  for (uint32_t k = prefix; k > 0; --k)
    pairs.emplace_back(k - 1, k - 1);
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

Pairs myers_pairs(Symbols a, Symbols b) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  std::map<int, int> v = {{1, 0}};
  std::vector<std::map<int, int>> before;  // v as it was before the paths of d edits
  const auto inserts = [](const std::map<int, int>& x_of, int k, int d) {
    return k == -d || (k != d && x_of.at(k - 1) < x_of.at(k + 1));
  };
  for (int d = 0;; ++d) {
    before.push_back(v);
    for (int k = -d; k <= d; k += 2) {
      int x = inserts(v, k, d) ? v.at(k + 1) : v.at(k - 1) + 1;
      while (x < n && x - k < m && a[static_cast<size_t>(x)] == b[static_cast<size_t>(x - k)])
        ++x;
      v[k] = x;
      if (x < n || x - k < m) continue;
      Pairs pairs;
      for (int edits = d; edits >= 0; --edits) {
        const auto& x_of = before[static_cast<size_t>(edits)];
        const bool down = inserts(x_of, k, edits);
        const int start = down ? x_of.at(k + 1) : x_of.at(k - 1) + 1;
        while (x > start) {
          --x;
          pairs.emplace_back(x, x - k);
        }
        x = down ? start : start - 1;
        k = down ? k + 1 : k - 1;
      }
      std::reverse(pairs.begin(), pairs.end());
      return pairs;
    }
  }
}

Pairs pairs_of(std::span<const Match> script) {
  Pairs pairs;
  for (const Match& match : script) {
    for (uint32_t i = 0; i < match.count; ++i)
      pairs.emplace_back(match.a + i, match.b + i);
  }
  return pairs;
}

std::string edit_script(const Pairs& pairs, Symbols a, Symbols b) {
  std::string text;
  uint32_t i = 0, j = 0;
  const auto edit_until = [&](uint32_t a_end, uint32_t b_end) {
    for (; i < a_end; ++i)
      text += std::to_string(i + 1) + "D ";
    for (; j < b_end; ++j)
      text += std::to_string(i) + "I" + static_cast<char>(b[j]) + " ";
  };
  for (const auto& [x, y] : pairs) {
    edit_until(x, y);
    ++i;
    ++j;
  }
  edit_until(static_cast<uint32_t>(a.size()), static_cast<uint32_t>(b.size()));
  if (!text.empty()) text.pop_back();
  return text;
}

bool is_common_subsequence(std::span<const Match> script, Symbols a, Symbols b) {
  uint32_t a_end = 0, b_end = 0;
  bool first = true;
  for (const Match& match : script) {
    if (match.count == 0 || match.a < a_end || match.b < b_end) return false;
    if (!first && match.a == a_end && match.b == b_end) return false;
    a_end = match.a + match.count;
    b_end = match.b + match.count;
    if (a_end > a.size() || b_end > b.size()) return false;
    if (!std::ranges::equal(a.subspan(match.a, match.count), b.subspan(match.b, match.count))) return false;
    first = false;
  }
  return true;
}

}  // namespace nd::lcs::oracle
