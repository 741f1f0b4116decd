// The band of frequencies by its formula, for documents that come and go.
#include "detectors/document_frequencies.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using sample::Spots;
using sample::spots;

TEST(FrequencyRangeTest, IsTheBandOfTheFormula) {
  for (const IdfBand band :
       {kGoldSetBand, kWebBand, IdfBand{0, 1000}, IdfBand{200, 1000}, IdfBand{300, 600}}) {
    for (const uint64_t documents : {2U, 3U, 10U, 97U, 2160U, 30011U}) {
      const FrequencyRange range = frequency_range(band, documents);
      for (uint64_t frequency = 1; frequency <= documents; ++frequency) {
        const double n = static_cast<double>(documents);
        const double idf = 1000 * std::log(n / static_cast<double>(frequency)) / std::log(n);
        if (std::abs(idf - band.low) < 1e-6 || std::abs(idf - band.high) < 1e-6) continue;
        ASSERT_EQ(range.contains(frequency), band.low <= idf && idf <= band.high)
            << documents << ' ' << frequency << ' ' << idf;
      }
    }
  }
}

// log(10^10 / 10^8) / log 10^10 = .2 and so on: the bounds belong to the band.
TEST(FrequencyRangeTest, ExactPowersBelongToTheBand) {
  const FrequencyRange range = frequency_range({200, 700}, 10'000'000'000);
  EXPECT_EQ(range.greatest, 100'000'000U);
  EXPECT_EQ(range.least, 1000U);
  for (uint64_t k = 2; k < 2000; ++k) {  // in doubles many of these powers are a bit off
    const FrequencyRange powers = frequency_range({200, 800}, k * k * k * k * k);
    ASSERT_EQ(powers.greatest, k * k * k * k);
    ASSERT_EQ(powers.least, k);
  }
  EXPECT_EQ(frequency_range({0, 1000}, 12345).least, 1U);
  EXPECT_EQ(frequency_range({0, 1000}, 12345).greatest, 12345U);
}

TEST(FrequencyRangeTest, FewerThanTwoDocumentsKeepAll) {
  for (const uint64_t documents : {0U, 1U})
    EXPECT_TRUE(frequency_range(kWebBand, documents).contains(1));
}

TEST(DocumentFrequenciesTest, CountDocumentsThatComeAndGo) {
  sample::Random random(3);
  DocumentFrequencies frequencies(17);
  std::map<uint64_t, uint64_t> oracle;
  std::vector<Spots> held;
  for (int step = 0; step < 600; ++step) {
    const bool adds = held.empty() || random.below(3) != 0;
    if (adds) held.push_back(random.document(200, 60));
    const size_t at = adds ? held.size() - 1 : random.below(held.size());
    for (const Spot& spot : held[at])
      oracle[spot.hash] += adds ? 1 : uint64_t(-1);
    if (adds) {
      frequencies.add(held[at]);
    } else {
      frequencies.remove(held[at]);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
    }
    ASSERT_EQ(frequencies.documents(), held.size());
  }
  uint64_t known = 0;
  for (const auto& [hash, frequency] : oracle) {
    EXPECT_EQ(frequencies.frequency(hash), frequency);
    known += frequency > 0;
  }
  EXPECT_EQ(frequencies.signature_count(), known);
}

TEST(EpochTest, IsFrozenAndKeepsWhatItDoesNotKnow) {
  DocumentFrequencies frequencies(1);
  for (uint64_t i = 0; i < 100; ++i)  // 1 in all, 2 in ten, 1000 + i in one each
    frequencies.add(i % 10 == 0 ? spots({{1, 3}, {2, 1}, {1000 + i, 2}}) : spots({{1, 3}, {1000 + i, 2}}));
  const Epoch epoch = frequencies.freeze(kGoldSetBand);  // df 2 to 39
  for (uint64_t i = 0; i < 100; ++i)
    frequencies.add(spots({{2, 1}, {77, 1}}));
  EXPECT_EQ(epoch.documents(), 100U);
  EXPECT_EQ(epoch.frequency(1), 100U);
  EXPECT_EQ(epoch.frequency(2), 10U);
  EXPECT_EQ(epoch.frequency(77), 0U);
  EXPECT_FALSE(epoch.keeps(1));
  EXPECT_TRUE(epoch.keeps(2));
  EXPECT_FALSE(epoch.keeps(1005));
  EXPECT_TRUE(epoch.keeps(77));
  Vector<Spot> kept{{5, 5}};
  epoch.filter(spots({{1, 3}, {2, 4}, {77, 6}, {1005, 1}}), kept);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].hash, 2U);
  EXPECT_EQ(kept[0].count, 4U);
  EXPECT_EQ(kept[1].hash, 77U);
}

}  // namespace
}  // namespace nd::spotsigs
