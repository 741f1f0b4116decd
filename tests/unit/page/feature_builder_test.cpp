// What must not change a record (charset, mark-up, spelling) and what must (title, boilerplate).
#include "page/feature_builder.hpp"
#include "page/record_keys.hpp"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "core/utf8.hpp"
#include "text/page_reader.hpp"
#include "unit/collection/counted_page_sample.hpp"

namespace nd::engine {
namespace {

// Sentences enough for fingerprints in every bucket.
std::string article() {
  static const char* const kThings[] = {"桥梁", "学校", "市场", "医院", "车站",
                                        "公园", "河流", "山村", "工厂", "图书馆"};
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += std::string("第") + std::to_string(i) + "天,镇上的居民在" + kThings[i % 10] + "旁边看到了" +
            kThings[(i * 3 + 1) % 10] + "的变化,他们都很高兴。";
  }
  return text;
}

std::string encode(const std::string& utf8, const char* charset) {
  UErrorCode status = U_ZERO_ERROR;
  std::string out(utf8.size() * 2 + 8, '\0');
  const int32_t size = ucnv_convert(charset, "UTF-8", out.data(), static_cast<int32_t>(out.size()),
                                    utf8.data(), static_cast<int32_t>(utf8.size()), &status);
  EXPECT_TRUE(U_SUCCESS(status));
  out.resize(static_cast<size_t>(size));
  return out;
}

std::string with_entities(const std::string& utf8) {
  std::string out;
  for (size_t position = 0; position < utf8.size();) {
    char hex[16];
    std::snprintf(hex, sizeof hex, "&#x%X;", static_cast<unsigned>(next_code_point(utf8, position)));
    out += hex;
  }
  return out;
}

class FeatureBuilderTest : public testing::Test {
 protected:
  FeatureBuilderTest() : reader_(*text::PageReader::create()), builder_(*FeatureBuilder::create()) {}

  Features build(const std::string& body, std::string_view content_type, bool portable = false) {
    EXPECT_TRUE(reader_.read("http://www.example.com/",
                             {reinterpret_cast<const uint8_t*>(body.data()), body.size()}, content_type,
                             parameters_.page, document_));
    builder_.begin(document_);
    return builder_.finish({"http://www.example.com/", 1, body.size(), false}, document_, {}, parameters_,
                           portable ? RecordFor::kElsewhere : RecordFor::kThisCheck);
  }

