// The experiments of TR2007012 over a few pages.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "experiment.hpp"
#include "labelled_pages.hpp"

namespace nd::eval::test {
namespace {

// An article of 60 sentences between the links of its site.
std::string page_of(const std::string& boilerplate, const std::string& subject) {
  std::string text = "<html><body><ul>";
  for (int i = 0; i < 20; ++i)
    text += "<li><a href=\"/" + std::to_string(i) + "\">" + boilerplate + std::to_string(i) + "</a></li>";
  text += "</ul><article>";
  for (int i = 0; i < 60; ++i) {
    if (i % 6 == 0) text += "<p>";
    for (int word = 0; word < 6; ++word)
      text += "the " + subject + static_cast<char>('a' + i % 26) +
              static_cast<char>('a' + (i * 7 + word) % 26) + (word == 5 ? ". " : " and ");
    if (i % 6 == 5) text += "</p>";
  }
  return text + "</article></body></html>";
}

bool is(const Cell& cell, const std::string& text) {
  const auto* found = std::get_if<std::string>(&cell);
  return found != nullptr && *found == text;
}

bool is_empty(const Cell& cell) {
  return std::holds_alternative<std::monostate>(cell);
}

// Not a number where there is none.
double number(const Cell& cell) {
  if (const auto* count = std::get_if<uint64_t>(&cell)) return static_cast<double>(*count);
  const auto* value = std::get_if<double>(&cell);
  return value != nullptr ? *value : std::nan("");
}

// Two articles on two sites each, one alone, one page without text; the labels know nothing of the fifth.
class LcsExperimentsTest : public testing::Test {
 protected:
  void SetUp() override {
    Collection collection = collection_of({{0, 0, page_of("menu", "river")},
                                           {1, 0, page_of("menu", "money")},
                                           {0, 1, page_of("link", "river")},
                                           {1, 1, page_of("link", "money")},
                                           {kNoLabel, 1, page_of("link", "stone")},
                                           {2, 1, "<html></html>"}});
    Result<std::vector<Table>> tables = repeat_lcs_partition(collection, {});
    ASSERT_TRUE(tables);
    ASSERT_EQ(tables->size(), 6U);
    tables_ = *std::move(tables);
  }

  std::vector<Table> tables_;
};

TEST_F(LcsExperimentsTest, TablesAndRows) {
  const std::vector<std::string> names = {"lcs_fingerprints", "lcs_windows",      "lcs_slopes",
                                          "lcs_against",      "lcs_sampled_sets", "lcs_templates"};
  // Texts × rotations; texts × units × windows; texts × (slopes and none); methods × where; three of them ×
  // least pages × methods × where; texts × rules.
  const std::vector<size_t> rows = {2 * 16, 2 * 2 * 16, 2 * 11, 8 * 3, 3 * 2 * 8 * 2, 2 * 2};
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(tables_[i].name(), names[i]);
    EXPECT_EQ(tables_[i].row_count(), rows[i]) << names[i];
    // Deviations from the report are stated.
    EXPECT_NE(tables_[i].about().find("report"), std::string::npos) << names[i];
  }
}

TEST_F(LcsExperimentsTest, SharesAreShares) {
  const std::vector<std::vector<size_t>> shares = {{2, 3, 4, 5, 9, 10}, {3}, {2, 3, 4}, {2, 3}, {5},
                                                   {3, 4, 6, 7}};
  for (size_t i = 0; i < tables_.size(); ++i) {
    for (const auto& row : tables_[i].rows()) {
      for (const size_t column : shares[i]) {
        if (is_empty(row[column])) continue;
        const double* const share = std::get_if<double>(&row[column]);
        ASSERT_NE(share, nullptr) << tables_[i].name() << ' ' << column;
        EXPECT_GE(*share, 0) << tables_[i].name() << ' ' << column;
        EXPECT_LE(*share, 1) << tables_[i].name() << ' ' << column;
      }
    }
  }
}

TEST_F(LcsExperimentsTest, FingerprintsByHand) {
  for (const auto& row : tables_[0].rows()) {
    if (!is(row[0], "main") || number(row[1]) != 112) continue;
    EXPECT_DOUBLE_EQ(number(row[2]), 1.0);                        // coverage
    EXPECT_DOUBLE_EQ(number(row[3]), 1.0);                        // by the labels
    EXPECT_DOUBLE_EQ(number(row[4]), 1.0);                        // trustable
    EXPECT_DOUBLE_EQ(number(row[5]), 1.0);                        // by the labels
    EXPECT_DOUBLE_EQ(number(row[6]), (2 + 2 + 2 + 2 + 1) / 5.0);  // pages of a set
    EXPECT_EQ(number(row[7]), 5);                                 // documents
    EXPECT_DOUBLE_EQ(number(row[8]), 4 / 5.0);                    // similar to a document
    return;
  }
  FAIL();
}

TEST_F(LcsExperimentsTest, WindowsAndSlopesByHand) {
  for (const auto& row : tables_[1].rows()) {
    if (!is(row[0], "main")) continue;
    EXPECT_TRUE(is_empty(row[3]));          // no pair of a set differs
    EXPECT_DOUBLE_EQ(number(row[4]), 1.0);  // of equal texts all is reserved
    EXPECT_EQ(number(row[5]), 4);           // each of the four with its copy
    EXPECT_EQ(number(row[6]), 0);
    EXPECT_EQ(number(row[7]), 0);
  }
  for (const auto& row : tables_[2].rows()) {
    if (!is(row[0], "main")) continue;
    EXPECT_DOUBLE_EQ(number(row[2]), 1.0);
    EXPECT_DOUBLE_EQ(number(row[3]), 1.0);
    EXPECT_DOUBLE_EQ(number(row[4]), 1.0);
    EXPECT_EQ(number(row[5]), 4);
    EXPECT_EQ(number(row[6]), 0);
  }
}

TEST_F(LcsExperimentsTest, PartitionByHand) {
  size_t seen = 0;
  for (const auto& row : tables_[3].rows()) {
    if (!is(row[0], "report-main") && !is(row[0], "lcs")) continue;
    ++seen;
    if (is(row[1], "same_site")) {
      // There is no labelled pair on one site: nothing to find, nothing reported.
      EXPECT_TRUE(is_empty(row[2]));
      EXPECT_TRUE(is_empty(row[3]));
      EXPECT_TRUE(is_empty(row[5]));
    } else {
      EXPECT_DOUBLE_EQ(number(row[2]), 1.0);
      EXPECT_DOUBLE_EQ(number(row[3]), 1.0);
      EXPECT_EQ(number(row[4]), 2);
      EXPECT_DOUBLE_EQ(number(row[5]), 1.0);
    }
    EXPECT_EQ(is_empty(row[6]), is(row[0], "lcs"));  // of the plain partition alone
  }
  EXPECT_EQ(seen, 6U);
}

}  // namespace
}  // namespace nd::eval::test
