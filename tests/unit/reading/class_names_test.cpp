// What the names in class and id are taken for, whatever bytes they have.
#include "reading/class_names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>

#include "reading/extraction.hpp"

namespace nd::text {
namespace {

TEST(ClassNames, AWordCountsByItsBeginning) {
  EXPECT_EQ(context_of_names("nav"), kNamedNavigation);
  EXPECT_EQ(context_of_names("navbar-default"), kNamedNavigation);
  EXPECT_EQ(context_of_names("page-header"), kNamedMargin);
  EXPECT_EQ(context_of_names("entry-content"), kNamedContent);
  EXPECT_EQ(context_of_names("widget_recent"), kNamedAside);
  EXPECT_EQ(context_of_names("canavan"), 0);
  EXPECT_EQ(context_of_names("na"), 0);
  EXPECT_EQ(context_of_names("n"), 0);
  EXPECT_EQ(context_of_names(""), 0);
  EXPECT_EQ(context_of_names({}), 0);  // an attribute without a value has no bytes at all
}

TEST(ClassNames, WordsBeginBehindWhatIsNoLetterAndAtCapitals) {
  EXPECT_EQ(context_of_names("wide pageFooter2"), kNamedMargin);
  EXPECT_EQ(context_of_names("SideBar"), kNamedAside);
  EXPECT_EQ(context_of_names("SIDEBAR"), kNamedAside);
  EXPECT_EQ(context_of_names("col3menu\tmain"), kNamedNavigation | kNamedContent);
  EXPECT_EQ(context_of_names("\xc3\xa9nav"), kNamedNavigation);
}

TEST(ClassNames, OnlySoManyBytesAreRead) {
  EXPECT_EQ(context_of_names(std::string(kMaxNamesBytes - 3, ' ') + "nav"), kNamedNavigation);
  EXPECT_EQ(context_of_names(std::string(kMaxNamesBytes - 2, ' ') + "nav"), 0);
}

TEST(ClassNames, TheShortestNameOfAContextStandsForIt) {
  for (uint16_t i = 0; i < 16; ++i) {
    const auto context = static_cast<uint16_t>(i * kNamedNavigation);
    EXPECT_EQ(context_of_names(names_of_context(context)), context) << names_of_context(context);
  }
}

// The words of a value, one character after another; the meaning of single words is tested above.
uint16_t plain_context(const std::string& names) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_letter = [&](char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); };
  uint16_t context = 0;
  for (size_t at = 0; at < std::min(names.size(), kMaxNamesBytes); ++at) {
    const char before = at == 0 ? ' ' : names[at - 1];
    if (!is_letter(names[at]) || (is_upper(names[at]) ? is_upper(before) : is_letter(before))) continue;
    size_t end = at;
    std::string word;
    for (; end < std::min(names.size(), kMaxNamesBytes) && is_letter(names[end]); ++end)
      word += static_cast<char>(names[end] | 0x20);
    context |= context_of_names(word);
  }
  return context;
}

TEST(ClassNames, EveryWordOfAnyBytesCounts) {
  std::mt19937 random(3);
  const std::string pieces[] = {"nav",        "Side",     "bar", "ENTRY", "post", "breadcrumb",
                                "pagination", "Main",     "-",   "_",     " ",    "9",
                                "foot",       "\xc3\xa9", "{",   "@",     "`",    "["};
  uint16_t found = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string names;
    while (names.size() < random() % 300) {
      if (random() % 4 == 0) {
        names += static_cast<char>(random());
      } else {
        names += pieces[random() % std::size(pieces)];
      }
    }
    const uint16_t context = context_of_names(names);
    EXPECT_EQ(context, plain_context(names)) << names;
    found |= context;
  }
  EXPECT_EQ(found, kNamedAny);
}

}  // namespace
}  // namespace nd::text
