// A list of words in one string, single spaces between them: the form of the tables of names and words.
#pragma once

#include <string_view>

namespace nd {

template <typename Visit>
constexpr void for_each_word(std::string_view words, const Visit& visit) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    visit(word);
    words.remove_prefix(word.size() < words.size() ? word.size() + 1 : word.size());
  }
}

}  // namespace nd
