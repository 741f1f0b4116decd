// Records as bytes: every cut and every flipped bit is refused, and hostile ones stay in bounds.
#include "page/features.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "engine/batch.hpp"
#include "page/feature_builder.hpp"
#include "page/record_keys.hpp"
#include "text/page_reader.hpp"
#include "unit/collection/counted_page_sample.hpp"
#include "unit/page/feature_sample.hpp"
#include "unit/page_sample.hpp"

namespace nd::engine {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes bytes_of(const Features& features) {
  return {features.bytes().begin(), features.bytes().end()};
}

// As anyone who knows the format can.
void repair_checksum(Bytes& bytes) {
  const size_t behind = offsetof(FeatureHeader, checksum) + sizeof(uint64_t);
  if (bytes.size() < behind) return;
  uint16_t method = 0;
  std::memcpy(&method, bytes.data() + offsetof(FeatureHeader, method), sizeof method);
  const uint64_t checksum =
      stable_hash({reinterpret_cast<const char*>(bytes.data()) + behind, bytes.size() - behind}, method);
  std::memcpy(bytes.data() + offsetof(FeatureHeader, checksum), &checksum, sizeof checksum);
}

FeatureSample small_sample() {
  FeatureSample sample;
  sample.blocks = {{words(1, 12), 255, 0, 2},
                   {words(100, 5), 0, 0, 0, kBlockInNavigation | kBlockInForm},
                   {{}, 80},
                   {words(200, 9), 102, 0, 6, kBlockContextMask}};
  sample.site = "example.org";
  sample.url = "https://www.example.org/a";
  sample.keys = {11, 22, 33};
  sample.fingerprint_count = 2;
  sample.spots = {make_packed_spot({7, 2}), make_packed_spot({8, 1}),
                  make_packed_spot({uint64_t{1} << 50, 255})};
  sample.block_spots = {{7, 0, 1}, {8, 0, 1}, {7, 3, 1}, {uint64_t{1} << 50, 3, 4}};
  sample.sentences = {{Md5Digest{1, 2, 3}, 60, 0}, {Md5Digest{4, 5, 6}, 45, 3}};
  sample.text = "kept text";
  sample.title = {1, 2, 300};
  return sample;
}

Features page_features(std::string_view url, const std::string& html, bool portable,
                       const Parameters& parameters = {}) {
  auto reader = text::PageReader::create();
  auto builder = FeatureBuilder::create();
  text::Document document;
  const std::span body(reinterpret_cast<const uint8_t*>(html.data()), html.size());
  EXPECT_TRUE(reader->read(url, body, "text/html", parameters.page, document));
  builder->begin(document);
  return builder->finish({url, 1000, html.size(), false}, document, {}, parameters,
                         portable ? RecordFor::kElsewhere : RecordFor::kThisCheck);
}

TEST(FeaturesTest, RoundTrip) {
  const FeatureSample sample = small_sample();
  const Features built = sample.features();
  const Result<Features> parsed = Features::parse(built.bytes());
  ASSERT_TRUE(parsed);
  EXPECT_EQ(bytes_of(*parsed), bytes_of(built));
  EXPECT_EQ(parsed->url(), sample.url);
  EXPECT_EQ(parsed->site(), sample.site);
  EXPECT_EQ(parsed->text(), sample.text);
  EXPECT_EQ(parsed->blocks().size(), 4U);
  EXPECT_EQ(token_end(*parsed, 0), 12U);
  EXPECT_EQ(token_end(*parsed, 2), 17U);
  EXPECT_EQ(token_end(*parsed, 3), 26U);
  EXPECT_EQ(parsed->symbols().size(), 26U);
  EXPECT_TRUE(std::ranges::equal(parsed->title(), std::vector{symbol_of(1), symbol_of(2), symbol_of(300)}));
  EXPECT_EQ(parsed->symbols_and_title().size(), 29U);
  EXPECT_EQ(parsed->blocks()[0].heading, 2U);
  EXPECT_EQ(parsed->blocks()[1].context, kBlockInNavigation | kBlockInForm);
  EXPECT_EQ(parsed->blocks()[3].heading, 6U);
  EXPECT_EQ(parsed->blocks()[3].context, kBlockContextMask);
  EXPECT_EQ(parsed->keys().size(), 3U);
  EXPECT_EQ(parsed->fingerprints().size(), 2U);
  EXPECT_EQ(parsed->sentences()[1].width, 45U);
  ASSERT_EQ(parsed->spots().size(), 3U);
  EXPECT_EQ(spot_of(parsed->spots()[0]).hash, 7U);
  EXPECT_EQ(spot_of(parsed->spots()[0]).count, 2U);
  ASSERT_EQ(parsed->block_spots().size(), 4U);
  EXPECT_EQ(parsed->block_spots()[3].count, 4U);
  EXPECT_TRUE(parsed->has_text());
}

TEST(FeaturesTest, AnEmptyPageRoundTrips) {
  const Features built = FeatureSample{}.features();
  const Result<Features> parsed = Features::parse(built.bytes());
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(parsed->has_text());
  EXPECT_TRUE(parsed->symbols().empty());
  EXPECT_TRUE(parsed->title().empty());
}

TEST(FeaturesTest, EveryTruncationAndExtensionIsRejected) {
  Bytes bytes = bytes_of(small_sample().features());
  for (size_t size = 0; size < bytes.size(); ++size) {
    Bytes cut(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_FALSE(Features::parse(cut)) << size;
    repair_checksum(cut);
    EXPECT_FALSE(Features::parse(cut)) << size;
  }
  bytes.push_back(0);
  repair_checksum(bytes);
  EXPECT_FALSE(Features::parse(bytes));
}

TEST(FeaturesTest, EveryChangedByteIsRejected) {
  const Bytes bytes = bytes_of(small_sample().features());
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (uint8_t flip : {uint8_t{1}, uint8_t{0x80}, uint8_t{0xff}}) {
      Bytes damaged = bytes;
      damaged[at] ^= flip;
      EXPECT_FALSE(Features::parse(damaged)) << at;
    }
  }
}

TEST(FeaturesTest, AnotherVersionIsTold) {
  for (uint8_t version : {uint8_t{0}, uint8_t{kFeatureVersion + 1}}) {
    Bytes bytes = bytes_of(small_sample().features());
    bytes[offsetof(FeatureHeader, version)] = version;
    repair_checksum(bytes);
    const Result<Features> parsed = Features::parse(bytes);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.failure().status, Status::kUnsupportedVersion);
  }
}

