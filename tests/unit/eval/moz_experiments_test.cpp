// The experiment of Moz over a few pages, and the measurement of its fingerprints.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "experiment.hpp"
#include "labelled_pages.hpp"
#include "moz_speed.hpp"

namespace nd::eval::test {
namespace {

// Some hundred words of one subject, none of another's.
std::string prose(const std::string& subject, int words) {
  std::string text = "<html><body><article><p>";
  for (int i = 0; i < words; ++i)
    text += subject + std::string(1, static_cast<char>('a' + i % 26)) + static_cast<char>('a' + i / 26 % 26) +
            (i % 20 == 19 ? ".</p><p>" : " ");
  return text + "</p></article></body></html>";
}

std::map<std::string, Table> tables_of(Collection& collection, const Settings& settings) {
  std::map<std::string, Table> by_name;
  Result<std::vector<Table>> tables = repeat_moz(collection, settings);
  if (!tables) return by_name;
  for (Table& table : *tables)
    by_name.emplace(table.name(), std::move(table));
  return by_name;
}

TEST(MozExperimentTest, CopiesStandInTheCornerAndPagesWithoutTextNowhere) {
  const std::string one = prose("river", 400);
  Collection collection = collection_of({{0, 0, one},
                                         {1, 1, prose("money", 400)},
                                         {0, 1, one},
                                         {1, 0, "<html><body></body></html>"},
                                         {kNoLabel, 2, prose("stone", 400)}});
  const std::map<std::string, Table> tables = tables_of(collection, {});
  ASSERT_EQ(tables.size(), 5U);
  const auto& histogram = tables.at("moz_histogram").rows();
  ASSERT_FALSE(histogram.empty());
  const std::vector<Cell> copies{uint64_t{0}, uint64_t{0}, uint64_t{1}, uint64_t{1},
                                 uint64_t{0}, uint64_t{0}, uint64_t{0}, uint64_t{0}};
  EXPECT_EQ(histogram[0], copies);
  uint64_t pairs = 0;
  for (const auto& row : histogram)
    pairs += std::get<uint64_t>(row[2]);
  EXPECT_EQ(pairs, 6U);  // of four pages with text
  const auto& quadrants = tables.at("moz_quadrants").rows();
  EXPECT_EQ(quadrants[0], (std::vector<Cell>{"both", uint64_t{1}, uint64_t{1}, uint64_t{0}, uint64_t{0},
                                             uint64_t{0}, uint64_t{0}}));
  EXPECT_EQ(quadrants[3], (std::vector<Cell>{"neither", uint64_t{5}, uint64_t{0}, uint64_t{2}, uint64_t{1},
                                             uint64_t{1}, uint64_t{0}}));
  EXPECT_EQ(tables.at("moz_pairs").row_count(), 0U);
  const auto& thresholds = tables.at("moz_thresholds").rows();
  ASSERT_EQ(thresholds.size(), 17U);
  EXPECT_EQ(std::get<uint64_t>(thresholds[5][1]), 1U);
  EXPECT_EQ(std::get<double>(thresholds[5][7]), 1.0);  // precision
  EXPECT_EQ(std::get<double>(thresholds[5][8]), 1.0);  // recall: the page without text has no pair
  EXPECT_EQ(tables.at("moz_speed").row_count(), 5U);
}

// The words of one page twice in other orders: the simhash, which knows no order, calls them equal.
TEST(MozExperimentTest, ListsWhatOnlyTheSimhashCallsDuplicates) {
  std::vector<std::string> words;
  for (int i = 0; i < 300; ++i)
    words.push_back("word" + std::string(1, static_cast<char>('a' + i % 26)) +
                    static_cast<char>('a' + i / 26));
  const auto page_of = [](const std::vector<std::string>& in_order) {
    std::string text = "<html><body><p>";
    for (const std::string& word : in_order)
      text += word + " ";
    return text + "</p></body></html>";
  };
  std::vector<std::string> backwards(words.rbegin(), words.rend());
  Collection collection = collection_of({{0, 0, page_of(words)}, {1, 1, page_of(backwards)}});
  const std::map<std::string, Table> tables = tables_of(collection, {});
  ASSERT_EQ(tables.size(), 5U);
  const auto& rows = tables.at("moz_pairs").rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0][0], Cell(collection.pages()[0].url));
  EXPECT_EQ(rows[0][1], Cell(collection.pages()[1].url));
  EXPECT_EQ(rows[0][2], Cell(uint64_t{128}));
  EXPECT_EQ(rows[0][3], Cell(uint64_t{0}));
  EXPECT_EQ(rows[0][4], Cell("no"));
  EXPECT_EQ(rows[0][5], Cell("no"));
  EXPECT_EQ(rows[0][6], Cell("different"));
  EXPECT_EQ(tables.at("moz_quadrants").rows()[1][1], Cell(uint64_t{1}));
}

TEST(MozExperimentTest, TakesASampleOfManyPairsAndTheSameOneAgain) {
  std::vector<LabelledPage> pages;
  for (uint32_t i = 0; i < 12; ++i)
    pages.push_back(
        {i % 3, i % 2,
         prose("subject" + std::string(1, static_cast<char>('a' + i % 5)), 60 + static_cast<int>(i))});
  Collection collection = collection_of(pages);
  Settings settings;
  settings.pairs = 20;
  const auto histogram = [&] { return tables_of(collection, settings).at("moz_histogram").rows(); };
  const auto first = histogram();
  uint64_t pairs = 0;
  for (const auto& row : first)
    pairs += std::get<uint64_t>(row[2]);
  EXPECT_EQ(pairs, 20U);
  EXPECT_EQ(histogram(), first);
}

TEST(MozExperimentTest, NothingOfNothing) {
  Collection empty = collection_of({{0, 0, ""}});
  const std::map<std::string, Table> tables = tables_of(empty, {});
  ASSERT_EQ(tables.size(), 5U);
  EXPECT_EQ(tables.at("moz_histogram").row_count(), 0U);
  EXPECT_EQ(tables.at("moz_speed").row_count(), 0U);
}

MozText text_of(uint32_t first, uint32_t tokens) {
  MozText text;
  for (uint32_t i = 0; i < tokens; ++i) {
    const uint32_t token = (first + i) * 2654435761U;
    text.tokens.push_back(token);
    text.weighted.push_back({token, 1, false});
  }
  return text;
}

TEST(MozSpeedTest, MeasuresWhatItSays) {
  // Two copies and two that share nothing.
  const std::vector<MozText> texts{text_of(0, 300), text_of(0, 300), text_of(5000, 300), text_of(9000, 300)};
  const MozSpeed speed = measure_moz(texts, 5);
  EXPECT_EQ(speed.near_vectors, 1U);
  EXPECT_EQ(speed.near_vectors_early, 1U);
  EXPECT_EQ(speed.near_simhashes, 1U);
  ASSERT_EQ(speed.steps.size(), 5U);
  for (const MozStep& step : speed.steps) {
    EXPECT_GT(step.vector_ns, 0) << step.name;
    EXPECT_GT(step.simhash_ns, 0) << step.name;
    EXPECT_LE(step.least_ratio, step.ratio);
    EXPECT_LE(step.ratio, step.most_ratio);
  }
  EXPECT_TRUE(measure_moz(std::span(texts).first(1), 5).steps.empty());
}

}  // namespace
}  // namespace nd::eval::test
