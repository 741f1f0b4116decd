// Counts equal words by sorting them, and stops at the limit of terms a page.
#include "baselines/term_counts.hpp"

#include <algorithm>

namespace nd::baselines {

bool count_terms(std::span<const uint32_t> words, size_t limit, Vector<TermCount>& out) {
  Vector<uint32_t> sorted(words.begin(), words.end());
  std::sort(sorted.begin(), sorted.end());
  out.clear();
  for (size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    if (out.size() == limit) return true;
    while (end < sorted.size() && sorted[end] == sorted[begin])
      ++end;
    out.push_back({sorted[begin], static_cast<uint32_t>(end - begin)});
  }
  return false;
}

}  // namespace nd::baselines
