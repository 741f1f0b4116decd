// Five pages whose signatures are written down: every figure by hand.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "experiment.hpp"
#include "labelled_pages.hpp"
#include "spotsigs_experiments.hpp"

namespace nd::eval::test {
namespace {

// Signature i is the:alphaI:betaI; the words of no other signature are in it but the antecedent.
std::string page(const std::vector<int>& signatures) {
  std::string text = "<html><body><p>";
  for (const int i : signatures)
    text += "the alpha" + std::to_string(i) + " beta" + std::to_string(i) + " ";
  return text + "</p></body></html>";
}

// A and B share 3 of 5 signatures; B and C 2 of 6, C and D too; A and C 1 of 7; D and E are equal.
Collection five_pages() {
  return collection_of({{0, 0, page({1, 2, 3, 4})},
                        {0, 1, page({1, 2, 3, 5})},
                        {1, 1, page({3, 5, 6, 7})},
                        {1, 2, page({6, 7, 8, 9})},
                        {1, 3, page({6, 7, 8, 9})}});
}

struct Figures {
  double precision, recall, f1, macro_f1;
  bool operator==(const Figures&) const = default;
};
void PrintTo(const Figures& figures, std::ostream* out) {
  *out << figures.precision << ' ' << figures.recall << ' ' << figures.f1 << ' ' << figures.macro_f1;
}

constexpr double kEmptyCell = -1;  // a cell without a number

// By detector, text, band and tau in thousandths, 0 for none: of pairs, of groups.
using Key = std::tuple<std::string, std::string, std::string, int>;
using Rows = std::map<Key, std::pair<Figures, Figures>>;

Figures figures_of(const std::vector<Cell>& row, size_t at) {
  const auto number = [&row](size_t column) {
    const double* value = std::get_if<double>(&row[column]);
    return value == nullptr ? kEmptyCell : *value;
  };
  return {number(at), number(at + 1), number(at + 2), number(at + 3)};
}

Rows rows_of(const Table& table) {
  Rows rows;
  for (const std::vector<Cell>& row : table.rows()) {
    const double* tau = std::get_if<double>(&row[3]);
    const Key key{std::get<std::string>(row[0]), std::get<std::string>(row[1]), std::get<std::string>(row[2]),
                  tau == nullptr ? 0 : static_cast<int>(*tau * 1000 + .5)};
    EXPECT_TRUE(rows.emplace(key, std::pair(figures_of(row, 4), figures_of(row, 11))).second);
  }
  return rows;
}

void expect_near(const Figures& found, const Figures& expected) {
  EXPECT_NEAR(found.precision, expected.precision, 1e-12);
  EXPECT_NEAR(found.recall, expected.recall, 1e-12);
  EXPECT_NEAR(found.f1, expected.f1, 1e-12);
  EXPECT_NEAR(found.macro_f1, expected.macro_f1, 1e-12);
}

class SpotsigsThresholds : public ::testing::Test {
 protected:
  void SetUp() override {
    Collection collection = five_pages();
    const Result<Table> table = spotsigs_thresholds(collection);
    ASSERT_TRUE(table);
    rows_ = rows_of(*table);
  }
  const std::pair<Figures, Figures>& at(const char* detector, const char* band, int tau) {
    return rows_.at({detector, "all", band, tau});
  }
  Rows rows_;
};

TEST_F(SpotsigsThresholds, PairsAndChainsOfThem) {
  // At .3: A-B, C-D, C-E, D-E are right, B-C is wrong and ties all five together.
  const auto& [pairs, groups] = at("spotsigs", "none", 300);
  expect_near(pairs, {4.0 / 5, 1, 8.0 / 9, (2.0 / 3 + 6.0 / 7) / 2});
  expect_near(groups, {4.0 / 10, 1, 4.0 / 7, (1.0 / 4 + 1.0 / 2) / 2});
  // At .35: A-B and D-E; of the second label one pair in three.
  expect_near(at("spotsigs", "none", 350).first, {1, .5, 2.0 / 3, .75});
  expect_near(at("spotsigs", "none", 350).second, {1, .5, 2.0 / 3, .75});
  expect_near(at("spotsigs", "none", 950).first, {1, .25, .4, .25});
}

TEST_F(SpotsigsThresholds, TheBandTakesSignaturesAway) {
  // Of five pages the Gold Set band keeps what is in two or three: A loses signature 4, A-B is 3 of 4.
  expect_near(at("spotsigs", "none", 700).first, {1, .25, .4, .25});
  expect_near(at("spotsigs", "gold-set", 700).first, {1, .5, 2.0 / 3, .75});
}

TEST_F(SpotsigsThresholds, ShinglesAreSetsOfWords) {
  // Of single words A-C is 3 of 15, B-C 5 of 13, A-B 7 of 11.
  expect_near(at("shingles-1", "none", 200).first, {4.0 / 6, 1, .8, (1.0 / 2 + 3.0 / 4) / 2});
  expect_near(at("shingles-1", "none", 300).first, at("spotsigs", "none", 300).first);
  expect_near(at("shingles-1", "none", 600).first, {1, .5, 2.0 / 3, .75});
  // Of runs of three a page has 10. A-B share the 8 within the first ten words, of 12; C-D the 4 within
  // signatures 6 and 7, of 16.
  expect_near(at("shingles-3", "none", 600).first, {1, .5, 2.0 / 3, .75});
  expect_near(at("shingles-3", "none", 700).first, {1, .25, .4, .25});
}

TEST_F(SpotsigsThresholds, CosineOfShinglesIsThatOfTheirSets) {
  // Sets of 9 words each: A-B share 7, C-D 5, B-C 5 and A-C 3: .78, .56, .56 and .33. Below .32 a pair of
  // less than the least Jaccard might be missing, so there is no row.
  expect_near(at("cosine-1", "none", 700).first, {1, .5, 2.0 / 3, .75});
  expect_near(at("cosine-1", "none", 800).first, {1, .25, .4, .25});
  expect_near(at("cosine-1", "none", 500).first, at("shingles-1", "none", 300).first);
  EXPECT_FALSE(rows_.contains({"cosine-1", "all", "none", 300}));
  // Of runs of three 10 each: A-B share 8, C-D 4.
  expect_near(at("cosine-3", "none", 800).first, {1, .5, 2.0 / 3, .75});
  expect_near(at("cosine-3", "none", 900).first, {1, .25, .4, .25});
}

TEST_F(SpotsigsThresholds, OtherMeasuresOfTheSameSignatures) {
  // Four signatures of equal counts each: what A-B share, three, is .75 by either measure, C-D two .5.
  for (const char* detector : {"spotsigs-cosine", "spotsigs-kl"}) {
    expect_near(at(detector, "none", 700).first, {1, .5, 2.0 / 3, .75});
    expect_near(at(detector, "none", 800).first, {1, .25, .4, .25});
    expect_near(at(detector, "none", 1000).first, {1, .25, .4, .25});
    expect_near(at(detector, "none", 500).first, at("spotsigs", "none", 300).first);
  }
}

TEST(SpotsigsExperiment, RecallIsRelativeToOneHashOfTheSet) {
  // One set of signatures, three and four times: 3 of 4, and the same set. The third page has another.
  Collection collection =
      collection_of({{0, 0, page({1, 2, 3})}, {0, 1, page({1, 2, 3, 3})}, {0, 2, page({7})}});
  const Result<Table> table = spotsigs_thresholds(collection);
  ASSERT_TRUE(table);
  std::map<int, Cell> recalls;
  for (const std::vector<Cell>& row : table->rows()) {
    if (row[0] == Cell("spotsigs") && row[1] == Cell("all") && row[2] == Cell("none"))
      recalls[static_cast<int>(std::get<double>(row[3]) * 1000 + .5)] = row[15];
  }
  EXPECT_EQ(recalls.at(700), Cell(1.0));
  EXPECT_EQ(recalls.at(800), Cell(0.0));
}

TEST_F(SpotsigsThresholds, OnlyEqualSetsMatchByOneHash) {
  expect_near(at("i-match-s", "none", 0).first, {1, .25, .4, .25});
  expect_near(at("i-match", "none", 0).second, {1, .25, .4, .25});
  expect_near(at("lsh-s", "none", 950).first, {1, .25, .4, .25});
}

TEST_F(SpotsigsThresholds, RowsOfEveryDetectorTextAndBand) {
  const size_t of_cosine = kSpotThresholds.size() - 3;  // from .35 on
  EXPECT_EQ(rows_.size(), 2U * 3 * (6 * kSpotThresholds.size() + 2 * of_cosine + 2));
  // Hardly any text: the main content is all of it.
  for (const auto& [key, figures] : rows_) {
    const auto& [detector, text, band, tau] = key;
    EXPECT_EQ(figures, rows_.at({detector, "main", band, tau}))
        << detector << ' ' << text << ' ' << band << tau;
  }
}

TEST(SpotsigsExperiment, TakesPagesThatAreSpreadEvenly) {
  // Of five pages A, B and D, whose two labels only A and B share.
  Collection collection = five_pages();
  const Result<Table> table = spotsigs_thresholds(collection, 3);
  ASSERT_TRUE(table);
  EXPECT_NE(table->about().find("3 pages, evenly spread over 5."), std::string::npos) << table->about();
  Rows rows = rows_of(*table);
  expect_near(rows.at({"spotsigs", "all", "none", 300}).first, {1, 1, 1, 1});
  expect_near(rows.at({"spotsigs", "all", "none", 950}).first, {kEmptyCell, 0, 0, 0});  // nothing is found
  const Result<std::vector<Table>> work = spotsigs_work(collection, 1, 3);
  ASSERT_TRUE(work);
  EXPECT_NE((*work)[0].about().find("3 pages, evenly spread over 5."), std::string::npos);
  EXPECT_EQ((*work)[0].rows()[0][10], Cell(uint64_t{3}));  // documents
  const Result<std::vector<Table>> whole = spotsigs_work(collection, 1);
  ASSERT_TRUE(whole);
  EXPECT_NE((*whole)[0].about().find("5 pages, all."), std::string::npos);
  EXPECT_EQ((*whole)[0].rows()[0][10], Cell(uint64_t{5}));
}

TEST(SpotsigsExperiment, CountsBucketsOfMinHashesAlone) {
  Collection collection = five_pages();
  const Result<Table> table = spotsigs_thresholds(collection);
  ASSERT_TRUE(table);
  for (const std::vector<Cell>& row : table->rows())
    EXPECT_EQ(row.back(), row[0] == Cell("lsh-s") ? Cell(uint64_t{0}) : Cell()) << table->name();
}

TEST(SpotsigsExperiment, GivesItsThreeTables) {
  Collection collection = five_pages();
  const Result<std::vector<Table>> tables = repeat_spotsigs(collection, {});
  ASSERT_TRUE(tables);
  ASSERT_EQ(tables->size(), 3U);
  EXPECT_EQ((*tables)[0].name(), "spotsigs_thresholds");
  EXPECT_EQ((*tables)[1].name(), "spotsigs_work");
  EXPECT_EQ((*tables)[1].row_count(), (2 * kSpotWorkThresholds.size() + 1) * 4);
  EXPECT_EQ((*tables)[2].name(), "spotsigs_partitions");
}

TEST(SpotsigsExperiment, TakesPagesWithoutText) {
  Collection collection = collection_of({{0, 0, ""}, {0, 1, "<html></html>"}, {kNoLabel, 1, ""}});
  const Result<std::vector<Table>> tables = repeat_spotsigs(collection, {});
  ASSERT_TRUE(tables);
  EXPECT_EQ((*tables)[2].row_count(), 0U);
}

}  // namespace
}  // namespace nd::eval::test
