// Examples that the slides of SpotSigs work out by hand and no other test has; docs/sources.md lists all.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/hash.hpp"
#include "detectors/document_frequencies.hpp"
#include "detectors/spot_competitors.hpp"
#include "spotsigs/spot_extractor.hpp"
#include "spotsigs/spot_index.hpp"
#include "spotsigs/spot_vector.hpp"
#include "unit/spotsigs/spot_extractor_oracle.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using sample::lengths_fit;
using sample::packed;
using sample::Spots;
using sample::spots;

// Slide "Spot Signature Extraction": that:presidential:campaign:hit, an antecedent and a chain of three.
TEST(DocumentExamplesTest, ASignatureOfThreeWords) {
  const auto hash = [](const char* word) {
    return static_cast<uint32_t>(stable_hash(std::string_view(word)));
  };
  const std::vector<SpotWord> words = {{hash("that"), WordKind::kAntecedent},
                                       {hash("presidential"), WordKind::kContent},
                                       {hash("campaign"), WordKind::kContent},
                                       {hash("hit"), WordKind::kContent}};
  SpotParameters parameters;
  parameters.chain = 3;
  SpotExtractor extractor;
  Vector<Spot> found;
  extractor.append_spots(words, parameters, found);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].hash, oracle::signature_hash(std::vector<uint32_t>{hash("that"), hash("presidential"),
                                                                        hash("campaign"), hash("hit")}));
}

// Slide "Which documents (not) to compare?": |A| = 345, |B| = 1045, |C| = 323.
TEST(DocumentExamplesTest, LengthsSayWhichPairsToSpare) {
  for (const uint32_t tau : {440U, 700U, 800U, 900U}) {
    EXPECT_TRUE(lengths_fit(345, 323, tau)) << tau;
    EXPECT_FALSE(lengths_fit(345, 1045, tau)) << tau;
    EXPECT_FALSE(lengths_fit(1045, 323, tau)) << tau;
  }
  EXPECT_TRUE(lengths_fit(345, 323, 936));  // 323 / 345 = .9362
  EXPECT_FALSE(lengths_fit(345, 323, 937));
  EXPECT_TRUE(lengths_fit(345, 1045, 330));  // 345 / 1045 = .3301
  EXPECT_FALSE(lengths_fit(345, 1045, 331));
  // The bound is reached: one signature, as often as each document is long.
  EXPECT_TRUE(similar(overlap(spots({{1, 345}}), spots({{1, 323}})), 936));
  EXPECT_FALSE(similar(overlap(spots({{1, 345}}), spots({{1, 323}})), 937));
}

// Slide "Deduplication Example", in each order in which a crawl could meet the three: d1 and d3, nothing
// else.
TEST(DocumentExamplesTest, TheDeduplicationExampleInAnyOrder) {
  const std::vector<Spots> documents = {spots({{1, 5}, {2, 4}, {3, 4}}), spots({{1, 8}, {2, 4}}),
                                        spots({{1, 4}, {2, 5}, {3, 5}})};
  std::vector<size_t> order = {0, 1, 2};
  do {
    SpotIndexParameters parameters;
    parameters.tau = 800;
    SpotIndex index(1, parameters);
    SpotProbeScratch scratch(1);
    std::vector<size_t> met;
    for (const size_t next : order) {
      const SpotMatches answer = index.probe(packed(documents[next]), scratch);
      const bool is_second_of_pair = next != 1 && std::find(met.begin(), met.end(), 2 - next) != met.end();
      ASSERT_EQ(answer.matches.size(), is_second_of_pair ? 1U : 0U);
      if (is_second_of_pair) {
        EXPECT_EQ(answer.matches[0].id, 2 - next + 1);
        EXPECT_EQ(answer.matches[0].overlap.shared, 12U);
        EXPECT_EQ(answer.matches[0].overlap.united, 15U);
      }
      index.insert(next + 1, packed(documents[next]));
      met.push_back(next);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

// Tables "Gold Set" and "TREC WT10g": IDF .2 to .85 and .4 to .75. Of 2160 documents 2160^.8 = 465.2,
// 2160^.15 = 3.2; 2160^.6 = 100.2, 2160^.25 = 6.8.
TEST(DocumentExamplesTest, TheBandsOfTheExperiments) {
  const FrequencyRange gold_set = frequency_range(kGoldSetBand, 2160);
  EXPECT_EQ(gold_set.least, 4U);
  EXPECT_EQ(gold_set.greatest, 465U);
  const FrequencyRange web = frequency_range(kWebBand, 2160);
  EXPECT_EQ(web.least, 7U);
  EXPECT_EQ(web.greatest, 100U);
}

// The same tables: k = 6, l = 32, tau = .44.
TEST(DocumentExamplesTest, TheBandsOfLshS) {
  const LshOptions options;
  EXPECT_EQ(options.rows, 6U);
  EXPECT_EQ(options.bands, 32U);
  Vector<uint64_t> bands;
  lsh_bands(spots({{1, 1}, {2, 7}}), options, bands);
  EXPECT_EQ(bands.size(), 32U);
}

}  // namespace
}  // namespace nd::spotsigs
