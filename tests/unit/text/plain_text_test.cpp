#include "text/plain_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace nd::text {
namespace {

std::vector<std::string> blocks_of(std::string_view text, const HtmlLimits& limits = {},
                                   bool* limited = nullptr) {
  Extraction extraction;
  extract_plain_text(text, limits, extraction);
  std::vector<std::string> blocks;
  for (const TextBlock& block : extraction.blocks)
    blocks.emplace_back(block.text.of(extraction.text));
  if (limited != nullptr) *limited = extraction.limited;
  return blocks;
}

TEST(PlainText, BlankLinesSeparateParagraphs) {
  EXPECT_EQ(blocks_of("one\ntwo\n\nthree\n \t\r\nfour"),
            (std::vector<std::string>{"one\ntwo", "three", "four"}));
}

TEST(PlainText, NothingGivesNothing) {
  EXPECT_TRUE(blocks_of("").empty());
  EXPECT_TRUE(blocks_of("\n\n  \n").empty());
}

TEST(PlainText, CutsAtWholeCharactersAndSaysSo) {
  HtmlLimits limits;
  limits.text_bytes = 4;
  bool limited = false;
  EXPECT_EQ(blocks_of("ab\xe4\xbd\xa0\xe5\xa5\xbd", limits, &limited), (std::vector<std::string>{"ab"}));
  EXPECT_TRUE(limited);
}

TEST(PlainText, BlocksAreLimited) {
  HtmlLimits limits;
  limits.blocks = 3;
  bool limited = false;
  EXPECT_EQ(blocks_of("a\n\nb\n\nc\n\nd\n\ne", limits, &limited).size(), 3U);
  EXPECT_TRUE(limited);
  EXPECT_EQ(blocks_of("a\n\nb\n\nc", limits, &limited).size(), 3U);
  EXPECT_FALSE(limited);
}

}  // namespace
}  // namespace nd::text
