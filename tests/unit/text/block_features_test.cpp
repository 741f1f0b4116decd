// The features of blocks on pages worked by hand, and with very many or deeply nested blocks.
#include "text/block_features.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "text/page_reader.hpp"

namespace nd::text {
namespace {

TEST(BlockFeatures, LogScaleHasFourStepsAnOctave) {
  EXPECT_EQ(log_scale(0), 0);
  EXPECT_EQ(log_scale(1), 4);
  EXPECT_EQ(log_scale(2), 6);
  EXPECT_EQ(log_scale(3), 8);
  EXPECT_EQ(log_scale(4), 9);
  EXPECT_EQ(log_scale(7), 12);
  EXPECT_EQ(log_scale(99), 26);  // 100: 64 and two quarters
  EXPECT_EQ(log_scale(1023), 40);
  EXPECT_EQ(log_scale(UINT32_MAX), 127);
  EXPECT_EQ(log_scale(UINT64_MAX - 1), 127);
  for (uint64_t value = 1; value < 100'000; ++value)
    ASSERT_GE(log_scale(value), log_scale(value - 1)) << value;
}

class BlockFeaturesTest : public testing::Test {
 protected:
  BlockFeaturesTest() : reader_(*PageReader::create()) {}

  void read(const std::string& html, PageLimits limits = {}) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(html.data());
    ASSERT_TRUE(reader_.read("http://www.example.com/a", {bytes, html.size()}, "text/html; charset=utf-8",
                             limits, document_));
    features_.start(document_, reader_.weigher().structure());
    rows_ = std::make_unique<BlockFeatures::Rows>(features_.chunk(0));
  }
  int value(BlockFeature feature, size_t block) const {
    return (*rows_)[static_cast<size_t>(feature)][block];
  }

  PageReader reader_;
  Document document_;
  BlockFeatures features_;
  std::unique_ptr<BlockFeatures::Rows> rows_;
};

// By hand: four blocks of 4, 15, 102 and 5 characters.
TEST_F(BlockFeaturesTest, WorkedExample) {
  read(
      "<title>The old bridge | News</title><body><ul class=menu><li><a href=/>Home</a></ul>"
      "<div class=story><h1>The old bridge</h1><p>It was decided that the old bridge over the river should "
      "be "
      "closed to all of the carts until the day of the repair.</p></div><footer>Legal</footer>");
  ASSERT_EQ(document_.blocks.size(), 4U);
  using enum BlockFeature;
  EXPECT_EQ(value(link_share, 0), 255);
  EXPECT_EQ(value(link_share, 2), 0);
  EXPECT_EQ(value(in_list, 0), 1);
  EXPECT_EQ(value(navigation, 0), 1);
  EXPECT_EQ(value(margin, 0), 0);
  EXPECT_EQ(value(margin, 3), 2);
  EXPECT_EQ(value(named_content, 1), 1);
  EXPECT_EQ(value(named_nearest, 2), 1);
  EXPECT_EQ(value(beside_named, 0), 1);
  EXPECT_EQ(value(beside_named, 2), 0);
  EXPECT_EQ(value(heading_level, 1), 1);
  EXPECT_EQ(value(title_heading, 0), 1);
  EXPECT_EQ(value(title_heading, 1), 2);
  EXPECT_EQ(value(title_heading, 2), 3);
  EXPECT_EQ(value(since_title, 2), log_scale(1));
  EXPECT_EQ(value(since_title, 3), log_scale(2));
  EXPECT_EQ(value(in_run, 2), 1);
  EXPECT_EQ(value(ahead_of_run, 0), log_scale(2));
  EXPECT_EQ(value(behind_run, 3), log_scale(1));
  EXPECT_EQ(value(levels_to_best, 2), 0);
  EXPECT_EQ(value(levels_to_best, 0), 1);
  EXPECT_EQ(value(ends_sentence, 2), 1);
  EXPECT_EQ(value(ends_sentence, 0), 0);
  EXPECT_EQ(value(last_heading, 2), 1);
  EXPECT_EQ(value(next_width, 3), 0);
  EXPECT_EQ(value(next_width, 2), value(width, 3));
  EXPECT_EQ(value(own_blocks, 2), log_scale(2));
  EXPECT_EQ(value(own_link_share, 0), 255);
  EXPECT_EQ(value(own_good_share, 2), 255);
  EXPECT_EQ(value(before, 0), 0);
  EXPECT_EQ(value(page_blocks, 0), log_scale(4));
}

TEST_F(BlockFeaturesTest, OneBlock) {
  read("x");
  ASSERT_EQ(document_.blocks.size(), 1U);
  EXPECT_EQ(value(BlockFeature::own_blocks, 0), log_scale(1));
  EXPECT_EQ(value(BlockFeature::levels_to_best, 0), 0);
}

// A page's features do not depend on what was read before, nor on where a chunk ends.
TEST_F(BlockFeaturesTest, EqualPagesHaveEqualFeatures) {
  std::string html = "<title>Words</title>";
  for (int i = 0; i < 300; ++i)
    html += "<div><p>Paragraph " + std::to_string(i) + "</p></div>";
  read(html);
  const auto first = *rows_;
  const auto second = features_.chunk(BlockFeatures::kChunk);
  read("<h1>Another</h1><p>page");
  read(html);
  EXPECT_EQ(first, *rows_);
  EXPECT_EQ(second, features_.chunk(BlockFeatures::kChunk));
}

// Whatever the nesting, the work is a constant times the blocks and containers: it is counted where the page
// is weighed.
TEST_F(BlockFeaturesTest, ManyBlocksAndDeepNesting) {
  std::string many, deep, headings = "<title>" + std::string(100'000, 'a') + "</title>";
  for (int i = 0; i < 60'000; ++i)
    many += "<td>x y";
  for (int i = 0; i < 30'000; ++i)
    deep += "<div class=nav>x<p>";
  for (int i = 0; i < 20'000; ++i)
    headings += "<h2>aaaaaaaaaab</h2>";
  PageLimits limits;
  limits.tokens = 1 << 22;
  limits.html.depth = 1024;
  for (const std::string& html : {many, deep, headings}) {
    read(html, limits);
    const uint64_t counted = document_.work.of(Work::kBlocks);
    EXPECT_GE(counted, document_.blocks.size());
    EXPECT_LE(counted, 8 * html.size());
    for (const DocumentBlock& block : document_.blocks)
      ASSERT_TRUE(block.weight >= 0 && block.weight <= 1);
  }
}

}  // namespace
}  // namespace nd::text
