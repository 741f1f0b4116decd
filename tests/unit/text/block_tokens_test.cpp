// Tokens cut in one pass over the text equal those cut block by block, also at the limit.
#include "text/block_tokens.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>

#include "block_sentences.hpp"
#include "text/sentences.hpp"
#include "unit/words/random_text.hpp"
#include "words/normalize.hpp"
#include "words/stop_word_tables.hpp"
#include "words/stop_words.hpp"

namespace nd::text {
namespace {

void add_block(Document& document, std::string_view text) {
  DocumentBlock block{};
  block.text.begin = static_cast<uint32_t>(document.text.size());
  document.text += text;
  block.text.end = static_cast<uint32_t>(document.text.size());
  if (block.text.empty()) return;
  document.blocks.push_back(block);
  document.text += '\n';
}

Document random_document(uint32_t seed) {
  auto normalizer = Normalizer::create();
  RandomText random(seed, mixed_alphabets());
  Document document;
  String form;
  for (int i = 0; i < 30; ++i) {
    form.clear();
    normalizer->append(random(i % 5 == 0 ? 200 : 20), form);
    add_block(document, form);
  }
  return document;
}

void expect_same_tokens(const Document& document, const DocumentBlock& block, const Vector<Token>& expected) {
  ASSERT_EQ(block.tokens.size(), expected.size());
  uint32_t width = 0;
  uint32_t stop_count = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const Token& token = document.tokens[block.tokens.begin + i];
    EXPECT_EQ(token.text, expected[i].text);
    EXPECT_EQ(token.hash, expected[i].hash);
    EXPECT_EQ(token.width, expected[i].width);
    width += token.width;
    const std::string_view text = token.text.of(document.text);
    const bool is_character =
        text.size() == 3 && chinese_function_characters().find(text) != std::string_view::npos;
    stop_count += is_stop_word(token.hash) || is_character;
  }
  EXPECT_EQ(block.width, width);
  EXPECT_EQ(block.stop_share,
            expected.empty() ? 0.0F : static_cast<float>(stop_count) / static_cast<float>(expected.size()));
}

TEST(BlockTokens, WorkedExample) {
  Document document;
  add_block(document, "the lighthouse keeper");
  add_block(document, "***");
  add_block(document, "我的灯");
  EXPECT_EQ(cut_tokens(document, 0, 100), 3U);
  EXPECT_EQ(document.blocks[0].tokens, (Range{0, 3}));
  EXPECT_EQ(document.blocks[0].width, 19U);
  EXPECT_FLOAT_EQ(document.blocks[0].stop_share, 1.0F / 3.0F);
  EXPECT_EQ(document.blocks[1].tokens, (Range{3, 3}));
  EXPECT_EQ(document.blocks[1].stop_share, 0.0F);
  EXPECT_EQ(document.blocks[2].tokens, (Range{3, 6}));
  EXPECT_EQ(document.blocks[2].width, 6U);
  EXPECT_FALSE(document.tokens_limited);
}

// Each block cut alone: what a pass over all of them must equal, from whatever block it starts.
TEST(BlockTokens, OnePassEqualsBlockByBlock) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Document document = random_document(seed);
    const size_t blocks = document.blocks.size();
    const size_t half = blocks / 2;
    Document first = document;
    first.blocks.resize(half);
    cut_tokens(first, 0, UINT32_MAX);
    for (size_t i = 0; i < half; ++i)
      document.blocks[i] = first.blocks[i];
    document.tokens = first.tokens;
    EXPECT_EQ(cut_tokens(document, half, UINT32_MAX), blocks);
    cut_sentences(document.text, document.blocks, document.sentences);
    uint32_t next = 0;
    for (const DocumentBlock& block : document.blocks) {
      const std::string_view text = block.text.of(document.text);
      Vector<Token> tokens;
      append_tokens(text, block.text.begin, tokens);
      EXPECT_EQ(block.tokens.begin, next);
      next = block.tokens.end;
      expect_same_tokens(document, block, tokens);
      Vector<Range> sentences;
      test::append_sentences(text, block.text.begin, sentences);
      const auto found = std::span(document.sentences).subspan(block.sentences.begin, block.sentences.size());
      EXPECT_TRUE(std::equal(found.begin(), found.end(), sentences.begin(), sentences.end()));
    }
    EXPECT_EQ(next, document.tokens.size());
  }
}

TEST(BlockTokens, TheLimitCutsInsideABlockAndStopsBehindIt) {
  for (uint32_t limit = 1; limit <= 8; ++limit) {
    Document document;
    add_block(document, "one two three");
    add_block(document, "...");
    add_block(document, "four five six");
    const size_t cut = cut_tokens(document, 0, limit);
    EXPECT_EQ(cut, limit <= 3 ? 1U : 3U) << limit;
    EXPECT_EQ(document.tokens.size(), std::min(limit, 6U));
    EXPECT_EQ(document.tokens_limited, limit != 3 && limit < 6) << limit;
    EXPECT_EQ(document.blocks[cut - 1].tokens.end, document.tokens.size());
  }
}

}  // namespace
}  // namespace nd::text
