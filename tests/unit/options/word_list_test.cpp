// Lists of words as options take them, and antecedents of one's own.
#include "options/options.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "options/option_table.hpp"

namespace nd::engine {
namespace {

std::string list_of(std::string_view value) {
  const Result<String> list = word_list_of(value);
  EXPECT_TRUE(list);
  return list ? std::string(list->data(), list->size()) : "";
}

TEST(WordListTest, IsAscendingEachOnceInNormalForm) {
  EXPECT_EQ(list_of("the is a"), "a is the");
  EXPECT_EQ(list_of(" The,a ,, IS a  "), "a is the");
  EXPECT_EQ(list_of("Stra\u00dfe"), "strasse");
  EXPECT_EQ(list_of("\uff34\uff28\uff25"), "the") << "NFKC";
  EXPECT_EQ(list_of("\u4e00\u4e2a \u7684"), "\u4e00\u4e2a \u7684");
  EXPECT_EQ(list_of(list_of("b c a")), list_of("c,b,a"));
}

TEST(WordListTest, WhatIsNoListIsEmpty) {
  for (const std::string_view value :
       {std::string_view(""), std::string_view(" , "), std::string_view("don't"), std::string_view("a-b"),
        std::string_view("the ..."), std::string_view("a\nb"), std::string_view("a\tb"),
        std::string_view("a\0b", 3), std::string_view("a\xff"), std::string_view("a \xe4\xb8")})
    EXPECT_EQ(list_of(value), "") << value;
}

TEST(WordListTest, IsBounded) {
  std::string words;
  for (size_t i = 0; i < kListedWordsLimit; ++i)
    words += "w" + std::to_string(i) + " ";
  EXPECT_NE(list_of(words), "");
  EXPECT_EQ(list_of(words + "more"), "");
  EXPECT_NE(list_of(words + "w0"), "") << "each counts once";
  EXPECT_EQ(list_of(std::string(kWordListBytesLimit + 1, 'w')), "");
  EXPECT_NE(list_of(std::string(kWordListBytesLimit, 'w')), "");
}

// A sign of three bytes that becomes a word of twelve: a list that a store could not record.
TEST(WordListTest, CountsTheBytesOfTheNormalForm) {
  std::string signs;
  for (size_t i = 0; i < 2700; ++i)
    signs += "\xe3\x8c\x80";
  EXPECT_LT(signs.size(), kWordListBytesLimit);
  EXPECT_EQ(list_of(signs), "");
}

TEST(AntecedentsOptionTest, IsSetAndReadBackAsAList) {
  Options options;
  EXPECT_EQ(*options.get("x_antecedents"), "default");
  EXPECT_TRUE(options.parameters().antecedents.empty());
  ASSERT_TRUE(options.set("x_antecedents", "the,a Is"));
  EXPECT_EQ(*options.get("x_antecedents"), "a is the");
  for (const char* refused : {"", " ", "don't"}) {
    const Result<void> set = options.set("x_antecedents", refused);
    ASSERT_FALSE(set) << refused;
    EXPECT_EQ(set.failure().status, Status::kInvalidArgument);
    EXPECT_NE(std::string_view(set.failure().message).find("x_antecedents"), std::string_view::npos);
    EXPECT_EQ(*options.get("x_antecedents"), "a is the") << "a refused value changes nothing";
  }
  ASSERT_TRUE(options.set("x_antecedents", "default"));
  EXPECT_TRUE(options.parameters().antecedents.empty());
}

}  // namespace
}  // namespace nd::engine
