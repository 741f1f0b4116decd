// The labels of the Encoding Standard, and a converter for each.
#include "reading/charset_labels.hpp"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>

#include <string>

namespace nd::text {
namespace {

std::string_view name_of(std::string_view label) {
  const auto charset = find_charset(label);
  return charset ? charset_name(*charset) : "none";
}

TEST(CharsetLabels, FollowsTheStandardWhereNamesMislead) {
  EXPECT_EQ(name_of("gb2312"), "gb18030");
  EXPECT_EQ(name_of("gbk"), "gb18030");
  EXPECT_EQ(name_of("chinese"), "gb18030");
  EXPECT_EQ(name_of("iso-8859-1"), "windows-1252");
  EXPECT_EQ(name_of("us-ascii"), "windows-1252");
  EXPECT_EQ(name_of("iso-8859-9"), "windows-1254");
  EXPECT_EQ(name_of("tis-620"), "windows-874");
  EXPECT_EQ(name_of("iso-8859-11"), "windows-874");
  EXPECT_EQ(name_of("ks_c_5601-1987"), "euc-kr");
  EXPECT_EQ(name_of("windows-31j"), "shift_jis");
  EXPECT_EQ(name_of("big5-hkscs"), "big5");
  EXPECT_EQ(name_of("utf-16"), "utf-16le");
  EXPECT_EQ(name_of("unicodefffe"), "utf-16be");
  EXPECT_EQ(name_of("hz-gb-2312"), "replacement");
  EXPECT_EQ(name_of("866"), "ibm866");
  EXPECT_EQ(name_of("x-x-big5"), "big5");
  EXPECT_EQ(name_of("x-user-defined"), "x-user-defined");
}

TEST(CharsetLabels, IgnoresCaseAndSurroundingWhiteSpaceOnly) {
  EXPECT_EQ(name_of(" \t\r\n\fUtF-8 "), "utf-8");
  EXPECT_EQ(name_of("GB2312"), "gb18030");
  EXPECT_EQ(name_of("utf - 8"), "none");
  EXPECT_EQ(name_of("utf_8"), "none");
  EXPECT_EQ(name_of(std::string_view("utf-8\0", 6)), "none");
  EXPECT_EQ(name_of("\xC2\xA0utf-8"), "none");
}

TEST(CharsetLabels, RejectsWhatIsNoLabel) {
  for (const std::string_view label : {"", " ", "a", "utf", "utf-88", "zzz", "gb2312;", "gb", "\"utf-8\""}) {
    EXPECT_EQ(name_of(label), "none") << label;
  }
  EXPECT_EQ(name_of(std::string(100000, 'x')), "none");
  EXPECT_EQ(name_of(std::string(100000, ' ')), "none");
}

TEST(CharsetLabels, EveryNameIsALabelOfItself) {
  for (size_t i = 0; i < kCharsetCount; ++i) {
    const auto charset = static_cast<Charset>(i);
    EXPECT_EQ(find_charset(charset_name(charset)), charset) << charset_name(charset);
  }
}

TEST(CharsetLabels, EveryConverterOpensInIcu) {
  size_t without = 0;
  for (size_t i = 0; i < kCharsetCount; ++i) {
    const char* name = icu_converter_name(static_cast<Charset>(i));
    if (name == nullptr) {
      ++without;
      continue;
    }
    UErrorCode status = U_ZERO_ERROR;
    UConverter* converter = ucnv_open(name, &status);
    EXPECT_TRUE(U_SUCCESS(status)) << name << ": " << u_errorName(status);
    ucnv_close(converter);
  }
  EXPECT_EQ(without, 3U);  // iso-8859-16, x-user-defined, replacement
}

}  // namespace
}  // namespace nd::text
