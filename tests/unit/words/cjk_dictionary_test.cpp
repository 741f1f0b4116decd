// The dictionary against ICU: each word with its cost, and the same cuts.
#include "words/cjk_dictionary.hpp"

#include <gtest/gtest.h>
#include <unicode/ucharstrie.h>
#include <unicode/udata.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/utf8.hpp"
#include "random_text.hpp"
#include "words/word_segmenter.hpp"

namespace nd::text {
namespace {

struct DictionaryWord {
  std::u16string characters;
  uint32_t cost;
};

// ICU's dictionary, read by ICU.
class IcuDictionary {
 public:
  IcuDictionary() {
    UErrorCode status = U_ZERO_ERROR;
    data_.reset(udata_open(U_ICUDATA_NAME "-brkitr", "dict", "cjdict", &status));
    const auto* const indexes = static_cast<const int32_t*>(udata_getMemory(data_.get()));
    units_ = reinterpret_cast<const UChar*>(reinterpret_cast<const char*>(indexes) + indexes[0]);
    icu::UCharsTrie::Iterator iterator(units_, 0, status);
    while (iterator.next(status)) {
      const icu::UnicodeString& word = iterator.getString();
      words_.push_back({{word.getBuffer(), static_cast<size_t>(word.length())},
                        static_cast<uint32_t>(iterator.getValue())});
    }
  }

  const std::vector<DictionaryWord>& words() const { return words_; }

  uint32_t cost(std::u16string_view word) const {
    icu::UCharsTrie trie(units_);
    UStringTrieResult result = USTRINGTRIE_NO_MATCH;
    for (size_t i = 0; i < word.size(); ++i) {
      result = i == 0 ? trie.first(word[i]) : trie.next(word[i]);
      if (result == USTRINGTRIE_NO_MATCH) return 0;
    }
    return USTRINGTRIE_HAS_VALUE(result) ? static_cast<uint32_t>(trie.getValue()) : 0;
  }

 private:
  struct Close {
    void operator()(UDataMemory* data) const { udata_close(data); }
  };
  std::unique_ptr<UDataMemory, Close> data_;
  const UChar* units_ = nullptr;
  std::vector<DictionaryWord> words_;
};

const IcuDictionary& icu_dictionary() {
  static const IcuDictionary dictionary;
  return dictionary;
}

bool begins_in_range(std::u16string_view word) {
  return word[0] >= CjkDictionary::kFirstCharacter && word[0] < CjkDictionary::kEndCharacter;
}

uint32_t cost_of(const CjkDictionary& dictionary, std::u16string_view word) {
  CjkDictionary::Node node = CjkDictionary::first(word[0]);
  if (word.size() > 1 && !dictionary.may_begin(word[0], word[1])) return 0;
  for (size_t i = 1; i < word.size(); ++i) {
    if (!dictionary.next(node, word[i])) return 0;
  }
  return dictionary.cost(node);
}

std::vector<int> split(std::u16string_view run) {
  Vector<uint8_t> lengths;
  split_cjk_run(*CjkDictionary::instance(), run, lengths);
  std::vector<int> words;
  for (size_t i = 0; i < run.size(); i += lengths[i])
    words.push_back(lengths[i]);
  return words;
}

std::string utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text)
    append_utf8(out, c);
  return out;
}

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  uint32_t below(size_t bound) { return static_cast<uint32_t>(engine_() % bound); }

  template <typename Container>
  const auto& one_of(const Container& items) {
    return items[below(items.size())];
  }

 private:
  std::mt19937 engine_;
};

TEST(CjkDictionary, HasEveryWordOfIcuWithItsCost) {
  const CjkDictionary* const dictionary = CjkDictionary::instance();
  ASSERT_NE(dictionary, nullptr);
  size_t count = 0;
  for (const DictionaryWord& word : icu_dictionary().words()) {
    if (!begins_in_range(word.characters)) continue;
    ++count;
    ASSERT_EQ(cost_of(*dictionary, word.characters), word.cost) << count;
  }
  EXPECT_GT(count, 300000U);
}

TEST(CjkDictionary, HasNoOtherWords) {
  const std::vector<DictionaryWord>& words = icu_dictionary().words();
  Random random(7);
  for (int round = 0; round < 300000; ++round) {
    // The begin of one word and the end of another, sometimes with a character that is in none.
    std::u16string word = random.one_of(words).characters;
    if (!begins_in_range(word)) continue;
    word.resize(random.below(word.size()) + 1);
    const std::u16string& other = random.one_of(words).characters;
    word += other.substr(random.below(other.size()));
    if (random.below(8) == 0) word.back() = static_cast<char16_t>(random.below(0x10000));
    if (!begins_in_range(word)) continue;
    ASSERT_EQ(cost_of(*CjkDictionary::instance(), word), icu_dictionary().cost(word)) << round;
  }
}

