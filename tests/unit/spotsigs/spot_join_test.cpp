// The complete join against brute force and the example of the slides.
#include "joins/spot_join.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "unit/spotsigs/join_oracle.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using sample::packed;
using sample::Spots;
using sample::spots;
using sample::views;

constexpr uint64_t kSecret = 11;

class JoinOf {
 public:
  JoinOf(const std::vector<Spots>& documents, uint32_t tau, uint64_t secret = kSecret) : join_(secret, tau) {
    for (const Spots& document : documents)
      join_.add(packed(document));
    join_.index();
  }

  // Each document with those before it.
  oracle::Pairs pairs() {
    oracle::Pairs found;
    for (uint32_t document = 0; document < join_.size(); ++document) {
      join_.find(join_.spots_of(document), document, scratch_, matches_);
      for (size_t i = 0; i < matches_.size(); ++i) {
        const SpotJoinMatch& match = matches_[i];
        EXPECT_LT(match.document, document);
        if (i > 0) {
          EXPECT_LT(matches_[i - 1].document, match.document) << "ascending, each once";
        }
        found.insert({match.document, document, match.overlap.shared, match.overlap.united});
      }
    }
    return found;
  }

  const Vector<SpotJoinMatch>& of_stranger(const Spots& document) {
    join_.find(packed(document), join_.size(), scratch_, matches_);
    return matches_;
  }

  const SpotJoinWork& work() const { return scratch_.work; }

 private:
  SpotJoin join_;
  SpotJoinScratch scratch_;
  Vector<SpotJoinMatch> matches_;
};

// The counts that fit into the byte of a packed signature, as the oracle has to see them too.
std::vector<Spots> as_packed(std::vector<Spots> documents) {
  for (Spots& document : documents) {
    for (Spot& spot : document)
      spot.count = std::min(spot.count, kSpotCountLimit);
  }
  return documents;
}

TEST(SpotJoinTest, TheExampleOfTheSlides) {
  const std::vector<Spots> documents{spots({{1, 5}, {2, 4}, {3, 4}}), spots({{1, 8}, {2, 4}}),
                                     spots({{1, 4}, {2, 5}, {3, 5}})};
  EXPECT_EQ(JoinOf(documents, 800).pairs(), (oracle::Pairs{{0, 2, 12, 15}}));
  EXPECT_EQ(JoinOf(documents, 801).pairs(), oracle::Pairs{});
}

TEST(SpotJoinTest, FindsThePairsOfBruteForce) {
  size_t found = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    sample::Random random(seed);
    const std::vector<Spots> documents =
        as_packed(random.collection(80, seed % 3 == 0 ? 30 : 3000, seed % 2 == 0 ? 40 : 300));
    for (const uint32_t tau : {1U, 200U, 440U, 700U, 800U, 900U, 999U, 1000U}) {
      const oracle::Pairs expected = oracle::join(views(documents), tau);
      found += expected.size();
      ASSERT_EQ(JoinOf(documents, tau).pairs(), expected) << seed << ' ' << tau;
      ASSERT_EQ(JoinOf(documents, tau, seed + 77).pairs(), expected) << "whatever the secret";
    }
  }
  EXPECT_GT(found, 1000U);
}

TEST(SpotJoinTest, AThresholdOfZeroAsksForACommonSignature) {
  sample::Random random(3);
  const std::vector<Spots> documents = as_packed(random.collection(60, 300, 40));
  oracle::Pairs expected;
  for (uint32_t b = 0; b < documents.size(); ++b) {
    for (uint32_t a = 0; a < b; ++a) {
      const auto [shared, united] = oracle::jaccard(documents[a], documents[b]);
      if (shared > 0) expected.insert({a, b, shared, united});
    }
  }
  EXPECT_LT(expected.size(), 60U * 59 / 2) << "not all pairs have one";
  EXPECT_EQ(JoinOf(documents, 0).pairs(), expected);
}

TEST(SpotJoinTest, ADocumentFromOutsideMeetsAllThatWereAdded) {
  sample::Random random(8);
  std::vector<Spots> documents = as_packed(random.collection(100, 300, 60));
  const std::vector<Spots> strangers(documents.begin() + 70, documents.end());
  documents.resize(70);
  JoinOf join(documents, 440);
  size_t found = 0;
  for (const Spots& stranger : strangers) {
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < documents.size(); ++i) {
      if (oracle::reaches(oracle::jaccard(documents[i], stranger), 440)) expected.push_back(i);
    }
    std::vector<uint32_t> matches;
    for (const SpotJoinMatch& match : join.of_stranger(stranger))
      matches.push_back(match.document);
    EXPECT_EQ(matches, expected);
    found += expected.size();
  }
  EXPECT_GT(found, 10U);
}

TEST(SpotJoinTest, EmptyDocumentsAndCollectionsHaveNoPairs) {
  EXPECT_EQ(JoinOf({}, 440).pairs(), oracle::Pairs{});
  JoinOf nothing({{}, {}, {}}, 0);
  EXPECT_EQ(nothing.pairs(), oracle::Pairs{});
  EXPECT_TRUE(nothing.of_stranger(spots({{1, 1}})).empty());
  EXPECT_EQ(JoinOf({{}, spots({{7, 1}}), {}, spots({{7, 1}})}, 1000).pairs(), (oracle::Pairs{{1, 3, 1, 1}}));
}

// One signature that all have, and lengths far apart: the list holds everybody, and only those in reach are
// looked at.
TEST(SpotJoinTest, OfALongListOnlyTheLengthsInReachAreRead) {
  std::vector<Spots> documents;
  for (uint64_t i = 0; i < 2000; ++i) {
    std::map<uint64_t, uint32_t> counts{{1, 1}};
    for (uint64_t own = 0; own < 1 + i / 10; ++own)
      counts[1000 + i * 1000 + own] = 1;
    documents.push_back(spots(counts));
  }
  JoinOf join(documents, 900);
  EXPECT_EQ(join.pairs(), oracle::Pairs{});
  EXPECT_LT(join.work().postings, 2000U * 10) << "of " << 2000 * 2000;
}

}  // namespace
}  // namespace nd::spotsigs
