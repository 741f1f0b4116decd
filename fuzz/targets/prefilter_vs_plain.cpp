// A page read by our own reader, by libxml2, and by libxml2 without the prefilter is the same page: by our
// own reader within any limits; without the prefilter where no limit cut anything, since only the filtered
// way keeps all of them.
//
// Input: a byte of flags, with kLimits the limits, the page's site up to a NUL, the page.
#include <algorithm>
#include <cstdio>
#include <string>

#include "fuzz/expectation.hpp"
#include "fuzz/html_limits.hpp"
#include "fuzz/input_reader.hpp"
#include "reading/html.hpp"
#include "reading/utf8_scan.hpp"
#include "tests/unit/reading/extraction_printing.hpp"
#include "unit/reading/corrected_markup_oracle.hpp"

namespace {

using nd::fuzz::expect;
using nd::text::Extraction;
using nd::text::HtmlLimits;

enum Flags : unsigned {
  kLimits = 1 << 0,  // limits follow; else the defaults
};

// Without the prefilter broken markup costs time by the square of its length.
constexpr size_t kMostPageBytes = 16 * 1024;

std::string printed(const Extraction& page) {
  return "text " + std::string(page.text) + "\n" + nd::text::test::print(page);
}

void compare(const Extraction& page, const Extraction& other, const char* what) {
  const std::string one = printed(page);
  const std::string two = printed(other);
  if (one == two) return;
  std::fprintf(stderr, "-- one way\n%s\n-- the other\n%s\n", one.c_str(), two.c_str());
  nd::fuzz::fail(what);
}

constexpr HtmlLimits kMostLimits = {.depth = 255, .text_bytes = 4095, .blocks = 255, .anchors = 255};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nd::fuzz::InputReader input(data, size);
  const bool limited = (input.take_byte() & kLimits) != 0;
  const HtmlLimits limits = limited ? nd::fuzz::take_html_limits(input, kMostLimits) : HtmlLimits{};
  const std::string site(input.take_text());
  nd::text::Utf8Output repaired;
  nd::text::append_repaired_utf8(input.take_bytes(kMostPageBytes), repaired);

  nd::text::HtmlExtractor extractor;
  Extraction filtered;
  Extraction other;
  expect(static_cast<bool>(extractor.extract_by_libxml2(repaired.text(), site, limits, filtered)),
         "markup is an error");
  expect(static_cast<bool>(extractor.extract(repaired.text(), site, limits, other)), "markup is an error");
  if (extractor.doubt() == nd::text::Doubt::kNone)
    compare(filtered, other, "our own reader reads markup in another way than libxml2");
  expect(static_cast<bool>(nd::text::test::extract_plain(extractor, repaired.text(), site, limits, other)),
         "markup is an error");
  if (!filtered.limited && !other.limited)
    compare(filtered, other, "the prefilter changes what is extracted");
  return 0;
}
