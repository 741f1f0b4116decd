// Persian affixes are joined to their words once, in linear time.
#include "words/persian_affixes.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <vector>

namespace nd::text {
namespace {

std::string joined(std::string text) {
  char* const begin = text.data();
  text.resize(static_cast<size_t>(join_persian_affixes(begin, begin + text.size()) - begin));
  return text;
}

TEST(PersianAffixes, AreJoinedToTheirWords) {
  EXPECT_EQ(joined("او می رود و نمی آید"), "او میرود و نمیآید");
  EXPECT_EQ(joined("کتاب های تازه و خانه ها، بزرگ ترین (درخت هایشان)"),
            "کتابهای تازه و خانهها، بزرگترین (درختهایشان)");
  EXPECT_EQ(joined("خانه ی ما"), "خانهی ما");
  EXPECT_EQ(joined("رفته اند."), "رفتهاند.");
}

TEST(PersianAffixes, StayByThemselvesWithoutAWord) {
  for (const char* text : {"", " ", "ها", "می", "می (رود)", "a ها", "۵ ها", "می a", "، ها", "؟ ی", "می، رود",
                           "plain text", "نامی رود", "کتاب هاج", "د", "\xd9", "a\xd9"}) {
    EXPECT_EQ(joined(text), text);
  }
}

// What is joined can be an affix itself.
TEST(PersianAffixes, AreJoinedOnceAndForAll) {
  EXPECT_EQ(joined("نم ی شود"), "نمیشود");
  EXPECT_EQ(joined("کتاب ه ای"), "کتابهای");
  const std::vector<std::string> pieces = {"می", "نمی", "ن",   "م", "ی", "ها", "ه",  "ا",
                                           "ای", "تر",  "رود", " ", " ", " ",  "، ", "a"};
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t count = random() % 12; count > 0; --count) {
      const std::string& piece = pieces[random() % pieces.size()];
      if (piece != " " || (!text.empty() && text.back() != ' ')) text += piece;
    }
    const std::string once = joined(text);
    ASSERT_EQ(joined(once), once) << text;
  }
}

TEST(PersianAffixes, TakeLinearTime) {
  const auto began = std::chrono::steady_clock::now();
  for (const std::string unit : {"می ", "ها ", "م", "می م", "ی ", "ه ای "}) {
    std::string text;
    while (text.size() < 1'000'000)
      text += unit;
    EXPECT_LE(joined(text).size(), text.size());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

}  // namespace
}  // namespace nd::text
