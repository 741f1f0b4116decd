// What the header says of the host's process: libxml2's error handlers of the calling thread are after a call
// what they were, and hear nothing of its pages. Where memory runs out:
// tests/faults/error_handlers_fault_test.cpp.
#include <libxml/HTMLparser.h>

#include <thread>

#include "unit/capi/capi_sample.hpp"
#include "unit/host_error_handlers.hpp"

namespace nd_test {
namespace {

using sample::article_html;
using sample::HostErrorHandlers;
using sample::url;

// Faults of markup that libxml2 reports if there is a handler.
const char* const kFaulty = "<p><b>&unknown;</i><a href='x' href='y'></nothing><p>\x01";

// With pages that libxml2 reads: ndc's own reader has no handlers.
class ErrorHandlersTest : public CapiTest {
 protected:
  void SetUp() override { reopen({{"x_html_reader", "libxml2"}}); }
};

TEST_F(ErrorHandlersTest, AreAgainWhatTheyWereAfterAPage) {
  HostErrorHandlers handlers;
  EXPECT_EQ(check(url(1), article_html(1) + kFaulty).verdict, ND_NEW);
  EXPECT_TRUE(handlers.are_as_set());
  EXPECT_EQ(check(url(2), article_html(2) + kFaulty).verdict, ND_NEW) << "the parser is used again";
  EXPECT_TRUE(handlers.are_as_set());
  features_of(url(3), article_html(3) + kFaulty);
  EXPECT_TRUE(handlers.are_as_set());
  EXPECT_EQ(handlers.count(), 0);
  // They would hear of such a page.
  const std::string body = article_html(1) + kFaulty;
  xmlFreeDoc(htmlReadMemory(body.data(), static_cast<int>(body.size()), nullptr, nullptr, 0));
  EXPECT_GT(handlers.count(), 0);
}

TEST_F(ErrorHandlersTest, AreAgainWhatTheyWereAfterAPageThatALimitCut) {
  reopen({{"x_html_reader", "libxml2"},
          {"page_bytes_limit", "2000"},
          {"x_depth_limit", "16"},
          {"x_blocks_limit", "16"},
          {"tokens_limit", "64"}});
  std::string body = kFaulty;
  for (int i = 0; i < 100; ++i)
    body += "<div>";
  body += article_html(1);
  HostErrorHandlers handlers;
  const uint32_t cut = ND_FLAG_TRUNCATED | ND_FLAG_LIMIT;
  EXPECT_EQ(check(url(1), body).flags & cut, cut);
  EXPECT_TRUE(handlers.are_as_set());
  EXPECT_EQ(handlers.count(), 0);
}

TEST_F(ErrorHandlersTest, AreAgainWhatTheyWereOnAThreadOfTheHost) {
  std::thread([&] {
    HostErrorHandlers handlers;
    EXPECT_EQ(check(url(1), article_html(1) + kFaulty).verdict, ND_NEW);
    EXPECT_TRUE(handlers.are_as_set());
    EXPECT_EQ(handlers.count(), 0);
  }).join();
}

}  // namespace
}  // namespace nd_test
