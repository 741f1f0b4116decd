// Stems by the language of a page, and words that stemmers must survive.
#include "mwo/stemmer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace nd::mwo {
namespace {

TEST(StemmerTest, StemsByTheLanguageOfThePage) {
  Stemmer stemmer;
  ASSERT_TRUE(stemmer.select("en"));
  EXPECT_EQ(stemmer.stem("campaigning"), "campaign");
  EXPECT_EQ(stemmer.stem("duplicates"), "duplic");
  EXPECT_EQ(stemmer.stem("duplicate"), "duplic");
  ASSERT_TRUE(stemmer.select("de-at"));
  EXPECT_EQ(stemmer.stem("häuser"), "haus");
  ASSERT_TRUE(stemmer.select("ru"));
  EXPECT_EQ(stemmer.stem("страницы"), stemmer.stem("страница"));
  ASSERT_TRUE(stemmer.select("en_gb"));
  EXPECT_EQ(stemmer.stem("campaigning"), "campaign");
}

TEST(StemmerTest, AnUnknownLanguageIsNotStemmed) {
  Stemmer stemmer;
  for (const char* language : {"", "zh", "ja", "xx", "e", "english", "porter", "-", "en\xff"}) {
    EXPECT_FALSE(stemmer.select(language)) << language;
    EXPECT_EQ(stemmer.stem("campaigning"), "campaigning");
  }
}

TEST(StemmerTest, LibstemmerHasEveryLanguageOfTheTable) {
  Stemmer stemmer;
  for (const char* language :
       {"ar", "ca", "da", "de", "el", "en", "es", "eu", "fi", "fr", "ga", "hi", "hu", "hy", "id",
        "it", "lt", "nb", "ne", "nl", "nn", "no", "pt", "ro", "ru", "sr", "sv", "ta", "tr"}) {
    EXPECT_TRUE(stemmer.select(language)) << language;
    EXPECT_FALSE(stemmer.stem("a").empty());
  }
}

TEST(StemmerTest, HostileWordsStayWhatTheyAre) {
  Stemmer stemmer;
  for (const char* language : {"en", "tr", "ar", "hi", "ta", "hu"}) {
    ASSERT_TRUE(stemmer.select(language));
    EXPECT_EQ(stemmer.stem(""), "");
    const std::string endless(100000, 's');
    EXPECT_EQ(stemmer.stem(endless), endless);
    EXPECT_FALSE(stemmer.stem("\xff\xfe\x80").empty());
    for (size_t length = 1; length < 256; ++length)
      EXPECT_LE(stemmer.stem(std::string(length, 'e')).size(), length + 2);
  }
}

TEST(StemmerTest, Moves) {
  Stemmer first;
  ASSERT_TRUE(first.select("en"));
  Stemmer second(std::move(first));
  EXPECT_EQ(second.stem("pages"), "page");
  Stemmer third;
  ASSERT_TRUE(third.select("de"));
  third = std::move(second);
  EXPECT_EQ(third.stem("pages"), "page");
}

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
