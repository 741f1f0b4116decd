// Spot signatures as the slide "Signature Extraction Algorithm" writes them down, on strings.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace nd::spotsigs::oracle {

using Words = std::vector<std::string>;

struct Language {
  std::set<std::string> antecedents;
  std::set<std::string> stop_words;  // the antecedents among them
};

// The tables of the library, all lists in one.
Language all_languages();

// "antecedent:word:word", and how often.
std::map<std::string, uint32_t> spots(const Words& words, const Language& language, size_t distance,
                                      size_t chain);

}  // namespace nd::spotsigs::oracle
