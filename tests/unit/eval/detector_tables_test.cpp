// The tables `detectors` and `thresholds` of a collection made by hand.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "experiment.hpp"
#include "labelled_pages.hpp"
#include "unit/page_sample.hpp"

namespace nd::eval::test {
namespace {

using detectors::Method;
using Row = std::map<std::string, std::string>;  // by column

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '\t');)
    fields.push_back(field);
  return fields;
}

std::vector<Row> rows_of(const Result<std::vector<Table>>& tables, const std::string& name) {
  EXPECT_TRUE(tables) << tables.failure().message;
  if (!tables) return {};
  const auto wanted = std::ranges::find(*tables, name, &Table::name);
  EXPECT_NE(wanted, tables->end());
  if (wanted == tables->end()) return {};
  const std::filesystem::path folder =
      testing::TempDir() + "ndc_detector_tables_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(wanted->write(folder));
  std::ifstream file(folder / (name + ".tsv"));
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> columns = split(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = split(line);
    EXPECT_EQ(fields.size(), columns.size());
    Row row;
    for (size_t i = 0; i < std::min(fields.size(), columns.size()); ++i)
      row[columns[i]] = fields[i];
    rows.push_back(std::move(row));
  }
  std::filesystem::remove_all(folder);
  return rows;
}

double number(const Row& row, const std::string& column) {
  return std::strtod(row.at(column).c_str(), nullptr);
}

Settings with(std::vector<Method> methods) {
  Settings settings;
  settings.methods = std::move(methods);
  return settings;
}

// Three articles, each on three sites: as it is, again, and with a quarter rewritten. 9 pairs, none on one
// site.
Collection sample_collection() {
  std::vector<LabelledPage> pages;
  for (uint32_t label = 0; label < 3; ++label) {
    const sample::Paragraphs article = sample::article(label + 1, 8);
    const uint32_t site = 3 * label;
    pages.push_back({label, site, sample::html(article)});
    pages.push_back({label, site + 1, sample::html(article)});
    pages.push_back({label, site + 2, sample::html(sample::rewritten(article, 2, 100 + label))});
  }
  return collection_of(pages);
}

TEST(DetectorTables, CompareHasARowForEachDetectorAndDecider) {
  Collection collection = sample_collection();
  const std::vector<Row> rows = rows_of(
      compare_detectors(collection, with({Method::kLcs, Method::kSimhash64, Method::kExact})), "detectors");
  ASSERT_EQ(rows.size(), 5U);
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"lcs", "lcs"}, {"simhash64", "lcs"}, {"simhash64", "method"}, {"exact", "lcs"}, {"exact", "method"}};
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].at("detector"), expected[i].first);
    EXPECT_EQ(rows[i].at("decide"), expected[i].second);
    EXPECT_EQ(rows[i].at("pages"), "9");
    EXPECT_EQ(rows[i].at("read_ms_a_page"), rows[0].at("read_ms_a_page"));
    EXPECT_LE(number(rows[i], "own_ms_a_page_least"), number(rows[i], "own_ms_a_page_most"));
    EXPECT_GT(number(rows[i], "search_ms_a_page"), 0);
    EXPECT_NEAR(number(rows[i], "cpu_ms_a_page"),
                number(rows[i], "read_ms_a_page") + number(rows[i], "describe_ms_a_page") +
                    number(rows[i], "search_ms_a_page"),
                1e-3);
    EXPECT_EQ(rows[i].at("orders"), "3");
    EXPECT_LE(number(rows[i], "f1_low"), number(rows[i], "f1"));
    EXPECT_GE(number(rows[i], "f1_high"), number(rows[i], "f1"));
    EXPECT_LE(number(rows[i], "f1_least"), number(rows[i], "f1_mean"));
    EXPECT_GE(number(rows[i], "f1_most"), number(rows[i], "f1_mean"));
    EXPECT_NEAR(number(rows[i], "pages_per_second") * number(rows[i], "cpu_ms_a_page"), 1000, 1);
    EXPECT_GT(number(rows[i], "index_bytes_a_page"), 0);
    EXPECT_GT(number(rows[i], "features_bytes_a_page"), 0);
  }
}

TEST(DetectorTables, CompareScoresWhatWasFound) {
  Collection collection = sample_collection();
  const std::vector<Row> rows =
      rows_of(compare_detectors(collection, with({Method::kLcs, Method::kExact})), "detectors");
  ASSERT_EQ(rows.size(), 3U);
  const Row& lcs = rows[0];
  EXPECT_EQ(lcs.at("threshold"), "-");
  EXPECT_EQ(number(lcs, "groups"), 3);
  for (const char* column : {"precision", "recall", "f1", "cross_site_f1", "b_cubed_f1", "macro_f1"})
    EXPECT_EQ(number(lcs, column), 1) << column;
  EXPECT_GE(number(lcs, "candidates_a_page"), 6. / 9);
  // Of the three pairs of each article the one of equal text.
  const Row& exact = rows[2];
  EXPECT_EQ(number(exact, "groups"), 6);
  EXPECT_EQ(number(exact, "precision"), 1);
  EXPECT_NEAR(number(exact, "recall"), 1. / 3, 1e-4);
  EXPECT_NEAR(number(exact, "f1"), .5, 1e-4);
  EXPECT_NEAR(number(exact, "cross_site_recall"), 1. / 3, 1e-4);
  EXPECT_NEAR(number(exact, "b_cubed_recall"), (6 * (2. / 3) + 3 * (1. / 3)) / 9, 1e-4);
}

