// The own reader against libxml2, on valid and broken pages.
#include "reading/markup_reader.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "extraction_printing.hpp"
#include "html_soup.hpp"
#include "reading/html.hpp"

namespace nd::text {
namespace {

using test::repeat;

// Pages read by our own reader and by libxml2, which must agree.
class MarkupReaderTest : public testing::Test {
 protected:
  Doubt read(std::string_view html, const HtmlLimits& limits = {}) {
    EXPECT_TRUE(extractor_.extract(html, "example.com", limits, own_));
    const Doubt doubt = extractor_.doubt();
    EXPECT_TRUE(extractor_.extract_by_libxml2(html, "example.com", limits, other_));
    EXPECT_EQ(test::print(own_), test::print(other_)) << html;
    EXPECT_EQ(std::string(own_.text), std::string(other_.text)) << html;
    return doubt;
  }
  HtmlExtractor extractor_;
  Extraction own_, other_;
};

TEST_F(MarkupReaderTest, ReadsWhatItsTablesCover) {
  for (const char* page : {
           "",
           "text",
           "  \n<!-- c --><!DOCTYPE html PUBLIC \"-//W3C//DTD '>\" \"x\"> <!-- d --><html><body>text",
           "\xef\xbb\xbf<?xml version='1.0'?><!doctype html><title>a &amp; b</title><p>text",
           "<html lang=en><head><title>t</title></head><body><p>one<p>two</body></html>\n",
           "<p>one<div>two</p>three</div></span>",                   // an end tag in vain
           "<ul><li>one<li>two <b>bold<i>both</b> none</i></ul>",    // ends that cross
           "<table><tr><td>one<td><b>two<tr><td>three</table>four",  // ends that close several
           "<body><p>one<body class=x><p>two<html><head>three",      // tags for the second time
           "</body></html><a>one</a>  <a>two</a>",                   // white space outside of the body
           "x<br>y<br/>z<hr>1<img src=a>2<wbr>3<p/>4<div/>5",
           "<title/><title>two</title>x",
           "<p>a &amp b; &lt;&#66;&#x4e2d;&bogus; &#0; < << <1 \x01\x02 \xef\xbf\xbf &",
           "<div id=&#x110000;b style='display:none'>no</div><div style=&#0;b hidden>no</div>one",
           "<a href='http&#58;//x.org/'>one</a><a href=//example.com?a&amp;b>two</a>",
           "<div class='na&#118;'>one</div><div hidden>no<p>no</div><meta name=keywords content='a&quot;b'>",
           "<script>if (a</b/.test(c)) d('<p>')</script>one<script><div></script>two",
           "<style></style><svg><title>no</title>no & no</svg><noscript>no</noscript>text",
           "<!-- a -- > <p>no --><!----><!-- > -->text",
           "<p>one<!doctype html>two<![endif]>three<?php no ?>four<!-->five<!-- no --!>six<!-- no",
           "<svg><title>no<b>no</title></b>no</svg>one<svg><title><b>no</svg></title>two",
           "<html><< one",
           "<p>one</>two</ no>three</",
           "<style><body>no</style>one<script></p>no</scripts>no</script>two<script>no",
           "<title>a <b> &amp; c</title><textarea><p>one &copy two</textarea><xmp>&amp;<p></xmp>three",
           "<p>&copy 1 &notit; &nGt; <a href='?a&copy=b&copy'>x</a><meta name=keywords "
           "content='&nGt;&copy;'>",
       }) {
    EXPECT_EQ(read(page), Doubt::kNone) << page;
  }
}

TEST_F(MarkupReaderTest, LeavesTheRestToLibxml2) {
  struct Case {
    Doubt doubt;
    std::string page;
  };
  const Case kCases[] = {
      {Doubt::kUnclosedTag, "<p>one<b class=x"},
      {Doubt::kUnclosedTag, "<p>one</p"},
      {Doubt::kTagName, "<p>one<a.b>two"},
      {Doubt::kTagName, "<p>one</a.b>two"},
      {Doubt::kMisplacedTag, "<body><b>one<body/>two"},
      {Doubt::kShellText, "<head>&nbsp;one"},
      {Doubt::kShellText, "<html> \x01<p>one"},
      {Doubt::kShellText, "<html>" + std::string(1000, ' ') + "<p>one"},
      {Doubt::kDepth, repeat("<b>", 300) + "one"},
      {Doubt::kDepth, repeat("<div>", 254) + "<br>one"},
      {Doubt::kWork, "<body><i><div>" + repeat("<b>", 200) + repeat("</i>", 1000) + "x"},
  };
  std::set<Doubt> met;
  for (const Case& c : kCases) {
    EXPECT_EQ(kDoubtNames[static_cast<size_t>(read(c.page))], kDoubtNames[static_cast<size_t>(c.doubt)])
        << c.page.substr(0, 100);
    met.insert(c.doubt);
  }
  std::string names;
  for (size_t i = 0; i <= kMaxUnknownElements; ++i)
    names += "<n" + std::to_string(i) + "></n" + std::to_string(i) + ">";
  EXPECT_EQ(read(names + "x"), Doubt::kTagName);
  EXPECT_EQ(met.size() + 2, kDoubts);  // kNone and kSize are not among them
}

TEST_F(MarkupReaderTest, ReadsEveryValidPage) {
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    EXPECT_EQ(read(test::HtmlSoup(seed).valid_page()), Doubt::kNone) << "seed " << seed;
    if (HasFailure()) return;
  }
}

TEST_F(MarkupReaderTest, AgreesWithLibxml2OnBrokenPages) {
  HtmlLimits limits;
  size_t own = 0;
  for (uint32_t seed = 0; seed < 6000; ++seed) {
    limits.depth = seed % 3 == 0 ? 16 : 256;
    limits.text_bytes = seed % 5 == 0 ? 64 : 4096;
    limits.blocks = seed % 7 == 0 ? 4 : 1000;
    limits.anchors = seed % 11 == 0 ? 2 : 1000;
    own += read(test::HtmlSoup(seed).broken_page(), limits) == Doubt::kNone;
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(own, 1000U);
}

TEST_F(MarkupReaderTest, OneReaderForManyPages) {
  Extraction first;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const std::string page = test::HtmlSoup(seed).broken_page();
    read(page);
    EXPECT_TRUE(HtmlExtractor().extract(page, "example.com", {}, first));
    EXPECT_EQ(test::print(own_), test::print(first)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace nd::text
