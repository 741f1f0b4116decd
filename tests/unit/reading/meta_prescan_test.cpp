// The declarations that the prescan finds, and those that it must not.
#include "reading/meta_prescan.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace nd::text {
namespace {

std::string_view prescan(std::string_view html) {
  const auto charset = prescan_charset({reinterpret_cast<const uint8_t*>(html.data()), html.size()});
  return charset ? charset_name(*charset) : "none";
}

TEST(CharsetParameter, ReadsHeaderValues) {
  EXPECT_EQ(charset_parameter("text/html; charset=utf-8"), "utf-8");
  EXPECT_EQ(charset_parameter("text/html;charset=GBK"), "GBK");
  EXPECT_EQ(charset_parameter("text/html; CharSet = \"gb2312\" ; x=y"), "gb2312");
  EXPECT_EQ(charset_parameter("text/html; charset='big5'"), "big5");
  EXPECT_EQ(charset_parameter("text/html; charset=utf-8;boundary=x"), "utf-8");
  EXPECT_EQ(charset_parameter("text/html; charset=utf-8 gbk"), "utf-8");
  EXPECT_EQ(charset_parameter("charset=koi8-r"), "koi8-r");
  EXPECT_EQ(charset_parameter("text/html; charset charset=gbk"), "gbk");
}

TEST(CharsetParameter, IsEmptyWhereThereIsNone) {
  for (const std::string_view value :
       {"", "text/html", "charset", "charset=", "charset =  ", "charset=\"gbk", "charset='gbk\"",
        "charsetgbk", "text/html; charse=utf-8", "charset=\"\""}) {
    EXPECT_EQ(charset_parameter(value), "") << value;
  }
}

TEST(MetaPrescan, ReadsBothFormsOfMeta) {
  EXPECT_EQ(prescan("<meta charset=gbk>"), "gb18030");
  EXPECT_EQ(prescan("<META CHARSET='Big5'/>"), "big5");
  EXPECT_EQ(prescan("<meta/charset=\"utf-8\">"), "utf-8");
  EXPECT_EQ(prescan("<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; charset=gb2312\">"),
            "gb18030");
  EXPECT_EQ(prescan("<meta content='text/html;charset=euc-kr' http-equiv=content-type >"), "euc-kr");
  EXPECT_EQ(prescan("<meta name=x content=y\n charset = 'shift_jis' >"), "shift_jis");
}

TEST(MetaPrescan, NeedsThePragmaForContent) {
  EXPECT_EQ(prescan("<meta name=description content='charset=gbk'>"), "none");
  EXPECT_EQ(prescan("<meta http-equiv=refresh content='charset=gbk'>"), "none");
  EXPECT_EQ(prescan("<meta content='charset=gbk'><meta charset=big5>"), "big5");
}

TEST(MetaPrescan, OfEqualAttributesTheFirstCounts) {
  EXPECT_EQ(prescan("<meta charset=gbk charset=big5>"), "gb18030");
  EXPECT_EQ(prescan("<meta http-equiv=x http-equiv=content-type content='charset=gbk'>"), "none");
  EXPECT_EQ(prescan("<meta http-equiv=content-type content='charset=gbk' charset=big5>"), "big5");
}

TEST(MetaPrescan, PassesOverWhatIsNoMeta) {
  EXPECT_EQ(prescan("<!-- <meta charset=gbk> --><meta charset=big5>"), "big5");
  EXPECT_EQ(prescan("<!--><meta charset=gbk>"), "gb18030");
  EXPECT_EQ(prescan("<!---><meta charset=gbk>"), "gb18030");
  EXPECT_EQ(prescan("<a title='<meta charset=gbk>'><meta charset=big5>"), "big5");
  EXPECT_EQ(prescan("</a title='<meta charset=gbk>'><meta charset=big5>"), "big5");
  EXPECT_EQ(prescan("<!x <meta charset=gbk>"), "none");
  EXPECT_EQ(prescan("<metadata charset=gbk>"), "none");
  EXPECT_EQ(prescan("< meta charset=gbk>"), "none");
  EXPECT_EQ(prescan("a < b <meta charset=gbk>"), "gb18030");
}

TEST(MetaPrescan, PassesOverUnknownLabels) {
  EXPECT_EQ(prescan("<meta charset=klingon><meta charset=gbk>"), "gb18030");
  EXPECT_EQ(prescan("<meta charset><meta charset=''><meta charset=gbk>"), "gb18030");
}

TEST(MetaPrescan, TakesUtf16ForUtf8AndUserDefinedForWindows1252) {
  EXPECT_EQ(prescan("<meta charset=utf-16>"), "utf-8");
  EXPECT_EQ(prescan("<meta charset=unicodefffe>"), "utf-8");
  EXPECT_EQ(prescan("<meta charset=x-user-defined>"), "windows-1252");
}

TEST(MetaPrescan, XmlDeclarationIsTheFallback) {
  EXPECT_EQ(prescan("<?xml version=\"1.0\" encoding=\"gb2312\"?><html>"), "gb18030");
  EXPECT_EQ(prescan("<?xml version='1.0' encoding = 'utf-16'?>"), "utf-8");
  EXPECT_EQ(prescan("<?xml version='1.0' encoding='gbk'?><meta charset=big5>"), "big5");
  EXPECT_EQ(prescan("<?xml version='1.0'?><p encoding='gbk'>"), "none");
  EXPECT_EQ(prescan(" <?xml version='1.0' encoding='gbk'?>"), "none");
  EXPECT_EQ(prescan("<?xml encoding=gbk?>"), "none");
  EXPECT_EQ(prescan("<?xml encoding='gbk"), "none");
}

TEST(MetaPrescan, LooksAtTheFirst1024BytesOnly) {
  const std::string meta = "<meta charset=gbk>";
  EXPECT_EQ(prescan(std::string(kPrescanBytes - meta.size(), ' ') + meta), "gb18030");
  EXPECT_EQ(prescan(std::string(kPrescanBytes - meta.size() + 1, ' ') + meta), "none");
}

TEST(MetaPrescan, AnUnfinishedTagSaysNothing) {
  const std::string meta = "<meta http-equiv='content-type' content='text/html; charset=gbk'>";
  for (size_t size = 0; size < meta.size(); ++size)
    EXPECT_EQ(prescan(meta.substr(0, size)), "none") << size;
  EXPECT_EQ(prescan(meta), "gb18030");
}

// Pieces of mark-up in any order: ends, stays inside the bytes (the sanitizers watch), finds only what is
// there.
TEST(MetaPrescan, SurvivesBrokenMarkup) {
  const std::string_view pieces[] = {"<",  "meta", " ",      "charset", "=",    "'",
                                     "\"", ">",    "/",      "<!--",    "-->",  "<?",
                                     "<!", "gbk",  "<meta ", "\0",      "\xFF", "http-equiv=content-type "};
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string html;
    for (int i = 0; i < 12; ++i)
      html += pieces[random() % std::size(pieces)];
    const std::string_view found = prescan(html);
    EXPECT_TRUE(found == "none" || (found == "gb18030" && html.find("gbk") != std::string::npos)) << html;
  }
}

}  // namespace
}  // namespace nd::text
