#include "engine/spot_source.hpp"

#include <gtest/gtest.h>

#include "unit/engine/engine_sample.hpp"
#include "unit/engine/feature_sample.hpp"

namespace nd::engine {
namespace {

// A page of the signatures first .. first + count - 1, once each.
Features page_with_spots(uint64_t first, uint64_t count) {
  FeatureSample sample;
  sample.blocks = {{words(0, 50)}};
  const Features plain = sample.features();
  std::vector<PackedSpot> spots;
  for (uint64_t i = 0; i < count; ++i)
    spots.push_back(make_packed_spot({first + i, 1}));
  FeatureHeader header = plain.header();
  header.spot_parameters = feature_spot_parameters_of({});
  return Features::build(header, {plain.blocks(), plain.keys(), spots, {}, {}, plain.symbols(), {}, {}, {}});
}

std::vector<GroupSlot> find(const SpotSource& source, const Features& page, bool* limited = nullptr) {
  SpotSearch search;
  bool cut = false;
  std::vector<GroupSlot> groups;
  for (const spotsigs::SpotMatch& match : source.find(page, search, cut))
    groups.push_back(match.slot);
  if (limited != nullptr) *limited = cut;
  return groups;
}

TEST(SpotSourceTest, FindsTheMostSimilarFirst) {
  SpotSource source(1, {});
  source.put(5, page_with_spots(0, 20));
  source.put(6, page_with_spots(10, 20));
  source.put(7, page_with_spots(1000, 20));
  EXPECT_EQ(find(source, page_with_spots(8, 20)), (std::vector<GroupSlot>{6, 5}));
  EXPECT_TRUE(find(source, page_with_spots(5000, 20)).empty());
  EXPECT_TRUE(find(source, page_with_spots(0, 0)).empty());
}

TEST(SpotSourceTest, AGroupHasTheSignaturesOfItsLastRepresentative) {
  SpotSource source(1, {});
  source.put(5, page_with_spots(0, 20));
  source.put(5, page_with_spots(100, 20));
  EXPECT_TRUE(find(source, page_with_spots(0, 20)).empty());
  EXPECT_EQ(find(source, page_with_spots(100, 20)), (std::vector<GroupSlot>{5}));
  source.put(5, page_with_spots(0, 0));
  EXPECT_TRUE(find(source, page_with_spots(100, 20)).empty());
  EXPECT_EQ(source.dropped_count(), 0U) << "a page without signatures is not left out for want of room";
  source.put(5, page_with_spots(0, 20));
  source.remove(5);
  source.remove(5);
  EXPECT_TRUE(find(source, page_with_spots(0, 20)).empty());
}

TEST(SpotSourceTest, TheThresholdIsInThousandths) {
  SpotSourceParameters parameters;
  parameters.threshold = 500;
  SpotSource source(1, parameters);
  source.put(5, page_with_spots(0, 20));
  EXPECT_EQ(find(source, page_with_spots(0, 10)), (std::vector<GroupSlot>{5}));
  EXPECT_TRUE(find(source, page_with_spots(0, 9)).empty());
}

TEST(SpotSourceTest, LimitsAreTold) {
  SpotSourceParameters parameters;
  parameters.candidates = 3;
  SpotSource source(1, parameters);
  for (GroupSlot group = 0; group < 5; ++group)
    source.put(group, page_with_spots(0, 20 + group));
  bool limited = false;
  EXPECT_EQ(find(source, page_with_spots(0, 20), &limited), (std::vector<GroupSlot>{0, 1, 2}));
  EXPECT_TRUE(limited);
}

TEST(SpotSourceTest, BeyondItsBytesTheOldestGroupsGo) {
  SpotSourceParameters parameters;
  parameters.bytes = 1 << 20;
  SpotSource source(1, parameters);
  for (GroupSlot group = 0; group < 2000; ++group)
    source.put(group, page_with_spots(100 * group, 100));
  EXPECT_LE(source.memory_bytes(), parameters.bytes);
  EXPECT_GT(source.dropped_count(), 0U);
  EXPECT_TRUE(find(source, page_with_spots(0, 100)).empty());
  EXPECT_EQ(find(source, page_with_spots(100 * 1999, 100)), (std::vector<GroupSlot>{1999}));
}

using sample::article;
using sample::html;
using sample::url;

class EngineBySpotsTest : public EngineTest {
 protected:
  // Every sentence of the article has one word replaced every few words: no sentence and no six words in a
  // row are left, spot signatures are.
  // A copy of the article with a paragraph more.
  static std::string longer(uint64_t seed) {
    sample::Paragraphs paragraphs = article(seed, 6);
    paragraphs.push_back("One more thing was said, and it was the last of the day.");
    return html(paragraphs);
  }
  void open_without_keys() {
    Parameters parameters;
    parameters.relaxed.enabled = false;
    parameters.fingerprints.sentences = 16;  // more sentences a fingerprint than the article has
    open(parameters);
  }
};

TEST_F(EngineBySpotsTest, AGroupThatSharesNoKeyIsFoundByItsSpotSignatures) {
  open_without_keys();
  const Answer first = check(url(1), html(article(1, 6)));
  EXPECT_EQ(engine_->sizes().keys, 0U);
  EXPECT_GT(engine_->sizes().bytes_spots, 0U);
  const Answer second = check(url(2), longer(1));
  EXPECT_EQ(second.verdict, kNearDuplicate);
  EXPECT_EQ(second.group_id, first.group_id);
}

TEST_F(EngineBySpotsTest, SwitchedOffNothingIsKept) {
  Parameters parameters;
  parameters.spots.enabled = false;
  open(parameters);
  const uint64_t before = engine_->sizes().bytes_spots;
  check(url(1), html(article(1, 6)));
  EXPECT_EQ(engine_->sizes().bytes_spots, before);
}

TEST_F(EngineBySpotsTest, AGroupThatIsGoneIsNotFound) {
  open_without_keys();
  check(url(1), html(article(1, 6)));
  ASSERT_TRUE(engine_->remove(url(1)));
  EXPECT_EQ(check(url(2), longer(1)).verdict, kNew);
  // A changed page, alone in its group: the old text is forgotten, the new one is known.
  check(url(2), html(article(2, 6)));
  EXPECT_EQ(check(url(3), html(article(1, 6))).verdict, kNew);
  EXPECT_EQ(check(url(4), longer(2)).verdict, kNearDuplicate);
}

TEST_F(EngineBySpotsTest, BeyondTheKeysBytesGroupsAreFoundBySpotsAndFlagged) {
  Parameters parameters;
  parameters.index.bytes = 1;  // the first page fills it
  open(parameters);
  EXPECT_FALSE(check(url(9), html(article(9, 6))).flags & kLimit);
  const uint64_t keys = engine_->sizes().keys;
  const Answer first = check(url(1), html(article(1, 6)));
  EXPECT_TRUE(first.flags & kLimit);
  EXPECT_EQ(engine_->sizes().keys, keys);
  EXPECT_EQ(engine_->counters().limit_index.load(), 1U);
  const Answer second = check(url(2), longer(1));
  EXPECT_EQ(second.verdict, kNearDuplicate);
  EXPECT_FALSE(second.flags & kLimit);
  EXPECT_EQ(engine_->counters().limit_index.load(), 1U) << "members are found by their group";
}

}  // namespace
}  // namespace nd::engine
