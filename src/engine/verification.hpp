// The step that decides: two pages compared by LCS, their text weighted by block, against the rules of
// docs/decision.md.
#pragma once

#include <array>
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
  kShort,     // resemblance of all text that is no frame, where there is little content
  kTiny,      // near-equality of what is not everywhere on its site, where there is hardly any
  kMethod,    // not by the LCS: the score of the engine's detector
};
// Of kMethod "method": who tells it knows which.
std::string_view rule_name(Rule rule) noexcept;

struct Verification {
  bool similar = false;
  Rule rule = Rule::kNone;
  double resemblance = 0;
  double containment = 0;
  double page_coverage = 0;
  double matched_coverage = 0;
  double matched_width = 0;    // weighted
  double unmatched_width = 0;  // of both texts together, weighted
  double smaller_mass = 0;     // of the text with less that counts, weighted
  bool loose = false;          // two pages of one site, by less than same_site_resemblance
  bool undecided = false;      // refused only because the frame of the two pages' site is not known yet
  bool by_sketch = false;      // rejected by the filtered sketch alone
  bool limited = false;        // work_limit was hit
};

// What the site's template model says of a pair (FrameMark of site_templates.hpp); empty spans: nothing.
struct FrameMarks {
  std::span<const uint8_t> representative;  // by block of the representative
  std::span<const uint8_t> page;            // by block of the page
  bool known_site = false;                  // two pages of one site whose frame is known
};

// All visible text is equal, as far as it is known to its end and is no trifle.
bool have_equal_text(const Features& a, const Features& b, const DecisionParameters& decision) noexcept;
// What is told of such a pair.
Verification exact_match(const Features& page) noexcept;

// Reusable buffers. Threads: one object, one thread at a time.
class Verifier {
 public:
  // `secret` keys the tables of the comparison, so that no page can be written to cluster them; no answer
  // depends on it.
  explicit Verifier(uint64_t secret) noexcept : comparer_(secret) {}

  // The page that representatives are held against from now on. It stays where it is as long as that goes on;
  // what the comparison needs of it is made once.
  void set_page(const Features& page) noexcept;

  // `representative` plays A. Text that two sites share counts in full on both sides, whatever its block
  // weighs, unless it is known as frame; within one site it counts by its blocks' weights.
  Verification verify(const Features& representative, const FrameMarks& frame, const Parameters& parameters);
  // The same of one pair.
  Verification verify(const Features& representative, const Features& page, const FrameMarks& frame,
                      const Parameters& parameters) {
    set_page(page);
    return verify(representative, frame, parameters);
  }

  // The matched runs of the last verify() that compared by LCS.
  std::span<const lcs::Match> matches() const noexcept { return comparison_.matches; }

  uint64_t memory_bytes() const noexcept;
  // Of all since set_page(): tokens prepared and weighed, and what Comparison::work counts.
  uint64_t work() const noexcept { return work_; }

 private:
  // What of a text counts, and how much.
  enum class Text : uint8_t {
    kContent,   // what is no frame, by the weight of its block
    kUnframed,  // what is no frame, in full
    kRare,      // what is not everywhere on its site, in full
    kVisible,   // all
  };
  static constexpr size_t kTexts = 4;
  struct Side {
    uint64_t memory_bytes() const noexcept {
      return widths.capacity() * sizeof(uint16_t) + weights.capacity() + marks.capacity();
    }

    Vector<uint16_t> widths;
    Vector<uint8_t> weights;  // per token, of its block
    Vector<uint8_t> marks;    // per token, a FrameMark
    std::array<double, kTexts> masses;

    double mass(Text text) const noexcept { return masses[static_cast<size_t>(text)]; }
    // 0..1; 0 for what does not count.
    double weight(Text text, uint32_t token) const noexcept;
  };
  static void take_widths(const Features& features, Side& side);
  static void prepare(const Features& features, std::span<const uint8_t> frame, Side& side);
  void compare(const Features& representative, const Parameters& parameters, double need_width);
  // What the matches are worth. `full_match`: whatever its block weighs, matched text counts in full.
  Verification measure(Text text, bool full_match);
  Verification verify_content(const Features& representative, bool same_site, bool known_site, bool cut,
                              const Parameters& parameters);
  void compare_short(const Features& representative, bool nearly_equal, const Parameters& parameters);
  Verification verify_short(bool same_site, bool known_site, bool cut, const DecisionParameters& decision);

  lcs::Comparer comparer_;
  lcs::Comparison comparison_;
  Side a_, b_;
  const Features* page_ = nullptr;
  bool page_taken_ = false;  // its widths are in b_, and the comparer has it
  uint64_t work_ = 0;
};

}  // namespace nd::engine
