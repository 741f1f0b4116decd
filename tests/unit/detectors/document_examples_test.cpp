// The worked examples and thresholds of the documents through the interface that all methods share, from the
// description to the candidates; docs/sources.md lists all.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "baselines/term_counts.hpp"
#include "core/hash.hpp"
#include "mwo/share_vector.hpp"
#include "spotsigs/spot_vector.hpp"
#include "unit/detectors/detector_sample.hpp"

namespace nd::detectors {
namespace {

using Scores = std::vector<std::pair<uint64_t, double>>;

DetectorSettings settings_of(Method method, uint32_t threshold = 0) {
  DetectorSettings settings;
  settings.method = method;
  settings.threshold = threshold;
  return settings;
}

Scores found(const Detector& detector, Description description) {
  MethodScratch scratch(1);
  const MethodMatches answer = detector.candidates(description, scratch);
  EXPECT_FALSE(answer.limited);
  Scores scores;
  for (const MethodMatch& match : answer.matches)
    scores.emplace_back(match.id, match.score);
  return scores;
}

template <typename T>
Bytes object_bytes(const std::vector<T>& row) {
  Vector<uint8_t> out;
  append_row(std::span<const T>(row), out);
  return {out.begin(), out.end()};
}

Bytes spots(const std::map<uint64_t, uint32_t>& counts) {
  std::vector<uint64_t> row;
  for (const auto& [hash, count] : counts)
    row.push_back(spotsigs::make_packed_spot({hash, count}));
  return object_bytes(row);
}

Bytes words(const std::set<uint32_t>& hashes) {
  std::vector<baselines::TermCount> row;
  for (const uint32_t hash : hashes)
    row.push_back({hash, 1});
  return object_bytes(row);
}

// Shares of a page that weighs `whole`.
Bytes shares(const std::map<uint64_t, uint32_t>& weights, uint32_t whole) {
  Vector<uint8_t> out;
  for (const auto& [hash, weight] : weights) {
    const uint32_t share = mwo::kShareUnit / whole * weight;
    append_row(std::span<const uint64_t>(&hash, 1), out);
    append_row(std::span<const uint32_t>(&share, 1), out);
  }
  return {out.begin(), out.end()};
}

// A description of equal entries of so many bits each, and the greatest number that may be unequal.
struct Boundary {
  Method method;
  size_t entries;
  size_t entry_bits;
  size_t unequal;
};

Bytes with_unequal(const Boundary& boundary, Bytes bytes, size_t unequal, std::mt19937& random) {
  std::vector<size_t> places(boundary.entries);
  for (size_t i = 0; i < places.size(); ++i)
    places[i] = i;
  std::shuffle(places.begin(), places.end(), random);
  for (size_t i = 0; i < unequal; ++i) {
    const size_t bit = places[i] * boundary.entry_bits + random() % boundary.entry_bits;
    bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
  }
  return bytes;
}

// Moz: 6 of 128 entries, 5 of 64 bits may differ; TR2007012 section 5.4: 97 of 128 bits must not. Wherever
// they stand, the index finds those and no more.
TEST(DocumentExamplesTest, UnequalEntriesAndBits) {
  std::mt19937 random(5);
  for (const Boundary& boundary :
       {Boundary{Method::kMozVector, 128, 64, 6}, Boundary{Method::kSimhash64, 64, 1, 5},
        Boundary{Method::kSimhash128, 128, 1, 31}}) {
    const Owned<Detector> detector = make_detector(settings_of(boundary.method), 1);
    Bytes page(boundary.entries * boundary.entry_bits / 8);
    for (uint8_t& byte : page)
      byte = static_cast<uint8_t>(random());
    ASSERT_TRUE(check_description(boundary.method, page));
    detector->insert(1, page);
    for (size_t unequal = 0; unequal <= boundary.unequal + 3; ++unequal) {
      const double score = 1 - static_cast<double>(unequal) / static_cast<double>(boundary.entries);
      const bool near = unequal <= boundary.unequal;
      for (int round = 0; round < 200; ++round) {
        const Bytes other = with_unequal(boundary, page, unequal, random);
        ASSERT_EQ(detector->score(page, other), score);
        ASSERT_EQ(detector->decide(score), near) << unequal;
        ASSERT_EQ(found(*detector, other), near ? Scores({{1, score}}) : Scores{}) << unequal;
      }
    }
  }
}

// SpotSigs, slide "Deduplication Example" with tau = .8: of d1, d2, d3 only d1 and d3, whoever comes first.
TEST(DocumentExamplesTest, TheDeduplicationExample) {
  const std::vector<Bytes> documents = {spots({{1, 5}, {2, 4}, {3, 4}}), spots({{1, 8}, {2, 4}}),
                                        spots({{1, 4}, {2, 5}, {3, 5}})};
  for (const Method method : {Method::kSpotSigs, Method::kLshS}) {
    const Owned<Detector> detector = make_detector(settings_of(method, 800), 1);
    EXPECT_EQ(detector->score(documents[0], documents[2]), 0.8);
    EXPECT_EQ(detector->score(documents[0], documents[1]), 9.0 / 16);
    EXPECT_EQ(detector->score(documents[1], documents[2]), 8.0 / 18);
    for (uint64_t id = 1; id <= 3; ++id)
      detector->insert(id, documents[id - 1]);
    EXPECT_EQ(found(*detector, documents[1]), (Scores{{2, 1}}));
    // The sets of d1 and d3 are equal, so that all bands are.
    EXPECT_EQ(found(*detector, documents[0]), (Scores{{1, 1}, {3, 0.8}}));
    EXPECT_EQ(found(*detector, documents[2]), (Scores{{3, 1}, {1, 0.8}}));
  }
}

// SpotSigs, table "Gold Set": tau = .44. 11 of 25 reach it, 109 of 248 do not.
TEST(DocumentExamplesTest, TheThresholdOfTheGoldSet) {
  const Owned<Detector> detector = make_detector(settings_of(Method::kSpotSigs), 1);
  detector->insert(1, spots({{1, 110}, {2, 70}}));
  EXPECT_EQ(found(*detector, spots({{1, 110}, {3, 70}})), (Scores{{1, 0.44}}));
  EXPECT_TRUE(found(*detector, spots({{1, 109}, {3, 70}})).empty());
  EXPECT_TRUE(found(*detector, spots({{1, 110}, {3, 71}})).empty());
}

// MWO, tables 2 and 3, with weights that divide without a remainder: MWO(r1, r2) = 1/2 is the t of the
// experiments.
TEST(DocumentExamplesTest, TheRecordsOfMwo) {
  const Bytes r1 = shares({{1, 1}, {2, 1}, {3, 2}}, 4);
  const Bytes r2 = shares({{1, 2}, {3, 1}, {4, 1}}, 4);
  const Bytes r3 = shares({{1, 1}, {2, 1}, {3, 5}, {4, 1}}, 8);
  for (const uint32_t t : {0U, 501U, 751U}) {
    const Owned<Detector> detector = make_detector(settings_of(Method::kMwo, t), 1);
    detector->insert(1, r1);
    detector->insert(2, r2);
    detector->insert(3, r3);
    Scores expected = {{1, 1.0}, {3, 0.75}, {2, 0.5}};
    expected.resize(t == 0 ? 3 : t == 501 ? 2 : 1);
    EXPECT_EQ(found(*detector, r1), expected) << t;
  }
}

// MWO, table 1, on a page: 3 (keywords) + 3 (description) + 2 (title) + 2 (heading) + 1 (main content) + 1
// (link to this site) + .5 (link to another) + 2 * 2 (words of the URL). The link to another site is the
// lightest term and less than a tenth: the dynamic threshold drops it, and the rest, 16, is the whole.
TEST(DocumentExamplesTest, TheFieldsOfAPage) {
  engine::Parameters all_fields;
  all_fields.detector.mwo.fields = static_cast<uint32_t>(mwo::Fields::kAll);
  PageDescriber describe(Method::kMwo, all_fields);
  const Bytes page = describe(
      "<html><head><title>Titular</title><meta name=keywords content=kilo><meta name=description "
      "content=delta>"
      "</head><body><h2>Headline</h2><p>golf <a href='/x'>inside</a> "
      "<a href='http://other.test/'>outside</a></p></body></html>",
      "http://papa.test/");
  std::map<uint64_t, double> expected;
  for (const auto& [word, weight] : std::map<std::string, double>{{"kilo", 3},
                                                                  {"delta", 3},
                                                                  {"titular", 2},
                                                                  {"headline", 2},
                                                                  {"golf", 1},
                                                                  {"inside", 1},
                                                                  {"papa", 2},
                                                                  {"test", 2}})
    expected[stable_hash(word)] = weight / 16;
  ASSERT_EQ(page.size(), expected.size() * kMwoTermBytes);
  for (size_t at = 0; at < page.size(); at += kMwoTermBytes) {
    uint64_t hash = 0;
    uint32_t share = 0;
    std::memcpy(&hash, page.data() + at, sizeof hash);
    std::memcpy(&share, page.data() + at + sizeof hash, sizeof share);
    ASSERT_TRUE(expected.contains(hash));
    EXPECT_EQ(share, expected[hash] * mwo::kShareUnit);
  }
}

// SpotSigs, "Summary - Gold Set": IDF .4 to .75 of I-Match and I-Match-S. Of 4096 = 2^12 documents 2^7.2 =
// 147.03 may have a word or a signature that counts, and 2^3 = 8 must have a word. Both behind the first
// epoch.
TEST(DocumentExamplesTest, TheBandOfIMatchAndOfItsHybrid) {
  constexpr uint32_t kFrequent = 147, kTooFrequent = 148, kRare = 8, kTooRare = 7;
  constexpr uint32_t kDocuments = 4096;
  for (const Method method : {Method::kIMatch, Method::kIMatchS}) {
    const auto page = [&](const std::set<uint32_t>& hashes) {
      if (method == Method::kIMatch) return words(hashes);
      std::map<uint64_t, uint32_t> counts;
      for (const uint32_t hash : hashes)
        counts[hash] = 1;
      return spots(counts);
    };
    const Owned<Detector> detector = make_detector(settings_of(method), 1);
    const Bytes plain = page({1001, 2001});
    const auto is_ignored = [&](uint32_t hash) {
      return detector->decide(detector->score(plain, page({1001, 2001, hash})));
    };
    for (uint32_t i = 0; i < kDocuments; ++i) {
      if (i == kDocuments - 1) {
        for (const uint32_t hash : {kFrequent, kTooFrequent, kRare, kTooRare})
          EXPECT_FALSE(is_ignored(hash)) << "before the first epoch all count: " << hash;
      }
      std::set<uint32_t> hashes = {1001 + i % 50, 2001 + i % 100};  // in the band, so that each page stays
      for (const uint32_t hash : {kFrequent, kTooFrequent, kRare, kTooRare}) {
        if (i < hash) hashes.insert(hash);  // a word is in as many documents as its number says
      }
      detector->insert(i + 1, page(hashes));
    }
    EXPECT_FALSE(is_ignored(kFrequent));
    EXPECT_TRUE(is_ignored(kTooFrequent));
    EXPECT_FALSE(is_ignored(kRare));
    EXPECT_EQ(is_ignored(kTooRare), method == Method::kIMatch) << "the hybrid's band is open above";
  }
}

// The bands are parameters: of 4096 documents idf .5 is 64, idf 1 is one, and nothing has .9 to .95. What the
// band keeps nothing of is like no other, itself included.
TEST(DocumentExamplesTest, BandsThatKeepHardlyAnything) {
  struct Case {
    spotsigs::IdfBand band;
    std::set<uint32_t> kept;
  };
  for (const Method method : {Method::kIMatch, Method::kIMatchS, Method::kSpotSigs}) {
    const auto page = [&](const std::set<uint32_t>& hashes) {
      if (method == Method::kIMatch) return words(hashes);
      std::map<uint64_t, uint32_t> counts;
      for (const uint32_t hash : hashes)
        counts[hash] = 1;
      return spots(counts);
    };
    for (const Case& each : {Case{{0, 1000}, {1, 64, 4096}}, Case{{500, 500}, {64}}, Case{{1000, 1000}, {1}},
                             Case{{900, 950}, {}}}) {
      DetectorSettings settings = settings_of(method);
      settings.i_match_band = settings.i_match_s_band = settings.spot_band = each.band;
      const Owned<Detector> detector = make_detector(settings, 1);
      for (uint32_t i = 0; i < 4096; ++i) {
        std::set<uint32_t> hashes = {4096, 10000 + i};
        if (i < 64) hashes.insert(64);
        if (i < 1) hashes.insert(1);
        detector->insert(i + 1, page(hashes));
      }
      for (const uint32_t hash : {1U, 64U, 4096U}) {
        const bool is_kept = detector->score(page({hash}), page({hash})) == 1;
        EXPECT_EQ(is_kept, each.kept.contains(hash))
            << info_of(method).name << " " << each.band.low << ".." << each.band.high << ": " << hash;
      }
      EXPECT_EQ(detector->document_count(), 4096U);
    }
  }
}

// SpotSigs, "Competitors": l bands of k min-hashes. One of one finds what has the least in common, many in a
// band what is equal, and many bands more than few.
TEST(DocumentExamplesTest, BandsOfMinHashesFindMoreOrLess) {
  const auto page = [](uint64_t first) {
    std::map<uint64_t, uint32_t> counts;
    for (uint64_t hash = first; hash < first + 20; ++hash)
      counts[hash] = 1;
    return spots(counts);
  };
  const auto found_with = [&](uint32_t rows, uint32_t bands) {
    DetectorSettings settings = settings_of(Method::kLshS, 1);
    settings.lsh_rows = rows;
    settings.lsh_bands = bands;
    const Owned<Detector> detector = make_detector(settings, 1);
    for (uint64_t i = 0; i < 60; ++i)
      detector->insert(i + 1, page(1000 * i + 10));  // Jaccard 1/3 with the page that asks
    size_t count = 0;
    for (uint64_t i = 0; i < 60; ++i) {
      EXPECT_FALSE(found(*detector, page(1000 * i + 10)).empty()) << "equal pages share each band";
      count += found(*detector, page(1000 * i)).size();
    }
    return count;
  };
  EXPECT_EQ(found_with(32, 1), 0U);
  const size_t one = found_with(1, 1);
  EXPECT_GT(one, 8U);
  EXPECT_LT(one, 35U);
  EXPECT_EQ(found_with(1, 128), 60U);
}

// tau = 0 would be all pages with something in common: the least threshold. tau = 1: equal pages only.
TEST(DocumentExamplesTest, TheEndsOfTheThreshold) {
  const Bytes one = spots({{1, 1}, {2, 1}, {3, 255}, {4, 255}, {5, 255}});
  const Bytes little = spots({{1, 1}, {6, 255}, {7, 255}});
  const Bytes nothing = spots({{9, 3}});
  for (const uint32_t threshold : {1U, 1000U}) {
    const Owned<Detector> detector = make_detector(settings_of(Method::kSpotSigs, threshold), 1);
    detector->insert(1, one);
    detector->insert(2, nothing);
    EXPECT_EQ(found(*detector, one), (Scores{{1, 1}}));
    EXPECT_EQ(found(*detector, spots({{1, 1}, {2, 1}})).size(), threshold == 1 ? 1U : 0U);
    EXPECT_TRUE(found(*detector, little).empty()) << "1 of 1277 is less than a thousandth";
  }
}

}  // namespace
}  // namespace nd::detectors