  Parameters parameters_;
  text::PageReader reader_;
  text::Document document_;
  FeatureBuilder builder_;
};

TEST_F(FeatureBuilderTest, CharsetsEntitiesAndMarkupNeverChangeAFingerprint) {
  const auto page = [](const std::string& text) {
    return "<html><body><div><p>" + text + "</p></div></body></html>";
  };
  const Features expected = build(page(article()), "text/html; charset=utf-8");
  ASSERT_EQ(expected.header().fingerprint_count, 4U);
  ASSERT_EQ(expected.header().key_count, expected.header().fingerprint_count + parameters_.relaxed.keys);
  std::string marked = article();
  for (size_t at = marked.find("居民"); at != std::string::npos; at = marked.find("居民", at + 20))
    marked.replace(at, 6, "<b>居</b><i>民</i>");
  const std::vector<std::pair<std::string, std::string>> variants = {
      {encode(page(article()), "GBK"), "text/html; charset=gbk"},
      {encode(page(article()), "gb18030"), "text/html; charset=gb18030"},
      {encode(page(article()), "gb18030"), "text/html; charset=utf-8"},
      {encode(page(article()), "GBK"), "text/html"},
      {page(with_entities(article())), "text/html; charset=us-ascii"},
      {page(marked), "text/html; charset=utf-8"},
      {page("\n\t " + article() + "<!-- end --> "), "text/html; charset=utf-8"}};
  for (const auto& [body, content_type] : variants) {
    const Features features = build(body, content_type);
    EXPECT_TRUE(std::ranges::equal(features.keys(), expected.keys())) << content_type;
    EXPECT_TRUE(std::ranges::equal(features.symbols(), expected.symbols())) << content_type;
    EXPECT_EQ(features.digest(), expected.digest()) << content_type;
  }
}

TEST_F(FeatureBuilderTest, NumbersDoNotMakeAnotherBlock) {
  const Features a = build("<p>Page 3 of 17</p><p>v15 beta</p>", "text/html");
  const Features b = build("<p>Page 12 of 9</p><p>v2 beta</p>", "text/html");
  const Features c = build("<p>Side 3 of 17</p><p>beta v15</p>", "text/html");
  ASSERT_EQ(a.blocks().size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(a.blocks()[i].hash, b.blocks()[i].hash);
    EXPECT_NE(a.blocks()[i].hash, c.blocks()[i].hash);
  }
}

TEST_F(FeatureBuilderTest, TheTitleStandsBehindTheText) {
  const Features page = build("<title>Ferry  TIMES</title><p>Times of the ferry", "text/html");
  const auto symbols = page.symbols();
  ASSERT_EQ(symbols.size(), 4U);
  EXPECT_TRUE(std::ranges::equal(page.title(), std::vector{symbols[3], symbols[0]}));
  EXPECT_TRUE(build("<p>Times of the ferry", "text/html").title().empty());
  EXPECT_TRUE(build("Times of the ferry", "text/plain").title().empty());
  std::string words;
  for (int i = 0; i < 100; ++i)
    words += "word" + std::to_string(i) + ' ';
  EXPECT_EQ(build("<title>" + words + "</title><p>Ferry", "text/html").title().size(), 64U);
}

TEST_F(FeatureBuilderTest, ATitleMakesNoOtherText) {
  const Features titled = build("<title>Ferry</title><p>Times of the ferry", "text/html");
  const Features bare = build("<p>Times of the ferry", "text/html");
  EXPECT_EQ(titled.digest(), bare.digest());
  EXPECT_EQ(titled.header().width, bare.header().width);
  EXPECT_TRUE(std::ranges::equal(titled.keys(), bare.keys()));
  EXPECT_TRUE(std::ranges::equal(titled.symbols(), bare.symbols()));
  const Features no_text = build("<title>Ferry</title>", "text/html");
  EXPECT_FALSE(no_text.has_text());
  EXPECT_EQ(no_text.title().size(), 1U);
}

TEST_F(FeatureBuilderTest, BlocksTellWhereTheyStand) {
  const Features page = build(
      "<h1>Ferry</h1><nav>Home and news</nav><form>Search for it</form><div class=navigation>Back to "
      "top</div>"
      "<p><a href=/>All the ferries</a><p>The ferry leaves <a href=/noon>at noon</a>."
      "<nav><ul class=menu><li><a href=/>Home</a></ul></nav>",
      "text/html");
  std::vector<int> contexts;
  for (const FeatureBlock& block : page.blocks())
    contexts.push_back(block.context);
  EXPECT_EQ(contexts, (std::vector<int>{0, kBlockInNavigation, kBlockInForm, 0, 0, 0, kBlockInNavigation}));
  EXPECT_EQ(page.blocks()[0].heading, 1U);
  const Features plain = build("Home and news", "text/plain");
  EXPECT_EQ(plain.blocks()[0].context, 0U);
}

TEST_F(FeatureBuilderTest, BoilerplateGivesNoKeys) {
  const std::string body = "<div><p>" + article() + "</p></div>";
  const Features all = build(body, "text/html; charset=utf-8");
  std::vector<uint8_t> boilerplate(document_.blocks.size(), kEverywhere);
  builder_.begin(document_);
  const Features none =
      builder_.finish({"", 1, 1, false}, document_, boilerplate, parameters_, RecordFor::kThisCheck);
  EXPECT_GT(all.header().key_count, 0U);
  EXPECT_EQ(none.header().key_count, 0U);
  EXPECT_EQ(none.blocks().front().weight,
            all.blocks().front().weight);  // what is boilerplate is decided anew at every comparison
  // Text of other groups is better than nothing if a page has little else.
  std::fill(boilerplate.begin(), boilerplate.end(), uint8_t{kBoilerplate});
  builder_.begin(document_);
  EXPECT_GT(builder_.finish({"", 1, 1, false}, document_, boilerplate, parameters_, RecordFor::kThisCheck)
                .header()
                .key_count,
            0U);
}

TEST_F(FeatureBuilderTest, OnlyPortableFeaturesCarrySentencesAndBothHaveTheSameKeys) {
  parameters_.fingerprints = {};
  const std::string body = "<div><p>" + article() + "</p></div><a href=/x>more</a>";
  const Features kept = build(body, "text/html; charset=utf-8", false);
  const Features portable = build(body, "text/html; charset=utf-8", true);
  EXPECT_TRUE(kept.sentences().empty());
  EXPECT_FALSE(portable.sentences().empty());
  EXPECT_TRUE(std::ranges::equal(kept.keys(), portable.keys()));
}

TEST_F(FeatureBuilderTest, WithoutItsSitesBlocksAPageHasTheKeysOfTheRest) {
  const std::string head = "<div><p>" + article() + "</p></div>";
  const std::string rest =
      "<div><p>The council of the town met on the evening of the third day, and it was decided that the old "
      "bridge over the river should be closed "
      "to all carts until the beams that had been damaged by the flood could be replaced by the carpenters "
      "of the county.</p></div>";
  const Features both = build(head + rest, "text/html; charset=utf-8", true);
  const Features only_rest = build(rest, "text/html; charset=utf-8", true);
  const SiteModel site = site_with_everywhere(both, {both.blocks().front().hash});
  const Result<Features> reduced = RecordKeys().with_site(both, site.view());
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->blocks().front().weight, both.blocks().front().weight);
  EXPECT_EQ(reduced->blocks().front().dropped, 0);
  EXPECT_TRUE(std::ranges::equal(reduced->keys(), only_rest.keys()));
  EXPECT_TRUE(std::ranges::equal(reduced->symbols(), both.symbols()));
}

}  // namespace
}  // namespace nd::engine
