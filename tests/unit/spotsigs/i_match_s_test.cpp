// I-Match-S: the groups of equal filtered sets.
#include "joins/competitor_joins.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using sample::Spots;
using sample::spots;
using sample::views;

TEST(IMatchSTest, HashesTheDistinctSignaturesInTheBand) {
  const Epoch keeps_all(1);
  const auto hash = i_match_s(spots({{1, 1}, {2, 5}}), keeps_all);
  ASSERT_TRUE(hash.has_value());
  EXPECT_EQ(hash, i_match_s(spots({{1, 9}, {2, 1}}), keeps_all));
  EXPECT_NE(hash, i_match_s(spots({{1, 1}}), keeps_all));
  EXPECT_NE(hash, i_match_s(spots({{1, 1}, {3, 5}}), keeps_all));
  EXPECT_FALSE(i_match_s({}, keeps_all).has_value());
  // The format of the hashed bytes is stable: two little-endian numbers.
  EXPECT_EQ(*hash, stable_hash_128(std::string_view("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 16)));
}

TEST(IMatchSTest, GroupsByTheFilteredSet) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    for (const IdfBand band : {IdfBand{0, 1000}, kGoldSetBand, kWebBand}) {
      const std::vector<Spots> documents = sample::Random(seed).collection(200, 60, 12);
      DocumentFrequencies frequencies(3);
      for (const Spots& document : documents)
        frequencies.add(document);
      const Epoch epoch = frequencies.freeze(band);
      std::map<std::vector<uint64_t>, uint32_t> firsts;
      const Vector<uint32_t> groups = i_match_s_groups(views(documents), band, seed);
      size_t joined = 0;
      for (uint32_t i = 0; i < documents.size(); ++i) {
        std::vector<uint64_t> kept;
        for (const Spot& spot : documents[i]) {
          if (epoch.keeps(spot.hash)) kept.push_back(spot.hash);
        }
        const uint32_t first = kept.empty() ? i : firsts.try_emplace(kept, i).first->second;
        ASSERT_EQ(groups[i], first) << i;
        joined += first != i;
      }
      EXPECT_GT(joined, 5U);
    }
  }
}

}  // namespace
}  // namespace nd::spotsigs
