#include "text/english_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace nd::text {
namespace {

const std::string kEnglish =
    "The keeper of the lighthouse wrote down the weather of each day, and the sea below him took no notice. "
    "His sister read the notes and said that none of the winds had been as strong as the book told. ";

TEST(EnglishText, IsToldByItsWords) {
  EXPECT_TRUE(is_english_windows_1252(kEnglish));
  EXPECT_TRUE(is_english_windows_1252(kEnglish + "\x93quoted\x94 \x96 it\x92s\xa0good\x85"));
  EXPECT_TRUE(is_english_windows_1252(kEnglish + "caf\xe9"));
}

TEST(EnglishText, OtherLanguagesAreNot) {
  // French, German, Polish and Russian in their code pages.
  EXPECT_FALSE(is_english_windows_1252(
      "Le gardien du phare notait chaque jour le temps qu'il faisait, et la mer en bas n'y pr\xeatait aucune "
      "attention. Sa s\x9cur lisait les notes et disait que le vent n'avait pas \xe9t\xe9 si fort."));
  EXPECT_FALSE(is_english_windows_1252(
      "Der W\xe4rter des Leuchtturms schrieb jeden Tag das Wetter auf, und das Meer unter ihm achtete nicht "
      "darauf. Seine Schwester las die Notizen und sagte, kein Wind sei so stark gewesen wie im Buch."));
  EXPECT_FALSE(is_english_windows_1252(
      "Latarnik codziennie zapisywa\xb3 pogod\xea, a morze pod nim nie zwraca\xb3o na to uwagi. Jego siostra "
      "czyta\xb3"
      "a notatki i m\xf3wi\xb3"
      "a, \xbf"
      "e \xbf"
      "aden wiatr nie by\xb3 tak silny jak w tej ksi\xb9\xbf"
      "ce, to prawda."));
  EXPECT_FALSE(is_english_windows_1252("\xd1\xec\xee\xf2\xf0\xe8\xf2\xe5\xeb\xfc \xec\xe0\xff\xea\xe0"));
}

// English around as many foreign letters as a page in two languages has.
TEST(EnglishText, MuchElseBesidesIsNot) {
  EXPECT_FALSE(is_english_windows_1252(kEnglish + "\xd1\xec\xee\xf2\xf0\xe8"));
  EXPECT_TRUE(is_english_windows_1252(kEnglish + "\xd1"));
}

TEST(EnglishText, FewWordsAndLongerOnesSayNothing) {
  EXPECT_FALSE(is_english_windows_1252(""));
  EXPECT_FALSE(is_english_windows_1252("the and of the and of \x93"));
  std::string bathe;
  for (int i = 0; i < 40; ++i)
    bathe += "bathe sand oof ";
  EXPECT_FALSE(is_english_windows_1252(bathe));
  EXPECT_FALSE(is_english_windows_1252(std::string(1 << 20, 'a')));
}

}  // namespace
}  // namespace nd::text
