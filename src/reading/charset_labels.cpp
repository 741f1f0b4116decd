// The table of the standard, sorted for bisection, with the converter of ICU that decodes each charset.
#include "reading/charset_labels.hpp"

#include <algorithm>
#include <array>

namespace nd::text {
namespace {

struct Properties {
  std::string_view name;
  const char* icu_name;
  CharsetForm form;
};

// In the order of Charset.
constexpr std::array<Properties, kCharsetCount> kProperties{{
    {"utf-8", "UTF-8", CharsetForm::kUtf8},
    {"ibm866", "ibm-866_P100-1995", CharsetForm::kSingleByte},
    {"iso-8859-2", "ISO-8859-2", CharsetForm::kSingleByte},
    {"iso-8859-3", "ISO-8859-3", CharsetForm::kSingleByte},
    {"iso-8859-4", "ISO-8859-4", CharsetForm::kSingleByte},
    {"iso-8859-5", "ISO-8859-5", CharsetForm::kSingleByte},
    {"iso-8859-6", "ISO-8859-6", CharsetForm::kSingleByte},
    {"iso-8859-7", "ISO-8859-7", CharsetForm::kSingleByte},
    {"iso-8859-8", "ISO-8859-8", CharsetForm::kSingleByte},
    {"iso-8859-8-i", "ISO-8859-8", CharsetForm::kSingleByte},
    {"iso-8859-10", "ISO-8859-10", CharsetForm::kSingleByte},
    {"iso-8859-13", "ISO-8859-13", CharsetForm::kSingleByte},
    {"iso-8859-14", "ISO-8859-14", CharsetForm::kSingleByte},
    {"iso-8859-15", "ISO-8859-15", CharsetForm::kSingleByte},
    {"iso-8859-16", nullptr, CharsetForm::kSingleByte},
    {"koi8-r", "KOI8-R", CharsetForm::kSingleByte},
    {"koi8-u", "KOI8-U", CharsetForm::kSingleByte},
    {"macintosh", "macintosh", CharsetForm::kSingleByte},
    {"windows-874", "windows-874-2000", CharsetForm::kSingleByte},
    {"windows-1250", "windows-1250", CharsetForm::kSingleByte},
    {"windows-1251", "windows-1251", CharsetForm::kSingleByte},
    {"windows-1252", "windows-1252", CharsetForm::kSingleByte},
    {"windows-1253", "windows-1253", CharsetForm::kSingleByte},
    {"windows-1254", "windows-1254", CharsetForm::kSingleByte},
    {"windows-1255", "windows-1255", CharsetForm::kSingleByte},
    {"windows-1256", "windows-1256", CharsetForm::kSingleByte},
    {"windows-1257", "windows-1257", CharsetForm::kSingleByte},
    {"windows-1258", "windows-1258", CharsetForm::kSingleByte},
    {"x-mac-cyrillic", "x-mac-cyrillic", CharsetForm::kSingleByte},
    {"gb18030", "gb18030", CharsetForm::kDoubleByte},
    {"big5", "ibm-1375_P100-2008", CharsetForm::kDoubleByte},
    {"euc-jp", "euc-jp-2007", CharsetForm::kDoubleByte},
    {"iso-2022-jp", "ISO-2022-JP", CharsetForm::kEscaped},
    {"shift_jis", "ibm-943_P15A-2003", CharsetForm::kDoubleByte},
    {"euc-kr", "windows-949-2000", CharsetForm::kDoubleByte},
    {"replacement", nullptr, CharsetForm::kReplacement},
    {"utf-16be", "UTF-16BE", CharsetForm::kUtf16},
    {"utf-16le", "UTF-16LE", CharsetForm::kUtf16},
    {"x-user-defined", nullptr, CharsetForm::kSingleByte},
}};

struct Label {
  std::string_view text;
  Charset charset;
};

// Sorted by bytes.
constexpr Label kLabels[] = {
    {"866", Charset::kIbm866},
    {"ansi_x3.4-1968", Charset::kWindows1252},
    {"arabic", Charset::kIso8859_6},
    {"ascii", Charset::kWindows1252},
    {"asmo-708", Charset::kIso8859_6},
    {"big5", Charset::kBig5},
    {"big5-hkscs", Charset::kBig5},
    {"chinese", Charset::kGb18030},
    {"cn-big5", Charset::kBig5},
    {"cp1250", Charset::kWindows1250},
    {"cp1251", Charset::kWindows1251},
    {"cp1252", Charset::kWindows1252},
    {"cp1253", Charset::kWindows1253},
    {"cp1254", Charset::kWindows1254},
    {"cp1255", Charset::kWindows1255},
    {"cp1256", Charset::kWindows1256},
    {"cp1257", Charset::kWindows1257},
    {"cp1258", Charset::kWindows1258},
    {"cp819", Charset::kWindows1252},
    {"cp866", Charset::kIbm866},
    {"csbig5", Charset::kBig5},
    {"cseuckr", Charset::kEucKr},
    {"cseucpkdfmtjapanese", Charset::kEucJp},
    {"csgb2312", Charset::kGb18030},
    {"csibm866", Charset::kIbm866},
    {"csiso2022jp", Charset::kIso2022Jp},
    {"csiso2022kr", Charset::kReplacement},
    {"csiso58gb231280", Charset::kGb18030},
    {"csiso88596e", Charset::kIso8859_6},
    {"csiso88596i", Charset::kIso8859_6},
    {"csiso88598e", Charset::kIso8859_8},
    {"csiso88598i", Charset::kIso8859_8_I},
    {"csisolatin1", Charset::kWindows1252},
    {"csisolatin2", Charset::kIso8859_2},
    {"csisolatin3", Charset::kIso8859_3},
    {"csisolatin4", Charset::kIso8859_4},
    {"csisolatin5", Charset::kWindows1254},
    {"csisolatin6", Charset::kIso8859_10},
    {"csisolatin9", Charset::kIso8859_15},
    {"csisolatinarabic", Charset::kIso8859_6},
    {"csisolatincyrillic", Charset::kIso8859_5},
    {"csisolatingreek", Charset::kIso8859_7},
    {"csisolatinhebrew", Charset::kIso8859_8},
    {"cskoi8r", Charset::kKoi8R},
    {"csksc56011987", Charset::kEucKr},
    {"csmacintosh", Charset::kMacintosh},
    {"csshiftjis", Charset::kShiftJis},
    {"csunicode", Charset::kUtf16Le},
    {"cyrillic", Charset::kIso8859_5},
    {"dos-874", Charset::kWindows874},
    {"ecma-114", Charset::kIso8859_6},
    {"ecma-118", Charset::kIso8859_7},
    {"elot_928", Charset::kIso8859_7},
    {"euc-jp", Charset::kEucJp},
    {"euc-kr", Charset::kEucKr},
    {"gb18030", Charset::kGb18030},
    {"gb2312", Charset::kGb18030},
    {"gb_2312", Charset::kGb18030},
    {"gb_2312-80", Charset::kGb18030},
    {"gbk", Charset::kGb18030},
    {"greek", Charset::kIso8859_7},
    {"greek8", Charset::kIso8859_7},
    {"hebrew", Charset::kIso8859_8},
    {"hz-gb-2312", Charset::kReplacement},
    {"ibm819", Charset::kWindows1252},
    {"ibm866", Charset::kIbm866},
    {"iso-10646-ucs-2", Charset::kUtf16Le},
    {"iso-2022-cn", Charset::kReplacement},
    {"iso-2022-cn-ext", Charset::kReplacement},
    {"iso-2022-jp", Charset::kIso2022Jp},
    {"iso-2022-kr", Charset::kReplacement},
    {"iso-8859-1", Charset::kWindows1252},
    {"iso-8859-10", Charset::kIso8859_10},
    {"iso-8859-11", Charset::kWindows874},
    {"iso-8859-13", Charset::kIso8859_13},
    {"iso-8859-14", Charset::kIso8859_14},
    {"iso-8859-15", Charset::kIso8859_15},
    {"iso-8859-16", Charset::kIso8859_16},
    {"iso-8859-2", Charset::kIso8859_2},
    {"iso-8859-3", Charset::kIso8859_3},
    {"iso-8859-4", Charset::kIso8859_4},
    {"iso-8859-5", Charset::kIso8859_5},
    {"iso-8859-6", Charset::kIso8859_6},
    {"iso-8859-6-e", Charset::kIso8859_6},
    {"iso-8859-6-i", Charset::kIso8859_6},
    {"iso-8859-7", Charset::kIso8859_7},
    {"iso-8859-8", Charset::kIso8859_8},
    {"iso-8859-8-e", Charset::kIso8859_8},
    {"iso-8859-8-i", Charset::kIso8859_8_I},
    {"iso-8859-9", Charset::kWindows1254},
    {"iso-ir-100", Charset::kWindows1252},
    {"iso-ir-101", Charset::kIso8859_2},
    {"iso-ir-109", Charset::kIso8859_3},
    {"iso-ir-110", Charset::kIso8859_4},
    {"iso-ir-126", Charset::kIso8859_7},
    {"iso-ir-127", Charset::kIso8859_6},
    {"iso-ir-138", Charset::kIso8859_8},
    {"iso-ir-144", Charset::kIso8859_5},
    {"iso-ir-148", Charset::kWindows1254},
    {"iso-ir-149", Charset::kEucKr},
    {"iso-ir-157", Charset::kIso8859_10},
    {"iso-ir-58", Charset::kGb18030},
    {"iso8859-1", Charset::kWindows1252},
    {"iso8859-10", Charset::kIso8859_10},
    {"iso8859-11", Charset::kWindows874},
    {"iso8859-13", Charset::kIso8859_13},
    {"iso8859-14", Charset::kIso8859_14},
    {"iso8859-15", Charset::kIso8859_15},
    {"iso8859-2", Charset::kIso8859_2},
    {"iso8859-3", Charset::kIso8859_3},
    {"iso8859-4", Charset::kIso8859_4},
    {"iso8859-5", Charset::kIso8859_5},
    {"iso8859-6", Charset::kIso8859_6},
    {"iso8859-7", Charset::kIso8859_7},
    {"iso8859-8", Charset::kIso8859_8},
    {"iso8859-9", Charset::kWindows1254},
    {"iso88591", Charset::kWindows1252},
    {"iso885910", Charset::kIso8859_10},
    {"iso885911", Charset::kWindows874},
    {"iso885913", Charset::kIso8859_13},
    {"iso885914", Charset::kIso8859_14},
    {"iso885915", Charset::kIso8859_15},
    {"iso88592", Charset::kIso8859_2},
    {"iso88593", Charset::kIso8859_3},
    {"iso88594", Charset::kIso8859_4},
    {"iso88595", Charset::kIso8859_5},
    {"iso88596", Charset::kIso8859_6},
    {"iso88597", Charset::kIso8859_7},
    {"iso88598", Charset::kIso8859_8},
    {"iso88599", Charset::kWindows1254},
    {"iso_8859-1", Charset::kWindows1252},
    {"iso_8859-15", Charset::kIso8859_15},
    {"iso_8859-1:1987", Charset::kWindows1252},
    {"iso_8859-2", Charset::kIso8859_2},
    {"iso_8859-2:1987", Charset::kIso8859_2},
    {"iso_8859-3", Charset::kIso8859_3},
    {"iso_8859-3:1988", Charset::kIso8859_3},
    {"iso_8859-4", Charset::kIso8859_4},
    {"iso_8859-4:1988", Charset::kIso8859_4},
    {"iso_8859-5", Charset::kIso8859_5},
    {"iso_8859-5:1988", Charset::kIso8859_5},
    {"iso_8859-6", Charset::kIso8859_6},
    {"iso_8859-6:1987", Charset::kIso8859_6},
    {"iso_8859-7", Charset::kIso8859_7},
    {"iso_8859-7:1987", Charset::kIso8859_7},
    {"iso_8859-8", Charset::kIso8859_8},
    {"iso_8859-8:1988", Charset::kIso8859_8},
    {"iso_8859-9", Charset::kWindows1254},
    {"iso_8859-9:1989", Charset::kWindows1254},
    {"koi", Charset::kKoi8R},
    {"koi8", Charset::kKoi8R},
    {"koi8-r", Charset::kKoi8R},
    {"koi8-ru", Charset::kKoi8U},
    {"koi8-u", Charset::kKoi8U},
    {"koi8_r", Charset::kKoi8R},
    {"korean", Charset::kEucKr},
    {"ks_c_5601-1987", Charset::kEucKr},
    {"ks_c_5601-1989", Charset::kEucKr},
    {"ksc5601", Charset::kEucKr},
    {"ksc_5601", Charset::kEucKr},
    {"l1", Charset::kWindows1252},
    {"l2", Charset::kIso8859_2},
    {"l3", Charset::kIso8859_3},
    {"l4", Charset::kIso8859_4},
    {"l5", Charset::kWindows1254},
    {"l6", Charset::kIso8859_10},
    {"l9", Charset::kIso8859_15},
    {"latin1", Charset::kWindows1252},
    {"latin2", Charset::kIso8859_2},
    {"latin3", Charset::kIso8859_3},
    {"latin4", Charset::kIso8859_4},
    {"latin5", Charset::kWindows1254},
    {"latin6", Charset::kIso8859_10},
    {"logical", Charset::kIso8859_8_I},
    {"mac", Charset::kMacintosh},
    {"macintosh", Charset::kMacintosh},
    {"ms932", Charset::kShiftJis},
    {"ms_kanji", Charset::kShiftJis},
    {"replacement", Charset::kReplacement},
    {"shift-jis", Charset::kShiftJis},
    {"shift_jis", Charset::kShiftJis},
    {"sjis", Charset::kShiftJis},
    {"sun_eu_greek", Charset::kIso8859_7},
    {"tis-620", Charset::kWindows874},
    {"ucs-2", Charset::kUtf16Le},
    {"unicode", Charset::kUtf16Le},
    {"unicode-1-1-utf-8", Charset::kUtf8},
    {"unicode11utf8", Charset::kUtf8},
    {"unicode20utf8", Charset::kUtf8},
    {"unicodefeff", Charset::kUtf16Le},
    {"unicodefffe", Charset::kUtf16Be},
    {"us-ascii", Charset::kWindows1252},
    {"utf-16", Charset::kUtf16Le},
    {"utf-16be", Charset::kUtf16Be},
    {"utf-16le", Charset::kUtf16Le},
    {"utf-8", Charset::kUtf8},
    {"utf8", Charset::kUtf8},
    {"visual", Charset::kIso8859_8},
    {"windows-1250", Charset::kWindows1250},
    {"windows-1251", Charset::kWindows1251},
    {"windows-1252", Charset::kWindows1252},
    {"windows-1253", Charset::kWindows1253},
    {"windows-1254", Charset::kWindows1254},
    {"windows-1255", Charset::kWindows1255},
    {"windows-1256", Charset::kWindows1256},
    {"windows-1257", Charset::kWindows1257},
    {"windows-1258", Charset::kWindows1258},
    {"windows-31j", Charset::kShiftJis},
    {"windows-874", Charset::kWindows874},
    {"windows-949", Charset::kEucKr},
    {"x-cp1250", Charset::kWindows1250},
    {"x-cp1251", Charset::kWindows1251},
    {"x-cp1252", Charset::kWindows1252},
    {"x-cp1253", Charset::kWindows1253},
    {"x-cp1254", Charset::kWindows1254},
    {"x-cp1255", Charset::kWindows1255},
    {"x-cp1256", Charset::kWindows1256},
    {"x-cp1257", Charset::kWindows1257},
    {"x-cp1258", Charset::kWindows1258},
    {"x-euc-jp", Charset::kEucJp},
    {"x-gbk", Charset::kGb18030},
    {"x-mac-cyrillic", Charset::kMacCyrillic},
    {"x-mac-roman", Charset::kMacintosh},
    {"x-mac-ukrainian", Charset::kMacCyrillic},
    {"x-sjis", Charset::kShiftJis},
    {"x-unicode20utf8", Charset::kUtf8},
    {"x-user-defined", Charset::kUserDefined},
    {"x-x-big5", Charset::kBig5},
};

static_assert(std::is_sorted(std::begin(kLabels), std::end(kLabels),
                             [](const Label& a, const Label& b) { return a.text < b.text; }));

constexpr size_t kLongestLabel =
    std::max_element(std::begin(kLabels), std::end(kLabels), [](const Label& a, const Label& b) {
      return a.text.size() < b.text.size();
    })->text.size();

const Properties& properties(Charset charset) noexcept {
  return kProperties[static_cast<size_t>(charset)];
}

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view kWhiteSpace = "\t\n\f\r ";
  const size_t begin = text.find_first_not_of(kWhiteSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhiteSpace) - begin + 1);
}

}  // namespace

std::optional<Charset> find_charset(std::string_view label) noexcept {
  label = trimmed(label);
  if (label.empty() || label.size() > kLongestLabel) return std::nullopt;
  char folded[kLongestLabel];
  for (size_t i = 0; i < label.size(); ++i) {
    const char c = label[i];
    folded[i] = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  const std::string_view key(folded, label.size());
  const Label* found = std::lower_bound(std::begin(kLabels), std::end(kLabels), key,
                                        [](const Label& a, std::string_view b) { return a.text < b; });
  if (found == std::end(kLabels) || found->text != key) return std::nullopt;
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
