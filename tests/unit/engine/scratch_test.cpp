// Which working memory counts, is kept, and is given back after a huge page.
#include "engine/scratch.hpp"

#include <gtest/gtest.h>

#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

TEST(ScratchTest, TheBuffersOfASearchCount) {
  Result<Owned<Scratch>> created = Scratch::create(1);
  ASSERT_TRUE(created);
  Scratch& scratch = **created;
  const uint64_t before = scratch.memory_bytes();
  scratch.decision.by_spots.resize(10'000);
  EXPECT_GE(scratch.memory_bytes(), before + 10'000 * sizeof(spotsigs::SpotMatch));
}

TEST(ScratchTest, TheListsOfADecisionCountAndAreKept) {
  Result<Owned<Scratch>> created = Scratch::create(1);
  ASSERT_TRUE(created);
  Scratch& scratch = **created;
  const uint64_t before = scratch.memory_bytes();
  const auto text = make_shared<const Features>(Features::build({}, {}));
  Candidate candidate{};
  candidate.text = text;
  scratch.decision.candidates.resize(1000, candidate);
  scratch.decision.limited_spots = true;
  scratch.decision.commit_sequence = 3;
  scratch.decision.clear();
  EXPECT_EQ(text.use_count(), 2);  // `candidate` has it
  EXPECT_TRUE(scratch.decision.candidates.empty());
  EXPECT_FALSE(scratch.decision.limited_spots);
  EXPECT_EQ(scratch.decision.commit_sequence, 0U);
  EXPECT_GE(scratch.memory_bytes(), before + 1000 * sizeof(Candidate));
}

TEST(ScratchTest, TheBuffersOfAComparisonCount) {
  Result<Owned<Scratch>> created = Scratch::create(1);
  ASSERT_TRUE(created);
  Scratch& scratch = **created;
  const auto features = [](uint32_t last) {
    Vector<Symbol> symbols(5000, make_symbol(64, 4));
    symbols.back() = make_symbol(last, 4);
    const FeatureBlock block{1, 0, 255, 0, {}};
    FeatureHeader header{};
    header.width = 4 * symbols.size();
    header.content_width = header.width;
    return Features::build(header, {.blocks = {&block, 1},
                                    .keys = {},
                                    .spots = {},
                                    .block_spots = {},
                                    .sentences = {},
                                    .symbols = symbols,
                                    .url = {},
                                    .site = {},
                                    .text = {}});
  };
  const uint64_t before = scratch.memory_bytes();
  scratch.verifier.verify(features(128), features(256), {}, Parameters{});
  EXPECT_GE(scratch.memory_bytes(), before + 2 * 5000 * (sizeof(Symbol) + sizeof(uint16_t)));
}

TEST(ScratchTest, TheBuffersOfAPagesFeaturesCount) {
  Result<Owned<Scratch>> created = Scratch::create(1);
  ASSERT_TRUE(created);
  Scratch& scratch = **created;
  const std::string page = sample::article_html(1, 20);
  ASSERT_TRUE(scratch.reader.read("https://a.example/",
                                  {reinterpret_cast<const uint8_t*>(page.data()), page.size()}, "text/html",
                                  {}, scratch.document));
  const uint64_t before = scratch.memory_bytes();
  scratch.builder.begin(scratch.document);
  const Features features =
      scratch.builder.finish({}, scratch.document, {}, Parameters{}, RecordFor::kElsewhere);
  EXPECT_GE(scratch.memory_bytes(), before + features.symbols().size_bytes() + features.spots().size_bytes() +
                                        features.block_spots().size_bytes());
}

void read(Scratch& scratch, const std::string& page) {
  ASSERT_TRUE(scratch.reader.read("https://a.example/",
                                  {reinterpret_cast<const uint8_t*>(page.data()), page.size()}, "text/html",
                                  {}, scratch.document));
}

// Texts of one letter each, with references between them.
std::string page_of_words(size_t bytes) {
  std::string page = "<p>";
  while (page.size() < bytes)
    page += "a &#9;";
  return page;
}

TEST(ScratchTest, TheDecodedAttributesOfAPageCountAndAreGivenBack) {
  Result<Owned<Scratch>> created = Scratch::create(1);
  ASSERT_TRUE(created);
  Scratch& scratch = **created;
  const uint64_t before = scratch.memory_bytes();
  const std::string value = "='&#65;" + std::string(60'000, 'a') + "'";
  const std::string page =
      "<div class" + value + " id" + value + " style" + value + " role" + value + ">words";
  read(scratch, page);
  EXPECT_GE(scratch.memory_bytes(), before + 4 * 60'000);
  scratch.shrink(1);
  EXPECT_LE(scratch.memory_bytes(), before + 100'000);
  read(scratch, page);  // it is of use as before
  EXPECT_FALSE(scratch.document.blocks.empty());
}

// Wide sentences without a token, so that no limit on tokens cuts them.
TEST(ScratchTest, TheSentencesOfAPageCountAndAreGivenBack) {
  Result<Owned<Scratch>> created = Scratch::create(1);
  ASSERT_TRUE(created);
  Scratch& scratch = **created;
  const uint64_t before = scratch.memory_bytes();
  constexpr uint64_t kSentences = 100'000;
  std::string page = "<p>";
  for (uint64_t i = 0; i < kSentences; ++i)
    page += "-----------! ";
  read(scratch, page);
  scratch.builder.begin(scratch.document);
  scratch.builder.finish({}, scratch.document, {}, Parameters{}, RecordFor::kThisCheck);
  // The record's, the digest's and the fingerprinter's of each.
  EXPECT_GE(scratch.memory_bytes(),
            before + kSentences * (sizeof(FeatureSentence) + sizeof(std::string_view) +
                                   2 * sizeof(Md5Digest) + sizeof(lcs::SentenceDigest)));
  scratch.shrink(1);
  EXPECT_LE(scratch.memory_bytes(), before + 100'000);
  read(scratch, sample::article_html(1));  // it is of use as before
  scratch.builder.begin(scratch.document);
  EXPECT_GT(
      scratch.builder.finish({}, scratch.document, {}, Parameters{}, RecordFor::kThisCheck).keys().size(),
      0U);
}

TEST(ScratchTest, LongOriginsAreNotKept) {
  Result<Owned<Scratch>> created = Scratch::create(1);
  ASSERT_TRUE(created);
  Scratch& scratch = **created;
  const uint64_t before = scratch.memory_bytes();
  std::string page;
  for (char c = 'a'; c < 'i'; ++c)
    page += "<a href='http://" + std::string(60'000, c) + "/'>word</a> ";
  read(scratch, page);
  EXPECT_LE(scratch.memory_bytes(), before + 100'000);
}

TEST(ScratchPoolTest, AScratchThatASwollenPageLeftIsShrunkNotDropped) {
  ScratchPool pool(1, detectors::Method::kLcs);
  const Scratch* first = nullptr;
  for (int round = 0; round < 3; ++round) {
    Result<ScratchLease> lease = pool.lease();
    ASSERT_TRUE(lease);
    if (round == 0) first = &**lease;
    EXPECT_EQ(&**lease, first) << round;
    read(**lease, page_of_words(6'000'000));
    EXPECT_GT((*lease)->memory_bytes(), 16U << 20);
  }
  EXPECT_GT(pool.memory_bytes(), 0U);
  EXPECT_LT(pool.memory_bytes(), 16U << 20);
}

TEST(ScratchPoolTest, ScratchesThatWaitHoldNoMoreThanTheLimit) {
  constexpr uint64_t kLimit = 3 << 20;
  ScratchPool pool(1, detectors::Method::kLcs, kLimit);
  {
    Vector<ScratchLease> leases;
    for (int i = 0; i < 40; ++i) {
      Result<ScratchLease> lease = pool.lease();
      ASSERT_TRUE(lease);
      read(**lease, sample::article_html(static_cast<uint64_t>(i), 20));
      leases.push_back(*std::move(lease));
    }
    EXPECT_EQ(pool.memory_bytes(), 0U) << "none waits";
  }
  EXPECT_GT(pool.memory_bytes(), kLimit / 2);
  EXPECT_LE(pool.memory_bytes(), kLimit);
}

TEST(ScratchPoolTest, OneWaitsHoweverSmallTheLimit) {
  ScratchPool pool(1, detectors::Method::kLcs, 1);
  const Scratch* first = nullptr;
  for (int round = 0; round < 2; ++round) {
    Result<ScratchLease> lease = pool.lease();
    ASSERT_TRUE(lease);
    Result<ScratchLease> other = pool.lease();
    ASSERT_TRUE(other);
    EXPECT_TRUE(round == 0 || &**lease == first || &**other == first);
    first = &**other;  // returned first
  }
  EXPECT_GT(pool.memory_bytes(), 0U);
}

TEST_F(EngineTest, AHugePageLeavesThePoolUnderItsBound) {
  Parameters parameters;
  parameters.memory_budget_bytes = 32 << 20;
  open(parameters);
  query("https://a.example/huge", page_of_words(6'000'000));
  EXPECT_LE(engine_->sizes().bytes_scratch, 4U << 20);
  for (uint64_t i = 0; i < 5; ++i)
    check(sample::url(i), sample::article_html(i));
  EXPECT_GT(engine_->sizes().bytes_scratch, 0U);
  EXPECT_LE(engine_->sizes().bytes_scratch, 4U << 20);
}

}  // namespace
}  // namespace nd::engine
