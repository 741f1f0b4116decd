// The step that decides: two pages compared by LCS, their text weighted by block, against the rules of
// docs/methods.md.
#pragma once

#include <cstdint>
#include <span>

#include "engine/features.hpp"
#include "engine/parameters.hpp"
#include "lcs/comparison.hpp"

namespace nd::engine {

enum class Rule : uint8_t {
  kNone,   // different
  kExact,  // all visible text equal
  kResemblance,
  kContainment,
  kSameSite,  // resemblance of two pages of one site
  kShort,     // near-exact equality of all visible text, where there is little content
};
std::string_view rule_name(Rule rule) noexcept;

struct Verification {
  bool similar = false;
  Rule rule = Rule::kNone;
  double resemblance = 0;
  double containment = 0;
  double page_coverage = 0;
  double matched_coverage = 0;
  double matched_width = 0;  // weighted
  bool by_sketch = false;    // rejected by the filtered sketch alone
  bool limited = false;      // work_limit was hit
};

// What the site's template model says of a pair (site_templates.hpp); empty spans: nothing.
struct FrameMarks {
  std::span<const uint8_t> representative;  // by block of the representative: 1 for frame
  std::span<const uint8_t> page;            // by block of the page
  bool known_site = false;                  // two pages of one site whose frame is known
};

// Reusable buffers. Threads: one object, one thread at a time.
class Verifier {
 public:
  // `secret` keys the tables of the comparison, so that no page can be written to cluster them; no answer
  // depends on it.
  explicit Verifier(uint64_t secret) noexcept : comparer_(secret) {}

  // `representative` plays A. Text that two sites share counts in full on both sides, whatever its block
  // weighs, unless it is known as frame; within one site it counts by its blocks' weights.
  Verification verify(const Features& representative, const Features& page, const FrameMarks& frame,
                      const Parameters& parameters);

  // The matched runs of the last verify() that compared by LCS.
  std::span<const lcs::Match> matches() const noexcept { return comparison_.matches; }

 private:
  struct Side {
    Vector<uint16_t> widths;
    Vector<uint8_t> weights;  // per token
    Vector<uint8_t> frame;    // per token
    double mass = 0;
  };
  static void prepare(const Features& features, std::span<const uint8_t> frame, bool weighted, Side& side);
  Verification compare(const Features& a, const Features& b, bool weighted, bool full_match,
                       const Parameters& parameters, uint64_t need_width);

  lcs::Comparer comparer_;
  lcs::Comparison comparison_;
  Side a_, b_;
};

}  // namespace nd::engine
