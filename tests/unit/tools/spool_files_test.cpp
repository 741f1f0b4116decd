// What was spooled is read back from any place.
#include "spool_files.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace ndc {
namespace {

using Pages = std::vector<std::pair<std::string, std::string>>;

Pages rest_of(FeatureSpool& spool) {
  Pages read;
  std::string url, features;
  while (spool.read(url, features))
    read.emplace_back(url, features);
  EXPECT_EQ(spool.error(), "");
  return read;
}

TEST(FeatureSpoolTest, GivesBackWhatWasAddedFromAnyPlace) {
  const Pages pages{{"http://a.example/", std::string("\0\n\xff", 3)},
                    {"", ""},
                    {"http://b.example/", std::string(100'000, 'x')},
                    {"http://c.example/", "y"}};
  FeatureSpool spool;
  for (const auto& [url, features] : pages)
    EXPECT_TRUE(spool.add(url, features));
  EXPECT_EQ(spool.size(), pages.size());
  EXPECT_TRUE(spool.go_to({}));
  EXPECT_EQ(rest_of(spool), pages);
  EXPECT_EQ(rest_of(spool), Pages{}) << "the end";

  EXPECT_TRUE(spool.go_to({}));
  std::string url, features;
  EXPECT_TRUE(spool.read(url, features));
  EXPECT_TRUE(spool.read(url, features));
  const FeatureSpool::Place place = spool.place();
  EXPECT_EQ(place.page, 2U);
  for (int again = 0; again < 2; ++again) {
    EXPECT_TRUE(spool.go_to(place));
    EXPECT_EQ(rest_of(spool), Pages(pages.begin() + 2, pages.end()));
  }
}

TEST(FeatureSpoolTest, AnEmptyOneNeedsNoFile) {
  FeatureSpool spool;
  EXPECT_TRUE(spool.go_to({}));
  EXPECT_EQ(rest_of(spool), Pages{});
  EXPECT_EQ(spool.size(), 0U);
}

}  // namespace
}  // namespace ndc