TEST(SplitCjkRun, TakesTheCheapestWay) {
  EXPECT_EQ(split(u"我们是学生"), (std::vector<int>{2, 1, 2}));
  EXPECT_EQ(split(u"的"), (std::vector<int>{1}));
  EXPECT_EQ(split(u""), (std::vector<int>{}));
  // Three ways, of which the sum of the costs decides.
  const IcuDictionary& icu = icu_dictionary();
  ASSERT_LT(icu.cost(u"研究") + icu.cost(u"生命"), icu.cost(u"研究生") + icu.cost(u"命"));
  EXPECT_EQ(split(u"研究生命"), (std::vector<int>{2, 2}));
  EXPECT_EQ(split(u"研究生"), (std::vector<int>{3}));
}

TEST(SplitCjkRun, LeavesUnknownCharactersAlone) {
  const std::u16string beyond{u'我', u'们', kBeyondBmp, kBeyondBmp, u'我', u'们'};
  EXPECT_EQ(split(beyond), (std::vector<int>{2, 1, 1, 2}));
  // 4DB5 is the last character of a block of rare ones.
  ASSERT_EQ(icu_dictionary().cost(u"\u4db5"), 0U);
  EXPECT_EQ(split(u"\u4db5\u4db5我们"), (std::vector<int>{1, 1, 2}));
}

TEST(SplitCjkRun, KeepsKatakanaTogetherUpToALength) {
  // No dictionary has these.
  const std::u16string nonsense = u"ヌヴョヲヮヱヂヅヌヰヴヲヌヴョヲヮヱヂヅヌヰ";
  EXPECT_EQ(split(nonsense.substr(0, 4)), (std::vector<int>{4}));
  EXPECT_EQ(split(nonsense.substr(0, 8)), (std::vector<int>{8}));
  EXPECT_GT(split(nonsense.substr(0, 20)).size(), 1U);
}

// Holds the words of a text, normalised or not, against ICU's iterator.
class CjkWordsTest : public ::testing::Test {
 protected:
  void expect_icu(const std::string& text) {
    bytes_ += text.size();
    fast_.clear();
    plain_.clear();
    segmenter_.append_words(text, 0, fast_);
    segmenter_.append_words_icu(text, 0, plain_);
    if (fast_ == plain_) return;
    std::string shown;
    size_t differing = 0;
    while (differing < std::min(fast_.size(), plain_.size()) && fast_[differing] == plain_[differing])
      ++differing;
    for (const auto* ranges : {&fast_, &plain_}) {
      const size_t begin = differing < 3 ? 0 : differing - 3;
      for (size_t i = begin; i < std::min(ranges->size(), differing + 4); ++i)
        shown += "[" + std::string((*ranges)[i].of(text)) + "]";
      shown += "\n";
    }
    FAIL() << shown << ::testing::PrintToString(text.substr(0, 400));
  }

  WordSegmenter segmenter_ = *WordSegmenter::create();
  size_t bytes_ = 0;

 private:
  Vector<Range> fast_;
  Vector<Range> plain_;
};

