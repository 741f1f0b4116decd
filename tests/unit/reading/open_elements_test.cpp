// The stack of open elements tells similar names apart and starts anew with each page.
#include "reading/open_elements.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace nd::text {
namespace {

// Of which at most ten are looked at for one that is sought, and of each so many words.
constexpr uint64_t kMostLookedAt = 10;

bool identify(ElementNames& names, const std::string& name, ElementId& id) {
  return names.identify(read_tag_name(name.data(), name.data() + name.size()), id);
}

// Expects that these names, as many as can be distinguished, are distinguished.
void expect_told_apart(const std::vector<std::string>& names, uint64_t words) {
  ASSERT_EQ(names.size(), size_t{kMaxUnknownElements});
  ElementNames numbers;
  numbers.reset();
  for (size_t round = 0; round < 3; ++round) {
    for (size_t i = 0; i < names.size(); ++i) {
      ElementId id = 0;
      EXPECT_TRUE(identify(numbers, names[i], id));
      EXPECT_EQ(id, kFirstUnknownElement + i) << names[i];
    }
  }
  EXPECT_LE(numbers.comparisons(), 3 * names.size() * kMostLookedAt * words);
  ElementId id = 0;
  EXPECT_FALSE(identify(numbers, "one-more", id));
  EXPECT_TRUE(identify(numbers, "DIV", id));
  EXPECT_EQ(id, id_of(Element::kDiv));
}

std::string upper_case(std::string name) {
  for (char& c : name)
    c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return name;
}

// `before`, two letters, `between`, another letter, `behind`.
std::vector<std::string> alike(const std::string& before, const std::string& between,
                               const std::string& behind) {
  std::vector<std::string> names;
  for (char one = 'y'; one <= 'z'; ++one) {
    for (char two = 'a'; two <= 'p'; ++two) {
      for (char three = 'a'; three <= 'p'; ++three)
        names.push_back(before + one + two + between + three + behind);
    }
  }
  return names;
}

TEST(ElementNames, TellsNamesApartThatAreAlike) {
  expect_told_apart(alike("xxxxxx", "yyyyyyy", ""), 3);  // in the last letters of two words
  expect_told_apart(alike("xxxxx", "", ""), 2);          // in the last letters of one
  expect_told_apart(alike("", "", ""), 1);
  expect_told_apart(alike(std::string(38, 'x'), "yyyyyyy", std::string(52, 'z')), 13);
  expect_told_apart(alike(std::string(90, 'x'), "yyyyyyy", ""), 13);
}

TEST(ElementNames, CaseMakesNoDifferenceAndLengthDoes) {
  std::vector<std::string> names;
  for (size_t size = 4; size <= kMaxNameBytes; ++size)
    names.push_back(std::string(size, 'x'));
  ElementNames numbers;
  numbers.reset();
  ElementId id = 0;
  for (const std::string& name : names)
    EXPECT_TRUE(identify(numbers, name, id));
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_TRUE(identify(numbers, upper_case(names[i]), id));
    EXPECT_EQ(id, kFirstUnknownElement + i) << names[i].size();
  }
}

TEST(ElementNames, BeginsAnewWithEachPage) {
  ElementNames numbers;
  for (const char* name : {"one", "other"}) {
    ElementId id = 0;
    numbers.reset();
    EXPECT_TRUE(identify(numbers, name, id));
    EXPECT_EQ(id, kFirstUnknownElement);
    EXPECT_EQ(numbers.comparisons(), 0U);
  }
}

}  // namespace
}  // namespace nd::text
