#include "mwo/plural_stemmer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace nd::mwo {
namespace {

std::string stem_of(const std::string& word) {
  String buffer;
  const std::string_view stem = singular(word, buffer);
  return std::string(stem);
}

TEST(PluralStemmerTest, PluralsBecomeSingulars) {
  EXPECT_EQ(stem_of("libraries"), "library");
  EXPECT_EQ(stem_of("movies"), "movy");
  EXPECT_EQ(stem_of("houses"), "house");
  EXPECT_EQ(stem_of("pages"), "page");
  EXPECT_EQ(stem_of("links"), "link");
  EXPECT_EQ(stem_of("echoes"), "echoe");
  EXPECT_EQ(stem_of("trees"), "tree");
}

TEST(PluralStemmerTest, WhatIsNoPluralStays) {
  for (const char* word : {"corpus", "class", "running", "campaigned", "bus", "gas", "ies", "es", "s", ""})
    EXPECT_EQ(stem_of(word), word);
  EXPECT_EQ(stem_of(std::string(100000, 's')), std::string(100000, 's'));
}

TEST(PluralStemmerTest, EnglishIsTheFirstSubtag) {
  for (const char* language : {"en", "en-us", "en_gb"})
    EXPECT_TRUE(is_english(language)) << language;
  for (const char* language : {"", "e", "enm", "de-en"})
    EXPECT_FALSE(is_english(language)) << language;
}

}  // namespace
}  // namespace nd::mwo
