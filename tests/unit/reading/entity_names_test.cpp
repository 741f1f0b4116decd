// Character references against the standard's table and rules.
#include "reading/entity_names.hpp"

#include <gtest/gtest.h>
#include <libxml/HTMLparser.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

namespace nd::text {
namespace {

struct Found {
  size_t size = 0;
  uint32_t first = 0;
  uint32_t second = 0;
  friend bool operator==(const Found&, const Found&) = default;
};

Found found(std::string_view text, EntityNames::Place place = EntityNames::Place::kText) {
  EntityNames names;
  const CharacterReference reference = names.reference(text.data(), text.data() + text.size(), place);
  return {static_cast<size_t>(reference.end - text.data()), reference.value, reference.second};
}

// HTML Living Standard, 13.2.5.73, word by word: as many characters as a name in the table begins with.
Found expected(std::string_view text, bool in_attribute) {
  Found best;
  for (const NamedCharacter& character : kNamedCharacterTable) {
    const std::string name = std::string("&") + character.name;
    for (const bool semicolon : {true, false}) {
      if (!semicolon && !character.without_semicolon) continue;
      const std::string whole = semicolon ? name + ";" : name;
      if (text.starts_with(whole) && whole.size() > best.size)
        best = {whole.size(), character.first, character.second};
    }
  }
  if (best.size == 0 || !in_attribute || text[best.size - 1] == ';' || best.size == text.size()) return best;
  const char next = text[best.size];
  const bool is_alphanumeric =
      (next >= '0' && next <= '9') || (next >= 'A' && next <= 'Z') || (next >= 'a' && next <= 'z');
  return next == '=' || is_alphanumeric ? Found{} : best;
}

TEST(EntityNames, TheTableIsInOrder) {
  const auto less = [](const NamedCharacter& a, const NamedCharacter& b) {
    return std::string_view(a.name) < std::string_view(b.name);
  };
  EXPECT_TRUE(std::is_sorted(kNamedCharacterTable.begin(), kNamedCharacterTable.end(), less));
  EntityNames names;
  for (const NamedCharacter& character : kNamedCharacterTable)
    EXPECT_EQ(names.find(character.name), &character) << character.name;
  EXPECT_EQ(names.find("a"), nullptr);
  EXPECT_EQ(names.find(""), nullptr);
  EXPECT_EQ(names.find("CounterClockwiseContourIntegralx"), nullptr);
}

// But for the angle brackets, which HTML 4 had as other characters.
TEST(EntityNames, HoldsTheNamesOfHtml4) {
  EntityNames names;
  size_t count = 0;
  for (unsigned value = 1; value < 0x3000; ++value) {
    const htmlEntityDesc* const entity = htmlEntityValueLookup(value);
    if (entity == nullptr) continue;
    ++count;
    const NamedCharacter* const found = names.find(entity->name);
    ASSERT_NE(found, nullptr) << entity->name;
    const bool is_bracket = value == 9001 || value == 9002;
    EXPECT_EQ(found->first == value, !is_bracket) << entity->name;
  }
  EXPECT_EQ(count, 253U);
}

TEST(EntityNames, WorkedExamples) {
  EXPECT_EQ(found("&copy 2024"), (Found{5, 0xa9, 0}));
  EXPECT_EQ(found("&notit;"), (Found{4, 0xac, 0}));
  EXPECT_EQ(found("&notin;"), (Found{7, 0x2209, 0}));
  EXPECT_EQ(found("&notin"), (Found{4, 0xac, 0}));
  EXPECT_EQ(found("&NotEqualTilde;"), (Found{15, 0x2242, 0x338}));
  EXPECT_EQ(found("&CounterClockwiseContourIntegral;"), (Found{33, 0x2233, 0}));
  for (const char* none :
       {"&", "&;", "&x", "&unknown;", "&hellip", "&#", "&#;", "&#x", "&#xg;", "& amp;", "&é"})
    EXPECT_EQ(found(none).size, 0U) << none;
  const auto kAttribute = EntityNames::Place::kAttribute;
  EXPECT_EQ(found("&copy=1", kAttribute).size, 0U);
  EXPECT_EQ(found("&copyx", kAttribute).size, 0U);
  EXPECT_EQ(found("&notit;", kAttribute).size, 0U);
  EXPECT_EQ(found("&copy;=1", kAttribute), (Found{6, 0xa9, 0}));
  EXPECT_EQ(found("&copy&", kAttribute), (Found{5, 0xa9, 0}));
  EXPECT_EQ(found("&#x80x"), (Found{5, 0x80, 0}))
      << "a control, which the extraction takes for the euro sign";
  EXPECT_EQ(found("&#0;"), (Found{4, 0xfffd, 0}));
  EXPECT_EQ(found("&#xDFFF"), (Found{7, 0xfffd, 0}));
  EXPECT_EQ(found("&#x99999999999;"), (Found{15, 0xfffd, 0}));
}

TEST(EntityNames, FindsWhatTheStandardFinds) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    const NamedCharacter& character = kNamedCharacterTable[random() % kNamedCharacters];
    std::string text = std::string("&") + character.name;
    if (random() % 3 == 0) text.resize(1 + random() % text.size());
    if (random() % 3 == 0)
      text[1 + random() % (text.size() - (text.size() > 1 ? 1 : 0))] = "aZ9;&= "[random() % 7];
    text += std::string_view(";;;=x1 &").substr(random() % 9);
    EXPECT_EQ(found(text), expected(text, false)) << text;
    EXPECT_EQ(found(text, EntityNames::Place::kAttribute), expected(text, true)) << text;
  }
}

}  // namespace
}  // namespace nd::text
