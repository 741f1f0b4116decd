// The batch order on pages made by hand: representatives, chains, equal texts, pages of one URL.
#include "engine/batch.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "page/feature_builder.hpp"
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
    documents_.push_back(
        builder_.finish({url, 1, body.size(), false}, document, {}, parameters_, RecordFor::kElsewhere));
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
  // Each shares most of its story with the next: neighbours are similar, the ends have nothing in common.
  for (uint64_t i = 0; i < 7; ++i)
    add("http://s" + std::to_string(i) + ".example/1", story("clock", 3 * i, 16));
  const Vector<Answer> answers = *partition_documents(documents_, parameters_);
  EXPECT_NE(answers[0].group_id, answers[6].group_id);
  size_t joined = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].matched_page_id == 0) continue;
    ++joined;
    EXPECT_GE(answers[i].probability, parameters_.decision.same_document) << i;
    const Features& representative = documents_[answers[i].matched_page_id - 1];
    const Answer pair = *decide_pair(representative, documents_[i], parameters_);
    EXPECT_EQ(pair.verdict, kNearDuplicate) << i;
    EXPECT_EQ(answers[i].probability, pair.probability) << i;
  }
  EXPECT_GT(joined, 0U) << "nothing is shown if no neighbours join";
}

TEST_F(BatchTest, TheLikelierOfTwoRepresentativesIsJoinedAndItsFiguresAreReported) {
  // A page whose text is rather that of one, and whose title and text are that of the other.
  const std::string head =
      "<title>Harbour lights of the northern coast</title><h1>Harbour lights of the northern coast</h1>";
  size_t conflicts = 0;
  for (uint64_t with_text = 16; with_text <= 26; ++with_text) {
    for (uint64_t with_title = 12; with_title < with_text; ++with_title) {
      documents_.clear();
      add("http://a.example/1", head + story("clock", 0, 30));
      add("http://b.example/1", story("clock", 0, with_text) + story("violin", 0, 34 - with_text));
      add("http://c.example/1",
          head + story("clock", 30 - with_title, with_title) + story("drum", 0, 34 - with_title));
      const Answer by_text = *decide_pair(documents_[1], documents_[0], parameters_);
      const Answer by_title = *decide_pair(documents_[2], documents_[0], parameters_);
      if (by_text.verdict != kNearDuplicate || by_title.verdict != kNearDuplicate) continue;
      if (by_text.resemblance <= by_title.resemblance || by_text.probability >= by_title.probability)
        continue;
      ++conflicts;
      const Answer answer = (*partition_documents(documents_, parameters_))[0];
      EXPECT_EQ(answer.group_id, 3U) << with_text << ' ' << with_title;
      EXPECT_EQ(answer.probability, by_title.probability);
      EXPECT_EQ(answer.resemblance, by_title.resemblance);
    }
  }
  EXPECT_GT(conflicts, 0U);
}

TEST_F(BatchTest, AURLCountsOnceOnItsSiteHoweverOftenItWasFetched) {
  const std::string page = story("clock", 0, 20);
  const std::string copy = story("clock", 0, 18) + story("violin", 0, 2);
  add("http://a.example/1", page);
  add("http://a.example/2", copy);
  const Answer once = (*partition_documents(documents_, parameters_))[1];
  ASSERT_EQ(once.verdict, kNearDuplicate);
  documents_.clear();
  for (int i = 0; i < 8; ++i)
    add("http://a.example/1", page);
  add("http://a.example/2", copy);
  const Answer often = (*partition_documents(documents_, parameters_))[8];
  EXPECT_EQ(often.group_id, 1U);
  EXPECT_EQ(often.probability, once.probability) << "its text is no template";
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
