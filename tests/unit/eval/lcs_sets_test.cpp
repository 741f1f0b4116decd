// The candidate sets of TR2007012 and their coverage on collections made by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "lcs_against.hpp"
#include "lcs_candidates.hpp"
#include "lcs_fingerprints.hpp"
#include "lcs_similarity.hpp"
#include "score_cells.hpp"

namespace nd::eval::partition {
namespace {

PageKeys page_of(std::vector<uint64_t> keys) {
  PageKeys page;
  page.counts.fill(static_cast<uint32_t>(keys.size()));
  page.keys = std::move(keys);
  return page;
}

ComparedText text_of_words(const std::string& letters) {
  ComparedText text;
  for (const char letter : letters)
    text.add(static_cast<uint32_t>(letter), 1);
  return text;
}

TEST(LcsSets, CoverageAndTrustableByHand) {
  // Sets {0, 1, 2}, {3, 4}, {5}.
  const std::vector<uint32_t> sets = {0, 0, 0, 3, 3, 5};
  const std::vector<uint8_t> all(6, 1);
  // Page 0 is similar to 1, 3, 5 and 4: one of four is in its set, where two of three are similar, itself
  // among them. Page 3 is similar to 4 alone. Page 5 is similar to nothing, and alone.
  const std::vector<uint32_t> chosen = {0, 3, 5};
  const std::vector<std::vector<uint32_t>> similar = {{1, 3, 4, 5}, {4}, {}};
  const SetQuality quality = measure_sets(sets, chosen, similar, all);
  EXPECT_DOUBLE_EQ(*quality.coverage, (0.25 + 1) / 2);
  EXPECT_DOUBLE_EQ(*quality.trustable, (2 / 3.0 + 1 + 1) / 3);
  EXPECT_DOUBLE_EQ(quality.set_size, (3 + 2 + 1) / 3.0);
}

TEST(LcsSets, WhatDoesNotCountDoesNotExist) {
  const std::vector<uint32_t> sets = {0, 0, 0, 3};
  const std::vector<std::vector<uint32_t>> similar = {{1, 3}};
  const std::vector<uint32_t> chosen = {0};
  const SetQuality quality = measure_sets(sets, chosen, similar, std::vector<uint8_t>{1, 1, 0, 0});
  EXPECT_DOUBLE_EQ(*quality.coverage, 1);
  EXPECT_DOUBLE_EQ(*quality.trustable, 1);
  EXPECT_DOUBLE_EQ(quality.set_size, 2);
  const SetQuality nothing = measure_sets(sets, chosen, similar, std::vector<uint8_t>{0, 1, 1, 1});
  EXPECT_FALSE(nothing.coverage);
  EXPECT_FALSE(nothing.trustable);
  EXPECT_DOUBLE_EQ(nothing.set_size, 0);
}

TEST(LcsSets, LabelsOfUnknownPagesSayNothing) {
  const std::vector<uint32_t> sets = {0, 0, 0, 3};
  const std::vector<uint32_t> labels = {7, kNoLabel, 8, 7};
  const SetQuality quality = measure_by_labels(sets, labels, std::vector<uint32_t>{0, 1});
  EXPECT_DOUBLE_EQ(*quality.coverage, 0);
  EXPECT_DOUBLE_EQ(*quality.trustable, 0.5);
  EXPECT_DOUBLE_EQ(quality.set_size, 2);
}

TEST(LcsSets, SetsWidenFromPagesOfMoreFingerprintsToThoseOfFewer) {
  // 0 opens the set (most keys), draws in 1 by key 1, and 1 draws in 2 by key 9; 3 has more keys than 4,
  // which shares key 20 with it.
  const std::vector<PageKeys> pages = {page_of({1, 2, 3, 4}), page_of({1, 9, 8}), page_of({9}),
                                       page_of({20, 21}), page_of({20})};
  const std::vector<uint32_t> sites = {0, 1, 2, 3, 4};
  EXPECT_EQ(candidate_sets(pages, sites, 16, kSmallRule), (std::vector<uint32_t>{0, 0, 0, 3, 3}));
}

TEST(LcsSets, FewerRotationsFewerFingerprints) {
  PageKeys a = page_of({1, 2}), b = page_of({3, 2});
  a.counts[0] = 1;
  b.counts[0] = 1;
  const std::vector<PageKeys> pages = {a, b};
  const std::vector<uint32_t> sites = {0, 1};
  EXPECT_EQ(candidate_sets(pages, sites, 1, kSmallRule), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(candidate_sets(pages, sites, 2, kSmallRule), (std::vector<uint32_t>{0, 0}));
}

TEST(LcsSets, FingerprintsOfOneSitesFrameAreDeleted) {
  const std::vector<PageKeys> pages(5, page_of({1}));
  EXPECT_EQ(candidate_sets(pages, std::vector<uint32_t>{0, 0, 0, 0, 0}, 16, kSmallRule),
            (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(candidate_sets(pages, std::vector<uint32_t>{0, 0, 0, 0, 1}, 16, kSmallRule),
            (std::vector<uint32_t>{0, 0, 0, 0, 0}));
  EXPECT_EQ(candidate_sets(pages, std::vector<uint32_t>{0, 0, 0, 0, 0}, 16, kReportedRule),
            (std::vector<uint32_t>{0, 0, 0, 0, 0}));
}

// So many sentences, which have numbers from `first` on.
text::Document document_of(int first, int count) {
  text::Document document;
  for (int i = first; i < first + count; ++i) {
    const auto begin = static_cast<uint32_t>(document.text.size());
    document.text += "this is the long sentence of number ";
    document.text += std::to_string(i).c_str();
    document.text += ".";
    document.sentences.push_back({begin, static_cast<uint32_t>(document.text.size())});
  }
  text::DocumentBlock block{};
  block.sentences = {0, static_cast<uint32_t>(document.sentences.size())};
  document.blocks.push_back(block);
  return document;
}

TEST(LcsSets, PagesOfSharedSentencesShareFingerprints) {
  // Two documents of the same 200 sentences, and one of others; the copy has two sentences more.
  std::vector<text::Document> documents;
  documents.push_back(document_of(0, 200));
  documents.push_back(document_of(0, 202));
  documents.push_back(document_of(1000, 200));
  const std::vector<PageKeys> pages = fingerprint_pages(documents, Extent::kMain);
  for (const PageKeys& page : pages) {
    EXPECT_EQ(page.keys.size(), 112u);
    EXPECT_EQ(page.counts[0], 7u);
    EXPECT_EQ(page.counts[15], 112u);
    EXPECT_EQ(std::set<uint64_t>(page.keys.begin(), page.keys.end()).size(), 112u);
  }
  const std::vector<uint32_t> sites = {0, 1, 2};
  const std::vector<uint32_t> sets = candidate_sets(pages, sites, 16, kSmallRule);
  EXPECT_EQ(sets, (std::vector<uint32_t>{0, 0, 2}));
  // By labels that say so, enough fingerprints cover everything.
  const SetQuality quality =
      measure_by_labels(sets, std::vector<uint32_t>{5, 5, 6}, std::vector<uint32_t>{0, 1, 2});
  EXPECT_DOUBLE_EQ(*quality.coverage, 1);
  EXPECT_DOUBLE_EQ(*quality.trustable, 1);
}

TEST(LcsSets, KeysOfSomeRotationsAreThoseOfTheFingerprinter) {
  // Few sentences leave buckets empty, so that the rotations give unlike numbers of fingerprints.
  std::vector<text::Document> documents;
  for (const int sentences : {0, 3, 9, 25, 40})
    documents.push_back(document_of(100 * sentences, sentences));
  const std::vector<PageKeys> pages = fingerprint_pages(documents, Extent::kAll);
  lcs::Fingerprinter fingerprinter;
  for (size_t i = 0; i < documents.size(); ++i) {
    const std::vector<lcs::SentenceDigest> sentences = sentences_of(documents[i], Extent::kAll);
    for (uint32_t rotations = 1; rotations <= lcs::kRotations; ++rotations) {
      Vector<lcs::Fingerprint> fingerprints;
      fingerprinter.append_fingerprints(sentences, {.rotations = rotations}, fingerprints);
      std::vector<uint64_t> keys;
      for (const lcs::Fingerprint& fingerprint : fingerprints) {
        const uint64_t key = lcs::key_of(fingerprint);
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
      }
      const std::span<const uint64_t> found = pages[i].of_rotations(rotations);
      EXPECT_EQ(std::vector<uint64_t>(found.begin(), found.end()), keys) << i << ' ' << rotations;
    }
  }
  EXPECT_EQ(pages[0].keys.size(), 0u);
  EXPECT_GT(pages[3].keys.size(), pages[2].keys.size());
}

TEST(LcsSets, DrawsWithoutRepetitionAndByTheSeedAlone) {
  std::vector<uint32_t> items;
  for (uint32_t i = 0; i < 50; ++i)
    items.push_back(i * 3);
  const std::vector<uint32_t> drawn = draw(items, 20, 7);
  EXPECT_EQ(drawn, draw(items, 20, 7));
  EXPECT_NE(drawn, draw(items, 20, 8));
  EXPECT_EQ(std::set<uint32_t>(drawn.begin(), drawn.end()).size(), 20u);
  const std::vector<uint32_t> all = draw(items, 1000, 7);
  EXPECT_EQ(std::set<uint32_t>(all.begin(), all.end()), std::set<uint32_t>(items.begin(), items.end()));
  EXPECT_TRUE(draw({}, 5, 1).empty());
}

TEST(LcsSets, PairsOfChosenPages) {
  const std::vector<uint32_t> sets = {0, 0, 0, 3, 0};
  const std::vector<uint32_t> labels = {1, 1, 2, 1, kNoLabel};
  const std::vector<CandidatePair> pairs = pairs_within(sets, labels, std::vector<uint32_t>{0, 3, 4});
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].b, 1u);
  EXPECT_TRUE(pairs[0].same);
  EXPECT_EQ(pairs[1].b, 2u);
  EXPECT_FALSE(pairs[1].same);
  EXPECT_EQ(pairs_that_are(true, pairs).size(), 1u);
  EXPECT_EQ(draw_pairs(pairs, 1, 1).size(), 1u);
}

TEST(LcsSets, AtMostSoManyPairsOfAPage) {
  std::vector<CandidatePair> pairs;
  for (const uint32_t a : {7u, 3u, 9u})
    for (uint32_t b = 20; b < 20 + a; ++b)
      pairs.push_back({a, b, false});
  std::vector<uint32_t> drawn;
  std::set<std::pair<uint32_t, uint32_t>> distinct;
  for (const CandidatePair& pair : draw_pairs_by_page(pairs, 4, 1)) {
    drawn.push_back(pair.a);
    distinct.insert({pair.a, pair.b});
    EXPECT_LT(pair.b, 20 + pair.a);
  }
  EXPECT_EQ(drawn, (std::vector<uint32_t>{7, 7, 7, 7, 3, 3, 3, 9, 9, 9, 9}));
  EXPECT_EQ(distinct.size(), drawn.size());
}

TEST(LcsSets, TheReportsPartition) {
  std::string counted, other;
  for (int i = 0; i < 300; ++i) {
    counted += static_cast<char>('a' + i % 26);
    other += static_cast<char>('A' + i * 7 % 26);
  }
  // 0 and 1 are one text but for its end; 2 shares the fingerprint alone; 3 has the text and no fingerprint.
  const std::vector<ComparedText> texts = {text_of_words(counted + "!!!"), text_of_words(counted + "???"),
                                           text_of_words(other), text_of_words(counted + "!!!")};
  const std::vector<PageKeys> keys = {page_of({1}), page_of({1}), page_of({1}), page_of({})};
  const std::vector<uint32_t> sites = {0, 1, 2, 3};
  const ReportedPartition partition = partition_as_reported(texts, keys, sites, kSmallRule);
  EXPECT_EQ(partition.groups, (std::vector<uint64_t>{0, 0, 2, 3}));
  EXPECT_EQ(partition.limited, 0u);
  EXPECT_EQ(partition.bounded, 0u);
}

TEST(LcsSets, APageIsComparedWithSoManyRepresentatives) {
  // No text is like another; the pages behind the first kComparisons + 1 do not see all before them.
  std::vector<ComparedText> texts;
  std::vector<PageKeys> keys;
  std::vector<uint32_t> sites;
  for (uint32_t i = 0; i < kComparisons + 6; ++i) {
    texts.emplace_back();
    for (uint32_t k = 0; k < 40; ++k)
      texts.back().add(i * 100 + k, 1);
    keys.push_back(page_of({1}));
    sites.push_back(i);
  }
  const ReportedPartition partition = partition_as_reported(texts, keys, sites, kSmallRule);
  EXPECT_EQ(partition.bounded, 5u);
  EXPECT_EQ(std::set<uint64_t>(partition.groups.begin(), partition.groups.end()).size(), texts.size());
}

TEST(LcsSets, AComparisonThatIsCutIsCounted) {
  // The same passages in opposite order: the filter keeps all of them, and no edit script is short.
  constexpr uint32_t kPassages = 1200, kLength = 64;
  std::vector<ComparedText> texts(2);
  for (uint32_t passage = 0; passage < kPassages; ++passage) {
    for (uint32_t i = 0; i < kLength; ++i) {
      texts[0].add(passage * kLength + i, 1);
      texts[1].add((kPassages - 1 - passage) * kLength + i, 1);
    }
  }
  TrustedComparer comparer;
  EXPECT_FALSE(comparer.trusted_width(texts[0], texts[1], {}));
  const ReportedPartition partition = partition_as_reported(texts, std::vector<PageKeys>(2, page_of({1})),
                                                            std::vector<uint32_t>{0, 1}, kSmallRule);
  EXPECT_EQ(partition.limited, 1u);
  EXPECT_EQ(partition.groups, (std::vector<uint64_t>{0, 1}));
}

TEST(LcsSets, SharesOfNoPairsAreEmpty) {
  EXPECT_DOUBLE_EQ(std::get<double>(precision_cell({3, 1, 6})), 0.75);
  EXPECT_DOUBLE_EQ(std::get<double>(recall_cell({3, 1, 6})), 3 / 9.0);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(precision_cell({0, 0, 6})));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(recall_cell({0, 1, 0})));
}

}  // namespace
}  // namespace nd::eval::partition
