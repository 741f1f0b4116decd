#include "text/dictionary_words.hpp"

#include "core/hash.hpp"
#include "core/utf8.hpp"
#include "text/character_classes.hpp"

namespace nd::text {
namespace {

bool is_spaceless(std::string_view text, const Token& token) noexcept {
  // No script without spaces begins below U+0E00.
  if (static_cast<unsigned char>(text[token.text.begin]) < 0xe0) return false;
  size_t position = token.text.begin;
  return CharacterClasses::instance().of(next_code_point(text, position)).is_spaceless();
}

}  // namespace

Result<DictionaryWords> DictionaryWords::create() {
  Result<WordSegmenter> segmenter = WordSegmenter::create();
  if (!segmenter) return std::move(segmenter).failure();
  return DictionaryWords(*std::move(segmenter));
}

void DictionaryWords::append(std::string_view text, std::span<const Token> tokens, Vector<Word>& out) {
  for (size_t i = 0; i < tokens.size();) {
    size_t end = i;
    while (end < tokens.size() && is_spaceless(text, tokens[end]))
      ++end;
    if (end == i) {
      out.push_back({tokens[i].text, tokens[i].hash});
      ++i;
      continue;
    }
    const Range stretch{tokens[i].text.begin, tokens[end - 1].text.end};
    segments_.clear();
    segmenter_.append_words(stretch.of(text), stretch.begin, segments_);
    for (const Range& word : segments_)
      out.push_back({word, static_cast<uint32_t>(stable_hash(word.of(text)))});
    i = end;
  }
}

}  // namespace nd::text
