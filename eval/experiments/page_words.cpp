// Makes runs of words into shingles, in the form of spot documents so that one join serves both.
#include "page_words.hpp"

#include <limits>

#include "baselines/shingles.hpp"
#include "page/candidate_keys.hpp"
#include "words/word_segmenter.hpp"

namespace nd::eval {
namespace {

void append_words(const text::Document& document, const engine::Features& features, Text text,
                  text::DictionaryWords& dictionary, Vector<uint32_t>& out) {
  const std::span<const engine::FeatureBlock> blocks = features.blocks();
  const bool all_text =
      text == Text::kAll ||
      engine::KeyBuilder::uses_all_text(blocks, features.symbols(), features.header().key_parameters);
  Vector<text::Word> words;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (!engine::KeyBuilder::gives_keys(blocks[i], all_text)) continue;
    const text::Range tokens = document.blocks[i].tokens;
    words.clear();
    dictionary.append(document.text, std::span(document.tokens).subspan(tokens.begin, tokens.size()), words);
    for (const text::Word& word : words)
      out.push_back(word.hash);
  }
}

}  // namespace

Result<std::vector<Vector<uint32_t>>> page_words(Collection& collection, std::span<const uint32_t> pages,
                                                 Text text) {
  const auto documents = collection.documents();
  if (!documents) return documents.failure();
  const auto features = collection.features(detectors::Method::kLcs);
  if (!features) return features.failure();
  Result<text::DictionaryWords> dictionary = text::DictionaryWords::create();
  if (!dictionary) return std::move(dictionary).failure();
  std::vector<Vector<uint32_t>> words(pages.size());
  for (size_t i = 0; i < words.size(); ++i)
    append_words((**documents)[pages[i]], (**features)[pages[i]], text, *dictionary, words[i]);
  return words;
}

SpotDocument shingles_of(const Vector<uint32_t>& words, uint32_t length) {
  baselines::ShingleSet shingles;
  baselines::make_shingles(words, {.words = length, .shingles = std::numeric_limits<uint32_t>::max()},
                           shingles);
  SpotDocument out;
  out.reserve(shingles.size());
  for (const uint64_t shingle : shingles)
    out.push_back({shingle, 1});
  return out;
}

}  // namespace nd::eval
