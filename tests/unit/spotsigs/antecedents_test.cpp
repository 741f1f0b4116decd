// The kinds of words, and that each antecedent is a stop word of its language.
#include "spotsigs/antecedents.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/hash.hpp"
#include "core/word_list.hpp"
#include "words/stop_words.hpp"

namespace nd::spotsigs {
namespace {

uint32_t word_hash_of(std::string_view word) {
  return static_cast<uint32_t>(stable_hash(word));
}

TEST(AntecedentsTest, ThreeKindsOfWords) {
  for (const char* word : {"the", "that", "been", "having", "который", "der", "です", "的", "这", "這"})
    EXPECT_EQ(WordKinds::instance().of(word_hash_of(word)), WordKind::kAntecedent) << word;
  for (const char* word : {"of", "and", "perhaps", "aber", "我们", "我們", "因为", "因為"})
    EXPECT_EQ(WordKinds::instance().of(word_hash_of(word)), WordKind::kStopWord) << word;
  for (const char* word : {"harbour", "灯塔", "燈塔", "президент", "war's", "2024"})
    EXPECT_EQ(WordKinds::instance().of(word_hash_of(word)), WordKind::kContent) << word;
  EXPECT_EQ(WordKinds::instance().of(0), WordKind::kContent);
}

TEST(AntecedentsTest, EveryAntecedentIsAStopWordOfItsLanguage) {
  std::set<std::string> languages;
  for (const text::StopWordList& list : antecedent_lists()) {
    EXPECT_TRUE(languages.insert(std::string(list.language)).second);
    std::set<std::string> distinct;
    for_each_word(list.words, [&](std::string_view word) {
      EXPECT_TRUE(distinct.insert(std::string(word)).second) << list.language << " " << word;
      const uint32_t hash = word_hash_of(word);
      EXPECT_TRUE(list.language == "zh" ? text::is_chinese_stop_word(hash) : text::is_stop_word(hash))
          << list.language << " " << word;
      EXPECT_EQ(WordKinds::instance().of(hash), WordKind::kAntecedent);
    });
    EXPECT_GE(distinct.size(), 10U) << list.language;
  }
  for (const text::StopWordList& list : text::stop_word_lists())
    EXPECT_TRUE(languages.contains(std::string(list.language))) << list.language;
  EXPECT_TRUE(languages.contains("zh"));
}

// SpotSigs, "Signature Extraction Example": antecedents {a, the, is}; and one that is no stop word.
TEST(AntecedentsTest, AListOfOnesOwnReplacesTheLists) {
  const OwnAntecedents own("a harbour is the");
  for (const char* word : {"a", "is", "the"})
    EXPECT_EQ(own.of(word_hash_of(word)), WordKind::kAntecedent) << word;
  for (const char* word : {"that", "been", "der", "of", "的"})
    EXPECT_EQ(own.of(word_hash_of(word)), WordKind::kStopWord) << word;
  EXPECT_EQ(own.of(word_hash_of("harbour")), WordKind::kContentAntecedent);
  EXPECT_EQ(own.of(word_hash_of("lighthouse")), WordKind::kContent);
  const OwnAntecedents none("");
  EXPECT_EQ(none.of(word_hash_of("the")), WordKind::kStopWord);
  EXPECT_EQ(none.of(word_hash_of("harbour")), WordKind::kContent);
}

// Every word of the lists, hashes that share all but their low bits with one, and any hashes.
TEST(AntecedentsTest, TheTableSaysWhatTheSetsSay) {
  std::set<uint32_t> antecedents;
  std::set<uint32_t> stop_words;
  for (const text::StopWordList& list : antecedent_lists())
    for_each_word(list.words, [&](std::string_view word) { antecedents.insert(word_hash_of(word)); });
  for (const text::StopWordList& list : text::stop_word_lists())
    for_each_word(list.words, [&](std::string_view word) { stop_words.insert(word_hash_of(word)); });
  for_each_word(text::chinese_stop_words(),
                [&](std::string_view word) { stop_words.insert(word_hash_of(word)); });
  const auto expect = [&](uint32_t hash) {
    const WordKind kind = antecedents.contains(hash)  ? WordKind::kAntecedent
                          : stop_words.contains(hash) ? WordKind::kStopWord
                                                      : WordKind::kContent;
    EXPECT_EQ(WordKinds::instance().of(hash), kind) << hash;
  };
  for (const auto& hashes : {antecedents, stop_words}) {
    for (const uint32_t hash : hashes) {
      for (uint32_t bits = 0; bits < 4; ++bits)
        expect(hash ^ bits);
    }
  }
  for (uint32_t i = 0; i < 100'000; ++i)
    expect(static_cast<uint32_t>(mix(i)));
}

}  // namespace
}  // namespace nd::spotsigs
