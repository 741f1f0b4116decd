// A page's bytes, in any charset, read by our own reader and by libxml2: the same text, blocks, fields and
// flags, within the same limits. A page that our reader leaves is read by libxml2 anyway; what it did before
// it gave up must not show.
//
// Input: a byte of flags, with kLimits the limits, the number of a Content-Type, the page's site up to a NUL,
// the page. With kWiden the page is UTF-8, which the target turns into UTF-16: a changed byte then changes a
// character, not the place of all that follow.
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "core/utf8.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/html_limits.hpp"
#include "fuzz/input_reader.hpp"
#include "reading/decode.hpp"
#include "reading/html.hpp"
#include "reading/utf8_scan.hpp"
#include "tests/unit/reading/extraction_printing.hpp"

namespace {

using nd::fuzz::expect;
using nd::text::Extraction;
using nd::text::HtmlExtractor;
using nd::text::HtmlLimits;

enum Flags : unsigned {
  kLimits = 1 << 0,     // limits follow; else the defaults
  kWiden = 1 << 1,      // to UTF-16
  kBigEndian = 1 << 2,  // of it
};

constexpr HtmlLimits kMostLimits = {.depth = 255, .text_bytes = 4095, .blocks = 255, .anchors = 255};

constexpr std::array<const char*, 6> kContentTypes = {
    "text/html; charset=utf-8",    "text/html; charset=gbk",         "text/html; charset=big5", "text/html",
    "text/html; charset=utf-16le", "text/html; charset=windows-1252"};

nd::text::Decoder& decoder() {
  static nd::text::Decoder kept;  // the tables of a charset take longer to build than a page to decode
  return kept;
}

std::vector<uint8_t> widened(std::span<const uint8_t> page, bool big_endian) {
  nd::text::Utf8Output repaired;
  nd::text::append_repaired_utf8(page, repaired);
  std::vector<uint8_t> wide;
  const auto add = [&](uint32_t unit) {
    const auto high = static_cast<uint8_t>(unit >> 8);
    const auto low = static_cast<uint8_t>(unit);
    wide.push_back(big_endian ? high : low);
    wide.push_back(big_endian ? low : high);
  };
  add(0xFEFF);
  const std::string_view text = repaired.text();
  for (size_t at = 0; at < text.size();) {
    const char32_t c = nd::next_code_point(text, at);
    if (c < 0x10000) {
      add(c);
    } else {
      add(0xD800 + ((c - 0x10000) >> 10));
      add(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return wide;
}

std::string printed(const Extraction& page) {
  return "text " + std::string(page.text) + "\n" + nd::text::test::print(page);
}

void check_limits(const Extraction& page, const HtmlLimits& limits) {
  expect(page.text.size() <= limits.text_bytes, "more text than the limit");
  expect(page.blocks.size() <= limits.blocks, "more blocks than the limit");
  expect(page.anchors.size() <= limits.anchors, "more anchors than the limit");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nd::fuzz::InputReader input(data, size);
  const unsigned flags = input.take_byte();
  const HtmlLimits limits =
      (flags & kLimits) != 0 ? nd::fuzz::take_html_limits(input, kMostLimits) : HtmlLimits{};
  const char* const content_type = kContentTypes[input.take_number(0, kContentTypes.size() - 1)];
  const std::string site(input.take_text());
  std::span<const uint8_t> body = input.rest();
  std::vector<uint8_t> wide;
  if ((flags & kWiden) != 0) body = wide = widened(body, (flags & kBigEndian) != 0);
  const auto decoded = decoder().decode(body, content_type, true);
  expect(static_cast<bool>(decoded), "bytes cannot be decoded");

  HtmlExtractor extractor;
  Extraction ours;
  Extraction other;
  expect(static_cast<bool>(extractor.extract(decoded->text, site, limits, ours)), "markup is an error");
  check_limits(ours, limits);
  expect(static_cast<bool>(extractor.extract_by_libxml2(decoded->text, site, limits, other)),
         "markup is an error");
  const std::string one = printed(ours);
  const std::string two = printed(other);
  if (one == two) return 0;
  std::fprintf(stderr, "-- our own reader\n%s\n-- libxml2\n%s\n", one.c_str(), two.c_str());
  nd::fuzz::fail("our own reader reads a page in another way than libxml2");
}
