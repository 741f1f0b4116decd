// The terms of a page by field, with stop words left out.
#include "mwo/term_extractor.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "core/hash.hpp"
#include "text/page_reader.hpp"
#include "unit/page_sample.hpp"

namespace nd::mwo {
namespace {

class TermExtractorTest : public testing::Test {
 protected:
  TermExtractorTest()
      : reader_(std::move(*text::PageReader::create())), extractor_(std::move(*TermExtractor::create())) {}

  // The weight of each term, by its hash, in thousandths.
  std::map<uint64_t, uint64_t> weights(std::string_view html, std::string_view url = "") {
    const auto* bytes = reinterpret_cast<const uint8_t*>(html.data());
    EXPECT_TRUE(reader_.read(url, {bytes, html.size()}, type_, limits_, document_));
    Vector<WeighedTerm> terms;
    counts_ = extractor_.extract(url, document_, parameters_, terms);
    std::map<uint64_t, uint64_t> sums;
    for (const WeighedTerm& term : terms)
      sums[term.hash] += term.weight;
    return sums;
  }
  static std::map<uint64_t, uint64_t> expected(const std::map<std::string_view, uint64_t>& words) {
    std::map<uint64_t, uint64_t> sums;
    for (const auto& [word, weight] : words)
      sums[stable_hash(word)] = weight;
    return sums;
  }

