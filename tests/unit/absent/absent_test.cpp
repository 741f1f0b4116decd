// A library without the methods: it decides by the LCS, exports every call, and refuses what needs a method
// with a sentence.
#include <gtest/gtest.h>
#include <ndcapi.h>

#include <string>
#include <string_view>

namespace nd {
namespace {

constexpr std::string_view kBody =
    "<html><body><p>The ferry to the island leaves at nine from the eastern pier, and returns at six.</p>"
    "<p>Tickets are sold on board; bicycles travel free of charge on weekdays.</p></body></html>";

class AbsentTest : public testing::Test {
 protected:
  AbsentTest() { nd_options_new(&options_); }
  ~AbsentTest() override {
    nd_options_free(options_);
    nd_buffer_free(&buffer_);
  }

  static nd_page page_at(std::string_view url) {
    nd_page page = ND_PAGE_INIT;
    page.url = url.data();
    page.url_size = url.size();
    page.body = kBody.data();
    page.body_size = kBody.size();
    return page;
  }
  void expect_refused(nd_status status) {
    EXPECT_EQ(status, ND_ERR_INVALID_ARGUMENT);
    EXPECT_NE(std::string_view(nd_last_error()).find("NDC_METHODS"), std::string_view::npos)
        << nd_last_error();
  }

  nd_options* options_ = nullptr;
  nd_buffer buffer_ = ND_BUFFER_INIT;
};

TEST_F(AbsentTest, TheLcsDecidesWithoutThem) {
  nd_engine* engine = nullptr;
  ASSERT_EQ(nd_open(nullptr, options_, &engine), ND_OK) << nd_last_error();
  nd_result first = ND_RESULT_INIT, second = ND_RESULT_INIT;
  const nd_page page = page_at("https://a.example/ferry"), copy = page_at("https://b.example/ferry");
  EXPECT_EQ(nd_check_page(engine, &page, &first), ND_OK) << nd_last_error();
  EXPECT_EQ(nd_check_page(engine, &copy, &second), ND_OK) << nd_last_error();
  EXPECT_EQ(second.verdict, ND_EXACT);
  EXPECT_EQ(second.group_id, first.group_id);
  EXPECT_EQ(nd_close(engine), ND_OK);
  EXPECT_EQ(nd_features_compute(&page, options_, &buffer_), ND_OK) << nd_last_error();
  EXPECT_GT(buffer_.size, 0U);
}

TEST_F(AbsentTest, OtherDetectorsAreRefused) {
  const nd_page page = page_at("https://a.example/ferry");
  for (const char* detector : {"spotsigs", "i-match-s", "lsh-s", "moz-vector", "simhash64", "simhash128",
                               "mwo", "shingles", "minhash", "cosine", "i-match", "exact"}) {
    ASSERT_EQ(nd_options_set(options_, "detector", detector), ND_OK);
    nd_engine* engine = nullptr;
    expect_refused(nd_open(nullptr, options_, &engine));
    EXPECT_EQ(engine, nullptr);
    expect_refused(nd_features_compute(&page, options_, &buffer_));
    expect_refused(nd_describe_page(&page, options_, &buffer_));
    nd_reader* reader = nullptr;
    expect_refused(nd_reader_new(options_, &reader));
  }
}

TEST_F(AbsentTest, DescriptionsAndTheCompleteJoinAreRefused) {
  const nd_page page = page_at("https://a.example/ferry");
  expect_refused(nd_describe_page(&page, options_, &buffer_));
  nd_join* join = nullptr;
  expect_refused(nd_join_new(options_, 500, &join));
  EXPECT_EQ(join, nullptr);
  nd_join_free(join);
}

}  // namespace
}  // namespace nd
