// Which blocks are main content, on pages made by hand.
#include "text/main_content.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "core/hash.hpp"
#include "text/page_reader.hpp"

namespace nd::text {
namespace {

constexpr std::string_view kProse =
    "The council of the town met on the evening of the third day, and it was decided that the old bridge "
    "over the river "
    "should be closed to all carts until the beams that had been damaged by the flood could be replaced.";

Document read(const std::string& html, BlockWeights block_weights = kRuleWeights,
              const char* content_type = "text/html; charset=utf-8") {
  Result<PageReader> reader = PageReader::create();
  EXPECT_TRUE(reader);
  Document document;
  const auto* bytes = reinterpret_cast<const uint8_t*>(html.data());
  PageLimits limits;
  limits.block_weights = block_weights;
  EXPECT_TRUE(reader->read("http://www.example.com/a", {bytes, html.size()}, content_type, limits, document));
  return document;
}

// The weight of the first block that begins with `text`.
float weight_of(const Document& document, std::string_view text) {
  for (const DocumentBlock& block : document.blocks) {
    if (block.text.of(document.text).starts_with(text)) return block.weight;
  }
  ADD_FAILURE() << "no block begins with " << text;
  return -1;
}

std::string paragraph(std::string_view text) {
  return "<p>" + std::string(text) + "</p>";
}

TEST(MainContent, ProseInPlaceWeighsAllAndMenusNothing) {
  const Document document = read(
      "<body><div><ul><li><a href=/1>Home</a><li><a href=/2>News</a></ul></div><div>" + paragraph(kProse) +
      paragraph("A second one: " + std::string(kProse)) + "</div><div><a href=/x>Imprint</a></div></body>");
  EXPECT_FLOAT_EQ(weight_of(document, "the council"), 1.0F);
  EXPECT_FLOAT_EQ(weight_of(document, "a second one"), 1.0F);
  EXPECT_FLOAT_EQ(weight_of(document, "home"), 0.0F);
  EXPECT_FLOAT_EQ(weight_of(document, "imprint"), 0.0F);
}

TEST(MainContent, ShortBlocksBetweenProseKeepTheirPlace) {
  const Document document = read("<body><div>" + paragraph(kProse) + "<h2>Repairs</h2>" +
                                 paragraph("Then: " + std::string(kProse)) + "</div></body>");
  EXPECT_FLOAT_EQ(weight_of(document, "repairs"), 0.6F);
}

TEST(MainContent, LinkedProseIsNoProse) {
  const Document document =
      read("<body><div><p><a href=/other>" + std::string(kProse) + "</a></p></div></body>");
  EXPECT_FLOAT_EQ(weight_of(document, "the council"), 0.0F);
}

TEST(MainContent, ARepeatedBlockWeighsNothing) {
  const Document document =
      read("<body><div>" + paragraph(kProse) + paragraph("In between: " + std::string(kProse)) +
           paragraph(kProse) + "</div></body>");
  ASSERT_EQ(document.blocks.size(), 3U);
  EXPECT_FLOAT_EQ(document.blocks[0].weight, 1.0F);
  EXPECT_FLOAT_EQ(document.blocks[2].weight, 0.0F);
}

// XXH3 multiplies the halves of eight bytes, after exclusive or with a key, and adds the products. Where the
// first halves then are the same number in two places, what a letter adds in the one it takes in the other.
TEST(MainContent, BlocksOfOneHashAreComparedByTheirText) {
  std::string one;
  while (one.size() < 800)
    one += std::string(kProse) + " ";
  one.resize(799);
  one += ".";
  one.replace(440, 8, "aaaabbbb");
  one.replace(632, 8, "rxv%bcbb");
  std::string other = one;
  std::swap(other[445], other[637]);
  const Document document = read("<body><div>" + paragraph(one) + paragraph(other) + paragraph(one) +
                                 paragraph(other) + "</div></body>");
  ASSERT_EQ(document.blocks.size(), 4U);
  const std::string_view text = document.text;
  EXPECT_NE(document.blocks[0].text.of(text), document.blocks[1].text.of(text));
  EXPECT_EQ(stable_hash(document.blocks[0].text.of(text)), stable_hash(document.blocks[1].text.of(text)));
  EXPECT_FLOAT_EQ(document.blocks[0].weight, 1.0F);
  EXPECT_FLOAT_EQ(document.blocks[1].weight, 1.0F);
  EXPECT_FLOAT_EQ(document.blocks[2].weight, 0.0F);
  EXPECT_FLOAT_EQ(document.blocks[3].weight, 0.0F);
}

TEST(MainContent, ChineseProseNeedsAMarkAndFunctionCharacters) {
  const std::string prose =
      "昨天晚上镇上的居民在河边的老桥旁边举行了一次会议,大家决定在洪水损坏的桥梁修好之前不再让车辆通过。";
  const std::string names =
      "北京上海广州深圳杭州南京苏州成都武汉西安重庆天津青岛大连厦门宁波长沙郑州济南合肥福州昆明";
  const Document document =
      read("<body><div>" + paragraph(prose) + "</div><div>" + paragraph(names) + "</div></body>");
  EXPECT_FLOAT_EQ(weight_of(document, "昨天"), 1.0F);
  EXPECT_FLOAT_EQ(weight_of(document, "北京"), 0.0F);
}

TEST(MainContent, WithoutProseEverythingWeighsNothing) {
  const Document document = read("<body><p>short</p><p>shorter still</p></body>");
  for (const DocumentBlock& block : document.blocks)
    EXPECT_FLOAT_EQ(block.weight, 0.0F);
}

// With menu, comments and footer around it, as a blog has them.
std::string article_page() {
  std::string html = "<html><head><title>The old bridge - Town News</title><body><div id=top><ul class=menu>";
  for (const char* entry : {"Home", "News", "Sports", "Weather", "Contact"})
    html += "<li><a href=/" + std::string(entry) + ">" + entry + "</a>";
  html += "</ul></div><div class=article><h1>The old bridge</h1>";
  for (int i = 0; i < 4; ++i)
    html += paragraph("Part " + std::to_string(i) + ". " + std::string(kProse));
  html += "<table><tr><td>Length<td>120 m<tr><td>Width<td>8 m</table></div><div class=footer><ul>";
  for (const char* entry : {"Imprint", "Privacy", "Terms of use", "Jobs"})
    html += "<li><a href=/" + std::string(entry) + ">" + entry + "</a>";
  return html + "</ul></div>";
}

TEST(MainContent, TheModelKeepsTheArticleAndItsTable) {
  const Document document = read(article_page(), kLearnedWeights);
  EXPECT_GT(weight_of(document, "part 0"), 0.8F);
  EXPECT_GT(weight_of(document, "part 3"), 0.8F);
  EXPECT_GT(weight_of(document, "120 m"), 0.4F);
  EXPECT_LT(weight_of(document, "sports"), 0.2F);
  EXPECT_LT(weight_of(document, "privacy"), 0.2F);
}

TEST(MainContent, TheModelGivesARepeatedBlockNothing) {
  const Document document =
      read("<body><div>" + paragraph(kProse) + paragraph("In between: " + std::string(kProse)) +
               paragraph(kProse) + "</div></body>",
           kLearnedWeights);
  EXPECT_FLOAT_EQ(document.blocks[2].weight, 0.0F);
}

TEST(MainContent, PlainTextIsWeighedByTheRules) {
  const std::string text = std::string(kProse) + "\n\nNotes\n\n" + std::string(kProse) + " Again.";
  const Document learned = read(text, kLearnedWeights, "text/plain; charset=utf-8");
  const Document by_rules = read(text, kRuleWeights, "text/plain; charset=utf-8");
  ASSERT_EQ(learned.blocks.size(), 3U);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(learned.blocks[i].weight, by_rules.blocks[i].weight);
}

TEST(MainContent, WithoutWeightsAllTextIsContent) {
  const std::string text = std::string(kProse) + "\n\nNotes\n\nx = f(y);\n\n" + std::string(kProse);
  const Document plain = read(text, kNoWeights, "text/plain; charset=utf-8");
  ASSERT_EQ(plain.blocks.size(), 4U);
  const Document html = read(article_page(), kNoWeights);
  ASSERT_GT(html.blocks.size(), 10U);
  for (const Document* document : {&plain, &html}) {
    for (const DocumentBlock& block : document->blocks)
      EXPECT_EQ(block.weight, 1.0F);
  }
}

TEST(MainContent, NothingIsFine) {
  Document document;
  ContentWeigher().weigh(document);
  EXPECT_TRUE(document.blocks.empty());
}

}  // namespace
}  // namespace nd::text
