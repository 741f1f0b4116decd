// Simhashes against sixty-four plain counters.
#include "moz/simhash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "unit/moz/moz_sample.hpp"
#include "unit/moz/simhash_oracle.hpp"

namespace nd::moz {
namespace {

using WeightedFeatures = std::vector<WeightedFeature>;

TEST(LaneCountersTest, CountAsSixtyFourCountersDo) {
  sample::Random random(1);
  LaneCounters planes;
  std::array<uint64_t, 64> counts{};
  for (int step = 0; step < 3000; ++step) {
    const uint64_t lanes = random.number() & random.number();
    const auto weight = static_cast<uint32_t>(random.number() >> (32 + random.below(32)));
    planes.add(lanes, weight);
    for (size_t lane = 0; lane < 64; ++lane)
      counts[lane] += (lanes >> lane & 1) * weight;
    if (step % 10 != 0) continue;
    const uint64_t count = counts[random.below(64)];
    for (const uint64_t bound : {count, count + 1, count == 0 ? 0 : count - 1, random.number()}) {
      uint64_t expected = 0;
      for (size_t lane = 0; lane < 64; ++lane)
        expected |= uint64_t{counts[lane] >= bound} << lane;
      ASSERT_EQ(planes.at_least(bound), expected) << step;
    }
  }
}

// Weights 3, 2 and 1, by hand. Bit 3: 3 of 6, a tie, 1. Bit 2: 2 of 6, 0. Bit 1: 5 of 6, 1. Bit 0: 1 of 6, 0.
TEST(SimhashTest, WorkedExample) {
  EXPECT_EQ(simhash64(WeightedFeatures{{0b1010, 3}, {0b0110, 2}, {0b0001, 1}}), 0b1010U);
  EXPECT_EQ(simhash64(WeightedFeatures{{0b1010, 3}, {0b0110, 2}, {0b0001, 2}}), 0b0010U);
  const std::vector<WeightedFeature128> wide{{{0b1010, 1}, 3}, {{0b0110, 2}, 2}, {{0b0001, 3}, 1}};
  EXPECT_EQ(simhash128(wide), (Hash128{0b1010, 0b11}));
}

TEST(SimhashTest, OfOneFeatureIsItsHash) {
  EXPECT_EQ(simhash64(WeightedFeatures{{0x0123456789abcdef, 1}}), 0x0123456789abcdefU);
  EXPECT_EQ(simhash64(WeightedFeatures{{0, 7}}), 0U);
}

TEST(SimhashTest, OppositeVotesOfEqualWeightAreATie) {
  EXPECT_EQ(simhash64(WeightedFeatures{{0x00ff, 5}, {~uint64_t{0x00ff}, 5}}), ~uint64_t{0});
  EXPECT_EQ(simhash64(WeightedFeatures{{0x00ff, 5}, {~uint64_t{0x00ff}, 4}}), 0x00ffU);
}

TEST(SimhashTest, NothingHasNone) {
  EXPECT_EQ(simhash64(WeightedFeatures{}), std::nullopt);
  EXPECT_EQ(simhash64(WeightedFeatures{{1, 0}, {2, 0}}), std::nullopt);
  EXPECT_EQ(simhash128(WeightedFeatures{}), std::nullopt);
  EXPECT_EQ(simhash128(WeightedFeatures{{1, 0}}), std::nullopt);
  EXPECT_EQ(simhash128(std::vector<WeightedFeature128>{{{1, 2}, 0}}), std::nullopt);
}

// From a program that shares no code with the library.
TEST(SimhashTest, IsStable) {
  const WeightedFeatures features{{0xef2b74c4f900c4cb, 3},
                                  {0xffdcfaf333cbaa8d, 2},
                                  {0xdadb9f0f099a4f60, 1},
                                  {0x7e8288a421b770f2, 4},
                                  {0xe82969996335cf2e, 6}};
  EXPECT_EQ(simhash64(features), 0xee2b68956335ceeeU);
  EXPECT_EQ(simhash128(features), (Hash128{0xee2b68956335ceee, 0x35d2bb60316285a5}));
}

TEST(SimhashTest, EqualsThePlainSums) {
  sample::Random random(2);
  for (int round = 0; round < 400; ++round) {
    const uint32_t weight_bits = 1 + static_cast<uint32_t>(random.below(32));
    WeightedFeatures features(random.below(round % 10 == 0 ? 2000 : 40));
    WeightedFeatures high;
    std::vector<WeightedFeature128> wide;
    for (WeightedFeature& feature : features) {
      feature.hash = random.number() & (round % 3 == 0 ? random.number() : ~uint64_t{0});
      feature.weight = static_cast<uint32_t>(random.below(uint64_t{1} << weight_bits));
      high.push_back({random.number(), feature.weight});
      wide.push_back({{feature.hash, high.back().hash}, feature.weight});
    }
    ASSERT_EQ(simhash64(features), oracle::simhash64(features)) << round;
    const std::optional<Hash128> both = simhash128(wide);
    ASSERT_EQ(both.has_value(), oracle::simhash64(features).has_value());
    if (!both) continue;
    EXPECT_EQ(both->low, oracle::simhash64(features));
    EXPECT_EQ(both->high, oracle::simhash64(high));
  }
}

TEST(SimhashTest, DependsOnTheMultiSetAlone) {
  sample::Random random(3);
  WeightedFeatures features(500);
  for (WeightedFeature& feature : features)
    feature = {mix(random.below(100)), 1};
  const auto expected = simhash64(features);
  for (int round = 0; round < 5; ++round) {
    std::shuffle(features.begin(), features.end(), std::mt19937(static_cast<uint32_t>(round)));
    EXPECT_EQ(simhash64(features), expected);
  }
  // A feature twice is a feature of twice the weight.
  EXPECT_EQ(simhash64(WeightedFeatures{{7, 2}, {9, 3}, {7, 2}}), simhash64(WeightedFeatures{{7, 4}, {9, 3}}));
}

TEST(SimhashTest, TheGreatestWeightsDoNotOverflow) {
  WeightedFeatures features(300000, {0x5555, UINT32_MAX});
  features.insert(features.end(), 299999, {0xaaaa, UINT32_MAX});
  EXPECT_EQ(simhash64(features), 0x5555U);
}

// The angle between the vectors decides: pages that share most of their features are near.
TEST(SimhashTest, SimilarFeaturesAreNear) {
  sample::Random random(4);
  uint64_t near = 0;
  uint64_t far = 0;
  constexpr uint32_t kRounds = 100;
  for (uint32_t round = 0; round < kRounds; ++round) {
    WeightedFeatures a(300), c(300);
    for (WeightedFeature& feature : a)
      feature = {random.number(), 1};
    for (WeightedFeature& feature : c)
      feature = {random.number(), 1};
    WeightedFeatures b = a;
    for (int i = 0; i < 6; ++i)
      b[static_cast<size_t>(i)].hash = random.number();
    near += distance(*simhash64(a), *simhash64(b));
    far += distance(*simhash64(a), *simhash64(c));
  }
  // 64 / pi * arccos(1 - 6 / 300) = 4.08; half of the bits.
  EXPECT_NEAR(static_cast<double>(near) / kRounds, 4.08, 1.0);
  EXPECT_NEAR(static_cast<double>(far) / kRounds, 32, 2.0);
}

TEST(HammingDistanceTest, CountsUnequalBits) {
  EXPECT_EQ(distance(uint64_t{0}, ~uint64_t{0}), 64U);
  EXPECT_EQ(distance(Hash128{0, 0}, Hash128{~uint64_t{0}, ~uint64_t{0}}), 128U);
  sample::Random random(5);
  for (uint32_t bits = 0; bits <= 64; ++bits) {
    const uint64_t hash = random.number();
    EXPECT_EQ(distance(hash, sample::at_distance(hash, bits, random)), bits);
    const Hash128 wide{random.number(), random.number()};
    EXPECT_EQ(distance(wide, sample::at_distance(wide, 2 * bits, random)), 2 * bits);
  }
}

// Moz: duplicates at 5 of 64, not at 6. TR2007012: duplicates where 97 of 128 bits are equal.
TEST(SimhashTest, Thresholds) {
  sample::Random random(6);
  const uint64_t hash = random.number();
  EXPECT_LE(distance(hash, sample::at_distance(hash, 5, random)), kSimhash64Distance);
  EXPECT_GT(distance(hash, sample::at_distance(hash, 6, random)), kSimhash64Distance);
  const Hash128 wide{random.number(), random.number()};
  EXPECT_LE(distance(wide, sample::at_distance(wide, 128 - 97, random)), kSimhash128Distance);
  EXPECT_GT(distance(wide, sample::at_distance(wide, 128 - 96, random)), kSimhash128Distance);
}

}  // namespace
}  // namespace nd::moz
