// Reads the numbers of a comparison as a reader would: shares first, then the threshold that decided.
#include "engine/pair_reasons.hpp"

#include <charconv>
#include <cmath>

namespace nd::engine {
namespace {

// Of a page that is all but contained in the other one.
constexpr double kNearlyAll = 0.97;

struct Wording {
  std::string_view name;
  std::string_view text;  // {0}, {1}: shares as percentages
};

constexpr std::array<Wording, 15> kWordings = {{
    {"equal", "A and B have the same text, word for word."},
    {"shared", "{0} % of A's own text is in B too, and {1} % of B's own text is in A."},
    {"frames", "What their sites repeat on many pages hardly counts."},
    {"alike", "Hardly anything is in one of them alone."},
    {"more-in-b", "B says nearly all that A says, and more."},
    {"more-in-a", "A says nearly all that B says, and more."},
    {"both-own", "Each says something that the other does not."},
    {"probable",
     "That makes it {0} % probable that they are the same document; from {1} % on they count as one."},
    {"improbable",
     "That makes it only {0} % probable that they are the same document; from {1} % on they would count as "
     "one."},
    {"little-text", "There is too little text to tell."},
    {"little-shared", "That is too little to be the same document."},
    {"both-cut", "Both pages were cut before they came, so that nothing can be said of the rest."},
    {"limited", "The comparison was ended early, since it took too much work."},
    {"enough", "What is measured here is {0} %, and {1} % are enough."},
    {"not-enough", "What is measured here is {0} %, and {1} % are needed."},
}};

PairReason reason(std::string_view name) {
  return {name, {}, 0};
}

PairReason reason(std::string_view name, double first, double second) {
  return {name, {first, second}, 2};
}

PairReason threshold_reason(const Threshold& threshold, bool together) {
  const std::string_view name = threshold.option == "same_document" ? (together ? "probable" : "improbable")
                                : threshold.asked > 1               ? "little-text"  // a width, not a share
                                : together                          ? "enough"
                                                                    : "not-enough";
  return name == "little-text" ? reason(name) : reason(name, threshold.found, threshold.asked);
}

// Of what is not quite everything, or not quite nothing, neither is said.
long whole_percent(double share) {
  const double percent = share * 100;
  return std::lround(percent > 99 && percent < 100 ? 99 : percent > 0 && percent < 1 ? 1 : percent);
}

}  // namespace

String PairReason::sentence() const {
  String text;
  for (const Wording& wording : kWordings)
    if (wording.name == name) text.assign(wording.text);
  for (size_t i = 0; i < value_count; ++i) {
    const char place[] = {'{', static_cast<char>('0' + i), '}', '\0'};
    const size_t at = text.find(place);
    if (at == String::npos) continue;
    std::array<char, 24> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), whole_percent(values[i])).ptr;
    text.replace(at, 3, digits.data(), static_cast<size_t>(end - digits.data()));
  }
  return text;
}

Vector<PairReason> reasons_of(const ComparedPair& pair) {
  const Verification& found = pair.verification;
  Vector<PairReason> reasons;
  if (found.rule == Rule::kExact || found.refusal == Refusal::kTruncated) {
    reasons.push_back(reason(found.rule == Rule::kExact ? "equal" : "both-cut"));
    return reasons;
  }
  if (pair.by_lcs) {
    const double in_a = found.matched_coverage, in_b = found.page_coverage;
    reasons.push_back(reason("shared", in_a, in_b));
    if (pair.has_boilerplate) reasons.push_back(reason("frames"));
    reasons.push_back(reason(in_a >= kNearlyAll && in_b >= kNearlyAll ? "alike"
                             : in_a >= kNearlyAll                     ? "more-in-b"
                             : in_b >= kNearlyAll                     ? "more-in-a"
                                                                      : "both-own"));
  }
  if (!found.threshold.option.empty()) reasons.push_back(threshold_reason(found.threshold, found.similar));
  if (found.refusal == Refusal::kLittleMatched) reasons.push_back(reason("little-shared"));
  if (found.limited) reasons.push_back(reason("limited"));
  return reasons;
}

}  // namespace nd::engine
