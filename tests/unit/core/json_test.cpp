// JSON that is well formed for any bytes, with numbers as readers take them.
#include "core/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace nd {
namespace {

std::string written(const std::function<void(JsonWriter&)>& write) {
  String out;
  JsonWriter json(out);
  write(json);
  return {out.data(), out.size()};
}

TEST(JsonTest, SeparatesMembersAndElements) {
  EXPECT_EQ(
      written([](JsonWriter& json) {
        json.begin_object().member("a", uint64_t{1}).key("b").begin_array().value("x").value(true);
        json.begin_object().end_object().begin_array().end_array().end_array().member("c", 0.5).end_object();
      }),
      R"({"a":1,"b":["x",true,{},[]],"c":0.5})");
}

TEST(JsonTest, EscapesWhatMustBe) {
  EXPECT_EQ(written([](JsonWriter& json) { json.value("a\"b\\c\nd\te\x7f"); }),
            R"("a\"b\\c\nd\u0009e\u007f")");
  EXPECT_EQ(written([](JsonWriter& json) { json.value(std::string_view("\0", 1)); }), R"("\u0000")");
  EXPECT_EQ(written([](JsonWriter& json) { json.value("é 漢 😀"); }), "\"é 漢 😀\"");
}

TEST(JsonTest, BytesThatAreNotUtf8BecomeReplacements) {
  EXPECT_EQ(written([](JsonWriter& json) {
              json.value(
                  "a\xff"
                  "b");
            }),
            "\"a\xef\xbf\xbd"
            "b\"");
  EXPECT_EQ(written([](JsonWriter& json) { json.value("\xe6\xbc"); }), "\"\xef\xbf\xbd\xef\xbf\xbd\"");
  EXPECT_EQ(written([](JsonWriter& json) { json.value("\xed\xa0\x80"); }),
            "\"\xef\xbf\xbd\"");  // a surrogate
}

TEST(JsonTest, NumbersAreShortAndRounded) {
  const auto number = [](double value) { return written([value](JsonWriter& json) { json.value(value); }); };
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(1.0 / 3), "0.333333");
  EXPECT_EQ(number(-2.5), "-2.5");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(written([](JsonWriter& json) { json.value(UINT64_MAX); }), "18446744073709551615");
}

TEST(JsonTest, TheLargestNumbersStayNumbers) {
  for (double value :
       {1e22, 1e300, std::numeric_limits<double>::max(), -std::numeric_limits<double>::max()}) {
    const std::string text = written([value](JsonWriter& json) { json.value(value); });
    const auto parsed = nlohmann::json::parse(text, nullptr, false);
    ASSERT_TRUE(parsed.is_number()) << text;
    EXPECT_NEAR(parsed.get<double>() / value, 1, 1e-6);
  }
}

TEST(JsonTest, AnyBytesGiveWellFormedText) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 20, '\0');
    for (char& byte : bytes)
      byte = static_cast<char>(random() % 3 == 0 ? random() : 0x80 + random() % 0x80);
    const std::string text = written(
        [&](JsonWriter& json) { json.begin_object().member(bytes, std::string_view(bytes)).end_object(); });
    EXPECT_FALSE(nlohmann::json::parse(text, nullptr, false).is_discarded()) << round;
  }
}

}  // namespace
}  // namespace nd
