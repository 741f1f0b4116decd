// Where sentences end in Latin, Chinese, Arabic and Indic scripts, and where a full stop ends none.
#include "text/sentences.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "block_sentences.hpp"
#include "unit/words/random_text.hpp"

namespace nd::text {
namespace {

using Strings = std::vector<std::string>;

Strings sentences(std::string_view text) {
  Vector<Range> out;
  test::append_sentences(text, 0, out);
  Strings strings;
  for (const Range& range : out)
    strings.emplace_back(range.of(text));
  return strings;
}

// The rules as the header states them, over decoded text, each tested at every position.
class Oracle {
 public:
  explicit Oracle(std::string_view text) {
    for (size_t position = 0; position < text.size();) {
      starts_.push_back(static_cast<uint32_t>(position));
      text_.push_back(next_code_point(text, position));
    }
    starts_.push_back(static_cast<uint32_t>(text.size()));
  }

  std::vector<Range> sentences() const {
    std::vector<Range> out;
    size_t begin = 0;
    for (size_t end = 1; end <= text_.size(); ++end) {
      if (end < text_.size() && !ends_at(begin, end)) continue;
      size_t first = begin;
      size_t last = end;
      while (first < last && text_[first] <= U' ')
        ++first;
      while (last > first && text_[last - 1] <= U' ')
        --last;
      if (first < last) out.push_back({starts_[first], starts_[last]});
      begin = end;
    }
    return out;
  }

 private:
  static bool in(char32_t c, std::u32string_view set) { return set.find(c) != set.npos; }
  static bool is_wide_mark(char32_t c) { return in(c, U"。｡！？；．"); }
  static bool is_plain_mark(char32_t c) { return in(c, U"!?;؟؛۔।॥"); }
  static bool is_mark(char32_t c) { return is_wide_mark(c) || is_plain_mark(c) || in(c, U".…"); }
  static bool is_closing(char32_t c) { return in(c, U"\"')]}»’”」』】》〉〕）"); }

  // Whether a run of marks that reaches back no farther than `begin` ends before `end`, and a sentence with
  // it.
  bool ends_at(size_t begin, size_t end) const {
    if (is_mark(text_[end]) || is_closing(text_[end])) return false;
    size_t run = end;
    while (run > begin && (is_mark(text_[run - 1]) || is_closing(text_[run - 1])))
      --run;
    while (run < end && !is_mark(text_[run]))
      ++run;  // what closes before the first mark ends nothing
    if (run == end) return false;
    if (text_[end] <= U' ' || is_wide(text_[end])) return true;
    for (size_t i = run; i < end; ++i) {
      if (is_wide_mark(text_[i]) || (is_closing(text_[i]) && is_wide(text_[i]))) return true;
      if (is_plain_mark(text_[i]) && run > 0 && is_wide(text_[run - 1])) return true;
    }
    return false;
  }

  std::u32string text_;
  std::vector<uint32_t> starts_;
};

TEST(Sentences, EndAfterPunctuation) {
  EXPECT_EQ(sentences("one two. three! four? five; six"),
            (Strings{"one two.", "three!", "four?", "five;", "six"}));
  EXPECT_EQ(sentences("wait... what?! yes."), (Strings{"wait...", "what?!", "yes."}));
  EXPECT_EQ(sentences("一二三。四五六!七八?九;十"), (Strings{"一二三。", "四五六!", "七八?", "九;", "十"}));
}

TEST(Sentences, KeepNumbersAndNamesWhole) {
  EXPECT_EQ(sentences("pi is 3.14 at example.com now"), Strings{"pi is 3.14 at example.com now"});
  EXPECT_EQ(sentences("a?b=c;d a!b"), Strings{"a?b=c;d a!b"});
  EXPECT_EQ(sentences("第3.5版"), Strings{"第3.5版"});
}

TEST(Sentences, EndBetweenScripts) {
  EXPECT_EQ(sentences("版本3.新的"), (Strings{"版本3.", "新的"}));
  EXPECT_EQ(sentences("你好!hello"), (Strings{"你好!", "hello"}));
  EXPECT_EQ(sentences("他走了......然后"), (Strings{"他走了......", "然后"}));
}

TEST(Sentences, TakeClosingQuotesAlong) {
  EXPECT_EQ(sentences("he said \"go.\" then (he left.) end"),
            (Strings{"he said \"go.\"", "then (he left.)", "end"}));
  EXPECT_EQ(sentences("他说:“走吧。”然后走了!」是的"), (Strings{"他说:“走吧。”", "然后走了!」", "是的"}));
}

TEST(Sentences, KnowArabicAndIndicMarks) {
  EXPECT_EQ(sentences("چرا؟ نمی دانم۔ खाना है। हाँ"), (Strings{"چرا؟", "نمی دانم۔", "खाना है।", "हाँ"}));
}

TEST(Sentences, LeaveNothingOfEmptyText) {
  EXPECT_EQ(sentences(""), Strings{});
  EXPECT_EQ(sentences("   "), Strings{});
  EXPECT_EQ(sentences(" . "), Strings{"."});
  EXPECT_EQ(sentences("no punctuation"), Strings{"no punctuation"});
}

TEST(Sentences, AreShifted) {
  Vector<Range> out = {{1, 2}};
  test::append_sentences("a. b", 1000, out);
  EXPECT_EQ(out, (Vector<Range>{{1, 2}, {1000, 1002}, {1003, 1004}}));
}

TEST(Sentences, EqualTheRulesOnRandomText) {
  std::vector<std::u32string> alphabets = mixed_alphabets();
  alphabets.push_back(U".!?;。！？；．｡…؟؛۔।॥");
  alphabets.push_back(U"\"')]}»’”」』】》〉〕）");
  alphabets.push_back(U"a b 中 c 한 .");
  RandomText random(40, alphabets);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = random(40);
    Vector<Range> fast;
    test::append_sentences(text, 0, fast);
    const std::vector<Range> plain = Oracle(text).sentences();
    ASSERT_EQ(std::vector<Range>(fast.begin(), fast.end()), plain) << text;
  }
}

TEST(Sentences, TakeLinearTime) {
  const auto began = std::chrono::steady_clock::now();
  for (const char* unit : {".", "a.", "。", "!\"", ".)", " ", "\xe3", "a"}) {
    std::string text;
    while (text.size() < 500000)
      text += unit;
    Vector<Range> out;
    test::append_sentences(text, 0, out);
    for (const Range& range : out)
      ASSERT_LE(range.end, text.size());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
}

TEST(Sentences, SurviveMalformedText) {
  std::mt19937 random(41);
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 16, '\0');
    for (char& c : text)
      c = "a .!?\"\xe3\x80\x82\xef\xbc\xd8\x9f"[random() % 12];
    Vector<Range> out;
    test::append_sentences(text, 0, out);
    uint32_t end = 0;
    for (const Range& range : out) {
      ASSERT_GE(range.begin, end);
      ASSERT_LT(range.begin, range.end);
      end = range.end;
    }
    ASSERT_LE(end, text.size());
  }
}

}  // namespace
}  // namespace nd::text
