// What the prefilter leaves out and rewrites, and that it never makes mark-up of text.
#include "reading/prefilter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "html_soup.hpp"

namespace nd::text {
namespace {

constexpr uint32_t kDepth = 256;

std::string filter(std::string_view html, uint32_t depth = kDepth) {
  Prefilter prefilter;
  return std::string(prefilter.run(html, depth));
}

// In a body, where nothing is implied.
std::string filter_body(const std::string& html) {
  const std::string head = "<html><body><p>";
  const std::string result = filter(head + html);
  EXPECT_EQ(result.substr(0, head.size()), head);
  return result.substr(head.size());
}

std::string copies_of(std::string_view piece, size_t times) {
  std::string text;
  text.reserve(piece.size() * times);
  for (size_t i = 0; i < times; ++i)
    text += piece;
  return text;
}

// Each looks for an element that is open below very many, and that none of these lets it close.
TEST(Prefilter, EndTagsThatMatchNothingAreLookedForWithinABound) {
  const std::string open = "<body><i><div>" + copies_of("<b>", 600);
  Prefilter prefilter;
  for (const size_t count : {50'000U, 200'000U}) {
    const std::string page = open + copies_of("</i>", count) + "text";
    prefilter.run(page, kDepth);
    EXPECT_TRUE(prefilter.limited());
    EXPECT_LE(prefilter.work(), 12 * page.size() + 200'000);
  }
  // Near the innermost they are found all the same.
  const std::string page =
      open + copies_of("</i>", 50'000) + copies_of("</b>", 600) + "</div></i><p>a</p><p>b";
  EXPECT_TRUE(prefilter.run(page, kDepth).ends_with("</b></div></i><p>a</p><p>b"));
  EXPECT_TRUE(prefilter.limited());
}

TEST(Prefilter, LeavesOutCommentsInstructionsAndScripts) {
  EXPECT_EQ(filter_body("a<!-- b -->c<?php d ?>e<script>if (a < b) '</p>'</script>f<style>p {}</style>g"),
            "ace<script></script>f<style></style>g");
  EXPECT_EQ(filter_body("a<!--->b-->c<!--x--!>d<!---->e"), "ab-->cde");
  EXPECT_EQ(filter_body("a<!doctype html>b<![CDATA[c]]>d</ e>f<!g>h<? i>j"), "abdfhj");
  EXPECT_EQ(filter_body("a<!-- b"), "a");
  EXPECT_EQ(filter_body("a<script>b</scripty>c</script >d"), "a<script></script>d");
  EXPECT_EQ(filter_body("a<script src=x />d"), "a<script/>d");
  EXPECT_EQ(filter_body("a<script>b"), "a<script>");
}

TEST(Prefilter, KeepsTheAttributesThatMatter) {
  EXPECT_EQ(filter_body("x<b class=\"y\" id=z>x</b>"), "x<b>x</b>");
  EXPECT_EQ(filter_body("x<b title=\"a > b\" onclick='<'>x</b>"), "x<b>x</b>");
  EXPECT_EQ(filter_body("x<a class=y href=\"/z?a=1&amp;b\">x</a>"), "x<a href>x</a>");
  EXPECT_EQ(filter_body("x<a href='https://e.example/z'>x</a>"), "x<a href=\"https://e.example\">x</a>");
  EXPECT_EQ(filter_body("x<a href=http&#58;//e.example/z>x</a>"), "x<a href=http&#58;//e.example/z >x</a>");
  EXPECT_EQ(filter_body("x<a href='//e.example/z' role=main>x</a>"),
            "x<a href=\"//e.example\" role=main >x</a>");
  EXPECT_EQ(filter_body("x<b style='color: red'>x</b>"), "x<b>x</b>");
  EXPECT_EQ(filter_body("x<b role=main role=navigation>x</b>"), "x<b role=main >x</b>");
  EXPECT_EQ(filter_body("x<div class='a&amp;b' id=z>x</div>"), "x<div class='a&#38;b'>x</div>");
  EXPECT_EQ(filter_body("x<div class=wide id=z>x</div>"), "x<div>x</div>");
  EXPECT_EQ(filter_body("x<meta charset=gbk><link rel=stylesheet href=y>x"), "x<meta><link>x");
  EXPECT_EQ(filter_body("x<meta content=\"y\" name='description' itemprop=z>"),
            "x<meta content=\"y\" name='description'>");
}

TEST(Prefilter, RewritesReferencesThatWouldBeErrors) {
  EXPECT_EQ(filter_body("a & b &amp; &nbsp;&foo;&bar &#65 &#65; &#0;&#;&#xD800;."),
            "a &amp; b &#38; &#160;&amp;foo;&amp;bar &#65; &#65; &#65533;&amp;#;&#65533;.");
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
  EXPECT_EQ(filter("<p>a<a href=\"http://e.example/"), "<p>a<a");
  EXPECT_EQ(filter("<p>a<b class=\"b"), "<p>a<b");
  EXPECT_EQ(filter("<p>a</p"), "<p>a</p");
  EXPECT_EQ(filter_body("a<"), "a&lt;");
  EXPECT_EQ(filter(""), "");
}

TEST(Prefilter, FlattensWhatIsTooDeep) {
  Prefilter prefilter;
  const std::string page = copies_of("<div>", 100000) + "a" + copies_of("</div>b", 100000);
  const std::string result = std::string(prefilter.run(page, kDepth));
  EXPECT_TRUE(prefilter.limited());
  EXPECT_LE(result.size(), kDepth * 12 + 6 * 100000);
  EXPECT_EQ(filter("<body><div><b><i><u>x</u></i>y</b><div>z</div>", 4), "<body><div><b>xy</b><div>z</div>");
  EXPECT_EQ(filter("<body><div><div><div>x</div><div>y</div></div>", 4),
            "<body><div><div><br>x<br>y<br></div>");
}

TEST(Prefilter, LeavesOutEndTagsThatMatchNothing) {
  constexpr size_t kTimes = 100000;
  EXPECT_LT(filter(copies_of("<b>", kTimes) + copies_of("</i>", kTimes)).size(), 2000U);
  EXPECT_LT(filter(copies_of("<div>", kTimes) + copies_of("</i>", kTimes)).size(), 2000U);
  EXPECT_LT(filter(copies_of("<b>", kTimes) + copies_of("<body>", kTimes)).size(), 2000U);
  EXPECT_LT(filter("<b><div>" + copies_of("</b>", kTimes)).size(), 100U);
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
  EXPECT_EQ(filter(attributes + ">x"), "<body><b>x");
  EXPECT_EQ(filter(repeated + ">x"), "<body><b hidden >x");
  Prefilter prefilter;
  const std::string result(prefilter.run(names, kDepth));
  EXPECT_TRUE(prefilter.limited());
  EXPECT_EQ(std::count(result.begin(), result.end(), '<'), 2 * kMaxUnknownElements);
}

TEST(Prefilter, ErrorsOfTheParserAreNotForTheAsking) {
  constexpr size_t kTimes = 300000;
  EXPECT_EQ(filter_body(copies_of("&#1;", kTimes)), "");
  EXPECT_EQ(filter_body(copies_of("\x01", kTimes)), "");
  EXPECT_EQ(filter_body(copies_of("&", kTimes)), copies_of("&amp;", kTimes));
  EXPECT_EQ(filter_body(copies_of("</", kTimes)), "");
}

TEST(Prefilter, LeavesOutNothingMoreTheSecondTime) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const std::string once = filter(test::HtmlSoup(seed).valid_page());
    EXPECT_EQ(filter(once), once);
  }
}

}  // namespace
}  // namespace nd::text
