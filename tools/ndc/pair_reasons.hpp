// Why two pages count as the same document or not, in sentences for people who know no option.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ndc {

// A member of a JSON object; 0 or "" where there is none of this type.
double number_of(const nlohmann::json& object, const char* name);
std::string word_of(const nlohmann::json& object, const char* name);

// One sentence. A report has its name and its values, and words it in its own language.
struct PairReason {
  std::string name;
  std::vector<double> values;

  std::string sentence() const;
};

// Of what nd_explain says: what the two have in common, how they differ, and what follows from it.
std::vector<PairReason> reasons_of(const nlohmann::json& explanation);

}  // namespace ndc
