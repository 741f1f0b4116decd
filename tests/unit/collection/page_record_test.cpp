// Page records as bytes: extreme numbers, sizes, and cuts, which are no page.
#include "collection/page_record.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace nd::engine {
namespace {

using Written = Vector<uint8_t>;  // aligned to 8, like the values of runs

PageRecord random_page(std::mt19937_64& random) {
  const auto number = [&random] { return random() % 4 == 0 ? 0 : random() >> random() % 64; };
  PageRecord page;
  page.data.answer = {.verdict = static_cast<int32_t>(1 + random() % 5),
                      .flags = static_cast<uint32_t>(random() % 512),
                      .page_id = number(),
                      .group_id = number(),
                      .matched_page_id = number(),
                      .resemblance = random() % 2 == 0 ? 0 : 0.25,
                      .containment = random() % 2 == 0 ? 0 : 1.0,
                      .page_coverage = random() % 2 == 0 ? 0 : 0.1,
                      .matched_coverage = random() % 2 == 0 ? 0 : -0.0};
  page.data.text = number();
  page.data.site = number();
  page.data.digest = {number(), number()};
  page.data.width = number();
  page.data.site_magnitude = number();
  page.data.first_fetched_at_ms = static_cast<int64_t>(number());
  page.data.last_fetched_at_ms = static_cast<int64_t>(number());
  page.data.marks = static_cast<uint32_t>(random() % 16);
  page.url = std::string(random() % 300, 'u').c_str();
  return page;
}

void expect_page(const std::optional<PageRecord::View>& view, const PageRecord& page) {
  ASSERT_TRUE(view);
  PageData expected = page.data;
  expected.url_size = static_cast<uint32_t>(page.url.size());
  EXPECT_EQ(std::memcmp(&**view, &expected, sizeof expected), 0);
  EXPECT_EQ(view->url, page.url);
}

TEST(PageRecord, IsReadAsItWasWritten) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 3000; ++i) {
    const PageRecord page = random_page(random);
    Written written;
    page.write(written);
    expect_page(PageRecord::parse(written), page);
  }
}

TEST(PageRecord, ExtremeNumbersStayWhatTheyAre) {
  PageRecord page;
  page.data.answer.verdict = std::numeric_limits<int32_t>::min();
  page.data.answer.flags = std::numeric_limits<uint32_t>::max();
  page.data.answer.page_id = std::numeric_limits<uint64_t>::max();
  page.data.answer.resemblance = std::numeric_limits<double>::quiet_NaN();
  page.data.first_fetched_at_ms = std::numeric_limits<int64_t>::min();
  page.data.last_fetched_at_ms = -1;
  page.data.marks = std::numeric_limits<uint32_t>::max();
  Written written;
  page.write(written);
  expect_page(PageRecord::parse(written), page);
}

TEST(PageRecord, ANewPageTakesFiftyBytesAndItsUrl) {
  PageRecord page;
  page.data.answer = {.verdict = kNew, .page_id = 900'000, .group_id = 900'000};
  page.data.text = 700'000;
  page.data.site = 0x0123456789abcdef;
  page.data.digest = {0x1122334455667788, 0x99aabbccddeeff00};
  page.data.width = 1500;
  page.data.first_fetched_at_ms = page.data.last_fetched_at_ms = 1'700'000'000'000;
  page.url = "https://www.a.example/path/to/page";
  Written written;
  page.write(written);
  EXPECT_LE(written.size(), 50 + page.url.size());
}

// A damaged file leads to no page, or to a page with other numbers, never out of the value.
TEST(PageRecord, WhatIsCutIsNoPage) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 50; ++i) {
    Written written;
    random_page(random).write(written);
    for (size_t size = 0; size < written.size(); ++size) {
      const Written cut(written.begin(), written.begin() + static_cast<ptrdiff_t>(size));
      EXPECT_FALSE(PageRecord::parse(cut)) << size;
    }
    for (uint8_t& byte : written) {
      const uint8_t before = byte;
      byte = static_cast<uint8_t>(random());
      if (const std::optional<PageRecord::View> view = PageRecord::parse(written)) {
        EXPECT_EQ(view->url.size(), view->data->url_size);
        EXPECT_LE(view->url.size(), written.size());
      }
      byte = before;
    }
  }
}

}  // namespace
}  // namespace nd::engine
