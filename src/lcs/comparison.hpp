// Two texts compared as the LCS partition does it: filtered sketch, LCS of the sketches, script merged back,
// trustable region, and on with the rest for paragraphs that changed places.
#pragma once

#include <cstdint>

#include "lcs/filtered_sketch.hpp"
#include "lcs/longest_common_subsequence.hpp"
#include "lcs/sequence.hpp"
#include "lcs/trustable.hpp"

namespace nd::lcs {

struct ComparisonParameters {
  uint32_t window_width = kDefaultWindowWidth;
  bool trustable = false;             // keep only what lies in trustable regions
  TrustableParameters trust;
  uint32_t rounds = 8;                // passes over what is left, for reordered paragraphs; ≥ 1
  uint32_t gain_width = 64;           // a pass that adds less width than this is the last
  uint32_t edit_budget = 1000;        // Myers up to here, bit-parallel beyond
  uint64_t work_limit = 64'000'000;   // inner steps; beyond, the comparison stops with what it has
};

struct Comparison {
  // Matched runs in full coordinates, ascending in a; every position of A and of B at most once. The first pass gives
  // a common subsequence; matches of later passes may cross it (reordered text).
  Vector<Match> matches;
  uint64_t matched_width = 0;
  uint32_t passes = 0;
  uint64_t work = 0;
  bool limited = false;  // work_limit was hit
};

// Reusable buffers. Threads: one object, one thread at a time.
class Comparer {
 public:
  // `need_width`: if the sketches show that less than this can match, returns at once with no matches (TR2007012
  // section 4.3, last paragraph); 0 for never.
  void compare(const Sequence& a, const Sequence& b, const ComparisonParameters& parameters, uint64_t need_width,
               Comparison& out);

 private:
  SketchFilter filter_;
  MyersSolver myers_;
  BitParallelSolver bit_parallel_;
  struct Rest;
  Vector<uint32_t> kept_a_, kept_b_, symbols_a_, symbols_b_, origin_a_, origin_b_;
  Vector<uint16_t> widths_a_, widths_b_;
  Script script_;
  Vector<Edit> edits_;
};

}  // namespace nd::lcs
