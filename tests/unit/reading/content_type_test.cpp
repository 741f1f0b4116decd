// Content-Type as servers write it: several values, quotes, missing parts.
#include "reading/content_type.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace nd::text {
namespace {

std::vector<std::string_view> values_of(std::string_view header) {
  std::vector<std::string_view> values;
  while (!header.empty())
    values.push_back(take_header_value(header));
  return values;
}

TEST(HeaderValue, CommasOutsideOfQuotesSeparate) {
  using Values = std::vector<std::string_view>;
  EXPECT_EQ(values_of("text/html"), Values{"text/html"});
  EXPECT_EQ(values_of("text/html, text/plain"), (Values{"text/html", " text/plain"}));
  EXPECT_EQ(values_of(",,a"), (Values{"", "", "a"}));
  EXPECT_EQ(values_of("a; b=\"c, d\", e"), (Values{"a; b=\"c, d\"", " e"}));
  EXPECT_EQ(values_of("a; b=\"c\\\", d\", e"), (Values{"a; b=\"c\\\", d\"", " e"}));
  EXPECT_EQ(values_of("a; b=\"c, d"), Values{"a; b=\"c, d"});
  EXPECT_EQ(values_of("\"\\"), Values{"\"\\"});
}

TEST(MediaTypeEssence, OfMediaTypes) {
  for (const std::string_view value :
       {"text/html", " \ttext/html\r\n", "text/html;charset=utf-8", "text/html ; x", "text/html;;",
        "text/html;", "text/html; charset", "text/html;=", "text/html; charset=\"utf-8"}) {
    EXPECT_EQ(media_type_essence(value), "text/html") << value;
  }
  EXPECT_EQ(media_type_essence("Application/X-a+b.c"), "Application/X-a+b.c");
}

TEST(MediaTypeEssence, IsEmptyForWhatIsNone) {
  const std::string_view values[] = {"",
                                     ";",
                                     "html",
                                     "/",
                                     "text/",
                                     "/html",
                                     "text/;charset=utf-8",
                                     "text/html charset=utf-8",
                                     "text/html\tcharset=utf-8",
                                     "\"text/html\"",
                                     "text / html",
                                     "text /html",
                                     "text/ html",
                                     "text/html:charset=utf-8",
                                     "text/html/x",
                                     "text/html\v;charset=utf-8",
                                     "text/html=utf-8",
                                     "text/html\xC2\xA0",
                                     "text/html, text/plain",
                                     "<text/html>",
                                     "(text/html)",
                                     "*/*",
                                     "text/*",
                                     "charset=utf-8"};
  for (const std::string_view value : values)
    EXPECT_EQ(media_type_essence(value), "") << value;
}

TEST(DeclaredCharset, IsFoundWhereverItStands) {
  for (const std::string_view header :
       {"text/html; charset=gbk", "text/html;CharSet=gbk;x=y", "text/html; charset = \"gbk\" ; x",
        "charset=gbk", "text/html charset=gbk", "text/html\tcharset=gbk", "text/html:charset=gbk",
        "\"text/html; charset=gbk\"", "text/html; charset='gbk'", "text/html; charset=\"gbk",
        "text/html; charset='gbk", "text/html; charset=gbk\"", "text/html; charset:gbk",
        "text/html;charset=gbk,text/html", "text/html, charset=gbk", "text/html; charset charset=gbk",
        "text/html; charset=\" gbk \"", "text/html; charset=gbk utf-8"}) {
    EXPECT_EQ(declared_charset(header), "gbk") << header;
  }
}

TEST(DeclaredCharset, IsEmptyWhereThereIsNone) {
  for (const std::string_view header : {"", "text/html", "charset", "charset=", "charset =  ", "charset=\"\"",
                                        "charset=;gbk", "charsetgbk", "text/html; charse=utf-8"}) {
    EXPECT_EQ(declared_charset(header), "") << header;
  }
  std::string many;
  for (int i = 0; i < 100000; ++i)
    many += "charset ";
  EXPECT_EQ(declared_charset(many), "");
}

}  // namespace
}  // namespace nd::text
