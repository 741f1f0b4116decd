#include "mwo/plural_stemmer.hpp"

namespace nd::mwo {
namespace {

constexpr size_t kShortestWord = 4;

// `word` has the ending, and none of `letters` stands in front of it.
bool ends_plainly(std::string_view word, std::string_view ending, std::string_view letters) noexcept {
  return word.ends_with(ending) && letters.find(word[word.size() - ending.size() - 1]) == letters.npos;
}

}  // namespace

bool is_english(std::string_view language) noexcept {
  return language.substr(0, language.find_first_of("-_")) == "en";
}

std::string_view singular(std::string_view word, String& buffer) {
  if (word.size() < kShortestWord) return word;
  if (ends_plainly(word, "ies", "ae")) {
    buffer.assign(word.substr(0, word.size() - 3));
    buffer.push_back('y');
    return buffer;
  }
  if (ends_plainly(word, "s", "us")) return word.substr(0, word.size() - 1);
  return word;
}

}  // namespace nd::mwo
