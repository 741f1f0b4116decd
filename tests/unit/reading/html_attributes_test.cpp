// Attributes are found in any case, and styles that hide an element are told from others.
#include "reading/html_attributes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <string>

namespace nd::text {
namespace {

TEST(HtmlAttributes, FindsEveryNameInAnyCaseAndNothingElse) {
  for (size_t i = 1; i < kAttributeNames.size(); ++i) {
    const auto attribute = static_cast<Attribute>(i);
    std::string name(kAttributeNames[i]);
    EXPECT_EQ(find_attribute(name), attribute);
    EXPECT_NE(attributes_like(name.front(), name.size()) & bit_of(attribute), 0) << name;
    EXPECT_EQ(kAttributeKeys[i], name_key(name));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    EXPECT_EQ(find_attribute(name), attribute);
    EXPECT_NE(attributes_like(name.front(), name.size()) & bit_of(attribute), 0) << name;
    EXPECT_EQ(find_attribute(name + "x"), Attribute::kOther);
    name.back() = '-';
    EXPECT_EQ(find_attribute(name), Attribute::kOther);
  }
  for (const char* name : {"", "x", "classes", "i", "hrefs", "data-of-a-very-long-name"})
    EXPECT_EQ(find_attribute(name), Attribute::kOther) << name;
}

// Without white space and in lower case.
std::string squeezed(const std::string& style) {
  std::string result;
  for (const char c : style) {
    if (std::string_view(" \t\n\r\f").find(c) == std::string_view::npos)
      result.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  }
  return result;
}

TEST(HtmlAttributes, StyleHidesByEitherDeclaration) {
  EXPECT_TRUE(style_hides("color: red; DISPLAY :\n None"));
  EXPECT_TRUE(style_hides("visibility:hid den"));
  EXPECT_FALSE(style_hides("display:"));
  EXPECT_FALSE(style_hides("display:block;margin:0;visibility:visible"));
  std::mt19937 random(3);
  const char* const pieces[] = {"display", "visibility", ":",     ":", "none", "hidden", "None",
                                " ",       ";",          "color", "h", "n",    "d",      "\n"};
  size_t hiding = 0;
  for (int round = 0; round < 50000; ++round) {
    std::string style;
    for (size_t left = random() % 9; left > 0; --left)
      style += pieces[random() % std::size(pieces)];
    const std::string plain = squeezed(style);
    const bool hides = plain.find("display:none") != std::string::npos ||
                       plain.find("visibility:hidden") != std::string::npos;
    hiding += hides ? 1 : 0;
    ASSERT_EQ(style_hides(style), hides) << style;
  }
  EXPECT_GT(hiding, 100U);
}

}  // namespace
}  // namespace nd::text
