// Compares two texts as the LCS partition does: filtered sketch, LCS of the sketches, script merged back,
// trustable region; then again on the rest, for paragraphs that changed places.
#pragma once

#include <cstdint>

#include "lcs/filtered_sketch.hpp"
#include "lcs/longest_common_subsequence.hpp"
#include "lcs/sequence.hpp"
#include "lcs/trustable.hpp"

namespace nd::lcs {

struct ComparisonParameters {
  uint32_t window_width = kDefaultWindowWidth;
  bool trustable = false;  // keep only what lies in trustable regions
  TrustableParameters trust = {};
  uint32_t rounds = 8;  // passes, each over the rest of the one before, for reordered paragraphs; ≥ 1
  // A pass that adds less width than this is the last; a pass is not started if the rest of the sketches
  // cannot add as much. A bound on work, not a measured optimum.
  uint32_t gain_width = 64;
  // Myers up to this number of edits, bit-parallel beyond. Unless `trustable` requires the script that Myers
  // finds, the budget is lowered to where bit-parallel becomes cheaper; both find the same length.
  uint32_t edit_budget = 1000;
  // Windows hashed, steps of Myers and words of bit-parallel. Work that would exceed it is not started (Myers
  // is, and stops at the limit), and the comparison ends with what it has found.
  uint64_t work_limit = 64'000'000;
};

struct Comparison {
  // Matched runs in coordinates of the whole texts, ascending in a; every position of A and of B at most
  // once. The matches of the first pass are a common subsequence; those of later passes may cross it
  // (reordered text).
  Vector<Match> matches;
  uint64_t matched_width = 0;
  Region trusted;  // positions of A: the trustable region of the first pass; empty unless `trustable`
  uint32_t passes = 0;
  uint64_t work = 0;
  bool limited = false;  // work_limit was hit
};

// Reusable buffers. Threads: one object, one thread at a time.
class Comparer {
 public:
  // `secret` mixes the hash tables, so that no text can be written to collide in them; results do not depend
  // on it.
  explicit Comparer(uint64_t secret = 0) noexcept
      : filter_(secret), whole_index_(secret), rest_index_(secret), bit_parallel_(secret) {}

  // `need_width`: if the sketches show that less than this width can match, returns at once with no
  // matches (TR2007012 section 4.3, last paragraph); 0 for never.
  void compare(const Sequence& a, const Sequence& b, const ComparisonParameters& parameters,
               uint64_t need_width, Comparison& out);

  // The same in two steps, for one text that is compared with several: the work on B is done once. B and its
  // widths must stay in place as long as they are compared. `window_width`: that of the parameters of each
  // compare() that follows.
  void set_second(const Sequence& b, uint32_t window_width) noexcept;
  void compare(const Sequence& a, const ComparisonParameters& parameters, uint64_t need_width,
               Comparison& out);

  // The size of all buffers.
  uint64_t memory_bytes() const noexcept;

 private:
  // One text: the part that no pass has taken yet, and its sketch.
  struct Side {
    Sequence rest;
    uint32_t whole_size = 0;
    Vector<uint32_t> symbols;  // of the rest, if parts have been cut out
    Vector<uint16_t> widths;
    // By position of the rest: position in the text; empty while the rest is the whole.
    Vector<uint32_t> origins;
    Vector<uint32_t> cuts;    // as SketchFilter takes them
    Vector<uint32_t> kept;    // positions of the rest that are in the sketch
    Vector<uint32_t> sketch;  // their symbols

    void start(const Sequence& text);  // sizes the buffers by the text's size alone
    void take_sketch();
    uint64_t kept_width() const noexcept;  // of the sketch
    uint32_t origin_of(uint32_t position) const noexcept {
      return origins.empty() ? position : origins[position];
    }
    void cut(std::span<const Region> ranges);  // half-open ranges of positions, ascending
    uint64_t memory_bytes() const noexcept;
  };
  enum class Pass { kDone, kRejected, kLimited };

  // Buffers are sized by the sizes of the texts, never by what they share: after comparing texts of one size,
  // all others up to that size are compared without allocating. Only the first use of bit-parallel, for
  // sketches that Myers gave up on, takes more.
  void reserve(const Sequence& a, const ComparisonParameters& parameters, Vector<Match>& matches);

  // Fills script_ with the matches of one pass, in positions of the rests, and kept_width_.
  Pass match_rests(const ComparisonParameters& parameters, uint64_t need_width, uint64_t& work);
  bool match_sketches(const ComparisonParameters& parameters, uint64_t& work);
  void map_script_to_rests();
  // Clips script_ to the trustable region; returns the positions of A's rest inside it.
  Region clip_to_trustable(const TrustableParameters& parameters);
  void append_matches(Vector<Match>& out) const;
  void cut_matched(bool trustable, const Region& region);

  SketchFilter filter_;
  Sequence second_;          // B
  SketchIndex whole_index_;  // of B
  SketchIndex rest_index_;   // of what the first pass has left of B
  MyersSolver myers_;
  BitParallelSolver bit_parallel_;
  Side a_, b_;
  uint64_t kept_width_ = 0;  // of the narrower of both sketches
  Script sketch_script_, script_;
  Vector<Edit> edits_;
  Vector<Region> ranges_;
};

}  // namespace nd::lcs
