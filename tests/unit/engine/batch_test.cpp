#include "engine/batch.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/feature_builder.hpp"
#include "text/page_reader.hpp"

namespace nd::engine {
namespace {

// Sentences [first, first + count) of the story of `subject`: each its own words, between function words.
std::string story(const std::string& subject, uint64_t first, uint64_t count) {
  std::string text;
  for (uint64_t i = first; i < first + count; ++i) {
    text += "<p>";
    for (uint64_t word = 0; word < 14; ++word) {
      static const char* const kBetween[] = {"the", "of", "and", "was", "in", "that"};
      uint64_t name = stable_hash(subject, i * 100 + word);
      text += std::string(kBetween[word % 6]) + " ";
      for (int letter = 0; letter < 5; ++letter, name /= 26)
        text += static_cast<char>('a' + name % 26);
      text += " ";
    }
    text += "end.</p>";
  }
  return text;
}

class BatchTest : public testing::Test {
 protected:
  BatchTest() : reader_(*text::PageReader::create()), builder_(*FeatureBuilder::create()) {}

  void add(const std::string& url, const std::string& body) {
    text::Document document;
    EXPECT_TRUE(reader_.read(url, {reinterpret_cast<const uint8_t*>(body.data()), body.size()},
                             "text/html; charset=utf-8", parameters_.page, document));
    builder_.begin(document);
    documents_.push_back(builder_.finish({url, 1, body.size(), false}, document, {}, parameters_, true));
  }

  Parameters parameters_;
  text::PageReader reader_;
  FeatureBuilder builder_;
  std::vector<Features> documents_;
};

TEST_F(BatchTest, ThePageWithMostKeysRepresentsAndResultsKeepTheInputOrder) {
  add("http://a.example/1", story("clock", 0, 9));
  add("http://b.example/1", story("violin", 40, 12));
  add("http://c.example/1", story("clock", 0, 14));
  add("http://d.example/1", "");
  const Vector<Answer> answers = *partition_documents(documents_, parameters_);
  ASSERT_EQ(answers.size(), 4U);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(answers[i].page_id, i + 1);
  EXPECT_EQ(answers[0].verdict, kNearDuplicate);
  EXPECT_EQ(answers[0].group_id, 3U);
  EXPECT_EQ(answers[0].matched_page_id, 3U);
  EXPECT_GT(answers[0].containment, 0.95);
  EXPECT_NE(answers[0].flags & kContained, 0U);
  EXPECT_EQ(answers[1].verdict, kNew);
  EXPECT_EQ(answers[1].group_id, 2U);
  EXPECT_EQ(answers[2].verdict, kNew);
  EXPECT_EQ(answers[3].verdict, kNoText);
  EXPECT_EQ(answers[3].group_id, 4U);
}

TEST_F(BatchTest, EqualTextsAreExactAndEmptyOnesAreNoDuplicates) {
  add("http://a.example/1", story("clock", 0, 9));
  add("http://b.example/1", "<div>" + story("clock", 0, 9) + "</div>");
  add("http://c.example/1", "");
  add("http://d.example/1", "");
  const Vector<Answer> answers = *partition_documents(documents_, parameters_);
  EXPECT_EQ(answers[0].group_id, answers[1].group_id);
  EXPECT_EQ(answers[1].verdict, kExactDuplicate);
  EXPECT_NE(answers[2].group_id, answers[3].group_id);
}

TEST_F(BatchTest, NothingGivesNothing) {
  EXPECT_TRUE(partition_documents({}, parameters_)->empty());
}

TEST_F(BatchTest, AChainDoesNotMerge) {
  // Each shares half of its story with the next: neighbours are similar, the ends are not.
  for (uint64_t i = 0; i < 5; ++i)
    add("http://s" + std::to_string(i) + ".example/1", story("clock", 8 * i, 16));
  const Vector<Answer> answers = *partition_documents(documents_, parameters_);
  EXPECT_NE(answers[0].group_id, answers[4].group_id);
  for (const Answer& answer : answers) {
    if (answer.matched_page_id == 0) continue;
    EXPECT_TRUE(answer.resemblance >= parameters_.decision.resemblance ||
                answer.containment >= parameters_.decision.containment);
  }
}

// Each page has the budget of a check; what it cuts is flagged, and equal texts are found without any.
TEST_F(BatchTest, WhatABudgetCutsIsFlagged) {
  add("http://a.example/1", story("clock", 0, 14));
  add("http://b.example/1", story("clock", 0, 13) + story("violin", 40, 1));
  add("http://c.example/1", "<div>" + story("clock", 0, 14) + "</div>");
  Vector<Answer> answers = *partition_documents(documents_, parameters_);
  EXPECT_EQ(answers[1].verdict, kNearDuplicate);
  EXPECT_EQ(answers[1].flags & kLimit, 0U);
  parameters_.budget.check_work = 1;
  parameters_.budget.byte_work = 0;
  answers = *partition_documents(documents_, parameters_);
  EXPECT_EQ(answers[1].verdict, kNew);
  EXPECT_NE(answers[1].flags & kLimit, 0U);
  EXPECT_EQ(answers[2].verdict, kExactDuplicate);
  EXPECT_EQ(answers[2].group_id, answers[0].group_id);
  EXPECT_EQ(answers[2].flags & kLimit, 0U);
  parameters_.budget.check_work = 0;
  EXPECT_EQ((*partition_documents(documents_, parameters_))[1].verdict, kNearDuplicate);
}

TEST_F(BatchTest, ComparingPairs) {
  add("http://a.example/1", story("clock", 0, 9));
  add("http://b.example/1", story("clock", 0, 14));
  add("http://c.example/1", story("violin", 40, 9));
  add("http://d.example/1", "");
  EXPECT_EQ(decide_pair(documents_[0], documents_[1], parameters_)->verdict, kNearDuplicate);
  EXPECT_NE(decide_pair(documents_[0], documents_[1], parameters_)->flags & kContains, 0U);
  EXPECT_EQ(decide_pair(documents_[0], documents_[2], parameters_)->verdict, kNew);
  EXPECT_EQ(decide_pair(documents_[0], documents_[0], parameters_)->verdict, kExactDuplicate);
  EXPECT_EQ(decide_pair(documents_[0], documents_[3], parameters_)->verdict, kNoText);
}

}  // namespace
}  // namespace nd::engine
