// What TR2007012 and its slides work out by hand, where no test of the parts has it; docs/sources.md lists
// all.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "lcs/comparison.hpp"
#include "lcs/partition.hpp"
#include "lcs/trustable.hpp"
#include "unit/lcs/sequence_sample.hpp"
#include "unit/openssl_md5.hpp"

namespace nd::lcs {
namespace {

std::string hex(const Md5Digest& digest) {
  std::string text;
  for (const uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// Section 4.2: the digests of the five sentences whose fingerprints FingerprintsTest.WorkedExample has.
TEST(DocumentExamplesTest, DigestsOfTheFiveSentences) {
  EXPECT_EQ(hex(openssl_md5("the first sentence of the example.")), "3bd0a6eaa3242ac220c7e90b881027ba");
  EXPECT_EQ(hex(openssl_md5("a second sentence follows it.")), "7d6188885293017b7590255a782d4d83");
  EXPECT_EQ(hex(openssl_md5("and a third one ends here.")), "2448ee0657a8af3aad92fe9bab04958c");
  EXPECT_EQ(hex(openssl_md5("a fourth sentence, for the buckets.")), "b8cf3c1a111fa4052552d8d74ebc5af6");
  EXPECT_EQ(hex(openssl_md5("the fifth and last sentence.")), "2a2f5bb57deaaa133834c6600e8a776f");
}

// Section 3.2: |A| + |B| = 2 |LCS| + |SES|, by either algorithm and by the comparison as a whole.
TEST(DocumentExamplesTest, LengthsOfAbcabbaAndCbabac) {
  const Sample a("abcabba"), b("cbabac");
  uint64_t work = 0;
  Script script;
  MyersSolver myers;
  const std::optional<uint32_t> edits = myers.solve(a.symbols, b.symbols, 100, script, work);
  ASSERT_TRUE(edits.has_value());
  BitParallelSolver bit_parallel;
  const uint32_t length = bit_parallel.length(a.symbols, b.symbols, work);
  EXPECT_EQ(length, 4U);
  EXPECT_EQ(a.symbols.size() + b.symbols.size(), 2 * length + *edits);
  Comparer comparer;
  Comparison comparison;
  comparer.compare(a.sequence(), b.sequence(), {.window_width = 1, .rounds = 1}, 0, comparison);
  EXPECT_EQ(comparison.matched_width, 4U);
}

// Slides, "For higher performance of the process": pages A to F in order; C and D are similar to A. A is
// compared with all behind it; C and D belong to A then, and B is compared with E and F, never with C and D
// as a group's first page. That C and D are compared with B as well is the report's section 3.3, "with the
// first document of the subsets that there are".
TEST(DocumentExamplesTest, SixPagesInOrder) {
  const std::vector<uint64_t> keys = {6, 5, 4, 3, 2, 1};  // A has most fingerprints
  std::vector<PartitionDocument> documents;
  for (uint32_t i = 0; i < 6; ++i)
    documents.push_back({std::span(keys).subspan(i), i, 6 - i});
  enum : uint32_t { A, B, C, D, E, F };
  std::set<std::pair<uint32_t, uint32_t>> compared;
  const Partition result = lcs::partition(documents, {}, [&](uint32_t representative, uint32_t document) {
    compared.emplace(representative, document);
    return representative == A && (document == C || document == D) ? 1.0 : 0.0;
  });
  EXPECT_EQ(result.representatives, (Vector<uint32_t>{A, B, A, A, E, F}));
  EXPECT_EQ(result.counts.candidate_sets, 1U);
  for (const uint32_t behind : {B, C, D, E, F})
    EXPECT_TRUE(compared.contains({A, behind})) << behind;
  EXPECT_TRUE(compared.contains({B, E}));
  EXPECT_TRUE(compared.contains({B, F}));
  for (const auto& [representative, document] : compared) {
    EXPECT_NE(representative, C);
    EXPECT_NE(representative, D);
  }
}

// The same pages; C is similar to A, and more so to B. By the slides it belongs to A and is not compared with
// B any more; by default it joins the best.
TEST(DocumentExamplesTest, TheFirstSimilarOfSixPages) {
  const std::vector<uint64_t> keys = {6, 5, 4, 3, 2, 1};
  std::vector<PartitionDocument> documents;
  for (uint32_t i = 0; i < 6; ++i)
    documents.push_back({std::span(keys).subspan(i), i, 6 - i});
  enum : uint32_t { A, B, C };
  const auto similarity = [](uint32_t representative, uint32_t document) {
    return document != C || representative > B ? 0.0 : representative == A ? 0.3 : 0.9;
  };
  const Partition first = lcs::partition(documents, {.first_similar = true}, similarity);
  const Partition best = lcs::partition(documents, {}, similarity);
  EXPECT_EQ(first.representatives[C], A);
  EXPECT_EQ(best.representatives[C], B);
  EXPECT_EQ(first.counts.comparisons + 1, best.counts.comparisons);
}

// Section 4.2: fingerprints on more than 10,000 pages are deleted, and those on more than 400 pages of few
// sites.
TEST(DocumentExamplesTest, FingerprintsOfTemplatesAndSpam) {
  const std::vector<uint64_t> key = {1};
  const auto deleted = [&](uint32_t pages, uint32_t sites) {
    std::vector<PartitionDocument> documents;
    for (uint32_t i = 0; i < pages; ++i)
      documents.push_back({key, i % sites, 1});
    return lcs::partition(documents, {}, [](uint32_t, uint32_t) { return 1.0; }).counts.deleted_keys == 1;
  };
  EXPECT_FALSE(deleted(10'000, 10'000));
  EXPECT_TRUE(deleted(10'001, 10'001));
  EXPECT_FALSE(deleted(400, 1));
  EXPECT_TRUE(deleted(401, 1));
  EXPECT_TRUE(deleted(401, 8)) << "few sites, which the report does not number";
  EXPECT_FALSE(deleted(401, 9));
}

// Figure 3, slope .2: edits stand close in the template at both ends and nowhere in the article between. Ten
// blocks of ten weigh 1 2 3 4 5 4 3 2 1 0; the third to the eighth have no edits. To the left the region
// extends over ten edits in 69 units (.14), as far as s - 1 goes; twenty in 79 on the right as well would be
// .25.
TEST(DocumentExamplesTest, TheTrustableRegionIsTheArticle) {
  const std::vector<Edit> edits = {{0, 10},  {5, 10},  {10, 10}, {15, 10},
                                   {80, 10}, {85, 10}, {90, 10}, {95, 10}};
  const Region region = trustable_region(100, edits, {.slope = 0.2, .block_width = 10, .blocks_limit = 256});
  EXPECT_EQ(region.begin, 11U);
  EXPECT_EQ(region.end, 80U);
}

// Section 4.4, last paragraph: n paragraphs in the opposite order take n rounds, the longest first.
TEST(DocumentExamplesTest, ParagraphsInTheOppositeOrderTakeARoundEach) {
  Random random(44);
  std::vector<std::vector<uint32_t>> paragraphs;
  for (const size_t size : {70U, 90U, 80U, 60U})
    paragraphs.push_back(random_symbols(random, size, 1'000'000));
  std::vector<uint32_t> forwards, backwards;
  for (size_t i = 0; i < paragraphs.size(); ++i) {
    const std::vector<uint32_t>& last = paragraphs[paragraphs.size() - 1 - i];
    forwards.insert(forwards.end(), paragraphs[i].begin(), paragraphs[i].end());
    backwards.insert(backwards.end(), last.begin(), last.end());
  }
  const Sample a(forwards), b(backwards);
  Comparer comparer;
  Comparison comparison;
  uint64_t found = 0;
  const uint64_t expected[] = {90, 170, 240, 300};
  for (uint32_t rounds = 1; rounds <= 4; ++rounds) {
    comparer.compare(a.sequence(), b.sequence(), {.rounds = rounds, .gain_width = 1}, 0, comparison);
    EXPECT_EQ(comparison.matched_width, expected[rounds - 1]);
    EXPECT_LE(comparison.matched_width - found, rounds == 1 ? 90U : found) << "the gain falls";
    found = comparison.matched_width;
  }
}

}  // namespace
}  // namespace nd::lcs
