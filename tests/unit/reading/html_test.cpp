// The text of a page by both readers, from entities to frames.
#include "reading/html.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "corrected_markup_oracle.hpp"
#include "extraction_printing.hpp"
#include "html_soup.hpp"

namespace nd::text {
namespace {

using test::repeat;

// Extracts in all ways, which must agree.
class Html : public testing::Test {
 protected:
  const Extraction& extract(std::string_view html, std::string_view site = "example.com",
                            const HtmlLimits& limits = {}) {
    EXPECT_TRUE(test::extract_plain(extractor_, html, site, limits, plain_));
    EXPECT_TRUE(extractor_.extract(html, site, limits, extraction_));
    EXPECT_EQ(test::print(extraction_), test::print(plain_)) << html;
    EXPECT_TRUE(extractor_.extract_by_libxml2(html, site, limits, plain_));
    EXPECT_EQ(test::print(extraction_), test::print(plain_)) << html;
    return extraction_;
  }
  std::string text(std::string_view html) { return std::string(extract(html).text); }

  HtmlExtractor extractor_;
  Extraction extraction_;
  Extraction plain_;
};

TEST_F(Html, BlocksAreSeparatedByBlockElementsAndBreaks) {
  EXPECT_EQ(text("<p>one</p><p>two</p>"), "one\ntwo");
  EXPECT_EQ(text("one<br>two<br/>three"), "one\ntwo\nthree");
  EXPECT_EQ(text("<div>one<div>two</div>three</div>"), "one\ntwo\nthree");
  EXPECT_EQ(text("<ul><li>one<li>two</ul>"), "one\ntwo");
  EXPECT_EQ(text("<table><tr><td>one<td>two<tr><th>three</table>four"), "one\ntwo\nthree\nfour");
  EXPECT_EQ(text("<select><option>one<option>two</select>"), "one\ntwo");
  EXPECT_EQ(extract("<p>one</p><p> \n&nbsp;　</p><hr><p>two</p>").blocks.size(), 2U);
}

TEST_F(Html, InlineElementsSplitNoWords) {
  EXPECT_EQ(text("<p>in<b>li<i>ne</i></b><span></span>d <em>text</em></p>"), "inlined text");
  EXPECT_EQ(text("<p>中<my-tag>文</my-tag>网<wbr>页</p>"), "中文网页");
  EXPECT_EQ(text("<p>a<!-- c -->b<script>x</script>c<noscript><p>y</p></noscript>d<img alt=z>e</p>"),
            "abcde");
}

TEST_F(Html, WhiteSpaceIsTrimmedButNotFolded) {
  EXPECT_EQ(text("<p> \n one  two\n three\xC2\xA0 </p>"), "one  two\n three");
  EXPECT_EQ(text("<pre>  a\n  b\n</pre>"), "a\n  b");
}

TEST_F(Html, ReferencesAreResolved) {
  EXPECT_EQ(text("a &amp; b &lt;p&gt; &copy; &#65;&#x4e2d;&#x1F600;"), "a & b <p> © A中😀");
  EXPECT_EQ(text("it&#146;s &#133; &#x80;"), "it’s … €");
  EXPECT_EQ(text("it\xC2\x92s"), "it’s");
  EXPECT_EQ(text("&unknown; &amp b & c &#xFFFF;&#1; &"), "&unknown; & b & c  &");
  EXPECT_EQ(text("&nbsp &copy 2024, caf&eacute!"), "© 2024, café!");
  EXPECT_EQ(text("I'm &notit; I say &notin; &NotEqualTilde;&lang; &Kopf;"), "I'm ¬it; I say ∉ ≂̸⟨ 𝕂");
  EXPECT_EQ(text("&#0;&#xD800;&#x110000;&#99999999999"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(text("&#;&#x;&#y"), "&#;&#x;&#y");
  EXPECT_EQ(text("a\x01\x0b"
                 "b"),
            "ab");
}

// The prefilter rewrites what would cost the parser a message.
TEST_F(Html, ReferencesInAttributesAreThoseOfTheParser) {
  const std::vector<std::string> pieces = {
      "&",  "&amp;", "&amp",       "&copy;",     "&copy", "&#58;",   "&#58", "&#x3a;",   "&#;",
      "&#", "&#0;",  "&#xFFFF;",   "&#x110000;", "&zz;",  "&colon;", "&é;",  "none",     "display",
      ":",  "menu",  "navigation", "true",       " ",     ";",       "=",    "\xC2\xA0", "http://a.example"};
  std::mt19937 random(14);
  for (int round = 0; round < 3000; ++round) {
    std::string value;
    for (size_t i = random() % 6; i > 0; --i)
      value += pieces[random() % pieces.size()];
    const std::string name =
        std::vector<std::string>{"style", "role", "aria-hidden", "href", "lang", "class", "id"}[random() % 7];
    const std::string quote = std::vector<std::string>{"\"", "'", ""}[random() % 3];
    const std::string element = std::vector<std::string>{"p", "a", "div", "html", "span"}[random() % 5];
    const std::string close = random() % 9 == 0 ? "" : quote + ">";
    extract("a<" + element + " " + name + "=" + quote + value + close + "word</" + element + ">z");
    extract("<meta name=description content=" + quote + value + close + "<title>t" + value + "</title>z");
    extract("<link rel=canonical href=" + quote + value + close + "<p>z");
  }
  EXPECT_EQ(text("<p style='display&#58;none'>a</p><p style='display&#58none;x'>b</p>"
                 "<p style='display:none&#0;'>c</p><p style='&&&;display:none;&&'>d</p>"),
            "");
}

// A name without ';' is none where it may be part of a URL.
TEST_F(Html, NamesWithoutSemicolonInAttributes) {
  const auto description = [&](const std::string& content) {
    extract("<meta name=description content='" + content + "'>x");
    return std::string(extraction_.description);
  };
  EXPECT_EQ(description("a&copy b&copy"), "a© b©");
  EXPECT_EQ(description("?a=1&copy=2&copyx&copy1&copy;&amp"), "?a=1&copy=2&copyx&copy1©&");
}

TEST_F(Html, WhatBrowsersTakeForCommentsIsNoText) {
  for (const char* comment :
       {"<!-->", "<!--->", "<!---->", "<!-- > -- -->", "<!--x--!>", "<!X>", "<![if !IE]>", "<![CDATA[ x ]]>",
        "</ X>", "</>", "<?", "<?php x ?>", "<? x>", "<!>", "<!doctype html>", "<!DOCTYPE x \"y>"}) {
    const bool to_the_end = std::string_view(comment) == "<?";
    EXPECT_EQ(text("a" + std::string(comment) + "b"), to_the_end ? "a" : "ab") << comment;
    if (to_the_end) continue;
    EXPECT_EQ(text(comment + std::string("<p>b")), "b") << comment;
  }
  EXPECT_EQ(text("a<!-- b"), "a");
  EXPECT_EQ(text("a<!b"), "a");
  EXPECT_EQ(text("a</"), "a</");
  EXPECT_EQ(text("</"), "</");
  EXPECT_EQ(text("<"), "<");
  EXPECT_EQ(text("<#a <"), "<#a <");
  EXPECT_EQ(text("a<b></b x='>'>c"), "ac");
  EXPECT_EQ(text("a<p>b</p x='>c"), "a\nb");
}

TEST_F(Html, ScriptsEndWhereBrowsersEndThem) {
  EXPECT_EQ(text("a<script><!--<script></script>'--></script>b"), "ab");
  EXPECT_EQ(text("a<script><!--<script></script>b"), "a");
  EXPECT_EQ(text("a<script><!--'<script'</script>b"), "ab");
  EXPECT_EQ(text("a<script><!--><script></script>b"), "ab");
  EXPECT_EQ(text("a<script></div></scripty></script x='>'>b"), "ab");
  EXPECT_EQ(text("<div>a<style></div>p</style>b"), "ab");
  EXPECT_EQ(text("a<iframe></p><!--</iframe>b<noembed><b></noembed>c"), "abc");
}

TEST_F(Html, TextOnlyElementsHoldNoMarkup) {
  EXPECT_EQ(text("<textarea>a<p>b&lt;</textarea >c"), "a<p>b<\nc");
  EXPECT_EQ(text("<xmp>a<p>b&lt;</xmp>c"), "a<p>b&lt;\nc");
  EXPECT_EQ(text("a<plaintext>b</plaintext>"), "a\nb</plaintext>");
  EXPECT_EQ(text("<title>a<b>&copy<!-- x --></title>c"), "c");
  EXPECT_EQ(extraction_.title, "a<b>©<!-- x -->");
  EXPECT_EQ(text("<textarea/>a<p>b"), "a\nb");
  EXPECT_EQ(text("a<svg><title></svg>b<p>c"), "ab\nc");
  EXPECT_EQ(text("a<svg></svg><textarea><p></textarea>b"), "a\n<p>\nb");
}

// Each time an element is empty its tags are taken back, but not with very many start tags around it.
TEST_F(Html, EmptyElementsInManyInlineOnes) {
  for (size_t depth = 0; depth < 40; ++depth) {
    const std::string open = "<body>" + repeat("<a href=/><xx>", depth / 2) + repeat("<b>", depth % 2);
    EXPECT_EQ(text(open + repeat("<p></p>", 3) + "one<p hidden>x</p>two<p></p>three"), "one\ntwo\nthree");
    EXPECT_EQ(text(open + "zero" + repeat("<div></div>", 3) + "one"), "zero\none");
  }
}

// What somebody entered is what a page of data has to say; buttons and searches are around it.
TEST_F(Html, FieldsShowTheirValues) {
  EXPECT_EQ(
      text("<label>name</label><input value=Ann><input type=EMAIL value='a&amp;b'/><input type=x value=c>d"),
      "name\nAnn\na&b\nc\nd");
  for (const char* type :
       {"hidden", "Password", "checkbox", "radio", "submit", "button", "search", "h&#105;dden"})
    EXPECT_EQ(text("a<input value=b type=" + std::string(type) + ">c"), "ac") << type;
  EXPECT_EQ(text("a<input value>b<input value=''>c<input>d<input hidden value=e>f"), "abcdf");
  EXPECT_EQ(text("a<input style=display:none value=b><div hidden><input value=c></div>"), "a");
}

TEST_F(Html, HiddenPartsAreNoText) {
  EXPECT_EQ(text("a<script>document.write('</div>')</script>b<style>c</style>d"), "abd");
  EXPECT_EQ(text("a<template><p>b</p></template>c<noscript>d</noscript>e<iframe>f</iframe>g<svg><text>h</"
                 "text></svg>i"),
            "acegi");
  EXPECT_EQ(
      text("a<span hidden>b</span>c<span aria-hidden=true>d</span>e<span style='display: none'>f</span>g"),
      "aceg");
  EXPECT_EQ(text("a<span style=\"VISIBILITY:hidden\">b</span>c<span style='color:red'>d</span>e"), "acde");
  EXPECT_EQ(text("a<object>b</object>c<canvas>d</canvas>e<video><p>f</p></video>g"), "aceg");
  EXPECT_EQ(text("<body style='display:none'>shown by its script"), "shown by its script");
}

TEST_F(Html, ShadowRootsAreText) {
  EXPECT_EQ(text("<my-page><template shadowrootmode=open><p>a</p></template></my-page>"), "a");
  EXPECT_EQ(text("<div><TEMPLATE hidden ShadowRootMode='CLOSED' id=x>a<b>b</b></TEMPLATE></div>"), "ab");
  EXPECT_EQ(text("<p>a<x-y><template shadowrootmode=&#111;pen>b</template></x-y>c"), "a b c");
  EXPECT_EQ(text("<x-y><template shadowrootmode=open>a<x-y><template shadowrootmode=open>b</template></x-y>"
                 "<template>no</template></template></x-y>"),
            "a b");
  // Light children and what a slot shows without them are read too, each where it is written.
  EXPECT_EQ(text("<x-y><template shadowrootmode=open><h1>a</h1><slot>b</slot></template><p>c</p></x-y>"),
            "a\nb\nc");
  EXPECT_EQ(text("<x-y><template shadowrootmode=open><style>p{}</style>a</template>b</x-y>"), "a b");
}

TEST_F(Html, OtherTemplatesAreNoText) {
  for (const char* mode : {"", "shadowrootmode", "shadowrootmode=''", "shadowrootmode=opened",
                           "shadowrootmode=' open'", "shadowroot=open", "data-shadowrootmode=open"}) {
    EXPECT_EQ(text("<div>a<template " + std::string(mode) + ">b</template></div>"), "a") << mode;
  }
  for (const char* host : {"table", "ul", "a", "pre", "b", "made", "template", "slot", "button", "blink"}) {
    EXPECT_EQ(text("<body>a<" + std::string(host) + "><template shadowrootmode=open>b</template></" + host +
                   ">c<div>"),
              text("<body>a<" + std::string(host) + "></" + host + ">c<div>"))
        << host;
  }
  for (const char* host : {"article", "aside", "blockquote", "body", "div", "footer", "h1", "h6", "header",
                           "main", "nav", "p", "section", "span", "x-", "rather-a-long-name-of-an-element"}) {
    EXPECT_EQ(text("<" + std::string(host) + "><template shadowrootmode=open>b</template></" + host + ">"),
              "b")
        << host;
  }
  // A host has one root: the first.
  EXPECT_EQ(text("<div><template>a</template><template shadowrootmode=open>b</template>"
                 "<template shadowrootmode=open>c</template></div>"),
            "b");
  EXPECT_EQ(text("<div><template shadowrootmode=open><template shadowrootmode=open>a</template>b</template>"),
            "b");
  EXPECT_EQ(text("<div hidden><template shadowrootmode=open>a</template></div>b"), "b");
  EXPECT_EQ(text("<template><div><template shadowrootmode=open>a</template></div></template>b"), "b");
}

// Beyond the depth that is let through, elements are flattened: what they hold is text all the same.
TEST_F(Html, ShadowRootsNestedVeryDeeplyAreFlattened) {
  for (const char* host : {"div", "x-y"}) {
    const auto work_of = [&](size_t depth) {
      const std::string name(host);
      const std::string page = repeat("<" + name + "><template shadowrootmode=open>word ", depth) +
                               repeat("</template></" + name + ">", depth);
      EXPECT_TRUE(extractor_.extract(page, "", {}, extraction_));
      EXPECT_TRUE(extraction_.limited);
      EXPECT_EQ(std::count(extraction_.text.begin(), extraction_.text.end(), 'w'),
                static_cast<std::ptrdiff_t>(depth));
      return extraction_.work.of(Work::kParser);
    };
    const uint64_t work = work_of(10000);
    EXPECT_LE(work_of(20000), work * 21 / 10) << host;
  }
}

TEST_F(Html, FramesThatHoldTheirDocumentAreText) {
  EXPECT_EQ(text("a<iframe srcdoc='<p>b</p>&lt;p>c &amp;amp; d'>no</iframe>e"), "ae\nb\nc & d");
  EXPECT_EQ(
      text("<iframe sandbox srcdoc=\"<html><head><title>t</title><meta name=description content=x><body>b\">"
           "</iframe><p>a"),
      "a\nb");
  EXPECT_EQ(extraction_.title, "");
  EXPECT_EQ(extraction_.description, "");
  EXPECT_EQ(text("<iframe srcdoc=\"<div>b<iframe srcdoc='<i>c'></iframe>\"></iframe>"
                 "<iframe srcdoc='d'></iframe>a"),
            "a\nb\nd\nc");
  EXPECT_EQ(text("<iframe srcdoc='<script>x</script><!-- '></iframe>a<p>b"), "a\nb");
  EXPECT_EQ(text("<iframe hidden srcdoc=b></iframe><noscript><iframe srcdoc=b></iframe></noscript>a"
                 "<iframe srcdoc></iframe><iframe src=x></iframe><div srcdoc=b></div>"),
            "a");
  EXPECT_FALSE(extraction_.limited);
}

TEST_F(Html, FramesAreLimited) {
  std::string nested = "deep";
  for (int depth = 0; depth < 6; ++depth) {
    std::string written;
    for (const char c : nested)
      written += c == '"' ? "&quot;" : c == '&' ? "&amp;" : std::string(1, c);
    nested = std::to_string(depth) + "<iframe srcdoc=\"" + written + "\"></iframe>";
  }
  EXPECT_EQ(text(nested), "5\n4\n3\n2\n1");
  EXPECT_TRUE(extraction_.limited);
  text(repeat("<iframe srcdoc=x></iframe>", 300));
  EXPECT_EQ(extraction_.blocks.size(), 256U);
  EXPECT_TRUE(extraction_.limited);
  EXPECT_EQ(text("<iframe srcdoc='<p>b<p title='></iframe>a"), "a\nb");
  EXPECT_TRUE(extraction_.limited) << "cut in a tag";
}

TEST_F(Html, BrokenMarkupIsReadToItsEnd) {
  EXPECT_EQ(text("<p>one<p>two<b>bold<i>both</b>rest"), "one\ntwoboldbothrest");
  EXPECT_EQ(text("<P CLASS=X>one</P><DIV>two"), "one\ntwo");
  EXPECT_EQ(text("a<!-->b-->c<!--d--!>e"), "ab-->ce");
  EXPECT_EQ(text("<a title=\"a > b\">x</a> y < z <"), "x y < z <");
  EXPECT_EQ(text("one<!-- never closed"), "one");
  EXPECT_EQ(text("one<p title='never closed>two"), "one");
  EXPECT_EQ(text("<![CDATA[x]]>"), "");
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("plain"), "plain");
}

TEST_F(Html, EncodingOfTheMarkupIsIgnored) {
  EXPECT_EQ(text("<meta charset=gb2312><p>中文é"), "中文é");
  EXPECT_EQ(text("<meta http-equiv=Content-Type content='text/html; charset=iso-8859-1'><p>中文é"), "中文é");
  EXPECT_EQ(text("\xEF\xBB\xBF<p>中文"), "中文");
  EXPECT_EQ(text("<?xml version='1.0' encoding='utf-16'?><p>中文"), "中文");
}

TEST_F(Html, FieldsOfTheHead) {
  const Extraction& page = extract(
      "<!DOCTYPE html><html lang=\"EN-us\"><head><title>\n One &amp;\n two </title><title>no</title>"
      "<meta name=Keywords content='a,  b'><meta property=og:description content=graph>"
      "<meta name=description content=\" plain \n words \"><link rel='x canonical' href=' "
      "https://example.com/c '>"
      "<link rel=alternate hreflang=DE href=/de><link rel=alternate type=rss href=/rss></head><body>x");
  EXPECT_EQ(page.title, "One & two");
  EXPECT_EQ(page.keywords, "a, b");
  EXPECT_EQ(page.description, "plain words");
  EXPECT_EQ(page.language, "en-us");
  EXPECT_EQ(page.canonical_url, "https://example.com/c");
  ASSERT_EQ(page.alternates.size(), 1U);
  EXPECT_EQ(page.alternates[0].language, "de");
  EXPECT_EQ(page.alternates[0].url, "/de");
  EXPECT_EQ(page.text, "x");
}

TEST_F(Html, FieldsThatStandInForOthers) {
  EXPECT_EQ(extract("<meta property='og:description' content=graph>").description, "graph");
  EXPECT_EQ(extract("<meta http-equiv=content-language content='ZH, en'>").language, "zh");
  EXPECT_EQ(extract("<html xml:lang=fr><meta http-equiv=content-language content=zh>").language, "fr");
  EXPECT_EQ(extract("<svg><title>no</title></svg><title>yes</title>").title, "yes");
  EXPECT_LE(extract("<title>" + repeat("中 ", 100000)).title.size(), 4096U);
}

TEST_F(Html, FieldsAreCutBetweenCharacters) {
  const std::string blanks = repeat(" ", 4 * 4096 - 3);
  EXPECT_EQ(extract("<title>" + blanks + "中文</title>x").title, "中");
  EXPECT_EQ(extract("<title>" + blanks + " 中文</title>x").title, "");
  EXPECT_EQ(extract("<title>" + blanks + "  中文</title>x").title, "");
  const std::string tag = repeat("x", 63);
  EXPECT_EQ(extract("<html lang=" + tag + "é>x").language, std::string_view(tag));
  EXPECT_EQ(extract("<link rel=alternate hreflang=" + tag + "é href=/>x").alternates.at(0).language,
            std::string_view(tag));
}

TEST_F(Html, AnchorsTellTheirSite) {
  const auto own = [&](const std::string& href, const char* site) {
    const Extraction& page = extract("<p><a href='" + href + "'>x</a></p>", site);
    EXPECT_EQ(page.anchors.size(), 1U);
    return page.anchors.size() == 1 && page.anchors[0].same_site;
  };
  for (const char* href :
       {"/a", "a?b=http://other.example/", "#", "", "mailto:a@b.example", "javascript:x()",
        "http://news.example.co.uk/", "//example.co.uk", "HTTPS://EXAMPLE.CO.UK:80/x", "?&#58;//b"}) {
    EXPECT_TRUE(own(href, "example.co.uk")) << href;
  }
  for (const char* href :
       {"http://other.co.uk/", "//example.com", "http://badexample.co.uk", "http&#58;//other.co.uk/",
        "http://example.co.uk.other.com/", "http:&#47;&#47;other.co.uk"}) {
    EXPECT_FALSE(own(href, "example.co.uk")) << href;
  }
  EXPECT_TRUE(own("http://finance.sina.com.cn/", "sina.com.cn"));
  EXPECT_FALSE(own("http://finance.sina.com.cn/", "sohu.com.cn"));
  EXPECT_FALSE(own("http://example.com/", ""));
}

TEST_F(Html, AnchorsAndLinkedBytes) {
  const Extraction& page =
      extract("<p>see <a href=/1> one <b>two</b> </a>, <a name=x>three</a><a href=x><img></a></p>");
  ASSERT_EQ(page.blocks.size(), 1U);
  EXPECT_EQ(page.text, "see  one two , three");
  EXPECT_EQ(page.blocks[0].linked_bytes, 9U);
  ASSERT_EQ(page.anchors.size(), 1U);
  EXPECT_EQ(page.anchors[0].text.of(page.text), "one two");
  EXPECT_EQ(extract("<ul><li><a href=x>all</a> </ul>").blocks[0].linked_bytes, 3U);
  EXPECT_EQ(extract("<a href=x><div>one</div><div>two</div></a>").anchors[0].text.size(), 7U);
}

TEST_F(Html, ContextsOfBlocks) {
  const auto context = [&](const std::string& html) -> int {
    const Extraction& page = extract(html);
    return page.blocks.size() == 1 ? page.blocks[0].context : -1;
  };
  EXPECT_EQ(context("<p>x"), 0);
  EXPECT_EQ(context("<h2>x</h2>"), kInHeading);
  EXPECT_EQ(context("<ol><li>x</ol>"), kInList);
  EXPECT_EQ(context("<table><tr><td><ul><li>x</table>"), kInTable | kInList);
  EXPECT_EQ(context("<nav>x</nav>"), kInNavigation);
  EXPECT_EQ(context("<div role=' Navigation '>x</div>"), kInNavigation);
  EXPECT_EQ(context("<div role=complementary>x</div>"), kInAside);
  EXPECT_EQ(context("<header>x</header>"), kInHeader);
  EXPECT_EQ(context("<article><header>x</header></article>"), kInArticle);
  EXPECT_EQ(context("<div role=main><footer>x</footer></div>"), kInArticle);
  EXPECT_EQ(context("<footer><aside>x"), kInFooter | kInAside);
  EXPECT_EQ(context("<form><textarea>x</textarea></form>"), kInForm | kInPre);
  EXPECT_EQ(context("<blockquote><pre>x"), kInQuote | kInPre);
  EXPECT_EQ(context("<p><code>x</code> in a sentence"), 0);
  EXPECT_EQ(context("<div class='page-nav wide'>x</div>"), kNamedNavigation);
  EXPECT_EQ(context("<div class=x id=pageFooter><p>x</div>"), kNamedMargin);
  EXPECT_EQ(context("<div class='fo&#111;ter' id=sidebar>x</div>"), kNamedMargin | kNamedAside);
  EXPECT_EQ(context("<div class=sidebar><div id=content>x"), kNamedAside | kNamedContent | kNamedNearest);
  EXPECT_EQ(context("<div id=content><div class='x'><div class=related>x"), kNamedContent | kNamedAside);
  EXPECT_EQ(context("<div class='content sidebar'>x"), kNamedContent | kNamedAside);
  EXPECT_EQ(context("<ul><li class=menu>x</ul>"), kInList);
  EXPECT_EQ(context("<span class=menu>x</span>"), 0);
  EXPECT_EQ(extract("<h3><span>x</span></h3>").blocks[0].heading_level, 3);
  EXPECT_EQ(extract("<h3>x</h3>y").blocks[1].heading_level, 0);
}

TEST_F(Html, ContainersAndDepth) {
  const Extraction& page =
      extract("<body><div><p>one</p><div></div><ul><li>two</li><li>three</li></ul></div><p>four</body>");
  // The document, body, div, ul, li, li.
  ASSERT_EQ(page.containers.size(), 6U);
  const std::vector<uint32_t> parents = {0, 0, 1, 2, 3, 3};
  for (size_t i = 0; i < parents.size(); ++i)
    EXPECT_EQ(page.containers[i].parent, parents[i]) << i;
  ASSERT_EQ(page.blocks.size(), 4U);
  EXPECT_EQ(page.blocks[0].container, 2U);
  EXPECT_EQ(page.blocks[1].container, 4U);
  EXPECT_EQ(page.blocks[2].container, 5U);
  EXPECT_EQ(page.blocks[3].container, 1U);
  EXPECT_EQ(page.blocks[0].depth, 4);
  EXPECT_EQ(page.blocks[1].depth, 5);
  EXPECT_EQ(page.blocks[3].depth, 3);
}

TEST_F(Html, BothWaysAgreeOnValidPages) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    extract(test::HtmlSoup(seed).valid_page());
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST_F(Html, BothWaysAgreeOnBrokenPages) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    extract(test::HtmlSoup(seed).broken_page());
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

// Text that could be taken for markers, that is cut into pieces, or that makes a paragraph.
const std::vector<std::string> kAnyPieces = {"<",
                                             "=",
                                             "<<",
                                             "< ",
                                             "=<",
                                             "\xEE\x80\x80",
                                             " ",
                                             "\n",
                                             "x",
                                             "中",
                                             "&",
                                             "&amp;",
                                             "&lt;",
                                             "&#60;",
                                             "&#61;",
                                             "&nbsp;",
                                             "&#57344;",
                                             "&#0;",
                                             "&foo",
                                             "\x01",
                                             "\x7f",
                                             "\xC2\x85",
                                             "\xEF\xBF\xBE",
                                             "<!doctype x>",
                                             "<!---->",
                                             "&copy",
                                             "&#xD800;",
                                             "&NotEqualTilde;",
                                             "<textarea>",
                                             "</textarea>",
                                             "<xmp>",
                                             "</xmp>",
                                             "<!X>",
                                             "</",
                                             "<p>",
                                             "</p>",
                                             "<br>",
                                             "<b>",
                                             "</b>",
                                             "<b>",
                                             "</b>",
                                             "<i>",
                                             "</i>",
                                             "<code>",
                                             "</code>",
                                             "<a href=/x>",
                                             "<a href=//y.example/>",
                                             "</a>",
                                             "<a href='http&#58;//z'>",
                                             "<div>",
                                             "</div>",
                                             "<li>",
                                             "<td>",
                                             "<title>",
                                             "</title>",
                                             "<title>",
                                             "</title>",
                                             "<span hidden>",
                                             "<span>",
                                             "</span>",
                                             "<x-y>",
                                             "</x-y>",
                                             "<p.b>",
                                             "<section>",
                                             "</section>",
                                             "<html>",
                                             "<head>",
                                             "<head hidden>",
                                             "<body/>",
                                             "<style>",
                                             "<body.>",
                                             "<frameset>",
                                             "</ ",
                                             "</head>",
                                             "<body>",
                                             "</body>",
                                             "</html>",
                                             "<script></script>",
                                             "<svg>",
                                             "</svg>",
                                             "<hr>",
                                             "<meta name=keywords content=k>",
                                             "<b/>",
                                             "<u role=main>",
                                             "</u>",
                                             std::string(999, ' '),
                                             std::string(1000, '\n'),
                                             std::string(1001, ' ')};

TEST_F(Html, BothWaysAgreeOnAnyTextBetweenAnyTags) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string page = round % 2 == 0 ? "" : "<body>";
    const size_t used = round % 4 < 2 ? kAnyPieces.size() : kAnyPieces.size() - 3;
    for (size_t count = 1 + random() % 25; count > 0; --count)
      page += kAnyPieces[random() % used];
    extract(page);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

TEST_F(Html, TextEndsAHiddenHead) {
  EXPECT_EQ(text("<head hidden>shown<p>text"), "shown\ntext");
  EXPECT_EQ(text("<html><head style='display:none'><title>t</title>shown</head><body>text"), "shown\ntext");
}

TEST_F(Html, MisplacedBodiesAreTheParsersOwn) {
  EXPECT_EQ(text("<HeAd><option><Body/></option>t"), "t");
  EXPECT_EQ(text("<frameset><body/><ul>t"), "t");
}

TEST_F(Html, ControlsBehindBlanksOpenAParagraph) {
  for (const char* html : {"</ \x0c&#<", "</ \xEF\xBF\xBE&#<", "< &#<a>>", "<frameset>><frameset/>>"})
    extract(html);
}

// By multiplication and exclusive or of their halves, a hash of both is the same.
TEST_F(Html, NamesThatAreAlikeAreTwoNames) {
  const std::string one = "xxxxxxxiyyyyyyye";
  const std::string other = "xxxxxxxkyyyyyyyo";
  EXPECT_EQ(text("<p>shown<" + one + " hidden>hidden</" + other + ">hidden, too</body>"), "shown");
  extract("<" + one + "><p>a</" + other + ">b</" + one + "><" + other + "><" + one + ">c</" + other +
          ">d<p>e");
  // No part of them decides.
  for (const size_t size : {15U, 16U, 17U, 23U, 24U, 25U, 32U, 33U, 99U, 100U}) {
    const std::string name(size, 'x');
    for (const size_t place : {size_t{0}, size / 2, size - 1}) {
      std::string another = name;
      another[place] = 'y';
      EXPECT_EQ(text("<p>a<" + name + " hidden>b</" + another + ">c</" + name + ">d"), "ad") << another;
    }
    EXPECT_EQ(text("<p>a<" + name + " hidden>b</" + std::string(size, 'X') + ">d"), "ad");
    EXPECT_EQ(text("<p>a<" + name + " hidden>b</" + name.substr(1) + ">c</" + name + ">d"), "ad");
  }
}

// ---- Limits. Only the filtered way keeps all of them.

class HtmlLimit : public testing::Test {
 protected:
  const Extraction& extract(std::string_view html, const HtmlLimits& limits = {}) {
    EXPECT_TRUE(extractor_.extract(html, "example.com", limits, extraction_));
    return extraction_;
  }
  HtmlExtractor extractor_;
  Extraction extraction_;
};

TEST_F(HtmlLimit, DeepElementsAreFlattened) {
  for (const char* name : {"b", "div"}) {
    const std::string start = "<" + std::string(name) + ">";
    const std::string end = "</" + std::string(name) + ">";
    const Extraction& page = extract(repeat(start, 100000) + "x" + repeat(end, 100000) + "y");
    EXPECT_TRUE(page.limited);
    EXPECT_EQ(page.text.substr(0, 1), "x");
    EXPECT_EQ(page.text.substr(page.text.size() - 1), "y");
    EXPECT_LE(page.blocks[0].depth, 255);
  }
  EXPECT_EQ(extract(repeat("<div>", 300) + "one<div>two</div>three").text, "one\ntwo\nthree");
  Extraction plain;
  EXPECT_TRUE(test::extract_plain(extractor_, repeat("<b>", 100000) + "x", "", {}, plain));
  EXPECT_TRUE(plain.limited);
}

TEST_F(HtmlLimit, ATitleTooDeepIsAnElementLikeOthers) {
  const std::string deep =
      repeat("<div>", 256) + "<svg><title>icon</title></svg>text" + repeat("</div>", 256);
  EXPECT_EQ(extract(deep + "<p>main text").text, "icontext\nmain text");
  EXPECT_TRUE(extraction_.limited);
}

TEST_F(HtmlLimit, TextIsCutBetweenCharacters) {
  HtmlLimits limits;
  limits.text_bytes = 100;
  EXPECT_EQ(std::string(extract(repeat("中", 1000), limits).text), repeat("中", 33));
  EXPECT_TRUE(extraction_.limited);
  EXPECT_LE(extract(repeat("<p>word</p>", 1000), limits).text.size(), 100U);
  EXPECT_EQ(extract("<p>" + repeat("x", 100), limits).text.size(), 100U);
  EXPECT_FALSE(extraction_.limited);
  EXPECT_EQ(extract(repeat("words", 10000000)).text.size(), HtmlLimits{}.text_bytes);
  EXPECT_TRUE(extraction_.limited);
}

TEST_F(HtmlLimit, BlocksAndAnchorsAreCounted) {
  HtmlLimits limits;
  limits.blocks = 10;
  limits.anchors = 5;
  const Extraction& page = extract(repeat("<div><a href=/x>y</a></div>", 100), limits);
  EXPECT_EQ(page.blocks.size(), 10U);
  EXPECT_EQ(page.anchors.size(), 5U);
  EXPECT_LE(page.containers.size(), 10U);
  EXPECT_TRUE(page.limited);
}

TEST_F(HtmlLimit, WhatMakesParsersSlowIsBounded) {
  constexpr size_t kTimes = 100000;
  std::string attributes = "<b ";
  std::string names;
  for (size_t i = 0; attributes.size() < 1000000; ++i) {
    attributes += "a" + std::to_string(i) + "=1 ";
    names += "<n" + std::to_string(i) + ">";
  }
  EXPECT_EQ(extract(attributes + ">x").text, "x");
  EXPECT_FALSE(extraction_.limited);
  EXPECT_EQ(extract(names + "x").text, "x");
  EXPECT_TRUE(extraction_.limited);
  for (const char* ends : {"</i>", "<body>"}) {
    for (const char* starts : {"<b>", "<div>"}) {
      EXPECT_EQ(extract(repeat(starts, kTimes) + "x" + repeat(ends, kTimes)).text, "x");
      EXPECT_TRUE(extraction_.limited);
    }
  }
}

TEST_F(HtmlLimit, OneExtractorForManyPages) {
  Extraction first;
  const std::string page = test::HtmlSoup(7).valid_page();
  ASSERT_TRUE(extractor_.extract(page, "", {}, first));
  for (uint32_t i = 0; i < 900; ++i) {
    std::string made_up;
    for (uint32_t k = 0; k < 50; ++k)
      made_up += "<n" + std::to_string(i * 50 + k) + ">&e" + std::to_string(i) + ";";
    EXPECT_FALSE(extract(made_up).text.empty());
  }
  EXPECT_EQ(test::print(extract(page)).substr(0, 100), test::print(first).substr(0, 100));
}

TEST_F(HtmlLimit, WhatTheDecoderNeverLetsThroughDoesNoHarm) {
  EXPECT_EQ(extract("<p>one</p>\xff\xfe<p>two").blocks.front().text.of(extraction_.text), "one");
  extract(std::string_view("<p>a\0b</p><p>c", 14));
  extract("\xe4\xb8");
  const std::string_view page("<body><p>one<meta name=keywords content='a\0b'><p>two", 52);
  EXPECT_EQ(extract(page).blocks.front().text.of(extraction_.text), "one");
  EXPECT_TRUE(extractor_.extract_by_libxml2(page, "example.com", {}, extraction_));
  Extraction plain;
  EXPECT_TRUE(test::extract_plain(extractor_, page, "example.com", {}, plain));
  EXPECT_EQ(test::print(extraction_), test::print(plain));
  extract("<a href=\"\xe4");
}

}  // namespace
}  // namespace nd::text
