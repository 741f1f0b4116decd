// The signatures of a page and of its blocks, for scripts with spaces and without.
#include "page/spot_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "page/candidate_keys.hpp"
#include "page/feature_builder.hpp"
#include "page/record_keys.hpp"
#include "text/page_reader.hpp"
#include "unit/collection/counted_page_sample.hpp"
#include "unit/page/feature_sample.hpp"
#include "unit/page_sample.hpp"

namespace nd::engine {
namespace {

constexpr std::string_view kChinese =
    "市议会决定在春天之前重建港口上方的老灯塔。目前还没有人知道这笔钱由谁来出,但是港务长说灯还可以修好,"
    "住在那里三十年的看守人希望留下来。游客从六月起可以再次登上这座灯塔,参观的时间和票价将在网站上公布。";

class SpotBuilderTest : public testing::Test {
 protected:
  SpotBuilderTest() : reader_(*text::PageReader::create()), builder_(*FeatureBuilder::create()) {
    parameters_.spots = {};  // more than these pages have
  }

  Features build(const std::string& html, bool portable, std::span<const uint8_t> boilerplate = {}) {
    EXPECT_TRUE(reader_.read("http://www.a.example/",
                             {reinterpret_cast<const uint8_t*>(html.data()), html.size()},
                             "text/html; charset=utf-8", parameters_.page, document_));
    builder_.begin(document_);
    return builder_.finish({"http://www.a.example/", 1, html.size(), false}, document_, boilerplate,
                           parameters_, portable ? RecordFor::kElsewhere : RecordFor::kThisCheck);
  }

  static bool limited(const Features& features) {
    return (features.header().flags & kFeatureSpotsLimited) != 0;
  }

