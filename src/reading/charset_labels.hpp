// The labels under which pages declare their charset, as in the table of the WHATWG Encoding Standard
// (section 4.2, "Names and labels"). Two departures: the labels of GBK name gb18030, because the standard
// decodes both with the same decoder, and names are in lower case.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace nd::text {

// clang-format off
enum class Charset : uint8_t {
  kUtf8, kIbm866, kIso8859_2, kIso8859_3, kIso8859_4, kIso8859_5, kIso8859_6, kIso8859_7, kIso8859_8,
  kIso8859_8_I, kIso8859_10, kIso8859_13, kIso8859_14, kIso8859_15, kIso8859_16, kKoi8R, kKoi8U,
  kMacintosh, kWindows874, kWindows1250, kWindows1251, kWindows1252, kWindows1253, kWindows1254,
  kWindows1255, kWindows1256, kWindows1257, kWindows1258, kMacCyrillic, kGb18030, kBig5, kEucJp,
  kIso2022Jp, kShiftJis, kEucKr, kReplacement, kUtf16Be, kUtf16Le, kUserDefined
};
// clang-format on

inline constexpr size_t kCharsetCount = static_cast<size_t>(Charset::kUserDefined) + 1;

// How the bytes of a charset are cut into characters.
enum class CharsetForm : uint8_t {
  kUtf8,
  kUtf16,
  kSingleByte,
  kDoubleByte,   // lead bytes from 0x81, ASCII below: gb18030, big5, shift_jis, euc-jp, euc-kr
  kEscaped,      // switched by escape sequences: iso-2022-jp
  kReplacement,  // labels whose decoders browsers removed for safety; a declaration of it says nothing
};

// The charset that a label names. ASCII letters match in both cases, ASCII white space around is ignored.
// Nothing for an unknown label. Threads: any. Cost: one binary search.
std::optional<Charset> find_charset(std::string_view label) noexcept;

// The standard's name in lower case. Static text.
std::string_view charset_name(Charset charset) noexcept;

CharsetForm charset_form(Charset charset) noexcept;

// The name of the ICU converter that decodes the charset, or null where ICU has none (iso-8859-16,
// x-user-defined and replacement). ICU's choice may know a few characters more than the standard's index.
const char* icu_converter_name(Charset charset) noexcept;

}  // namespace nd::text
