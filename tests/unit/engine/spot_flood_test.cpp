// Floods of forged spot signatures: hand-made features, as a hostile sender of features could make them. What
// they cost is compared with the counters and the byte budget, never with a clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "page/feature_layout.hpp"
#include "unit/engine/engine_sample.hpp"
#include "unit/page/feature_sample.hpp"

namespace nd::engine {
namespace {

constexpr uint64_t kSpotsBytes = 1 << 20;
// What the index may hold takes at most so many times as much in its tables.
constexpr uint64_t kTablesFactor = 4;

class SpotFloodTest : public EngineTest {
 protected:
  void SetUp() override {
    parameters_.spot_source.bytes = kSpotsBytes;
    parameters_.spots = {};
    open(parameters_);
  }
  // A page that shares no word with any other and has these signatures, once each.
  Answer check_forged(uint32_t number, std::vector<uint64_t> hashes) {
    FeatureSample page;
    page.site = "site" + std::to_string(number % 300) + ".example";
    page.url = "https://" + page.site + "/" + std::to_string(number);
    const auto length = std::max<uint32_t>(50, static_cast<uint32_t>(hashes.size()));
    page.blocks = {{words(number * 2000, length)}};
    std::sort(hashes.begin(), hashes.end());
    for (const uint64_t hash : hashes)
      page.spots.push_back(make_packed_spot({hash, 1}));
    const Counters& counters = engine_->counters();
    const uint64_t candidates = counters.candidates, verifications = counters.verifications;
    const Result<Answer> answer = engine_->check_features(page.features());
    EXPECT_TRUE(answer);
    most_candidates_ = std::max(most_candidates_, counters.candidates - candidates);
    most_verifications_ = std::max(most_verifications_, counters.verifications - verifications);
    most_bytes_ = std::max(most_bytes_, engine_->sizes().bytes_spots);
    return answer ? *answer : Answer{};
  }
  void expect_bounds() const {
    EXPECT_LE(most_candidates_, parameters_.spot_source.candidates);
    EXPECT_LE(most_verifications_, parameters_.verifications);
    EXPECT_LE(most_bytes_, kTablesFactor * kSpotsBytes);
    EXPECT_GT(most_bytes_, 0U);
  }

  Parameters parameters_;
  uint64_t most_candidates_ = 0, most_verifications_ = 0, most_bytes_ = 0;
};

std::vector<uint64_t> hashes_from(uint64_t first, uint64_t count) {
  std::vector<uint64_t> hashes(count);
  for (uint64_t i = 0; i < count; ++i)
    hashes[i] = first + i;
  return hashes;
}

TEST_F(SpotFloodTest, ThousandsOfRecordsWithTheSameSignatures) {
  for (uint32_t i = 0; i < 4000; ++i)
    EXPECT_EQ(check_forged(i, hashes_from(1, 60)).verdict, kNew) << "no text is shared";
  expect_bounds();
  EXPECT_EQ(most_candidates_, parameters_.spot_source.candidates) << "the flood has reached the search";
  EXPECT_LE(engine_->counters().candidates, 4000U * parameters_.spot_source.candidates);
  expect_consistent();
}

TEST_F(SpotFloodTest, RecordsWithAsManySignaturesAsThereMayBe) {
  const uint32_t most = parameters_.spots.signatures;
  for (uint32_t i = 0; i < 300; ++i)
    check_forged(i, hashes_from(1, most));
  for (uint32_t i = 300; i < 600; ++i)
    check_forged(i, hashes_from(uint64_t{i} * most / 2, most));
  expect_bounds();
  EXPECT_GT(engine_->sizes().spots_dropped, 0U);
}

TEST_F(SpotFloodTest, EverNewSignaturesDriveOutTheOldest) {
  constexpr uint32_t kPages = 4000;
  for (uint32_t i = 0; i < kPages; ++i)
    check_forged(i, hashes_from(1 + uint64_t{i} * 50, 50));
  expect_bounds();
  EXPECT_EQ(engine_->counters().candidates, 0U);
  EXPECT_GT(engine_->sizes().spots_dropped, kPages / 2U);
  EXPECT_LT(engine_->sizes().spots_dropped, kPages) << "the newest are kept";
  EXPECT_EQ(engine_->sizes().groups, kPages) << "groups stay known by their keys";
}

// One signature of each record leads to every other, the rest are its own; epochs come and go.
TEST_F(SpotFloodTest, SignaturesOfManyRecordsBetweenNewOnes) {
  std::mt19937_64 random(3);
  for (uint32_t i = 0; i < 6000; ++i) {
    std::vector<uint64_t> hashes = hashes_from(1000 + uint64_t{i} * 10, 5);
    hashes.push_back(1 + random() % 3);
    check_forged(i, hashes);
  }
  expect_bounds();
  EXPECT_LE(engine_->counters().verifications, 6000U * parameters_.verifications);
}

}  // namespace
}  // namespace nd::engine