TEST(DetectorTables, CompareListsWhatTheDefaultHasWrong) {
  // Two labels for one article: a wrong pair. One label for two articles: a missed one.
  const std::string article = sample::article_html(1, 8);
  Collection collection = collection_of({{0, 0, article},
                                         {1, 1, article},
                                         {2, 2, sample::article_html(2, 8)},
                                         {2, 3, sample::article_html(3, 8)}});
  const Result<std::vector<Table>> tables = compare_detectors(collection, with({Method::kLcs}));
  const std::vector<Row> pairs = rows_of(tables, "default_errors");
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].at("error"), "wrong");
  EXPECT_EQ(pairs[0].at("url_a"), "http://site0.example/0");
  EXPECT_EQ(pairs[0].at("url_b"), "http://site1.example/1");
  EXPECT_EQ(pairs[0].at("verdict"), "exact");
  EXPECT_EQ(pairs[1].at("error"), "missed");
  EXPECT_EQ(pairs[1].at("verdict"), "different");
  const std::vector<Row> kinds = rows_of(tables, "detector_errors");
  ASSERT_EQ(kinds.size(), 1U);
  EXPECT_EQ(kinds[0].at("pages_with_wrong"), "2");
  EXPECT_EQ(kinds[0].at("pages_with_missed"), "2");
}

TEST(DetectorTables, CompareTakesCollectionsWithoutPagesAndNoMethods) {
  Collection empty = collection_of({});
  EXPECT_EQ(rows_of(compare_detectors(empty, with({Method::kLcs})), "detectors").size(), 1U);
  Collection collection = sample_collection();
  EXPECT_TRUE(rows_of(compare_detectors(collection, with({})), "detectors").empty());
}

TEST(DetectorTables, SweepHasTheDefaultOfEveryMethodAmongItsThresholds) {
  Collection collection = sample_collection();
  for (uint32_t number_of = 1; number_of < detectors::kMethods; ++number_of) {
    const auto method = static_cast<Method>(number_of);
    const detectors::MethodInfo& info = detectors::info_of(method);
    SCOPED_TRACE(info.name);
    const std::vector<Row> compared = rows_of(compare_detectors(collection, with({method})), "detectors");
    const std::vector<Row> swept = rows_of(sweep_thresholds(collection, with({method})), "thresholds");
    const std::string standard = info.most == 0 ? "-" : std::to_string(info.threshold);
    for (const Row& row : compared) {
      size_t defaults = 0;
      for (const Row& other : swept) {
        if (other.at("decide") != row.at("decide") || other.at("threshold") != standard) continue;
        ++defaults;
        for (const char* column : {"unit", "precision", "recall", "f1", "cross_site_recall"})
          EXPECT_EQ(other.at(column), row.at(column)) << column;
      }
      EXPECT_EQ(defaults, 1U) << row.at("decide");
    }
  }
}

TEST(DetectorTables, SweepGoesThroughTheRangeOfTheMethod) {
  Collection collection = sample_collection();
  const std::vector<Row> rows = rows_of(
      sweep_thresholds(collection, with({Method::kLcs, Method::kSimhash64, Method::kIMatch})), "thresholds");
  std::map<std::pair<std::string, std::string>, std::vector<double>> shares;
  for (const Row& row : rows) {
    if (row.at("detector") == "i-match") {
      EXPECT_EQ(row.at("threshold"), "-");
      EXPECT_EQ(row.at("share"), "-");
      continue;
    }
    const double whole = row.at("detector") == "lcs" ? 1 : 64;
    EXPECT_EQ(row.at("unit"), whole == 1 ? "probability" : "equal bits of 64");
    EXPECT_NEAR(number(row, "share"), number(row, "threshold") / whole, 1e-5);
    shares[{row.at("detector"), row.at("decide")}].push_back(number(row, "share"));
  }
  EXPECT_EQ(rows.size(), 11U + 2 * 12 + 2);
  ASSERT_EQ(shares.size(), 3U);
  for (const auto& [curve, ascending] : shares) {
    const size_t points = curve.first == "lcs" ? 11 : 12;
    EXPECT_EQ(ascending.size(), points) << curve.first;
    EXPECT_EQ(std::set<double>(ascending.begin(), ascending.end()).size(), points);
    EXPECT_TRUE(std::ranges::is_sorted(ascending));
  }
}

TEST(DetectorTables, SweepOfTheLcsIsOverItsProbability) {
  // Half of each article is its own: found by a low threshold, refused by a high one.
  std::vector<LabelledPage> pages;
  for (uint32_t label = 0; label < 3; ++label) {
    const sample::Paragraphs article = sample::article(label + 1, 8);
    pages.push_back({label, 2 * label, sample::html(article)});
    pages.push_back({label, 2 * label + 1, sample::html(sample::rewritten(article, 4, 100 + label))});
  }
  Collection collection = collection_of(pages);
  const std::vector<Row> rows = rows_of(sweep_thresholds(collection, with({Method::kLcs})), "thresholds");
  ASSERT_EQ(rows.size(), 11U);
  EXPECT_EQ(number(rows.front(), "recall"), 1);
  EXPECT_EQ(number(rows.back(), "recall"), 0);
}

}  // namespace
}  // namespace nd::eval::test
