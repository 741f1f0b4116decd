// nd_own_text and nd_check_page_text: what a site repeats is left out, and both give the same text.
#include <unistd.h>

#include <filesystem>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::html;
using sample::paragraph;
using sample::Paragraphs;

std::string lines(const Paragraphs& text) {
  std::string out;
  for (const std::string& each : text)
    out += (out.empty() ? "" : "\n") + each;
  return out;
}

// Between two paragraphs that all pages of the site have.
std::string framed(uint64_t number) {
  Paragraphs text = article(number, 3);
  text.insert(text.begin(), paragraph(77));
  text.push_back(paragraph(78));
  return html(text);
}

std::string address(uint64_t number) {
  return "https://frame.example/" + std::to_string(number);
}

class OwnTextCallsTest : public CapiTest {
 protected:
  std::string own_text(const std::string& url, const std::string& body) {
    const nd_page page = page_of(url, body);
    Buffer text;
    EXPECT_EQ(nd_own_text(engine_, &page, &text.raw), ND_OK) << nd_last_error();
    return text.text();
  }
  nd_result check_with_text(const std::string& url, const std::string& body, std::string& own) {
    const nd_page page = page_of(url, body);
    nd_result result = ND_RESULT_INIT;
    Buffer text;
    EXPECT_EQ(nd_check_page_text(engine_, &page, &result, &text.raw), ND_OK) << nd_last_error();
    own = text.text();
    return result;
  }
};

TEST_F(OwnTextCallsTest, TheSitesTextGoesAndThePagesStays) {
  EXPECT_NE(own_text(address(0), framed(0)).find(paragraph(77)), std::string::npos) << "nothing is known";
  for (uint64_t number = 1; number <= 8; ++number)
    check(address(number), framed(number));
  EXPECT_EQ(own_text(address(9), framed(9)), lines(article(9, 3)));
  EXPECT_EQ(own_text(address(3), framed(3)), lines(article(3, 3)))
      << "the page itself is left out of account";
  EXPECT_NE(own_text("https://other.example/9", framed(9)).find(paragraph(77)), std::string::npos);
}

TEST_F(OwnTextCallsTest, ACheckGivesTheSameText) {
  for (uint64_t number = 1; number <= 12; ++number) {
    const std::string url = address(number), body = framed(number), foretold = own_text(url, body);
    std::string own;
    EXPECT_EQ(check_with_text(url, body, own).verdict, ND_NEW);
    EXPECT_EQ(own, foretold) << number;
    EXPECT_EQ(check_with_text(url, body, own).verdict, ND_UNCHANGED);
    EXPECT_EQ(own, own_text(url, body)) << number;
  }
}

TEST_F(OwnTextCallsTest, AnswersAreThoseOfNdCheckPage) {
  nd_engine* other = nullptr;
  ASSERT_EQ(nd_open(nullptr, nullptr, &other), ND_OK);
  for (uint64_t number = 0; number < 12; ++number) {
    const std::string url = address(number % 9), body = framed(number % 4);
    const nd_page page = page_of(url, body);
    nd_result wanted = ND_RESULT_INIT;
    ASSERT_EQ(nd_check_page(other, &page, &wanted), ND_OK);
    std::string own;
    const nd_result result = check_with_text(url, body, own);
    EXPECT_EQ(memcmp(&result, &wanted, sizeof result), 0) << number;
  }
  EXPECT_EQ(nd_close(other), ND_OK);
}

TEST_F(OwnTextCallsTest, NothingChangesAndAnyDetectorAnswers) {
  for (const char* detector : {"lcs", "spotsigs", "simhash64"}) {
    reopen({{"detector", detector}});
    for (uint64_t number = 1; number <= 8; ++number)
      check(address(number), framed(number));
    nd_stats before{}, after{};
    before.struct_size = after.struct_size = sizeof(nd_stats);
    ASSERT_EQ(nd_get_stats(engine_, &before), ND_OK);
    EXPECT_EQ(own_text(address(9), framed(9)), lines(article(9, 3))) << detector;
    ASSERT_EQ(nd_get_stats(engine_, &after), ND_OK);
    before.bytes_scratch = after.bytes_scratch = before.bytes_total = after.bytes_total = 0;
    EXPECT_EQ(memcmp(&before, &after, sizeof before), 0);
  }
}

// Where nothing is learned of sites, the weights of the blocks alone choose.
TEST_F(OwnTextCallsTest, WithoutSitesTheWeightsChoose) {
  reopen({{"decision", "report"}});
  for (uint64_t number = 1; number <= 8; ++number)
    check(address(number), framed(number));
  EXPECT_NE(own_text(address(9), framed(9)).find(paragraph(77)), std::string::npos);
}

TEST_F(OwnTextCallsTest, APageWithoutTextHasNone) {
  EXPECT_EQ(own_text(address(1), "\x89PNG\r\n\x1a\n\x01\x02\x03"), "");
  std::string own = "x";
  EXPECT_EQ(check_with_text(address(1), "", own).verdict, ND_NO_TEXT);
  EXPECT_EQ(own, "");
}

TEST_F(OwnTextCallsTest, AReaderTellsTheTextButTakesNoPage) {
  const std::string store = testing::TempDir() + "own_text_" + std::to_string(getpid());
  std::filesystem::remove_all(store);
  nd_engine* writer = nullptr;
  ASSERT_EQ(nd_open(store.c_str(), nullptr, &writer), ND_OK) << nd_last_error();
  for (uint64_t number = 1; number <= 8; ++number) {
    const std::string url = address(number), body = framed(number);
    const nd_page page = page_of(url, body);
    nd_result result = ND_RESULT_INIT;
    ASSERT_EQ(nd_check_page(writer, &page, &result), ND_OK);
  }
  ASSERT_EQ(nd_close(writer), ND_OK);
  nd_close(engine_);
  const OptionSet options{{"read_only", "true"}};
  ASSERT_EQ(nd_open(store.c_str(), options, &engine_), ND_OK) << nd_last_error();
  const std::string url = address(9), body = framed(9);
  EXPECT_EQ(own_text(url, body), lines(article(9, 3)));
  const nd_page page = page_of(url, body);
  nd_result result = filled_with_garbage<nd_result>();
  Buffer text;
  EXPECT_EQ(nd_check_page_text(engine_, &page, &result, &text.raw), ND_ERR_READ_ONLY);
  EXPECT_TRUE(is_empty(result));
  EXPECT_EQ(text.raw.size, 0U);
  std::filesystem::remove_all(store);
}

}  // namespace
}  // namespace nd_test
