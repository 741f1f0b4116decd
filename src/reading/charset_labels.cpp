// The table of the standard, with the converter of ICU that decodes each charset, and its labels sorted for
// bisection.
#include "reading/charset_labels.hpp"

#include <algorithm>
#include <array>

#include "core/word_list.hpp"
#include "reading/ascii.hpp"

namespace nd::text {
namespace {

struct Properties {
  std::string_view name;
  const char* icu_name;
  CharsetForm form;
  std::string_view other_labels = {};
};

// In the order of Charset.
// clang-format off
constexpr std::array<Properties, kCharsetCount> kProperties = [] {
  using enum CharsetForm;
  return std::array<Properties, kCharsetCount>{{
    {"utf-8", "UTF-8", kUtf8, "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8"},
    {"ibm866", "ibm-866_P100-1995", kSingleByte, "866 cp866 csibm866"},
    {"iso-8859-2", "ISO-8859-2", kSingleByte,
     "csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"},
    {"iso-8859-3", "ISO-8859-3", kSingleByte,
     "csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"},
    {"iso-8859-4", "ISO-8859-4", kSingleByte,
     "csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"},
    {"iso-8859-5", "ISO-8859-5", kSingleByte,
     "csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"},
    {"iso-8859-6", "ISO-8859-6", kSingleByte,
     "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i "
     "iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"},
    {"iso-8859-7", "ISO-8859-7", kSingleByte,
     "csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
     "iso_8859-7:1987 sun_eu_greek"},
    {"iso-8859-8", "ISO-8859-8", kSingleByte,
     "csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
     "iso_8859-8:1988 visual"},
    {"iso-8859-8-i", "ISO-8859-8", kSingleByte, "csiso88598i logical"},
    {"iso-8859-10", "ISO-8859-10", kSingleByte, "csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6"},
    {"iso-8859-13", "ISO-8859-13", kSingleByte, "iso8859-13 iso885913"},
    {"iso-8859-14", "ISO-8859-14", kSingleByte, "iso8859-14 iso885914"},
    {"iso-8859-15", "ISO-8859-15", kSingleByte, "csisolatin9 iso8859-15 iso885915 iso_8859-15 l9"},
    {"iso-8859-16", nullptr, kSingleByte},
    {"koi8-r", "KOI8-R", kSingleByte, "cskoi8r koi koi8 koi8_r"},
    {"koi8-u", "KOI8-U", kSingleByte, "koi8-ru"},
    {"macintosh", "macintosh", kSingleByte, "csmacintosh mac x-mac-roman"},
    {"windows-874", "windows-874-2000", kSingleByte, "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620"},
    {"windows-1250", "windows-1250", kSingleByte, "cp1250 x-cp1250"},
    {"windows-1251", "windows-1251", kSingleByte, "cp1251 x-cp1251"},
    {"windows-1252", "windows-1252", kSingleByte,
     "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 "
     "iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252"},
    {"windows-1253", "windows-1253", kSingleByte, "cp1253 x-cp1253"},
    {"windows-1254", "windows-1254", kSingleByte,
     "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
     "x-cp1254"},
    {"windows-1255", "windows-1255", kSingleByte, "cp1255 x-cp1255"},
    {"windows-1256", "windows-1256", kSingleByte, "cp1256 x-cp1256"},
    {"windows-1257", "windows-1257", kSingleByte, "cp1257 x-cp1257"},
    {"windows-1258", "windows-1258", kSingleByte, "cp1258 x-cp1258"},
    {"x-mac-cyrillic", "x-mac-cyrillic", kSingleByte, "x-mac-ukrainian"},
    {"gb18030", "gb18030", kDoubleByte,
     "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk"},
    {"big5", "ibm-1375_P100-2008", kDoubleByte, "big5-hkscs cn-big5 csbig5 x-x-big5"},
    {"euc-jp", "euc-jp-2007", kDoubleByte, "cseucpkdfmtjapanese x-euc-jp"},
    {"iso-2022-jp", "ISO-2022-JP", kEscaped, "csiso2022jp"},
    {"shift_jis", "ibm-943_P15A-2003", kDoubleByte,
     "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis"},
    {"euc-kr", "windows-949-2000", kDoubleByte,
     "cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949"},
    {"replacement", nullptr, kReplacement,
     "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr"},
    {"utf-16be", "UTF-16BE", kUtf16, "unicodefffe"},
    {"utf-16le", "UTF-16LE", kUtf16, "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16"},
    {"x-user-defined", nullptr, kSingleByte},
  }};
}();
// clang-format on

struct Label {
  std::string_view text;
  Charset charset;
  friend constexpr bool operator<(const Label& a, const Label& b) noexcept { return a.text < b.text; }
};

// Calls `visit` with each label, names first.
template <typename Visit>
constexpr void for_each_label(Visit visit) {
  for (size_t i = 0; i < kCharsetCount; ++i) {
    visit(Label{kProperties[i].name, static_cast<Charset>(i)});
    for_each_word(kProperties[i].other_labels, [&](std::string_view label) {
      visit(Label{label, static_cast<Charset>(i)});
    });
  }
}

constexpr size_t kLabelCount = [] {
  size_t count = 0;
  for_each_label([&](const Label&) { ++count; });
  return count;
}();

// Sorted by bytes.
constexpr std::array<Label, kLabelCount> kLabels = [] {
  std::array<Label, kLabelCount> labels{};
  size_t next = 0;
  for_each_label([&](const Label& label) { labels[next++] = label; });
  std::sort(labels.begin(), labels.end());
  return labels;
}();

constexpr size_t kLongestLabel =
    std::ranges::max(kLabels, {}, [](const Label& label) { return label.text.size(); }).text.size();

const Properties& properties(Charset charset) noexcept {
  return kProperties[static_cast<size_t>(charset)];
}

}  // namespace

std::optional<Charset> find_charset(std::string_view label) noexcept {
  label = trim_blanks(label);
  if (label.empty() || label.size() > kLongestLabel) return std::nullopt;
  char folded[kLongestLabel];
  for (size_t i = 0; i < label.size(); ++i) {
    folded[i] = ascii_lower(label[i]);
  }
  const std::string_view key(folded, label.size());
  const auto* const found = std::ranges::lower_bound(kLabels, key, {}, &Label::text);
  if (found == kLabels.end() || found->text != key) return std::nullopt;
  return found->charset;
}

std::string_view charset_name(Charset charset) noexcept {
  return properties(charset).name;
}

CharsetForm charset_form(Charset charset) noexcept {
  return properties(charset).form;
}

const char* icu_converter_name(Charset charset) noexcept {
  return properties(charset).icu_name;
}

}  // namespace nd::text