// The cost of a record that passes: everything the engine does with it.
void use(const Features& features) {
  uint64_t sum = 0;
  for (size_t i = 0; i < features.blocks().size(); ++i) {
    for (uint32_t k = features.blocks()[i].token_begin; k < token_end(features, i); ++k)
      sum += features.symbols()[k];
  }
  for (uint64_t key : features.keys())
    sum += key;
  for (PackedSpot entry : features.spots())
    sum += spot_of(entry).count;
  for (const FeatureBlockSpot& spot : features.block_spots())
    sum += features.blocks()[spot.block].hash;
  sum += features.fingerprints().size() + features.url().size() + features.site().size();
  for (char c : features.text())
    sum += static_cast<unsigned char>(c);
  EXPECT_NE(sum, 1U);
  const uint64_t some_block = features.blocks().empty() ? 0 : features.blocks()[0].hash;
  const SiteModel site = site_with_everywhere(features, {some_block});
  if (const Result<Features> reduced = RecordKeys().with_site(features, site.view())) {
    EXPECT_TRUE(Features::parse(reduced->bytes()));
  }
  const Features other = small_sample().features();
  (void)decide_pair(features, other, {});
  (void)decide_pair(other, features, {});
}

// Every field of the header and of the tables set to hostile values, the checksum repaired: refused, or used
// within its bounds (the sanitizers watch).
TEST(FeaturesTest, HostileRecordsWithARightChecksumStayInBounds) {
  const Bytes bytes = bytes_of(small_sample().features());
  int accepted = 0;
  const auto attempt = [&](Bytes damaged) {
    repair_checksum(damaged);
    const Result<Features> parsed = Features::parse(damaged);
    if (!parsed) return;
    ++accepted;
    use(*parsed);
  };
  for (size_t at = 0; at + 2 <= bytes.size(); at += 2) {
    for (uint32_t value : {0U, 1U, 2U, 255U, 0x7fffU, 0x8000U, 0xffffU}) {
      Bytes damaged = bytes;
      const auto half = static_cast<uint16_t>(value);
      std::memcpy(damaged.data() + at, &half, 2);
      attempt(std::move(damaged));
    }
  }
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    for (uint32_t value : {0U, 1U, 3U, 0x10000U, 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
      Bytes damaged = bytes;
      std::memcpy(damaged.data() + at, &value, 4);
      attempt(std::move(damaged));
    }
  }
  EXPECT_GT(accepted, 0);
}

