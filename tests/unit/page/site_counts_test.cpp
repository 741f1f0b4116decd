// The share of a part that is own text, for few pages and for many.
#include "page/site_counts.hpp"

#include <gtest/gtest.h>

namespace nd::engine {
namespace {

TEST(OwnShare, HasTheseValuesWithFewOtherPages) {
  EXPECT_EQ(own_share(0, 0), 1);
  EXPECT_EQ(own_share(5, 0), 1) << "there is no page to have it";
  EXPECT_EQ(own_share(0, 1), 1);
  EXPECT_EQ(own_share(0, 100), 1);
  // The share with / (pages + 1) against .15, squared.
  EXPECT_NEAR(own_share(1, 1), 1 / (1 + 100.0 / 9), 1e-12);
  EXPECT_NEAR(own_share(1, 2), 1 / (1 + 4 / 0.81), 1e-12);
  EXPECT_NEAR(own_share(2, 2), 1 / (1 + 16 / 0.81), 1e-12);
}

TEST(OwnShare, FallsWithThePagesThatHaveIt) {
  for (const uint32_t pages : {1U, 2U, 3U, 10U, 100U, 4096U}) {
    for (uint32_t with = 1; with <= pages; ++with)
      ASSERT_LT(own_share(with, pages), own_share(with - 1, pages)) << with << " of " << pages;
    EXPECT_GT(own_share(pages, pages), 0);
    EXPECT_EQ(own_share(pages + 1, pages), own_share(pages, pages)) << "never more than there are";
    EXPECT_EQ(own_share(UINT32_MAX, pages), own_share(pages, pages));
  }
  for (uint32_t pages = 3; pages < 1000; ++pages)
    ASSERT_GT(own_share(1, pages), own_share(1, pages - 1)) << "one page of more is less of a template";
  EXPECT_NEAR(own_share(15, 100), 0.5, 0.02) << "half a page's own from .15 of the pages on";
  EXPECT_GT(own_share(UINT32_MAX, UINT32_MAX), 0);
  EXPECT_LE(own_share(0, UINT32_MAX), 1);
}

}  // namespace
}  // namespace nd::engine
