// Candidates by signatures: representatives, and limits of the search.
#include "collection/spot_source.hpp"

#include <gtest/gtest.h>

#include <random>

#include "unit/engine/engine_sample.hpp"
#include "unit/page/feature_sample.hpp"
#include "unit/spotsigs/counted_memory.hpp"
#include "unit/store/memory_run.hpp"

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
  header.spot_parameters = feature_spot_parameters_of({}, {});
  return Features::build(header,
                         {plain.blocks(), plain.keys(), spots, {}, {}, plain.symbols(), {}, {}, {}, {}});
}

std::vector<uint64_t> find(const SpotSource& source, const Features& page, bool* limited = nullptr) {
  SpotSearch search(1);
  bool cut = false;
  std::vector<uint64_t> groups;
  for (const spotsigs::SpotMatch& match : source.find(page, search, cut))
    groups.push_back(match.id);
  if (limited != nullptr) *limited = cut;
  return groups;
}

TEST(SpotSourceTest, FindsTheMostSimilarFirst) {
  SpotSource source(1, {});
  source.put(5, page_with_spots(0, 20));
  source.put(6, page_with_spots(10, 20));
  source.put(7, page_with_spots(1000, 20));
  EXPECT_EQ(find(source, page_with_spots(8, 20)), (std::vector<uint64_t>{6, 5}));
  EXPECT_TRUE(find(source, page_with_spots(5000, 20)).empty());
  EXPECT_TRUE(find(source, page_with_spots(0, 0)).empty());
}

TEST(SpotSourceTest, ASearchThatMayReadNoFurtherSaysSo) {
  SpotSource source(1, {});
  for (uint64_t group_id = 1; group_id <= 20; ++group_id)
    source.put(group_id, page_with_spots(group_id, 30));
  const Features page = page_with_spots(10, 30);
  SpotSearch search(1);
  const auto found_within = [&](uint64_t most_steps, bool& limited) {
    limited = false;
    return source.find(page, search, limited, most_steps).size();
  };
  bool limited = false;
  const size_t all = found_within(UINT64_MAX, limited);
  const uint64_t all_work = search.work();
  EXPECT_FALSE(limited);
  EXPECT_GT(all, 5U);
  const size_t some = found_within(100, limited);
  EXPECT_TRUE(limited);
  EXPECT_GT(some, 0U);
  EXPECT_LT(some, all);
  EXPECT_LT(search.work(), all_work);
  EXPECT_EQ(found_within(0, limited), 0U);
  EXPECT_TRUE(limited);
}

TEST(SpotSourceTest, AGroupHasTheSignaturesOfItsLastRepresentative) {
  SpotSource source(1, {});
  source.put(5, page_with_spots(0, 20));
  source.put(5, page_with_spots(100, 20));
  EXPECT_TRUE(find(source, page_with_spots(0, 20)).empty());
  EXPECT_EQ(find(source, page_with_spots(100, 20)), (std::vector<uint64_t>{5}));
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
  EXPECT_EQ(find(source, page_with_spots(0, 10)), (std::vector<uint64_t>{5}));
  EXPECT_TRUE(find(source, page_with_spots(0, 9)).empty());
}

TEST(SpotSourceTest, TheMostSimilarOfManyAreFound) {
  SpotSourceParameters parameters;
  parameters.candidates = 3;
  SpotSource source(1, parameters);
  for (uint64_t group = 1; group <= 5; ++group)
    source.put(group, page_with_spots(0, 19 + group));
  bool limited = true;
  EXPECT_EQ(find(source, page_with_spots(0, 20), &limited), (std::vector<uint64_t>{1, 2, 3}));
  EXPECT_FALSE(limited) << "the best are what was asked for";
}

TEST(SpotSourceTest, ACutSearchIsTold) {
  SpotSourceParameters parameters;
  parameters.postings = 3;
  SpotSource source(1, parameters);
  bool limited = false;
  for (uint64_t group = 1; group <= 3; ++group)
    source.put(group, page_with_spots(0, 19 + group));
  find(source, page_with_spots(1000, 20), &limited);
  EXPECT_FALSE(limited);
  for (uint64_t group = 4; group <= 6; ++group)
    source.put(group, page_with_spots(0, 19 + group));
  find(source, page_with_spots(0, 20), &limited);
  EXPECT_TRUE(limited);
}

TEST(SpotSourceTest, AGroupThatHasNoRoomIsCountedOnce) {
  for (uint64_t bytes = 1 << 8; bytes <= 1 << 16; bytes *= 2) {
    SpotSourceParameters parameters;
    parameters.bytes = bytes;
    SpotSource source(1, parameters);
    source.put(1, page_with_spots(0, 2));
    const bool held = !find(source, page_with_spots(0, 2)).empty();
    EXPECT_EQ(source.dropped_count(), held ? 0U : 1U) << bytes;
  }
}

