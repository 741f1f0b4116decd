// A page gives the same answer whether the engine reads it or gets its features from elsewhere.
#include <gtest/gtest.h>

#include <string>

#include "page/feature_builder.hpp"
#include "page/record_keys.hpp"
#include "text/page_reader.hpp"
#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

constexpr uint64_t kFrameSeed = 9000;

// Paragraphs of the site's boilerplate around an article: longer than the article, so that its keys are most
// keys.
std::string page_of_site(uint64_t site, uint64_t article_seed) {
  sample::Paragraphs text = sample::article(kFrameSeed + site, 6);
  for (const std::string& paragraph : sample::article(article_seed, 3))
    text.push_back(paragraph);
  for (const std::string& paragraph : sample::article(kFrameSeed + 100 + site, 6))
    text.push_back(paragraph);
  return sample::html(text);
}

class PortableCheckTest : public EngineTest {
 protected:
  Features features_of(const std::string& url, const std::string& html) {
    Result<text::PageReader> reader = text::PageReader::create();
    Result<FeatureBuilder> builder = FeatureBuilder::create();
    text::Document document;
    EXPECT_TRUE(reader && builder);
    EXPECT_TRUE(reader->read(url, page_input(url, html).body, "text/html; charset=utf-8", {}, document));
    builder->begin(document);
    return builder->finish({url, 1000, html.size(), false}, document, {}, Parameters{},
                           RecordFor::kElsewhere);
  }
};

TEST_F(PortableCheckTest, IsThatOfThePage) {
  Result<Owned<Engine>> other = Engine::open(Parameters{});
  ASSERT_TRUE(other);
  // Each article is on four sites, and each site has thirty of them.
  for (uint64_t number = 0; number < 120; ++number) {
    const uint64_t site = number % 4;
    const std::string url =
        "https://www.site" + std::to_string(site) + ".example/" + std::to_string(number / 4);
    const std::string html = page_of_site(site, number / 4);
    const Answer read = check(url, html);
    const Result<Answer> given = (*other)->check_features(features_of(url, html));
    ASSERT_TRUE(given);
    EXPECT_EQ(given->verdict, read.verdict) << url;
    EXPECT_EQ(given->group_id, read.group_id) << url;
    EXPECT_EQ(given->resemblance, read.resemblance) << url;
  }
  // By their boilerplate all pages of a site would be candidates of each other.
  EXPECT_EQ((*other)->counters().candidates, engine_->counters().candidates);
  EXPECT_EQ((*other)->sizes().keys, engine_->sizes().keys);
  EXPECT_EQ((*other)->sizes().groups, engine_->sizes().groups);
}

TEST_F(PortableCheckTest, ARecordThatCannotBeTakenApartKeepsItsKeys) {
  const Features whole = features_of("https://a.example/", page_of_site(0, 1));
  const Features bare = Features::build(whole.header(), {.blocks = whole.blocks(),
                                                         .keys = whole.keys(),
                                                         .spots = whole.spots(),
                                                         .block_spots = {},
                                                         .sentences = {},
                                                         .symbols = whole.symbols(),
                                                         .url = whole.url(),
                                                         .site = whole.site(),
                                                         .text = {}});
  ASSERT_TRUE(RecordKeys::is_portable(whole));
  ASSERT_FALSE(RecordKeys::is_portable(bare));
  Result<Features> copied = Features::parse(bare.bytes());
  ASSERT_TRUE(copied);
  ASSERT_TRUE(engine_->check_features(*std::move(copied)));
  EXPECT_EQ(engine_->sizes().keys, whole.keys().size());
}

}  // namespace
}  // namespace nd::engine