  Parameters parameters_;
  text::PageReader reader_;
  text::Document document_;
  FeatureBuilder builder_;
};

TEST(FeatureSpotsTest, EntriesKeepHashAndSaturatedCount) {
  const uint64_t largest = (uint64_t{1} << spotsigs::kSpotHashBits) - 1;
  for (uint64_t hash : {uint64_t{0}, uint64_t{1}, largest}) {
    for (uint32_t count : {1U, 2U, 255U, 256U, UINT32_MAX}) {
      const spotsigs::Spot spot = spot_of(make_packed_spot({hash, count}));
      EXPECT_EQ(spot.hash, hash);
      EXPECT_EQ(spot.count, std::min(count, 255U));
    }
  }
}

TEST_F(SpotBuilderTest, PagesOfBothKindsOfScriptHaveSignatures) {
  for (const std::string& html :
       {sample::article_html(1), "<p>" + std::string(kChinese) + "</p><p>" + sample::paragraph(3) + "</p>"}) {
    const Features kept = build(html, false);
    const Features portable = build(html, true);
    EXPECT_GT(kept.spots().size(), 10U);
    EXPECT_TRUE(std::ranges::equal(kept.spots(), portable.spots()));
    EXPECT_TRUE(kept.block_spots().empty());
    EXPECT_FALSE(portable.block_spots().empty());
    EXPECT_FALSE(limited(kept));
    EXPECT_TRUE(Features::parse(kept.bytes()));
    EXPECT_TRUE(Features::parse(portable.bytes()));
  }
}

TEST_F(SpotBuilderTest, TheChineseBlockAloneHasThoseOfItsWords) {
  const Features page = build("<p>" + std::string(kChinese) + "</p>", false);
  text::DictionaryWords dictionary = *text::DictionaryWords::create();
  Vector<text::Word> words;
  dictionary.append(document_.text, document_.tokens, words);
  Vector<spotsigs::SpotWord> kinds;
  for (const text::Word& word : words)
    kinds.push_back({word.hash, spotsigs::WordKinds::instance().of(word.hash)});
  Vector<spotsigs::Spot> spots;
  spotsigs::SpotExtractor().append_spots(kinds, parameters_.spots, spots);
  spotsigs::unite(spots, spots.size());
  ASSERT_EQ(page.spots().size(), spots.size());
  EXPECT_GT(spots.size(), 5U);
  for (size_t i = 0; i < spots.size(); ++i)
    EXPECT_EQ(page.spots()[i], make_packed_spot(spots[i]));
}

TEST_F(SpotBuilderTest, ChainsEndWithTheirBlock) {
  EXPECT_EQ(build("<p>it is the</p><p>harbour master speaks</p>", false).spots().size(), 0U);
  EXPECT_EQ(build("<p>it is the harbour master speaks</p>", false).spots().size(), 2U);
}

TEST_F(SpotBuilderTest, CountsAddUpOverBlocksAndSaturate) {
  const std::string block = "<p>the harbour master</p>";
  EXPECT_EQ(spot_of(build(block, false).spots()[0]).count, 1U);
  std::string many;
  for (int i = 0; i < 300; ++i)
    many += "<p>the harbour master " + std::to_string(i) + "</p>";
  const Features page = build(many, true);
  ASSERT_EQ(page.spots().size(), 1U);
  EXPECT_EQ(spot_of(page.spots()[0]).count, 255U);
  EXPECT_EQ(page.block_spots().size(), 300U);
}

TEST_F(SpotBuilderTest, WithoutItsSitesBlocksAPageHasTheSignaturesOfTheRest) {
  const sample::Paragraphs own = sample::article(1);
  const sample::Paragraphs boilerplate = sample::article(2);
  sample::Paragraphs framed = boilerplate;
  framed.insert(framed.end(), own.begin(), own.end());
  const Features both = build(sample::html(framed), true);
  const Features rest = build(sample::html(own), false);
  std::vector<uint64_t> dropped;
  std::vector<uint8_t> marks(both.blocks().size(), 0);
  for (size_t i = 0; i < boilerplate.size(); ++i) {
    dropped.push_back(both.blocks()[i].hash);
    marks[i] = 1;
  }
  const Result<Features> reduced = RecordKeys().with_site(both, site_with_everywhere(both, dropped).view());
  ASSERT_TRUE(reduced);
  EXPECT_LT(reduced->spots().size(), both.spots().size());
  EXPECT_TRUE(std::ranges::equal(reduced->spots(), rest.spots()));
  EXPECT_TRUE(std::ranges::equal(build(sample::html(framed), false, marks).spots(), rest.spots()));
  // Dropped before the blocks that give keys are chosen: what is left is a short page and gives all its text.
  const std::string teaser = "<p>it is the harbour master</p>";
  const Features page = build(sample::article_html(4) + teaser, true);
  std::vector<uint64_t> article;
  for (size_t i = 0; i + 1 < page.blocks().size(); ++i)
    article.push_back(page.blocks()[i].hash);
  EXPECT_TRUE(
      std::ranges::equal(RecordKeys().with_site(page, site_with_everywhere(page, article).view())->spots(),
                         build(teaser, false).spots()));
}

TEST_F(SpotBuilderTest, OnlyPortableFeaturesGetASite) {
  // One short sentence: signatures, but no fingerprint.
  const Features page = build("<p>it is the harbour master</p>", false);
  ASSERT_EQ(page.fingerprints().size(), 0U);
  ASSERT_GT(page.spots().size(), 0U);
  const Result<Features> reduced = RecordKeys().with_site(page, SiteModel(1).view());
  ASSERT_FALSE(reduced);
  EXPECT_EQ(reduced.failure().status, Status::kInvalidArgument);
}

TEST_F(SpotBuilderTest, TheLimitKeepsTheSmallestHashesAndIsTold) {
  const std::string html = sample::article_html(1);
  const Features all = build(html, true);
  const uint32_t count = all.header().spot_count;
  for (uint32_t limit : {1U, count - 1, count}) {
    parameters_.spots.signatures = limit;
    const Features cut = build(html, true);
    EXPECT_TRUE(std::ranges::equal(cut.spots(), all.spots().first(limit)));
    EXPECT_EQ(limited(cut), limit < count);
    EXPECT_LE(cut.block_spots().size(), cut.blocks().size() * (limit + 1));
    EXPECT_TRUE(Features::parse(cut.bytes()));
    std::vector<uint64_t> dropped;
    for (const FeatureBlock& block : cut.blocks())
      dropped.push_back(block.hash);
    EXPECT_EQ(limited(*RecordKeys().with_site(cut, SiteModel(1).view())), limit < count);
    EXPECT_FALSE(limited(*RecordKeys().with_site(cut, site_with_everywhere(cut, dropped).view())));
  }
}

TEST_F(SpotBuilderTest, ParametersReachTheExtractor) {
  const std::string html = sample::article_html(1);
  const Features plain = build(html, true);
  parameters_.spots.distance = 3;
  const Features distant = build(html, false);
  EXPECT_EQ(distant.header().spot_parameters.distance, 3U);
  EXPECT_FALSE(std::ranges::equal(plain.spots(), distant.spots()));
  parameters_.spots = {};
  parameters_.spots.chain = 4;
  EXPECT_FALSE(std::ranges::equal(plain.spots(), build(html, false).spots()));
  parameters_.spots = {};
  parameters_.spots.enabled = false;
  const Features none = build(html, true);
  EXPECT_EQ(none.header().spot_parameters.enabled, 0U);
  EXPECT_TRUE(none.spots().empty());
  EXPECT_TRUE(none.block_spots().empty());
  EXPECT_TRUE(std::ranges::equal(none.keys(), plain.keys()));
  EXPECT_TRUE(Features::parse(none.bytes()));
  EXPECT_TRUE(RecordKeys().with_site(none, SiteModel(1).view()));
}

TEST_F(SpotBuilderTest, APageOfAntecedentsAlone) {
  std::string text = "<p>";
  for (int i = 0; i < 50000; ++i)
    text += "the ";
  EXPECT_TRUE(build(text + "end of it</p>", true).spots().empty());
}

}  // namespace
}  // namespace nd::engine
