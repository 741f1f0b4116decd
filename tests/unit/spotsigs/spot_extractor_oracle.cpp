// Spot signatures by strings, as the paper's slides show them.
#include "unit/spotsigs/spot_extractor_oracle.hpp"

#include <sstream>

#include "core/hash.hpp"
#include "spotsigs/antecedents.hpp"
#include "spotsigs/spot_vector.hpp"
#include "words/stop_word_tables.hpp"

namespace nd::spotsigs::oracle {
namespace {

void add(std::string_view list, std::set<std::string>& out) {
  std::istringstream stream{std::string(list)};
  for (std::string word; stream >> word;)
    out.insert(word);
}

}  // namespace

uint64_t signature_hash(std::span<const uint32_t> words) {
  uint64_t hash = words.size();
  for (const uint32_t word : words)
    hash = mix(hash ^ word) + 0x9e3779b97f4a7c15ULL;
  return mix(hash) >> (64 - kSpotHashBits);
}

Language all_languages() {
  Language all;
  for (const text::StopWordList& list : antecedent_lists())
    add(list.words, all.antecedents);
  for (const text::StopWordList& list : text::stop_word_lists())
    add(list.words, all.stop_words);
  add(text::chinese_stop_words(), all.stop_words);
  return all;
}

std::map<std::string, uint32_t> spots(const Words& words, const Language& language, size_t distance,
                                      size_t chain) {
  std::map<std::string, uint32_t> found;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!language.antecedents.contains(words[i])) continue;
    std::string signature = words[i];
    size_t k = i + distance;
    size_t taken = 0;
    for (size_t j = 0; j < chain; ++j) {
      while (k < words.size() && language.stop_words.contains(words[k]))
        ++k;
      if (k >= words.size()) break;
      signature += ":" + words[k];
      ++taken;
      k += distance;
    }
    if (taken == chain) ++found[signature];
  }
  return found;
}

}  // namespace nd::spotsigs::oracle
