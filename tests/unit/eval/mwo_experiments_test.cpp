// The experiment of MWO over a few pages, in which the fields decide what is found.
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "experiment.hpp"
#include "labelled_pages.hpp"

namespace nd::eval::test {
namespace {

// An article between the links of its site.
std::string framed_page(const std::string& boilerplate, const std::string& subject) {
  std::string text = "<html><body><ul>";
  for (int i = 0; i < 120; ++i)
    text += "<li><a href=\"/" + std::to_string(i) + "\">" + boilerplate + static_cast<char>('a' + i % 26) +
            static_cast<char>('a' + i / 26) + "</a></li>";
  text += "</ul><article>";
  for (int i = 0; i < 160; ++i) {
    if (i % 40 == 0) text += "<p>";
    text += subject + static_cast<char>('a' + i % 26) + static_cast<char>('a' + i / 26) +
            (i % 40 == 39 ? ".</p>" : ", and the ");
  }
  return text + "</article></body></html>";
}

const std::vector<Cell>* row_of(const Table& table, const std::string& fields, const std::string& filter,
                                double threshold) {
  for (const auto& row : table.rows()) {
    if (row[0] == Cell(fields) && row[1] == Cell(filter) && row[2] == Cell(threshold)) return &row;
  }
  return nullptr;
}

// Two articles on two sites each: all fields find the boilerplate, main content the article.
TEST(MwoExperimentTest, FieldsDecideWhatIsFound) {
  Collection collection = collection_of({{0, 0, framed_page("menu", "river")},
                                         {1, 0, framed_page("menu", "money")},
                                         {0, 1, framed_page("link", "river")},
                                         {1, 1, framed_page("link", "money")},
                                         {2, 1, "<html></html>"}});
  const Result<std::vector<Table>> tables = repeat_mwo(collection, {});
  ASSERT_TRUE(tables);
  ASSERT_EQ(tables->size(), 2U);
  const Table& filters = (*tables)[0];
  const Table& scores = (*tables)[1];
  EXPECT_EQ(filters.name(), "mwo_filters");
  EXPECT_EQ(scores.name(), "mwo_thresholds");
  EXPECT_EQ(filters.row_count(), 3U * 3 * 9);
  EXPECT_EQ(scores.row_count(), 3U * 3 * 9);
  const auto* by_main = row_of(scores, "main", "safe", .7);
  ASSERT_NE(by_main, nullptr);
  EXPECT_EQ((*by_main)[3], Cell(1.0));   // precision
  EXPECT_EQ((*by_main)[4], Cell(1.0));   // recall
  EXPECT_EQ((*by_main)[10], Cell(1.0));  // recall between sites
  const auto* all = row_of(scores, "all", "safe", .2);
  ASSERT_NE(all, nullptr);
  EXPECT_LT(std::get<double>((*all)[3]), 1.0);
  const auto* left = row_of(filters, "main", "safe", .7);
  ASSERT_NE(left, nullptr);
  EXPECT_EQ((*left)[3], Cell(1.5));  // 0, 1, 2, 3 pages before the four with text
  EXPECT_EQ((*left)[6], Cell(.5));   // two matches
  EXPECT_EQ((*left)[7], Cell(uint64_t{0}));
}

TEST(MwoExperimentTest, NothingOfNothing) {
  Collection empty = collection_of({{0, 0, ""}});
  const Result<std::vector<Table>> tables = repeat_mwo(empty, {});
  ASSERT_TRUE(tables);
  EXPECT_EQ((*tables)[0].rows()[0][3], Cell(0.0));
}

}  // namespace
}  // namespace nd::eval::test
