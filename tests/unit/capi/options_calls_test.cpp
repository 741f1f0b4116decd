// The option calls of the C interface: every option is described, takes its default, and refuses with a
// sentence.
#include <clocale>
#include <cstring>
#include <set>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

class CapiOptionsTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(nd_options_new(&options_), ND_OK); }
  void TearDown() override { nd_options_free(options_); }
  std::string get(const char* key) {
    char text[64];
    size_t size = sizeof text;
    EXPECT_EQ(nd_options_get(options_, key, text, &size), ND_OK) << nd_last_error();
    EXPECT_EQ(strlen(text), size);
    return text;
  }
  nd_options* options_ = nullptr;
};

TEST_F(CapiOptionsTest, EveryOptionIsDescribedAndTakesItsDefault) {
  std::set<std::string> keys;
  size_t index = 0;
  for (;; ++index) {
    nd_option_info info = ND_OPTION_INFO_INIT;
    const nd_status status = nd_options_describe(index, &info);
    if (status == ND_ERR_NOT_FOUND) break;
    ASSERT_EQ(status, ND_OK);
    EXPECT_EQ(info.struct_size, sizeof info);
    EXPECT_LE(info.persistent, 1U);
    for (const char* text : {info.key, info.type, info.default_value, info.range, info.help})
      EXPECT_GT(strlen(text), 0U) << info.key;
    EXPECT_TRUE(keys.insert(info.key).second);
    const std::string in_force = get(info.key);
    EXPECT_EQ(nd_options_set(options_, info.key, info.default_value), ND_OK) << nd_last_error();
    EXPECT_EQ(get(info.key), in_force);
  }
  EXPECT_GT(index, 30U);
  nd_option_info info = ND_OPTION_INFO_INIT;
  EXPECT_EQ(nd_options_describe(SIZE_MAX, &info), ND_ERR_NOT_FOUND);
}

TEST_F(CapiOptionsTest, AValueIsASizedOutput) {
  ASSERT_EQ(nd_options_set(options_, "tokens_limit", "12345"), ND_OK);
  size_t size = 0;
  EXPECT_EQ(nd_options_get(options_, "tokens_limit", nullptr, &size), ND_OK);
  EXPECT_EQ(size, 5U);
  char text[8];
  memset(text, '#', sizeof text);
  for (size_t capacity = 0; capacity <= 5; ++capacity) {
    size = capacity;
    EXPECT_EQ(nd_options_get(options_, "tokens_limit", text, &size), ND_ERR_LIMIT);
    EXPECT_EQ(size, 5U);
    EXPECT_EQ(text[0], '#') << "untouched";
  }
  size = 6;  // the NUL needs room
  EXPECT_EQ(nd_options_get(options_, "tokens_limit", text, &size), ND_OK);
  EXPECT_EQ(size, 5U);
  EXPECT_STREQ(text, "12345");
  EXPECT_EQ(text[6], '#');
  size = 5;
  EXPECT_EQ(nd_options_get(options_, "tokens_limit", nullptr, &size), ND_ERR_INVALID_ARGUMENT);
}

TEST_F(CapiOptionsTest, FaultsNameWhatIsAllowed) {
  EXPECT_EQ(nd_options_set(options_, "resemblence", "0.5"), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nd_last_error()).find("resemblance"), std::string::npos) << nd_last_error();
  EXPECT_EQ(nd_options_set(options_, "tokens_limit", "63"), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nd_last_error()).find("64..4194304"), std::string::npos) << nd_last_error();
  EXPECT_NE(std::string(nd_last_error()).find("tokens_limit"), std::string::npos) << nd_last_error();
  EXPECT_EQ(nd_options_set(options_, "keep_text", "maybe"), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nd_last_error()).find("true|false"), std::string::npos) << nd_last_error();
  const std::string endless(100000, 'x');
  EXPECT_EQ(nd_options_set(options_, endless.c_str(), endless.c_str()), ND_ERR_INVALID_ARGUMENT);
  EXPECT_LE(strlen(nd_last_error()), 511U);
  EXPECT_EQ(nd_options_set(options_, "keep_text", endless.c_str()), ND_ERR_INVALID_ARGUMENT);
  EXPECT_LE(strlen(nd_last_error()), 511U);
}

TEST_F(CapiOptionsTest, MessagesAreUtf8WhateverTheyQuote) {
  const auto message_of = [&](const std::string& value) {
    EXPECT_EQ(nd_options_set(options_, "keep_text", value.c_str()), ND_ERR_INVALID_ARGUMENT);
    const std::string message = nd_last_error();
    return message.substr(message.find('"') + 1, message.rfind('"') - message.find('"') - 1);
  };
  EXPECT_EQ(message_of("é中😀"), "é中😀");
  EXPECT_EQ(message_of("a\xff"
                       "b\xed\xa0\x80"),
            "a\uFFFDb\uFFFD");
  // The quotation ends within a character.
  const std::string text(63, 'x');
  EXPECT_EQ(message_of(text + "é"), text + "\uFFFD");
}

TEST_F(CapiOptionsTest, OptionsAreCopiedAtOpen) {
  ASSERT_EQ(nd_options_set(options_, "page_bytes_limit", "1024"), ND_OK);
  nd_engine* engine = nullptr;
  ASSERT_EQ(nd_open(nullptr, options_, &engine), ND_OK);
  ASSERT_EQ(nd_options_set(options_, "page_bytes_limit", "1000000"), ND_OK);
  const std::string url = "https://a.example/", body = sample::article_html(1);
  const nd_page page = page_of(url, body);
  nd_result result = ND_RESULT_INIT;
  EXPECT_EQ(nd_check_page(engine, &page, &result), ND_OK);
  EXPECT_NE(result.flags & ND_FLAG_TRUNCATED, 0U);
  EXPECT_EQ(nd_close(engine), ND_OK);
}

}  // namespace
}  // namespace nd_test