// Counts moved between sections so that the sizes still add up.
TEST(FeaturesTest, CountsThatAddUpToTheSameSizeStayInBounds) {
  const Bytes bytes = bytes_of(small_sample().features());
  std::mt19937_64 random(4);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    Bytes damaged = bytes;
    FeatureHeader header;
    std::memcpy(&header, damaged.data(), sizeof header);
    uint64_t left = damaged.size() - sizeof header;
    const auto take = [&](uint32_t& count, uint64_t element) {
      count = static_cast<uint32_t>(random() % (left / element + 1));
      left -= count * element;
    };
    take(header.block_count, sizeof(FeatureBlock));
    take(header.key_count, sizeof(uint64_t));
    take(header.spot_count, sizeof(PackedSpot));
    take(header.block_spot_count, sizeof(FeatureBlockSpot));
    take(header.sentence_count, sizeof(FeatureSentence));
    take(header.symbol_count, sizeof(Symbol));
    take(header.title_count, sizeof(Symbol));
    take(header.url_size, 1);
    take(header.site_size, 1);
    header.text_size = static_cast<uint32_t>(left);
    header.fingerprint_count = static_cast<uint32_t>(random() % 4);
    std::memcpy(damaged.data(), &header, sizeof header);
    repair_checksum(damaged);
    const Result<Features> parsed = Features::parse(damaged);
    if (!parsed) continue;
    if (++accepted <= 200) use(*parsed);
  }
  EXPECT_GT(accepted, 0);
}

