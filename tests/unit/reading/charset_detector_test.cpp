// English and UTF-16 are told by their words and units, and their neighbours are not.
#include "reading/charset_detector.hpp"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>

#include <string>

namespace nd::text {
namespace {

const std::string kEnglish =
    "The keeper of the lighthouse wrote down the weather of each day, and the sea below him took no notice. "
    "His sister read the notes and said that none of the winds had been as strong as the book told. ";

// ICU's own answer to what has no declaration.
std::string charset_by_icu(const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  UCharsetDetector* detector = ucsdet_open(&status);
  ucsdet_setText(detector, text.data(), static_cast<int32_t>(text.size()), &status);
  const UCharsetMatch* match = ucsdet_detect(detector, &status);
  std::string name = match == nullptr ? "" : ucsdet_getName(match, &status);
  ucsdet_close(detector);
  return U_SUCCESS(status) ? name : "";
}

std::u16string read_by_icu(const std::string& text, const std::string& charset) {
  UErrorCode status = U_ZERO_ERROR;
  UConverter* converter = ucnv_open(charset.c_str(), &status);
  std::u16string read(text.size(), u'\0');
  const int32_t size = ucnv_toUChars(converter, read.data(), static_cast<int32_t>(read.size()), text.data(),
                                     static_cast<int32_t>(text.size()), &status);
  ucnv_close(converter);
  read.resize(U_SUCCESS(status) || status == U_STRING_NOT_TERMINATED_WARNING ? static_cast<size_t>(size) : 0);
  return read;
}

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
  // Russian with the addresses and names that such pages have in ASCII.
  std::string russian;
  for (int i = 0; i < 30; ++i)
    russian += "\xd1\xec\xee\xf2\xf0\xe8\xf2\xe5\xeb\xfc \xec\xe0\xff\xea\xe0 Radio FM of Moscow ";
  EXPECT_FALSE(is_english_windows_1252(russian));
}

// Which share a telling word with English: Dutch and Afrikaans "of", Danish "and" (a duck), all seldom.
TEST(EnglishText, NeighboursAreNot) {
  EXPECT_FALSE(is_english_windows_1252(
      "De vuurtorenwachter schreef elke dag het weer op, en de zee onder hem trok zich er niets van aan. "
      "Zijn "
      "zuster las de aantekeningen en zei dat geen wind zo sterk was geweest als het boek vertelde, of had "
      "zij zich vergist?"));
  EXPECT_FALSE(is_english_windows_1252(
      "Fyrmesteren skrev vejret ned hver dag, og havet under ham tog ingen notits. Hans s\xf8ster l\xe6ste "
      "noterne og sagde, at ingen af vindene havde v\xe6ret s\xe5 st\xe6rke som bogen fortalte. En and sad "
      "p\xe5 molen og ventede."));
  EXPECT_FALSE(is_english_windows_1252(
      "Die vuurtoringwagter het elke dag die weer neergeskryf, en die see onder hom het geen notisie geneem "
      "nie. Sy suster het die notas gelees en ges\xea dat geen wind so sterk was soos die boek vertel het "
      "nie, of so het sy gedink."));
}

// The English menu of a page in another language: its other letters outweigh its words.
TEST(EnglishText, AMenuAroundAnotherLanguageIsNot) {
  EXPECT_FALSE(is_english_windows_1252(
      "Home of the project, news and notes, terms of use, about the site, contact and help. Latarnik "
      "codziennie "
      "zapisywa\xb3 pogod\xea, a morze pod nim nie zwraca\xb3o na to uwagi, jego siostra czyta\xb3"
      "a notatki i m\xf3wi\xb3"
      "a prawd\xea."));
}

// ICU's detector reads the same text from what this takes for windows-1252.
TEST(EnglishText, IcuReadsTheSameText) {
  for (const char* mark : {"\x85", "\x91", "\x92", "\x93", "\x94", "\x95", "\x96", "\x97", "\x99", "\xa0",
                           "\xa9", "\xab", "\xae", "\xb0", "\xb7", "\xbb"}) {
    std::string text = kEnglish + kEnglish;
    for (size_t at = text.size(); at-- > 0;) {
      if (text[at] == ',' || text[at] == '.') text.insert(at, mark);
    }
    ASSERT_TRUE(is_english_windows_1252(text));
    EXPECT_EQ(read_by_icu(text, charset_by_icu(text)), read_by_icu(text, "windows-1252"))
        << std::hex << int{static_cast<unsigned char>(mark[0])} << ' ' << charset_by_icu(text);
  }
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
