// Bodies made to be expensive to decode: they declare one charset after another, begin things that never end,
// or grow when decoded.
#include <array>

#include "hostile_page_text.hpp"

namespace ndc::bench {
namespace {

// A mark of UTF-16, big end first, and then the characters of `text` again and again.
std::string utf16_flood(size_t bytes, unsigned variant, std::u16string_view text, bool odd) {
  std::string out = "\xfe\xff";
  const auto add = [&](char16_t unit) {
    out += static_cast<char>(unit >> 8);
    out += static_cast<char>(unit & 0xff);
  };
  for (const char c : "<p>" + std::to_string(variant) + " ")
    add(static_cast<unsigned char>(c));
  for (size_t unit = 0; out.size() + 3 <= bytes; ++unit)
    add(text[unit % text.size()]);
  if (odd) out += '<';
  return out;
}

// Lead bytes of two-byte charsets, one in three of them with a trail: every charset is tried, and none fits.
std::string lead_bytes(size_t bytes, unsigned variant) {
  Random random(43);
  PageText page(bytes, variant);
  page.add(std::string(kTextFirst, 'x'));
  while (page.left() >= 2) {
    const std::array<char, 2> pair = {static_cast<char>(0x81 + random() % 0x7e),
                                      static_cast<char>(random() % 3 == 0 ? 0x40 + random() % 0xb0 : ' ')};
    page.add({pair.data(), pair.size()});
  }
  return page.take();
}

constexpr HostileKind kCharsets[] = {
    HostileKind{"meta-charsets", "meta elements, each of another charset, with bytes of none",
                "text/html; charset=big5",
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "",
                               "<meta charset=gbk><meta charset=shift_jis><meta charset=euc-kr>\xff\xa1 x");
                }},
    HostileKind{"lead-bytes", "lead bytes without trail", "text/html; charset=shift_jis", lead_bytes},
    HostileKind{"escapes-alone", "escape sequences of ISO-2022-JP, and nothing else",
                "text/html; charset=iso-2022-jp",
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, std::string(kTextFirst, 'x'), "\x1b$B\x1b(J\x1b(B\x1b$@");
                }},
    HostileKind{"unknown-escapes", "escape sequences that there are not", "text/html; charset=iso-2022-jp",
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, std::string(kTextFirst, 'x'), "\x1b$Z\x1b\x1b((");
                }},
    HostileKind{
        "utf-7", "what UTF-7 would be tags", "text/html; charset=utf-7",
        [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "+ADw-b+AD4-w+AC8- "); }},
    HostileKind{"byte-order-marks", "byte order marks", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "", "\xef\xbb\xbf\xfe\xff\xef\xbb\xbf\xff\xfe");
                }},
    HostileKind{"malformed-utf-8", "beginnings of characters of UTF-8", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, std::string(kTextFirst, 'x'),
                               "\xf0\x9f\x98\xe4\xb8\xc3\xed\xa0\x80");
                }},
    HostileKind{"odd-utf-16", "UTF-16 of an odd number of bytes", "text/html",
                [](size_t bytes, unsigned variant) {
                  return utf16_flood(bytes, variant, u"<p>\u4e2d\u6587 word</p>", true);
                }},
    HostileKind{"utf-16-ligatures", "characters that stand for eighteen, in UTF-16", "text/html",
                [](size_t bytes, unsigned variant) { return utf16_flood(bytes, variant, u"\ufdfa", false); }},
};

}  // namespace

std::span<const HostileKind> hostile_charset_kinds() {
  return kCharsets;
}

}  // namespace ndc::bench