// Whether a record passes whose header was changed.
bool passes(const std::function<void(FeatureHeader&)>& change) {
  Bytes bytes = bytes_of(small_sample().features());
  FeatureHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  change(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  repair_checksum(bytes);
  return static_cast<bool>(Features::parse(bytes));
}

TEST(FeaturesTest, AnImpossibleTitleIsRejected) {
  const auto status_of = [](const FeatureSample& sample) {
    const Features built = sample.features();
    const Result<Features> parsed = Features::parse(built.bytes());
    return parsed ? Status::kOk : parsed.failure().status;
  };
  FeatureSample sample = small_sample();
  sample.title = words(1, 64);
  EXPECT_EQ(status_of(sample), Status::kOk);
  sample.title = words(1, 65);
  EXPECT_EQ(status_of(sample), Status::kCorrupt);
  // Symbols of the text that are said to be those of the title: the last block has none left.
  EXPECT_FALSE(passes([](FeatureHeader& header) {
    header.title_count += 10;
    header.symbol_count -= 10;
  }));
}

TEST(FeaturesTest, ImpossibleBlocksAreRejected) {
  const auto status_of = [](uint8_t dropped, uint8_t heading, uint8_t context) {
    FeatureSample sample = small_sample();
    sample.blocks[1].dropped = dropped;
    sample.blocks[1].heading = heading;
    sample.blocks[1].context = context;
    const Features built = sample.features();
    const Result<Features> parsed = Features::parse(built.bytes());
    return parsed ? Status::kOk : parsed.failure().status;
  };
  EXPECT_EQ(status_of(0, 6, 3), Status::kOk);
  EXPECT_EQ(status_of(1, 0, 0), Status::kCorrupt);
  EXPECT_EQ(status_of(0, 7, 0), Status::kCorrupt);
  EXPECT_EQ(status_of(0, 0, 4), Status::kCorrupt);
}

TEST(FeaturesTest, SpotParametersOutOfRangeAreRejected) {
  const auto with = [](FeatureSpotParameters parameters) {
    return passes([&](FeatureHeader& header) { header.spot_parameters = parameters; });
  };
  EXPECT_TRUE(with({1, 0, 1, 2, 1024}));
  EXPECT_TRUE(with({1, 0, 16, 16, 3}));
  EXPECT_TRUE(with({1, 32767, 1, 2, 1024})) << "antecedents of one's own";
  EXPECT_FALSE(with({1, 0, 1, 2, 2})) << "more signatures than the limit";
  EXPECT_FALSE(with({0, 0, 1, 2, 1024})) << "signatures, though there are none";
  EXPECT_FALSE(with({0, 1, 1, 2, 1024}));
  EXPECT_FALSE(with({1, 0, 0, 2, 1024}));
  EXPECT_FALSE(with({1, 0, 17, 2, 1024}));
  EXPECT_FALSE(with({1, 0, 1, 0, 1024}));
  EXPECT_FALSE(with({1, 0, 1, 17, 1024}));
  EXPECT_FALSE(with({1, 0, 1, 2, 0}));
}

TEST(FeaturesTest, SignaturesOutOfOrderOrRangeAreRejected) {
  const auto with = [](const std::function<void(FeatureSample&)>& change) {
    FeatureSample sample = small_sample();
    change(sample);
    return static_cast<bool>(Features::parse(sample.features().bytes()));
  };
  EXPECT_TRUE(with([](FeatureSample&) {}));
  EXPECT_FALSE(with([](FeatureSample& sample) { std::swap(sample.spots[0], sample.spots[1]); }));
  EXPECT_FALSE(with([](FeatureSample& sample) { sample.spots[1] = make_packed_spot({7, 3}); }));
  EXPECT_FALSE(with([](FeatureSample& sample) { sample.spots[0] &= ~PackedSpot{0xff}; }));
  EXPECT_FALSE(with([](FeatureSample& sample) { sample.spots.assign(27, 1); }));
  EXPECT_FALSE(with([](FeatureSample& sample) { std::swap(sample.block_spots[0], sample.block_spots[1]); }));
  EXPECT_FALSE(with([](FeatureSample& sample) { std::swap(sample.block_spots[1], sample.block_spots[2]); }));
  EXPECT_FALSE(with([](FeatureSample& sample) { sample.block_spots[1].hash = 7; }));
  EXPECT_FALSE(with([](FeatureSample& sample) { sample.block_spots[3].hash = uint64_t{1} << 56; }));
  EXPECT_FALSE(with([](FeatureSample& sample) { sample.block_spots[3].block = 4; }));
  EXPECT_FALSE(with([](FeatureSample& sample) { sample.block_spots[3].count = 0; }));
  EXPECT_FALSE(with([](FeatureSample& sample) { sample.block_spots[3].count = 27; }));
}

TEST(FeaturesTest, MoreSignaturesThanTokensAreRejected) {
  FeatureSample sample = small_sample();
  sample.spots.clear();
  sample.block_spots.clear();
  for (uint64_t i = 0; i < 26; ++i) {
    sample.spots.push_back(make_packed_spot({i, 1}));
    sample.block_spots.push_back({i, 0, 1});
  }
  EXPECT_TRUE(Features::parse(sample.features().bytes()));
  FeatureSample more = sample;
  more.spots.push_back(make_packed_spot({26, 1}));
  EXPECT_FALSE(Features::parse(more.features().bytes()));
  sample.block_spots.push_back({26, 0, 1});
  EXPECT_FALSE(Features::parse(sample.features().bytes()));
}

TEST(FeaturesTest, ParametersThatWouldDivideByNothingAreRejected) {
  EXPECT_TRUE(passes([](FeatureHeader&) {}));
  EXPECT_FALSE(passes([](FeatureHeader& header) { header.key_parameters.buckets = 0; }));
  EXPECT_FALSE(passes([](FeatureHeader& header) { header.key_parameters.buckets = 65; }));
  EXPECT_FALSE(passes([](FeatureHeader& header) { header.key_parameters.sentences = 0; }));
  EXPECT_FALSE(passes([](FeatureHeader& header) { header.key_parameters.sentences = 17; }));
  EXPECT_FALSE(passes([](FeatureHeader& header) { header.key_parameters.relaxed_keys = 0; }));
  EXPECT_FALSE(passes([](FeatureHeader& header) { header.key_parameters.relaxed_keys = 257; }));
  EXPECT_FALSE(passes([](FeatureHeader& header) { header.key_parameters.shingle_tokens = 0; }));
  EXPECT_FALSE(passes([](FeatureHeader& header) { header.key_parameters.wide_shingle_tokens = 0; }));
  EXPECT_FALSE(passes([](FeatureHeader& header) { header.fetched_at_ms = -1; }));
  EXPECT_FALSE(passes([](FeatureHeader& header) { header.fingerprint_count = header.key_count + 1; }));
}

TEST(FeaturesTest, AUrlOverTheLimitIsRejected) {
  FeatureSample sample;
  sample.url.assign(kUrlBytesLimit, 'u');
  EXPECT_TRUE(Features::parse(sample.features().bytes()));
  sample.url.push_back('u');
  EXPECT_FALSE(Features::parse(sample.features().bytes()));
}

TEST(FeaturesTest, WithItsSiteAPageHasTheKeysOfItsOwnText) {
  const sample::Paragraphs text = sample::article(1);
  sample::Paragraphs framed = sample::article(2);
  framed.insert(framed.end(), text.begin(), text.end());
  const Features own = page_features("https://a.example/", sample::html(text), true);
  const Features both = page_features("https://a.example/", sample::html(framed), true);
  std::vector<uint64_t> boilerplate;
  const Features boilerplate_alone = page_features("https://a.example/", sample::article_html(2), true);
  for (const FeatureBlock& block : boilerplate_alone.blocks())
    boilerplate.push_back(block.hash);
  const SiteModel site = site_with_everywhere(both, boilerplate);
  const Result<Features> known = RecordKeys().with_site(both, site.view());
  ASSERT_TRUE(known);
  EXPECT_EQ(known->header().content_width, both.header().content_width);
  EXPECT_TRUE(std::ranges::equal(known->keys(), own.keys()));
  ASSERT_EQ(known->on_site().size(), both.blocks().size() + both.title().size() + 1);
  EXPECT_EQ(known->on_site()[0].pages, 10U);
  for (size_t i = 0; i < both.blocks().size(); ++i)
    EXPECT_EQ(known->on_site()[i + 1].pages, i < boilerplate.size() ? 10U : 1U) << i;
  EXPECT_TRUE(Features::parse(known->bytes()));
  EXPECT_EQ(bytes_of(*RecordKeys().with_site(*known, site.view())), bytes_of(*known)) << "it replaces";
  // Where everything is the site's, nothing is left to meet by.
  std::vector<uint64_t> all;
  for (const FeatureBlock& block : both.blocks())
    all.push_back(block.hash);
  const Result<Features> bare = RecordKeys().with_site(both, site_with_everywhere(both, all).view());
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->keys().size(), 0U);
}

