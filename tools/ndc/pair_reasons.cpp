// Reads the numbers of an explanation as a reader would: shares first, then the threshold that decided.
#include "pair_reasons.hpp"

#include <array>
#include <cmath>
#include <string_view>

namespace ndc {
namespace {

using Json = nlohmann::json;

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

bool has_boilerplate(const Json& explanation) {
  const auto learned = explanation.find("boilerplate");
  if (learned == explanation.end() || !learned->is_object()) return false;
  for (const char* side : {"a", "b"})
    if (const auto ranges = learned->find(side);
        ranges != learned->end() && ranges->is_array() && !ranges->empty())
      return true;
  return false;
}

PairReason decision_of(const Json& decided, bool together) {
  const std::string option = word_of(decided, "option");
  const std::vector<double> values = {number_of(decided, "found"), number_of(decided, "asked")};
  if (option == "same_document") return {together ? "probable" : "improbable", values};
  if (values[1] > 1) return {"little-text", {}};  // a width, not a share
  return {together ? "enough" : "not-enough", values};
}

}  // namespace

double number_of(const nlohmann::json& object, const char* name) {
  const auto field = object.find(name);
  return field != object.end() && field->is_number() ? field->get<double>() : 0;
}

std::string word_of(const nlohmann::json& object, const char* name) {
  const auto field = object.find(name);
  return field != object.end() && field->is_string() ? field->get<std::string>() : std::string();
}

std::string PairReason::sentence() const {
  for (const Wording& wording : kWordings) {
    if (wording.name != name) continue;
    std::string text(wording.text);
    for (size_t i = 0; i < values.size(); ++i) {
      const std::string place = "{" + std::to_string(i) + "}";
      const size_t at = text.find(place);
      if (at == std::string::npos) continue;
      // Of what is not quite everything, or not quite nothing, neither is said.
      const double percent = values[i] * 100;
      const double shown = percent > 99 && percent < 100 ? 99 : percent > 0 && percent < 1 ? 1 : percent;
      text.replace(at, place.size(), std::to_string(std::lround(shown)));
    }
    return text;
  }
  return name;
}

std::vector<PairReason> reasons_of(const Json& explanation) {
  const std::string verdict = word_of(explanation, "verdict");
  if (verdict == "exact") return {{"equal", {}}};
  std::vector<PairReason> reasons;
  const bool has_lcs = !explanation.contains("detector") || explanation.contains("decision");
  if (word_of(explanation, "refused_as") == "truncated") return {{"both-cut", {}}};
  const double in_a = number_of(explanation, "matched_coverage"),
               in_b = number_of(explanation, "page_coverage");
  if (has_lcs) {
    reasons.push_back({"shared", {in_a, in_b}});
    if (has_boilerplate(explanation)) reasons.push_back({"frames", {}});
    reasons.push_back({in_a >= kNearlyAll && in_b >= kNearlyAll ? "alike"
                       : in_a >= kNearlyAll                     ? "more-in-b"
                       : in_b >= kNearlyAll                     ? "more-in-a"
                                                                : "both-own",
                       {}});
  }
  if (const auto decided = explanation.find("decided_by");
      decided != explanation.end() && decided->is_object())
    reasons.push_back(decision_of(*decided, verdict != "different"));
  if (word_of(explanation, "refused_as") == "little-matched") reasons.push_back({"little-shared", {}});
  if (explanation.contains("limited")) reasons.push_back({"limited", {}});
  return reasons;
}

}  // namespace ndc
