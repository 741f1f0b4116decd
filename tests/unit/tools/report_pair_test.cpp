// What the data of a report say is in both texts, and what in one of them alone.
#include "report_pair.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ndc::test {
namespace {

using Json = nlohmann::json;

// A text of words that end with a blank or a line.
PageText text_of(std::string_view words) {
  std::string pieces;
  for (size_t i = 0; i < words.size(); ++i) {
    pieces += words[i];
    if ((words[i] == ' ' || words[i] == '\n') && i + 1 < words.size()) pieces += '\x1f';
  }
  return PageText(pieces);
}

Json segment(const char* kind, uint32_t a_begin, uint32_t a_end, uint32_t b_begin, uint32_t b_end) {
  return {{"kind", kind}, {"a", {a_begin, a_end}}, {"b", {b_begin, b_end}}};
}

Json written(const Json& segments, std::string_view a, std::string_view b, size_t limit = 1000) {
  ReportPair pair;
  pair.segments = segments;
  const std::string entry = difference_entry(pair, 0, 0, text_of(a), 1, text_of(b), limit);
  return Json::parse(entry)["s"];
}

TEST(DifferenceEntry, EqualWordsAtTheEdgesOfAChangeAreInBoth) {
  const Json segments = {segment("both", 0, 1, 0, 1), segment("a", 1, 4, 0, 0), segment("b", 0, 0, 1, 5),
                         segment("both", 4, 5, 5, 6)};
  EXPECT_EQ(written(segments, "s t u v w", "s t x y v w"),
            Json({0, 0, 2, 0, 2, 4, 1, 4, 6, 2, "x y ", 0, 6, 8, 0, 8, 9}));
}

TEST(DifferenceEntry, WhiteSpaceMakesNoChange) {
  const Json segments = {segment("a", 0, 2, 0, 0), segment("b", 0, 0, 0, 1)};
  EXPECT_EQ(written(segments, "s t", "s\n"), Json({0, 0, 2, 1, 2, 3}));
}

TEST(DifferenceEntry, AWordIsNotTakenFromBothEdges) {
  const Json segments = {segment("a", 0, 1, 0, 0), segment("b", 0, 0, 0, 2)};
  EXPECT_EQ(written(segments, "s ", "s s "), Json({0, 0, 2, 2, "s "}));
}

TEST(DifferenceEntry, WhatStandsApartIsNoChange) {
  const Json segments = {segment("a", 0, 1, 0, 0), segment("both", 1, 2, 0, 1), segment("b", 0, 0, 1, 2),
                         segment("both", 3, 4, 2, 3), segment("a", 2, 3, 0, 0)};
  EXPECT_EQ(written(segments, "s t u v ", "t s v "), Json({1, 0, 2, 0, 2, 4, 2, "s ", 0, 6, 8, 1, 4, 6}));
}

}  // namespace
}  // namespace ndc::test
