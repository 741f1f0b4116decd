#include "engine/word_list.hpp"

#include <algorithm>
#include <utility>

#include "text/normalize.hpp"
#include "text/utf8_scan.hpp"
#include "text/word_segmenter.hpp"

namespace nd::engine {
namespace {

// Tokens that follow each other: of a script without spaces each character is one.
bool is_word(std::string_view word) {
  Vector<text::Token> tokens;
  text::append_tokens(word, 0, tokens);
  uint32_t end = 0;
  for (const text::Token& token : tokens) {
    if (token.text.begin != end) return false;
    end = token.text.end;
  }
  return !word.empty() && end == word.size();
}

}  // namespace

Result<String> word_list_of(std::string_view value) {
  if (value.size() > kWordListBytesLimit) return String();
  const text::Utf8Scan scan = text::scan_utf8({reinterpret_cast<const uint8_t*>(value.data()), value.size()});
  if (scan.malformed_count != 0 || scan.cut_bytes != 0) return String();
  const bool has_controls = std::any_of(value.begin(), value.end(), [](char c) { return c >= 0 && c < ' '; });
  if (has_controls) return String();
  Result<text::Normalizer> normalizer = text::Normalizer::create();
  if (!normalizer) return std::move(normalizer).failure();
  Vector<String> words;
  for (size_t begin = 0; begin < value.size();) {
    const size_t end = std::min(value.find_first_of(" ,", begin), value.size());
    if (end > begin) {
      String word;
      normalizer->append(value.substr(begin, end - begin), word);
      if (!is_word(word)) return String();
      words.push_back(std::move(word));
    }
    begin = end + 1;
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  if (words.size() > kListedWordsLimit) return String();
  String list;
  for (const String& word : words) {
    if (!list.empty()) list.push_back(' ');
    list.append(word);
  }
  // Words in normal form may be longer than they were, and a store must be able to name the list again.
  if (list.size() > kWordListBytesLimit) return String();
  return list;
}

}  // namespace nd::engine