TEST(FeaturesTest, ASiteThatKnowsNothingLeavesTheKeys) {
  const Features page = page_features("https://a.example/", sample::article_html(1), true);
  const Result<Features> known = RecordKeys().with_site(page, SiteModel(1).view());
  ASSERT_TRUE(known);
  EXPECT_TRUE(std::ranges::equal(known->keys(), page.keys()));
  EXPECT_EQ(known->on_site()[0].pages, 0U);
}

TEST(FeaturesTest, ASiteKnowsEachPartOrNone) {
  FeatureSample sample = small_sample();
  const auto parses = [&](size_t count) {
    sample.on_site.assign(count, {1, 0, 1});
    return static_cast<bool>(Features::parse(sample.features().bytes()));
  };
  const size_t parts = sample.blocks.size() + sample.title.size();
  EXPECT_TRUE(parses(0));
  EXPECT_TRUE(parses(parts + 1));
  EXPECT_FALSE(parses(1));
  EXPECT_FALSE(parses(parts));
  EXPECT_FALSE(parses(parts + 2));
}

TEST(FeaturesTest, OnlyPortableFeaturesGetASite) {
  const Features page = page_features("https://a.example/", sample::article_html(1), false);
  ASSERT_GT(page.fingerprints().size(), 0U);
  const Result<Features> known = RecordKeys().with_site(page, SiteModel(1).view());
  ASSERT_FALSE(known);
  EXPECT_EQ(known.failure().status, Status::kInvalidArgument);
}

TEST(FeaturesTest, PortableOrNotTheShinglesAreTheSame) {
  const Features kept = page_features("https://a.example/", sample::article_html(1), false);
  const Features portable = page_features("https://a.example/", sample::article_html(1), true);
  EXPECT_LT(kept.fingerprints().size(), portable.fingerprints().size());
  EXPECT_TRUE(std::ranges::equal(kept.keys().subspan(kept.fingerprints().size()),
                                 portable.keys().subspan(portable.fingerprints().size())));
  EXPECT_EQ(kept.sentences().size(), 0U);
  EXPECT_GT(portable.sentences().size(), 0U);
}

TEST(FeaturesTest, NumbersDoNotMakeAnotherBlock) {
  const auto hash_of = [](const std::string& text) {
    return page_features("https://a.example/", "<p>" + text + "</p>", true).blocks()[0].hash;
  };
  EXPECT_EQ(hash_of("Comments 7 on page 3"), hash_of("Comments 1234 on page 99"));
  EXPECT_NE(hash_of("Comments 7 on page 3"), hash_of("Comments on page 3"));
  EXPECT_NE(hash_of("Comments 7"), hash_of("Remarks 7"));
}

}  // namespace
}  // namespace nd::engine