TEST_F(CjkWordsTest, EqualIcuOnRandomWordsOfTheDictionary) {
  std::vector<std::string> all;
  std::vector<std::string> frequent;
  for (const DictionaryWord& word : icu_dictionary().words()) {
    std::string bytes;
    icu::UnicodeString(word.characters.data(), static_cast<int32_t>(word.characters.size()))
        .toUTF8String(bytes);
    if (word.cost < 140) frequent.push_back(bytes);
    all.push_back(std::move(bytes));
  }
  ASSERT_GT(frequent.size(), 1000U);
  const std::vector<std::string> others{"。", "，",  ",",  " ",  "、", "·", ":",
                                        "1",  "2.5", "ab", "一", "的", "ー"};
  Random random(11);
  while (bytes_ < 6'000'000) {
    std::string text;
    for (size_t count = random.below(300); count != 0; --count) {
      const uint32_t kind = random.below(20);
      const auto& list = kind < 9 ? all : kind < 18 ? frequent : others;
      text += random.one_of(list);
    }
    expect_icu(text);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CjkWordsTest, EqualIcuOnRandomMixes) {
  const std::vector<std::u32string> alphabets{
      U"的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后"
      U"小么心多天而能好都然没日于起",
      U"ノンーカタナラリルレロアイウエオッャュョヴヵヶァキクケコサシスセソ",
      U"のはがをにでとしてるたなもれさいかんあこくらっきおえうよわやめ",
      U"\u3400\u4db5\u4e00\u9fff\u9ff0\ufa0e\uf900\ufa0d\u2f00\u2e80\U00020000\U0002a6df\U00030000\U00020001"
      U"\U0002f800",
      U"々〇〆〻〡ゝゞヽヾゟヿー・゠゛゜\u3099\u309a〱〳〵ㇰㇿ㋐㌀ｱｶｰ",
      U"ab_'.,:@-1209!?()\"一カの",
      U"\u0301\u0300\u200d\u200c\u00ad\ufe0f\u20dd\u0e31",
      U"한국어가각 中カ",
      U"กขคກຂကខאבא׳\"",
      U"。、「」《》…—❤😀🇩🇪©  ",
  };
  Random random(13);
  while (bytes_ < 4'500'000) {
    std::u32string text;
    for (size_t parts = random.below(12) + 1; parts != 0; --parts) {
      // Long stretches of one alphabet, so that words are found, and short ones, so that borders are met.
      const std::u32string& alphabet = random.one_of(alphabets);
      for (size_t count = random.below(random.below(4) == 0 ? 40 : 4) + 1; count != 0; --count)
        text += random.one_of(alphabet);
    }
    expect_icu(utf8(text));
    if (HasFatalFailure()) return;
  }
}

TEST_F(CjkWordsTest, EqualIcuAroundEveryIdeograph) {
  std::string text;
  for (char32_t c = 0x2e80; c < 0x32000; ++c) {
    if (c == 0xa000) c = 0xf900;
    if (c == 0x10000) c = 0x16fe0;
    if (c == 0x17000) c = 0x1aff0;
    if (c == 0x1b200) c = 0x1f200;
    if (c == 0x1f300) c = 0x20000;
    if (c > 0x20100 && c % 61 != 0) continue;
    if (c == 0xff9e || c == 0xff9f) continue;  // letters that hang on a space
    const std::u32string x(1, c);
    text = utf8(U"中" + x + U"国_" + x + x + U"カ" + x + U"a" + x + U"1 " + x + U"の。" + x + U"\u0301年 " +
                x + U"_");
    expect_icu(text);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CjkWordsTest, EqualIcuOnLongKatakana) {
  Random random(17);
  for (size_t length = 1; length < 60; ++length) {
    for (int round = 0; round < 40; ++round) {
      std::u32string run;
      for (size_t i = 0; i < length; ++i)
        run += random.below(30) == 0 ? char32_t{0x31f0} : char32_t{0x30a1} + random.below(90);
      expect_icu(utf8(run) + "中" + utf8(run) + " " + utf8(run));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(CjkWordsTest, EqualIcuOnWordsOfKatakana) {
  std::vector<std::u16string> words;
  for (const DictionaryWord& word : icu_dictionary().words()) {
    const bool is_katakana = std::all_of(word.characters.begin(), word.characters.end(),
                                         [](char16_t c) { return c >= 0x30a1 && c <= 0x30fc; });
    if (is_katakana && word.characters.size() < 6) words.push_back(word.characters);
  }
  ASSERT_GT(words.size(), 1000U);
  Random random(23);
  for (int round = 0; round < 30000; ++round) {
    std::u16string run = random.one_of(words);
    // Whether the run as a whole costs less than its words: close calls, up to the length of 8 that matters.
    while (run.size() < 8 && random.below(4) != 0)
      run += random.below(3) == 0 ? std::u16string(1, random.one_of(words)[0]) : random.one_of(words);
    std::string bytes;
    expect_icu(icu::UnicodeString(run.data(), static_cast<int32_t>(run.size())).toUTF8String(bytes));
    if (HasFatalFailure()) return;
  }
}

TEST_F(CjkWordsTest, EqualIcuOnLongRuns) {
  std::string same;
  std::string mixed;
  Random random(19);
  while (same.size() < 436'000) {
    same += "的";
    append_utf8(mixed, 0x4e00 + random.below(2000));
  }
  expect_icu(same);
  expect_icu(mixed);
  expect_icu(same + "_" + mixed + "\u0301" + mixed);
}

}  // namespace
}  // namespace nd::text
