#include "text/site_of_targets.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "text/site.hpp"

namespace nd::text {
namespace {

constexpr const char* kHosts[] = {"news.example.co.uk",
                                  "example.co.uk",
                                  "badexample.co.uk",
                                  "co.uk",
                                  "uk",
                                  "someone.github.io",
                                  "github.io",
                                  "192.168.0.1",
                                  "1",
                                  "[::1]",
                                  "localhost",
                                  "a.b.sina.com.cn",
                                  "sina.com.cn",
                                  "a.sina.com.cn",
                                  "cn",
                                  "com.cn"};

TEST(SiteOfTargets, IsOwnWhereTheHostIsOfTheSite) {
  SiteOfTargets targets;
  for (const char* page : kHosts) {
    const std::string_view site = site_of_host(page);
    targets.start(site);
    for (const char* host : kHosts)
      EXPECT_EQ(targets.is_own("http://" + std::string(host) + "/a"), site_of_host(host) == site)
          << host << " on " << site;
  }
}

TEST(SiteOfTargets, RelativeTargetsAreOwn) {
  SiteOfTargets targets;
  for (const char* site : {"example.com", ""}) {
    targets.start(site);
    for (const char* url : {"", "/a", "b?c", "#d", "mailto:a@b.example", "javascript:void(0)", "//"})
      EXPECT_TRUE(targets.is_own(url)) << url;
  }
}

TEST(SiteOfTargets, NothingElseIsOwnWithoutASite) {
  SiteOfTargets targets;
  targets.start("");
  EXPECT_FALSE(targets.is_own("http://example.com/"));
}

// Many more origins than are remembered, on pages of changing sites, the same ones time and again.
TEST(SiteOfTargets, RememberingChangesNoAnswer) {
  std::mt19937 random(25);
  SiteOfTargets targets;
  for (int page = 0; page < 200; ++page) {
    const std::string site = "site" + std::to_string(random() % 40) + ".co.uk";
    targets.start(site);
    for (int link = 0; link < 50; ++link) {
      const std::string host =
          (random() % 2 == 0 ? "" : "WWW.") + std::string("site") + std::to_string(random() % 40) + ".co.uk";
      const std::string url = (random() % 2 == 0 ? "http://" : "//user@") + host + "/" + std::to_string(link);
      ASSERT_EQ(targets.is_own(url), site_of_host(host_of(url)) == site) << url << " on " << site;
    }
  }
}

TEST(SiteOfTargets, KeepsNoLongOrigins) {
  SiteOfTargets targets;
  targets.start("example.com");
  for (int i = 0; i < 1000; ++i) {
    const std::string user(100'000, static_cast<char>('a' + i % 26));
    EXPECT_TRUE(targets.is_own("http://" + user + "@www.example.com/"));
    EXPECT_FALSE(targets.is_own("http://" + std::to_string(i) + user + ".example.net/"));
  }
  EXPECT_LT(targets.memory_bytes(), 192U << 10);
}

}  // namespace
}  // namespace nd::text
