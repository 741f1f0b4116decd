// Pages in charsets and scripts that take rare paths through ICU and libxml2, where allocations fail too.
#include "faults/foreign_pages.hpp"

#include <unicode/ucnv.h>

#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

namespace faults {
namespace {

using Random = std::mt19937_64;

// Characters that are in Big5, GBK and Shift_JIS alike.
constexpr std::u16string_view kIdeographs =
    u"一不人在有大中上生年十地分方三小本心天家工公水日月火木金土山川田口手目言行高安明東西南北古今多少"
    u"文字道路主要政府市民教室作品信用音色光石";
constexpr std::u16string_view kHiragana =
    u"あいうえおかきくけこさしすせそたちつてとなにのはまもやらりるれろわをん";
constexpr std::u16string_view kKatakana =
    u"アイウエオカキクケコサシスセソタチツテトナニノハマモヤラリルレロワン";

char16_t one_of(std::u16string_view characters, Random& random) {
  return characters[random() % characters.size()];
}

std::string utf8_of(const std::u16string& text) {
  std::string out;
  for (const char16_t c : text) {
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += static_cast<char>(0xc0 | (c >> 6));
      out += static_cast<char>(0x80 | (c & 0x3f));
    } else {
      out += static_cast<char>(0xe0 | (c >> 12));
      out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
      out += static_cast<char>(0x80 | (c & 0x3f));
    }
  }
  return out;
}

template <typename Sentence>
std::string article(uint64_t seed, Sentence sentence) {
  std::string text;
  for (uint64_t paragraph = 0; paragraph < 4; ++paragraph) {
    Random random(seed * 1000 + paragraph);
    text += "<p>";
    for (int i = 0; i < 4; ++i)
      text += utf8_of(sentence(random));
    text += "</p>\n";
  }
  return text;
}

std::string converted(const std::string& text, const char* charset) {
  UErrorCode status = U_ZERO_ERROR;
  std::vector<char> out(text.size() * 4);
  const int32_t size = ucnv_convert(charset, "UTF-8", out.data(), static_cast<int32_t>(out.size()),
                                    text.data(), static_cast<int32_t>(text.size()), &status);
  if (U_FAILURE(status)) std::abort();
  return std::string(out.data(), static_cast<size_t>(size));
}

}  // namespace

std::string chinese_text(uint64_t seed) {
  return article(seed, [](Random& random) {
    std::u16string text;
    for (int i = 0; i < 16; ++i)
      text += i == 8 ? u'，' : one_of(kIdeographs, random);
    return text + u'。';
  });
}

std::string japanese_text(uint64_t seed) {
  return article(seed, [](Random& random) {
    std::u16string text;
    for (int i = 0; i < 6; ++i) {
      text += one_of(kIdeographs, random);
      text += one_of(kHiragana, random);
      text += one_of(i % 2 == 0 ? kKatakana : kHiragana, random);
    }
    return text + u'。';
  });
}

std::string russian_text(uint64_t seed) {
  static constexpr std::u16string_view kSyllables[] = {u"го", u"ра", u"ни", u"ко", u"ста", u"ле",
                                                       u"по", u"ми", u"до", u"ве", u"тор", u"ла"};
  static constexpr std::u16string_view kStopWords[] = {u"и", u"в", u"не", u"на", u"что", u"с", u"как"};
  return article(seed, [](Random& random) {
    std::u16string text;
    for (int i = 0; i < 6; ++i) {
      text += kStopWords[random() % std::size(kStopWords)];
      text += u' ';
      for (int part = 0; part < 3; ++part)
        text += kSyllables[random() % std::size(kSyllables)];
      text += i < 5 ? u' ' : u'.';
    }
    return text + u' ';
  });
}

std::string page_in(const std::string& text, const char* charset, bool declared) {
  const std::string declaration =
      declared ? "<meta charset=\"" + std::string(charset) + "\">" : std::string();
  return "<!DOCTYPE html><html><head>" + declaration + "<title>Page</title></head><body>" +
         converted(text, charset) + "</body></html>";
}

}  // namespace faults