  text::PageReader reader_;
  TermExtractor extractor_;
  text::Document document_;
  text::PageLimits limits_;
  TermParameters parameters_;
  TermCounts counts_;
  std::string_view type_ = "text/html; charset=utf-8";
};

// MWO, table 1.
TEST_F(TermExtractorTest, EachFieldHasItsWeight) {
  EXPECT_EQ(weights("<html><head><title>Titular</title>"
                    "<meta name=keywords content='kilo, lima'><meta name=description content='Delta echo'>"
                    "</head><body><h2>Headline</h2><p>Plain <a href='/x'>inside</a> golf "
                    "<a href='http://other.test/'>outside</a> hotel</p></body></html>",
                    "https://www.example.test/papa/quebec.html?r=romeo%20sierra"),
            expected({{"example", 2000},
                      {"test", 2000},
                      {"papa", 2000},
                      {"quebec", 2000},
                      {"html", 2000},
                      {"r", 2000},
                      {"romeo", 2000},
                      {"sierra", 2000},
                      {"titular", 2000},
                      {"headline", 2000},
                      {"kilo", 3000},
                      {"lima", 3000},
                      {"delta", 3000},
                      {"echo", 3000},
                      {"plain", 1000},
                      {"golf", 1000},
                      {"hotel", 1000},
                      {"inside", 1000},
                      {"outside", 500}}));
}

// "Number of occurrences of each token x is multiplied with the weight of respective term fields wherever the
// term is present and added together."
TEST_F(TermExtractorTest, OccurrencesAndFieldsAddUp) {
  EXPECT_EQ(weights("<title>tango tango</title><h1>tango</h1><p>tango tango tango</p>"),
            expected({{"tango", 2 * 2000 + 2000 + 3 * 1000}}));
}

TEST_F(TermExtractorTest, StopWordsAreLeftOutAndWordsStemmed) {
  EXPECT_EQ(weights("<html lang='en-US'><p>The campaigns were campaigning with a campaign</p>"),
            expected({{"campaign", 3000}}));
  EXPECT_EQ(counts_.words, 7U);
  EXPECT_EQ(counts_.stop_words, 4U);
  EXPECT_EQ(weights("<html lang='xx'><p>The campaigns</p>"), expected({{"campaigns", 1000}}));
  EXPECT_EQ(weights("<p>The campaigns</p>"), expected({{"campaigns", 1000}}));
  parameters_.stemming = Stemming::kNone;
  parameters_.stop_words = false;
  EXPECT_EQ(weights("<html lang=en><p>The campaigns</p>"), expected({{"the", 1000}, {"campaigns", 1000}}));
}

TEST_F(TermExtractorTest, ChineseIsCutIntoWords) {
  EXPECT_EQ(weights("<html lang=zh><title>网页</title><p>我们的相似网页</p>"),
            expected({{"网页", 3000}, {"相似", 1000}}));
}

TEST_F(TermExtractorTest, FrameGivesItsLinksAlone) {
  std::string page = "<html><body><nav><ul><li>Framed <a href=/a>linked</a></li></ul></nav><article>";
  for (const std::string& paragraph : ::sample::article(1))
    page += "<p>" + paragraph + "</p>";
  page += "</article></body></html>";
  const auto found = weights(page);
  EXPECT_EQ(found.count(stable_hash("framed")), 0U);
  EXPECT_EQ(found.at(stable_hash("linked")), 1000U);
  EXPECT_GT(found.size(), 20U);
  parameters_.frame_links = false;
  const auto without = weights(page);
  EXPECT_EQ(without.count(stable_hash("linked")), 0U);
  EXPECT_EQ(without.size() + 1, found.size());
  EXPECT_EQ(weights("<nav><ul><li><a href=/>Framed</a></li></ul></nav>"), expected({{"framed", 1000}}));
  // If nothing is main content, everything counts as such.
  EXPECT_EQ(weights("<nav><ul><li>Framed</li></ul></nav>"), expected({{"framed", 1000}}));
}

TEST_F(TermExtractorTest, AFieldOfNoWeightIsNotRead) {
  parameters_.weights = FieldWeights{0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_TRUE(
      weights("<title>one</title><h1>two</h1><p>three <a href=/>four</a></p>", "http://five/").empty());
  EXPECT_EQ(counts_.words, 0U);
  parameters_.weights.anchor_same_site = 10;
  EXPECT_EQ(weights("<title>one</title><h1>two</h1><p>three <a href=/>four</a></p>"),
            expected({{"four", 10}}));
}

TEST_F(TermExtractorTest, ALinkAroundBlocksAndLinksInLinks) {
  EXPECT_EQ(weights("<a href='http://other.test/'><p>alpha</p><h2>bravo</h2><p>charlie</p></a><p>delta</p>"),
            expected({{"alpha", 500}, {"bravo", 2000}, {"charlie", 500}, {"delta", 1000}}));
  const auto nested = weights("<p><a href='http://other.test/'>alpha <a href='/'>bravo</a> charlie</a></p>");
  EXPECT_EQ(nested.size(), 3U);
}

TEST_F(TermExtractorTest, PlainTextIsMainContent) {
  type_ = "text/plain";
  EXPECT_EQ(weights("alpha bravo\n\nalpha", "ftp://host/"),
            expected({{"host", 2000}, {"alpha", 2000}, {"bravo", 1000}}));
}

TEST_F(TermExtractorTest, HostileUrls) {
  for (const std::string_view url :
       {"", "://", "www.", "%", "%%%", "%4", "http://%zz%41%", "\xff\xfe\xe4\xb8", "http://\xe4\xb8\xad/"})
    EXPECT_LE(weights("", url).size(), 1U) << url;
  weights("", std::string(1 << 20, 'a'));
  EXPECT_LE(counts_.words, 1U);
  std::string many = "http://";
  for (int i = 0; i < 100000; ++i)
    many += "a/";
  weights("", many);
  EXPECT_LE(counts_.words, 1024U);
}

TEST_F(TermExtractorTest, WordsAreLimitedAndTheCutIsTold) {
  std::string page = "<title>tango</title><p>";
  for (int i = 0; i < 1000; ++i)
    page += "word" + std::to_string(i) + " <a href=/>x" + std::to_string(i) + "</a> ";
  parameters_.words = 101;
  EXPECT_EQ(weights(page).size(), 101U);
  EXPECT_TRUE(counts_.limited);
  EXPECT_EQ(counts_.words, 101U);
  parameters_.words = 2001;
  EXPECT_EQ(weights(page).size(), 2001U);
  EXPECT_FALSE(counts_.limited);
}

// Each block would have to look at every link if links in links were not passed over once.
TEST_F(TermExtractorTest, ManyLinksInOneLink) {
  std::string page = "<a href=/>";
  for (int i = 0; i < 20000; ++i)
    page += "<div><a href='http://o.test/'>x" + std::to_string(i) + "</a></div>";
  EXPECT_GT(weights(page).size(), 1000U);
}

TEST_F(TermExtractorTest, ReusedBuffersLeaveNothingBehind) {
  const auto first = weights("<html lang=en><p>campaigns <a href=/>links</a></p>", "http://host/");
  weights("<html lang=de><p>" + std::string(5000, 'x') + "</p>");
  EXPECT_EQ(weights("<html lang=en><p>campaigns <a href=/>links</a></p>", "http://host/"), first);
  EXPECT_TRUE(weights("").empty());
}

}  // namespace
}  // namespace nd::mwo