TEST(SpotSourceTest, BeyondItsBytesTheOldestGroupsGo) {
  SpotSourceParameters parameters;
  parameters.bytes = 1 << 20;
  SpotSource source(1, parameters);
  for (uint64_t group = 1; group <= 2000; ++group)
    source.put(group, page_with_spots(100 * group, 100));
  EXPECT_LE(source.content_bytes(), parameters.bytes);
  EXPECT_GT(source.dropped_count(), 0U);
  EXPECT_TRUE(find(source, page_with_spots(100, 100)).empty());
  EXPECT_EQ(find(source, page_with_spots(100 * 2000, 100)), (std::vector<uint64_t>{2000}));
}

TEST(SpotSourceTest, ASnapshotKeepsWhatItKnows) {
  SpotSourceParameters parameters;
  parameters.bytes = 1 << 16;
  SpotSource source(1, parameters);
  for (uint64_t group = 1; group <= 100; ++group)
    source.put(group, page_with_spots(100 * group, 100));
  std::mt19937_64 random(1);
  Vector<uint8_t> state;
  source.write_state(state);
  SpotSource restored(2, parameters);
  for (size_t table = 0; table < source.tables().size(); ++table) {
    store::sample::Snapshots snapshots;
    ASSERT_TRUE(snapshots.finish(*source.tables()[table], random));
    restored.tables()[table]->attach(snapshots.runs(), source.tables()[table]->size());
  }
  ASSERT_TRUE(restored.restore(state));
  EXPECT_EQ(restored.content_bytes(), source.content_bytes());
  EXPECT_GT(restored.dropped_count(), 0U);
  EXPECT_EQ(restored.dropped_count(), source.dropped_count());
  restored.put(101, page_with_spots(100 * 101, 100));
  source.put(101, page_with_spots(100 * 101, 100));
  for (uint64_t group = 1; group <= 101; ++group) {
    const Features page = page_with_spots(100 * group, 100);
    EXPECT_EQ(find(restored, page), find(source, page));
  }
  EXPECT_EQ(restored.dropped_count(), source.dropped_count());
  for (size_t size = 0; size < state.size(); ++size)
    EXPECT_FALSE(SpotSource(3, parameters).restore({state.data(), size}) && size < 72) << size;
}

// Whatever fails: nothing is thrown, and the group is found by the new text or not at all, once what is
// removed was prepared.
TEST(SpotSourceTest, WantOfMemoryLeavesGroupsOut) {
  spotsigs::sample::CountedMemory memory;
  SpotSource source(1, {});
  uint64_t failures = 0;
  bool is_done = false;
  for (uint64_t count = 0; !is_done; ++count) {
    const Features old_page = page_with_spots(1000 * count, 20);
    const Features new_page = page_with_spots(1000 * count + 500, 20);
    source.put(count + 1, old_page);
    source.prepare_removal(count + 1);
    const uint64_t dropped = source.dropped_count();
    memory.fail_after(count, false);
    source.put(count + 1, new_page);
    is_done = !memory.stop_failing();
    const uint64_t failed = source.dropped_count() - dropped;
    failures += failed;
    EXPECT_EQ(failed, is_done ? 0U : 1U);
    EXPECT_TRUE(find(source, old_page).empty());
    EXPECT_EQ(find(source, new_page).size(), 1 - failed);
  }
  EXPECT_GE(failures, 2U);
}

using sample::article;
using sample::html;
using sample::url;

