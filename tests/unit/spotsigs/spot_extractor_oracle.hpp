// Spot signatures as the slide "Signature Extraction Algorithm" writes them down, on strings.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
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

// The hash of an antecedent and its chain, in this order.
uint64_t signature_hash(std::span<const uint32_t> words);

}  // namespace nd::spotsigs::oracle
