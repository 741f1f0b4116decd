// Any text as a page: each way of reading it gives an Extraction that holds what extraction.hpp says, within
// the limits, and the same one when it is read again.
//
// Input: a byte of flags, with kLimits the limits, the page's site up to a NUL, the page.
#include <algorithm>
#include <string>

#include "fuzz/expectation.hpp"
#include "fuzz/html_limits.hpp"
#include "fuzz/input_reader.hpp"
#include "fuzz/well_formed_text.hpp"
#include "reading/html.hpp"
#include "reading/utf8_scan.hpp"
#include "tests/unit/reading/extraction_printing.hpp"
#include "text/page_reader.hpp"

namespace {

using nd::fuzz::expect;
using nd::text::Extraction;
using nd::text::HtmlLimits;
using nd::text::Range;

enum Flags : unsigned {
  kLimits = 1 << 0,  // limits follow; else the defaults
  kRaw = 1 << 1,     // bytes as they are, which the decoder would not let through: no harm must come of them
};

constexpr size_t kMostFieldBytes = 4096;
constexpr size_t kMostAlternates = 256;

bool is_field(std::string_view text) {
  return text.size() <= kMostFieldBytes && nd::fuzz::is_clean_text(text);
}

void check_blocks(const Extraction& page, const HtmlLimits& limits) {
  expect(page.blocks.size() <= limits.blocks, "more blocks than the limit");
  size_t end = 0;
  for (const nd::text::TextBlock& block : page.blocks) {
    expect(!block.text.empty() && block.text.begin >= end, "a block is empty or stands before the last one");
    expect(block.text.end <= page.text.size(), "a block ends behind the text");
    expect(block.linked_bytes <= block.text.size(), "more of a block is linked than it has");
    expect(block.container < page.containers.size(), "a block stands in no container");
    expect(block.heading_level <= 6, "an impossible heading");
    end = block.text.end;
  }
}

void check_containers(const Extraction& page, const HtmlLimits& limits) {
  expect(page.containers.size() <= std::max(limits.blocks, 1U), "more containers than the limit");
  for (size_t i = 0; i < page.containers.size(); ++i)
    expect(page.containers[i].parent < std::max<size_t>(i, 1), "a container stands before its parent");
}

void check_anchors(const Extraction& page, const HtmlLimits& limits) {
  expect(page.anchors.size() <= limits.anchors, "more anchors than the limit");
  for (const nd::text::Anchor& anchor : page.anchors)
    expect(!anchor.text.empty() && anchor.text.end <= page.text.size(), "an anchor is not in the text");
}

// Characters stand whole in what is cut out of a text.
void check_characters(const Extraction& page) {
  expect(nd::fuzz::is_clean_text(page.text), "the text is no UTF-8");
  for (const nd::text::TextBlock& block : page.blocks)
    expect(nd::fuzz::is_clean_text(block.text.of(page.text)), "a block cuts a character");
  for (const nd::text::Anchor& anchor : page.anchors)
    expect(nd::fuzz::is_clean_text(anchor.text.of(page.text)), "an anchor cuts a character");
  expect(is_field(page.title) && is_field(page.keywords) && is_field(page.description) &&
             is_field(page.language) && is_field(page.canonical_url),
         "a field is no UTF-8, or too long");
  for (const nd::text::AlternateLink& link : page.alternates)
    expect(is_field(link.language) && is_field(link.url), "a link is no UTF-8, or too long");
}

void check(const Extraction& page, const HtmlLimits& limits, bool raw) {
  expect(page.text.size() <= limits.text_bytes, "more text than the limit");
  check_blocks(page, limits);
  check_containers(page, limits);
  check_anchors(page, limits);
  expect(page.alternates.size() <= kMostAlternates, "too many links to other versions");
  if (!raw) check_characters(page);
}

HtmlLimits take_limits(nd::fuzz::InputReader& input) {
  HtmlLimits limits = nd::fuzz::take_html_limits(
      input, {.depth = 2047, .text_bytes = 65535, .blocks = 1023, .anchors = 1023});
  input.take_number(0, 4095);  // of a limit that is no more: inputs have it
  return limits;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nd::fuzz::InputReader input(data, size);
  const unsigned flags = input.take_byte();
  const HtmlLimits limits = (flags & kLimits) != 0 ? take_limits(input) : HtmlLimits{};
  const bool raw = (flags & kRaw) != 0;
  const std::string site(input.take_text());
  const auto bytes = input.rest();
  nd::text::Utf8Output repaired;
  nd::text::append_repaired_utf8(bytes, repaired);
  const std::string_view page = raw ? nd::fuzz::InputReader::as_text(bytes) : repaired.text();

  nd::text::HtmlExtractor extractor;
  Extraction extraction;
  expect(static_cast<bool>(extractor.extract(page, site, limits, extraction)), "markup is an error");
  check(extraction, limits, raw);
  const std::string first = nd::text::test::print(extraction);
  expect(static_cast<bool>(extractor.extract_by_libxml2(page, site, limits, extraction)),
         "markup is an error");
  check(extraction, limits, raw);
  expect(static_cast<bool>(extractor.extract(page, site, limits, extraction)), "markup is an error");
  expect(nd::text::test::print(extraction) == first, "the same page is read in another way");
  nd::text::extract_plain_text(page, limits, extraction);
  check(extraction, limits, raw);
  return 0;
}