class EngineBySpotsTest : public EngineTest {
 protected:
  // A copy of the article with a paragraph more.
  static std::string longer(uint64_t seed) {
    sample::Paragraphs paragraphs = article(seed, 6);
    paragraphs.push_back("One more thing was said, and it was the last of the day.");
    return html(paragraphs);
  }
  void open_without_keys() {
    Parameters parameters;
    parameters.relaxed.enabled = false;
    parameters.fingerprints.cover_width = 10'000;  // more than the article has
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

// A page of its own text that has the signatures first .. first + count - 1.
FeatureSample foreign_page(uint64_t number, uint64_t first, uint64_t count) {
  FeatureSample sample;
  sample.blocks = {{words(static_cast<uint32_t>(10'000 * number), 80)}};
  sample.site = std::to_string(number) + ".example";
  sample.url = url(number);
  for (uint64_t i = 0; i < count; ++i)
    sample.spots.push_back(make_packed_spot({first + i, 1}));
  return sample;
}

TEST_F(EngineBySpotsTest, ACutSearchIsFlaggedAndCounted) {
  Parameters parameters;
  parameters.spots.signatures = 20;
  parameters.spot_source.postings = 25;  // room for one group of twenty signatures
  open(parameters);
  for (uint64_t number = 1; number <= 3; ++number) {
    const Result<Answer> answer = engine_->check_features(foreign_page(number, 0, 20).features());
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->verdict, kNew);
    EXPECT_EQ((answer->flags & kLimit) != 0, number == 3);
  }
  EXPECT_EQ(engine_->counters().limit_candidates.load(), 1U);
  EXPECT_EQ(engine_->counters().limit_spots.load(), 0U);
}

TEST_F(EngineBySpotsTest, APageWithMoreSignaturesThanAreKeptIsCountedWhereNothingElseIsCompared) {
  for (const detectors::Method method : {detectors::Method::kLcs, detectors::Method::kSpotSigs}) {
    Parameters parameters;
    parameters.detector.method = static_cast<uint32_t>(method);
    parameters.spots.signatures = 3;
    open(parameters);
    const Answer answer = check(url(1), html(article(1, 6)));
    EXPECT_FALSE(answer.flags & kLimit) << "what is kept of it is what is kept of its copies";
    EXPECT_EQ(engine_->counters().limit_spots.load(), method == detectors::Method::kLcs ? 0U : 1U);
  }
}

TEST_F(EngineBySpotsTest, ASampleOfTheSignaturesIsKeptExceptWhereNothingElseIsCompared) {
  Parameters parameters;
  EXPECT_EQ(spot_parameters_of(parameters).signatures, 8U);
  parameters.detector.method = static_cast<uint32_t>(detectors::Method::kLshS);
  EXPECT_EQ(spot_parameters_of(parameters).signatures, 1024U);
  parameters.spots.signatures = 3;
  EXPECT_EQ(spot_parameters_of(parameters).signatures, 3U);
}

class ForeignSpotsTest : public EngineTest {
 protected:
  uint64_t bytes_of(const Features& page) {
    const uint64_t before = engine_->sizes().bytes_features;
    EXPECT_TRUE(engine_->check_features(*Features::parse(page.bytes())));
    return engine_->sizes().bytes_features - before;
  }
  static Features made_with(FeatureSpotParameters parameters, const FeatureSample& sample) {
    const Features page = sample.features();
    FeatureHeader header = page.header();
    header.spot_parameters = parameters;
    return Features::build(header, {.blocks = page.blocks(),
                                    .keys = page.keys(),
                                    .spots = page.spots(),
                                    .block_spots = {},
                                    .sentences = {},
                                    .symbols = page.symbols(),
                                    .url = page.url(),
                                    .site = page.site(),
                                    .text = {}});
  }
};

TEST_F(ForeignSpotsTest, OfAnotherDistanceChainOrListTheyAreNotUsed) {
  FeatureSpotParameters other = feature_spot_parameters_of({}, {});
  ++other.distance;
  const uint64_t without = bytes_of(foreign_page(1, 0, 0).features());
  EXPECT_EQ(bytes_of(made_with(other, foreign_page(2, 0, 20))), without);
  other = feature_spot_parameters_of({}, {});
  ++other.chain;
  EXPECT_EQ(bytes_of(made_with(other, foreign_page(3, 0, 20))), without);
  EXPECT_EQ(bytes_of(made_with(feature_spot_parameters_of({}, "a is the"), foreign_page(5, 0, 20))), without);
  EXPECT_EQ(engine_->counters().limit_spots.load(), 3U);
  EXPECT_GT(bytes_of(foreign_page(4, 0, 20).features()), without);
  EXPECT_EQ(engine_->counters().limit_spots.load(), 3U);
}

TEST_F(ForeignSpotsTest, SwitchedOffTheyAreNotUsed) {
  Parameters parameters;
  parameters.spots.enabled = false;
  open(parameters);
  const uint64_t without = bytes_of(foreign_page(1, 0, 0).features());
  EXPECT_EQ(bytes_of(foreign_page(2, 0, 20).features()), without);
  EXPECT_EQ(engine_->counters().limit_spots.load(), 0U);
}

TEST_F(ForeignSpotsTest, OfMoreThanTheEngineKeepsTheSmallestHashesAreTaken) {
  Parameters parameters;
  parameters.spots.signatures = 5;
  parameters.spot_source.threshold = 1000;
  open(parameters);
  const auto looked_at = [&](const FeatureSample& page) {
    const uint64_t before = engine_->counters().candidates;
    EXPECT_TRUE(engine_->check_features(page.features()));
    return engine_->counters().candidates - before;
  };
  EXPECT_EQ(looked_at(foreign_page(1, 0, 20)), 0U);
  EXPECT_EQ(looked_at(foreign_page(2, 0, 5)), 1U) << "the first five are all that is kept of the other";
}

}  // namespace
}  // namespace nd::engine
