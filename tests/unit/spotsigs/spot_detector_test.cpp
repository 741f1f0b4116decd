// SpotSigs as a detector against brute force over filtered documents.
#include "joins/batch_join.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "unit/spotsigs/join_oracle.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using sample::Spots;
using sample::spots;
using sample::views;

// The band by its formula.
std::vector<Spots> filtered(const std::vector<Spots>& documents, IdfBand band) {
  std::map<uint64_t, double> frequencies;
  for (const Spots& document : documents) {
    for (const Spot& spot : document)
      frequencies[spot.hash] += 1;
  }
  std::vector<Spots> kept(documents.size());
  const double n = static_cast<double>(documents.size());
  for (size_t i = 0; i < documents.size(); ++i) {
    for (const Spot& spot : documents[i]) {
      const double idf = 1000 * std::log(n / frequencies[spot.hash]) / std::log(n);
      if (band.low <= idf && idf <= band.high) kept[i].push_back(spot);
    }
  }
  return kept;
}

TEST(SpotDetectorTest, EqualsBruteForceOverTheFilteredDocuments) {
  size_t found = 0;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    for (const IdfBand band : {kGoldSetBand, kWebBand}) {
      const std::vector<Spots> documents = sample::Random(seed).collection(100, 500, 100);
      SpotDetector detector(seed, {440, true, true}, band);
      for (uint32_t i = 0; i < documents.size(); ++i)
        EXPECT_EQ(detector.add(documents[i]), i);
      const SpotDetection detection = detector.detect();
      const oracle::Pairs expected = oracle::join(views(filtered(documents, band)), 440);
      oracle::Pairs pairs;
      for (const SimilarPair& pair : detection.pairs)
        pairs.insert({pair.first, pair.second, pair.overlap.shared, pair.overlap.united});
      EXPECT_EQ(pairs, expected);
      EXPECT_EQ(std::vector<uint32_t>(detection.groups.begin(), detection.groups.end()),
                oracle::components(documents.size(), expected));
      EXPECT_EQ(detection.counts.pairs, expected.size());
      found += expected.size();
    }
  }
  EXPECT_GT(found, 50U);
}

TEST(SpotDetectorTest, NothingIsNoPair) {
  SpotDetector detector(1, {});
  EXPECT_TRUE(detector.detect().groups.empty());
  detector.add({});
  detector.add({});
  EXPECT_TRUE(detector.detect().pairs.empty());
  EXPECT_EQ(detector.detect().groups[1], 1U);
}

}  // namespace
}  // namespace nd::spotsigs
