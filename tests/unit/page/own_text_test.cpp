// The own text of a page, with and without knowledge of its site.
#include "page/own_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "page/feature_builder.hpp"
#include "text/page_reader.hpp"

namespace nd::engine {
namespace {

const std::string kSentence =
    "The last car ferry across the estuary will stop running at the end of October, after the harbour board "
    "had "
    "decided that a new hull would cost more than the crossing has earned in the past twelve years together.";
const std::string kOther =
    "The growers of the valley did what their grandparents had done and lit small fires between the rows of "
    "the "
    "vines, which kept the frost from the buds in all but two of the nights of that week.";

class OwnTextTest : public testing::Test {
 protected:
  OwnTextTest() : reader_(*text::PageReader::create()), builder_(*FeatureBuilder::create()) {}

  void read(const std::string& body, std::string_view content_type = "text/html; charset=utf-8") {
    EXPECT_TRUE(reader_.read("http://a.example/",
                             {reinterpret_cast<const uint8_t*>(body.data()), body.size()}, content_type,
                             limits_, document_));
    blocks_ = builder_.begin(document_);
  }
  // Of so many other pages `with` have each block; nothing: none has any.
  std::string own(uint32_t pages = 0, const std::vector<uint32_t>& with = {}) {
    String text("of the page before");
    write_own_text(document_, blocks_, builder_.block_widths(), {pages, with, {}}, text);
    return {text.begin(), text.end()};
  }

  text::PageLimits limits_;
  text::PageReader reader_;
  FeatureBuilder builder_;
  text::Document document_;
  std::span<const FeatureBlock> blocks_;
};

TEST_F(OwnTextTest, IsAsThePageHasItOneBlockALine) {
  limits_.block_weights = text::kNoWeights;
  read(
      "<h1>The  Ferry\n of\tTHURSO</h1><p>Stra&szlig;e, <b>&Auml;pfel</b>&nbsp;and more "
      "words</p><p>\xEF\xBC\xA1\xEF\xBC\xA2 stays wide</p>");
  EXPECT_EQ(own(),
            "The Ferry of THURSO\nStra\xC3\x9F"
            "e, \xC3\x84pfel\xC2\xA0"
            "and more words\n\xEF\xBC\xA1\xEF\xBC\xA2 stays wide");
}

TEST_F(OwnTextTest, PreformattedAndPlainTextKeepTheirLines) {
  limits_.block_weights = text::kNoWeights;
  read("<pre>one(two)\n    three = 4</pre><p>words\nin a row</p>");
  EXPECT_EQ(own(), "one(two)\n    three = 4\nwords in a row");
  read("First line\n  second line\n\nAnother  paragraph\n", "text/plain");
  EXPECT_EQ(own(), "First line\n  second line\n\nAnother  paragraph");
}

TEST_F(OwnTextTest, WithoutKnowledgeTheWeightsOfTheBlocksChoose) {
  read("<nav><a href=/>Home</a> <a href=/a>About us</a></nav><article><p>" + kSentence + "</p><p>" + kOther +
       "</p></article><footer>All rights reserved</footer>");
  EXPECT_EQ(own(), kSentence + "\n" + kOther);
}

TEST_F(OwnTextTest, WhatManyPagesOfTheSiteHaveIsLeftOut) {
  read("<div>" + kOther + "</div><p>" + kSentence + "</p>");
  ASSERT_EQ(blocks_.size(), 2U);
  EXPECT_EQ(own(20, {20, 0}), kSentence);
  // 1 / (1 + (with / 21 / .15)²) is below a quarter from six of twenty pages on.
  EXPECT_EQ(own(20, {5, 0}), kOther + "\n" + kSentence);
  EXPECT_EQ(own(20, {6, 0}), kSentence);
}

// A known template says what is not in it, whatever that looks like.
TEST_F(OwnTextTest, WhatTheSiteDoesNotRepeatStays) {
  read("<div>" + kOther + "</div><ul><li><a href=/1>Price 17 crowns</a></li></ul>");
  ASSERT_EQ(blocks_.size(), 2U);
  EXPECT_EQ(own(), kOther);
  EXPECT_EQ(own(20, {20, 0}), "Price 17 crowns");
}

TEST_F(OwnTextTest, IfHardlyAnythingIsLeftTheWeightsOfTheBlocksChoose) {
  read("<nav><a href=/>Home</a> <a href=/a>About us</a></nav><p>" + kSentence + "</p><p>" + kOther + "</p>");
  ASSERT_EQ(blocks_.size(), 3U);
  EXPECT_EQ(own(20, {20, 20, 20}), kSentence + "\n" + kOther);
  EXPECT_EQ(own(1, {1, 1, 1}), kSentence + "\n" + kOther);
}

TEST_F(OwnTextTest, MayBeNothing) {
  read("<nav><a href=/>Home</a> <a href=/a>About us</a></nav>");
  EXPECT_EQ(own(), "");
  EXPECT_EQ(own(20, std::vector<uint32_t>(blocks_.size(), 20)), "");
  read("");
  EXPECT_EQ(own(), "");
  EXPECT_EQ(own(3), "");
}

}  // namespace
}  // namespace nd::engine
