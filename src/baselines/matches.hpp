// What a search of a baseline returns, and the limits that all of them have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/memory.hpp"

namespace nd::baselines {

struct Limits {
  uint64_t bytes = 0;           // budget of what is kept; beyond it the oldest documents go; 0: none
  uint64_t postings = 1 << 16;  // a search looks at most at so many; 0: no limit
  uint32_t matches = 64;        // a search returns at most; 0: no limit
  // That the comparisons of a search read, of both documents; it may read one pair more. 0: no limit. Four
  // million words or shingles, some ten milliseconds: `postings` alone would allow a hundred times as many of
  // the longest documents.
  uint64_t compared_bytes = uint64_t{1} << 25;
};

struct Match {
  uint64_t id;
  double score;     // 0..1
  uint32_t number;  // the older, the smaller
};

struct Matches {
  Vector<Match> matches;  // best first, older first among equals
  bool limited = false;   // `postings` or `compared_bytes` cut: matches may be missing
  bool more = false;      // there are more than `matches`: these are the best
  uint64_t postings = 0;  // looked at
  uint64_t compared = 0;  // documents
  // Keys looked up, slots that they were looked for in, postings, and what comparisons read, eight bytes at a
  // time.
  uint64_t work = 0;

  void rank(uint32_t limit) {
    std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
      return a.score != b.score ? a.score > b.score : a.number < b.number;
    });
    more = limit != 0 && matches.size() > limit;
    if (more) matches.resize(limit);
  }
};

struct Counts {
  uint64_t documents = 0;
  uint64_t evicted = 0;  // by the budget, since the beginning
  uint64_t refused = 0;  // insertions that indexed nothing
};

}  // namespace nd::baselines
