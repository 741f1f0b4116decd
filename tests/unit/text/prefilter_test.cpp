#include "text/prefilter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "expanded_markup.hpp"
#include "html_soup.hpp"

namespace nd::text {
namespace {

constexpr uint32_t kDepth = 256;

// With the runs put back.
std::string filter(std::string_view html, uint32_t depth = kDepth) {
  Prefilter prefilter;
  const std::string_view written = prefilter.run(html, "", depth);
  return test::expanded(written, prefilter.runs());
}

// As the parser sees it.
std::string written(const std::string& html) {
  Prefilter prefilter;
  return std::string(prefilter.run(html, "", kDepth));
}

// In a body, where nothing is implied.
std::string filter_body(const std::string& html) {
  const std::string head = "<html><body><p>";
  const std::string result = filter(head + html);
  EXPECT_EQ(result.substr(0, head.size()), head);
  return result.substr(head.size());
}

std::string repeat(std::string_view piece, size_t times) {
  std::string text;
  text.reserve(piece.size() * times);
  for (size_t i = 0; i < times; ++i)
    text += piece;
  return text;
}

TEST(Prefilter, OneByteStandsForARunOfInlineContent) {
  EXPECT_EQ(written("<body><p>a &amp; <b>b</b><br> c<!-- d --></p><p>\xEE\x80\x80</p>"),
            "<body><p><</p><p><</p>");
  EXPECT_EQ(written("<body><p><a href=/x>a</a> <i>&nbsp;</i><b></b><p>c"), "<body><p><<p><");
  EXPECT_EQ(written("<title>a<b>\xEE\x80\x80&copy</title> <p>a"),
            "<title>a&lt;b>\xEE\x80\x80&#169;</title> <p><");
  EXPECT_EQ(written("a"), "=");
  EXPECT_EQ(written("<html>< a"), "<html>=");
}

// Each looks for an element that is open below very many, and that none of these lets it close.
TEST(Prefilter, EndTagsThatMatchNothingAreLookedForWithinABound) {
  const std::string open = "<body><i><div>" + repeat("<b>", 600);
  Prefilter prefilter;
  for (const size_t count : {50'000U, 200'000U}) {
    const std::string page = open + repeat("</i>", count) + "text";
    prefilter.run(page, "", kDepth);
    EXPECT_TRUE(prefilter.limited());
    EXPECT_LE(prefilter.work(), 12 * page.size() + 200'000);
  }
  // Near the innermost they are found all the same: what is closed in its place is empty, and left out.
  const std::string page = open + repeat("</i>", 50'000) + repeat("</b>", 600) + "</div></i><p>a</p><p>b";
  EXPECT_EQ(prefilter.run(page, "", kDepth), "<body><p><</p><p><");
  EXPECT_TRUE(prefilter.limited());
}

TEST(Prefilter, WritesTheTagsOfInlineElementsThatHoldMore) {
  EXPECT_EQ(written("<body><b>a<div>b</div>c</b>d"), "<body><<b><div><</div><</b><");
  EXPECT_EQ(written("<body><b><i><div>b</div></i></b>"), "<body><b><i><div><</div></i></b>");
  // A link is begun by the run.
  EXPECT_EQ(written("<body><b><a href=/x><div>b</div></a></b>"), "<body><<b><a><div><</div></a></b>");
  EXPECT_EQ(written("<body><b>a<i>b</b>c</i>d"), "<body><<b><i></b><");
  EXPECT_EQ(filter("<body><b>a<i>b</b>c</i>d"), "<body><b>a<i>b</b>cd");
}

TEST(Prefilter, LeavesOutCommentsInstructionsAndScripts) {
  EXPECT_EQ(filter_body("a<!-- b -->c<?php d ?>e<script>if (a < b) '</p>'</script>f<style>p {}</style>g"),
            "acefg");
  EXPECT_EQ(filter_body("a<!--->b-->c<!--x--!>d<!---->e"), "ab-->cde");
  EXPECT_EQ(filter_body("a<!doctype html>b<![CDATA[c]]>d</ e>f<!g>h<? i>j"), "abdfhj");
  EXPECT_EQ(filter_body("a<!-- b"), "a");
  EXPECT_EQ(filter_body("a<script>b</scripty>c</script >d"), "ad");
  EXPECT_EQ(filter_body("a<script src=x />d"), "ad");
  EXPECT_EQ(filter_body("a<script>b"), "a");
}

TEST(Prefilter, WhatClassAndIdSayStandsBesideThePage) {
  const std::string page =
      "<body><div class='wide page-nav dark' id=footer role=main><p>x</div><div class=wide>y</div>"
      "<ul class=menu><b hidden>z</b></ul><div id=main style='display:none'><td class=menu>q</td></div>";
  Prefilter prefilter;
  const std::string result(prefilter.run(page, "", kDepth));
  EXPECT_EQ(result, "<body><div role=main ><p><</div><div><</div>") << "what holds nothing is taken back";
  ASSERT_EQ(prefilter.named().size(), 1U);
  EXPECT_EQ(prefilter.named()[0].names, kNamedNavigation | kNamedMargin);
  EXPECT_EQ(result.substr(prefilter.named()[0].place), "><p><</div><div><</div>");
  const std::string_view whole = prefilter.run_without_runs(page, "", kDepth);
  EXPECT_TRUE(prefilter.named().empty());
  EXPECT_NE(whole.find("<div class=\"nav-foot\" role=main >"), whole.npos) << whole;
}

TEST(Prefilter, KeepsTheAttributesThatMatter) {
  EXPECT_EQ(filter_body("x<b class=\"y\" id=z>x</b>"), "x<b>x</b>");
  EXPECT_EQ(filter_body("x<b title=\"a > b\" onclick='<'>x</b>"), "x<b>x</b>");
  EXPECT_EQ(filter_body("x<a class=y href=\"/z?a=1&amp;b\">x</a>"), "x<a href>x</a>");
  EXPECT_EQ(filter_body("x<a href='https://e.example/z'>x</a>"), "x<a href=//>x</a>");
  EXPECT_EQ(filter_body("x<a href=http&#58;//e.example/z>x</a>"), "x<a href=http&#58;//e.example/z >x</a>");
  EXPECT_EQ(filter_body("x<a href='//e.example/z' role=main>x</a>"),
            "x<a href=\"//e.example\" role=main >x</a>");
  EXPECT_EQ(filter_body("x<b style='color: red'>x</b>"), "x<b>x</b>");
  EXPECT_EQ(filter_body("x<b role=main role=navigation>x</b>"), "x<b role=main >x</b>");
  EXPECT_EQ(filter_body("x<div class='a&amp;b' id=z>x</div>"), "x<div class='a&#38;b'>x</div>");
  EXPECT_EQ(filter_body("x<div class=wide id=z>x</div>"), "x<div>x</div>");
  EXPECT_EQ(filter_body("x<meta charset=gbk><link rel=stylesheet href=y>x"), "xx");
  EXPECT_EQ(filter_body("x<meta content=\"y\" name='description' itemprop=z>"),
            "x<meta content=\"y\" name='description'>");
}

TEST(Prefilter, LeavesOutWhatIsHidden) {
  EXPECT_EQ(filter_body("a<noscript><div>b</div></noscript>c<svg><g><title>d</title></g></svg>e"), "ace");
  EXPECT_EQ(
      filter_body("a<span hidden><b>b</b></span>c<i aria-hidden=true>d</i>e<i style='display : NONE'>f</i>g"),
      "aceg");
  EXPECT_EQ(filter("<body>a<div hidden>b</div>c"), "<body>a<br>c");
  EXPECT_EQ(filter_body("a<iframe>b</p>c"), "a");
}

TEST(Prefilter, LeavesOutElementsWithNothingInThem) {
  EXPECT_EQ(filter_body("a<i class=icon></i><a href=/x><img src=y></a>b"), "ab");
  EXPECT_EQ(filter("<body><p>a</p>\n  <div>\n <p></p><br></div>\n<p>b"), "<body><p>a</p><p>b");
}

TEST(Prefilter, ClosesTheInnermostElementInAnyNotation) {
  for (const char* name : {"b", "strong", "div", "section", "blockquote", "figcaption"}) {
    const std::string start = std::string("<") + name + ">";
    const std::string end = std::string("</") + name;
    // In a run it has no notation, and is never left open.
    const bool is_inline = start == "<b>" || start == "<strong>";
    for (const char* behind : {">", " >", "\n>", " class=y>", "", ">z", "/>"}) {
      const std::string html = "a" + start + "x" + end + behind;
      const bool cut = std::string(behind).find('>') == std::string::npos && !is_inline;
      const std::string closed = cut ? behind : ">";
      const std::string rest = std::string(behind) == ">z" ? "z" : "";
      EXPECT_EQ(filter_body(html), "a" + start + "x" + end + closed + rest) << html;
    }
    EXPECT_EQ(filter_body("a" + start + "x" + end + "y>z"),
              "a" + start + "xz" + (is_inline ? end + ">" : ""));
  }
  EXPECT_EQ(filter_body("a<DIV>x</DIV>y</div>"), "a<DIV>x</DIV>y");
}

TEST(Prefilter, LeavesOutAnElementBehindTextNotYetWritten) {
  const std::string text(100, 'x');
  EXPECT_EQ(filter_body("a<i>b</i>" + text + "<b></b><i class=y></i>" + text), "a<i>b</i>" + text + text);
  EXPECT_EQ(filter_body("a " + text + "<span hidden>" + text + "<i class=z>y</i></span>c"),
            "a " + text + "c");
}

TEST(Prefilter, RewritesReferencesThatWouldBeErrors) {
  EXPECT_EQ(filter_body("a & b &amp; &nbsp;&foo;&bar &#65 &#65; &#0;&#;&#xD800;."),
            "a &amp; b &amp; \xC2\xA0&amp;foo;&amp;bar A A \xEF\xBF\xBD&amp;#;\xEF\xBF\xBD.");
  EXPECT_EQ(filter_body("a\x01\x02"
                        "b\xEF\xBF\xBE"
                        "c\xEF\xBC\x8C"),
            "abc\xEF\xBC\x8C");
}

TEST(Prefilter, NeverMakesMarkupOfWhatWasText) {
  EXPECT_EQ(filter_body("a<<!-- -->b>"), "a&lt;b>");
  EXPECT_EQ(filter_body("a<\x01p>"), "a&lt;p>");
  EXPECT_EQ(filter_body("a</<!-- -->b>"), "ab>");
  EXPECT_EQ(filter_body("a&am<!-- -->p;"), "a&amp;amp;");
}

TEST(Prefilter, KeepsPartsOfThePageThatEndInTheMiddle) {
  EXPECT_EQ(written("<p>a<a href=\"http://e.example/"), "<p><<a");
  EXPECT_EQ(written("<p>a<b class=\"b"), "<p><<b");
  EXPECT_EQ(written("<p>a</p"), "<p><</p");
  EXPECT_EQ(filter_body("a<"), "a&lt;");
  EXPECT_EQ(filter(""), "");
}

TEST(Prefilter, FlattensWhatIsTooDeep) {
  Prefilter prefilter;
  const std::string page = repeat("<div>", 100000) + "a" + repeat("</div>b", 100000);
  const std::string result = test::expanded(prefilter.run(page, "", kDepth), prefilter.runs());
  EXPECT_TRUE(prefilter.limited());
  EXPECT_LE(result.size(), kDepth * 12 + 6 * 100000);
  EXPECT_EQ(filter("<body><div><b><i><u>x</u></i>y</b><div>z</div>", 4), "<body><div><b>xy</b><div>z</div>");
  EXPECT_EQ(filter("<body><div><div><div>x</div><div>y</div></div>", 4), "<body><div><div>x<br>y<br></div>");
}

TEST(Prefilter, LeavesOutEndTagsThatMatchNothing) {
  constexpr size_t kTimes = 100000;
  EXPECT_LT(filter(repeat("<b>", kTimes) + repeat("</i>", kTimes)).size(), 2000U);
  EXPECT_LT(filter(repeat("<div>", kTimes) + repeat("</i>", kTimes)).size(), 2000U);
  EXPECT_LT(filter(repeat("<b>", kTimes) + repeat("<body>", kTimes)).size(), 2000U);
  EXPECT_LT(filter("<b><div>" + repeat("</b>", kTimes)).size(), 100U);
}

TEST(Prefilter, BoundsNamesAndAttributes) {
  std::string attributes = "<body><b ";
  std::string repeated = "<body><b ";
  std::string names;
  for (size_t i = 0; attributes.size() < 1000000; ++i) {
    attributes += "a" + std::to_string(i) + "=1 ";
    repeated += "hidden ";
    names += "<n" + std::to_string(i) + ">x</n" + std::to_string(i) + ">";
  }
  EXPECT_EQ(filter(attributes + ">x"), "<body><b>x</b>");
  EXPECT_EQ(filter(repeated + ">x"), "<body><b hidden >");
  Prefilter prefilter;
  EXPECT_EQ(prefilter.run(names, "", kDepth), "<n0><</n0><");
  EXPECT_TRUE(prefilter.limited());
  const auto& pieces = prefilter.runs()[1];
  const auto opens = [](const InlineRuns::Piece& piece) { return piece.kind == InlineRuns::Kind::kOpen; };
  EXPECT_EQ(std::count_if(pieces.begin(), pieces.end(), opens), kMaxUnknownElements - 1);
}

TEST(Prefilter, ErrorsOfTheParserAreNotForTheAsking) {
  constexpr size_t kTimes = 300000;
  EXPECT_EQ(filter_body(repeat("&#1;", kTimes)), "");
  EXPECT_EQ(filter_body(repeat("\x01", kTimes)), "");
  EXPECT_EQ(filter_body(repeat("&", kTimes)), repeat("&amp;", kTimes));
  EXPECT_EQ(filter_body(repeat("</", kTimes)), "");
}

TEST(Prefilter, LeavesOutNothingMoreTheSecondTime) {
  Prefilter first;
  Prefilter second;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const std::string page = test::HtmlSoup(seed).valid_page();
    const std::string once(first.run(page, "", kDepth));
    EXPECT_LE(once.size(), page.size());
    EXPECT_EQ(second.run(page, "", kDepth), once);
    const std::string whole = test::expanded(once, first.runs());
    EXPECT_EQ(test::expanded(second.run(page, "", kDepth), second.runs()), whole);
    EXPECT_LE(test::expanded(second.run(whole, "", kDepth), second.runs()).size(), whole.size());
  }
}

}  // namespace
}  // namespace nd::text
