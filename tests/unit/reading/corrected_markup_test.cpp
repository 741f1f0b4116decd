// The oracle itself: it leaves valid pages alone.
#include "corrected_markup_oracle.hpp"

#include <gtest/gtest.h>

#include <string>

#include "html_soup.hpp"

namespace nd::text::test {
namespace {

std::string corrected(std::string_view html) {
  return std::string(corrected_markup(html));
}

TEST(CorrectedMarkup, WorkedExamples) {
  EXPECT_EQ(corrected("a<!-->b<!X>c</ X>d<?x?>e<!doctype html>f"),
            "a<!---->b<!---->c<!---->d<!---->e<!---->f");
  EXPECT_EQ(corrected("a < b & c &copy 1 &notit; &#x41; &#1; </"),
            "a &lt; b &amp; c &#169; 1 &#172;it; &#65; &#1; &lt;/");
  EXPECT_EQ(corrected("<a href='?a=1&copy=2&lt' x=&amp;>"), "<a href='?a=1&amp;copy=2&#60;' x=&#38;>");
  EXPECT_EQ(corrected("<p>a</p x='>' y>b"), "<p>a</p>b");
  EXPECT_EQ(corrected("<script>'<!--<script></script>'--></script >b"), "<script></script>b");
  EXPECT_EQ(corrected("<title>a<b>&lt;</title><xmp>&lt;</xmp>"),
            "<title>a&lt;b>&#60;</title><xmp>&amp;lt;</xmp>");
  EXPECT_EQ(corrected("<plaintext></plaintext>&"), "<plaintext>&lt;/plaintext>&amp;");
  EXPECT_EQ(corrected("<title/>a<b>"), "<title/>a<b>");
  EXPECT_EQ(corrected(""), "");
}

TEST(CorrectedMarkup, LeavesTagsAndTextAlone) {
  for (const char* page :
       {"<html><body class=\"a\" id = b><p>one<br/>two</p>\n</body></html>", "<b><i></b></i>",
        "<p title=\"a > b\" hidden>x<DIV =y>", "中文 > x", "<a href=\"x", "<p x='", "a > b"})
    EXPECT_EQ(corrected(page), page);
}

// Whatever the page, the result has at most six bytes for each of its bytes.
TEST(CorrectedMarkup, HasABound) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const std::string page = HtmlSoup(seed).broken_page();
    EXPECT_LE(corrected(page).size(), 6 * page.size());
  }
}

}  // namespace
}  // namespace nd::text::test
