// Hosts and sites of URLs as pages write them.
#include "reading/site.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace nd::text {
namespace {

TEST(HostOf, TakesTheHostOfAbsoluteUrls) {
  EXPECT_EQ(host_of("http://example.com"), "example.com");
  EXPECT_EQ(host_of("HTTPS://News.Example.COM:8080/a?b#c"), "news.example.com");
  EXPECT_EQ(host_of("https://user:secret@example.com./"), "example.com");
  EXPECT_EQ(host_of("https://example.com?q"), "example.com");
  EXPECT_EQ(host_of("https://example.com#f"), "example.com");
  EXPECT_EQ(host_of("//cdn.example.com/x"), "cdn.example.com");
  EXPECT_EQ(host_of(" \n http:\\\\example.com\\x"), "example.com");
  EXPECT_EQ(host_of("ftp://[2001:db8::1]:21/"), "[2001:db8::1]");
  EXPECT_EQ(host_of("http://bücher.example/"), "bücher.example");
}

TEST(HostOf, IsEmptyWhereThereIsNone) {
  for (const char* url :
       {"", "/a", "a/b", "?q", "#f", "mailto:a@example.com", "javascript:void(0)", "http:", "http:/",
        "http://", "file:///etc", "//", "http://[::1", "1http://example.com", "http//example.com"}) {
    EXPECT_EQ(host_of(url), "") << url;
  }
}

TEST(HostOf, LooksAtBoundedBytes) {
  EXPECT_EQ(host_of("http://" + std::string(1 << 20, 'a')).size(), 253U);
  EXPECT_EQ(host_of(std::string(1 << 20, '/')), "");
}

TEST(OriginOf, EndsBeforeThePath) {
  EXPECT_EQ(origin_of("https://a.example/b"), "https://a.example");
  EXPECT_EQ(origin_of(" //a.example\\b"), "//a.example");
  EXPECT_EQ(origin_of("/b"), "");
  EXPECT_EQ(origin_of("mailto:a@b"), "");
}

TEST(SiteOfHost, IsTheRegistrableDomain) {
  EXPECT_EQ(site_of_host("news.example.co.uk"), "example.co.uk");
  EXPECT_EQ(site_of_host("www.sina.com.cn"), "sina.com.cn");
  EXPECT_EQ(site_of_host("a.b.example.com"), "example.com");
  EXPECT_EQ(site_of_host("example.com"), "example.com");
  EXPECT_EQ(site_of_host("someone.github.io"), "someone.github.io");
}

TEST(SiteOfHost, WhatHasNoneIsItsOwn) {
  for (const char* host : {"co.uk", "com", "localhost", "192.0.2.1", "[2001:db8::1]", ""}) {
    EXPECT_EQ(site_of_host(host), host);
  }
}

TEST(PublicSuffixListVersion, IsTold) {
  EXPECT_FALSE(public_suffix_list_version().empty());
}

TEST(Site, TheHashOfAHostIsThatOfItsNameWithoutWww) {
  const uint64_t plain = hash_of_host("http://example.com/");
  EXPECT_NE(plain, 0U);
  for (const char* url :
       {"https://www.example.com/a", "HTTP://WWW.Example.COM:80/", "http://u:p@example.com.?q"})
    EXPECT_EQ(hash_of_host(url), plain) << url;
  for (const char* url :
       {"http://a.example.com/", "http://www.www.example.com/", "http://www./", "http://www/"})
    EXPECT_NE(hash_of_host(url), plain) << url;
  for (const char* url : {"", "/a", "mailto:a@example.com", "http:///a", "http://[::1/"})
    EXPECT_EQ(hash_of_host(url), 0U) << url;
  const std::string longest(1000, 'a');
  EXPECT_EQ(hash_of_host("http://" + longest + "/"), hash_of_host("http://" + longest + "a/")) << "253 bytes";
}

TEST(Site, APageIsNamedByTheLastPartOfItsPath) {
  const PageName lamp = page_name_of("https://a.example/lamp");
  EXPECT_NE(lamp.name, 0U);
  EXPECT_FALSE(lamp.is_number);
  for (const char* url :
       {"http://b.example/x/lamp.html", "HTTP://b.example/lamp/", "/lamp//#top", "lamp.htm", "  lamp"})
    EXPECT_EQ(page_name_of(url).name, lamp.name) << url;
  for (const char* url : {"http://a.example/Lamp", "http://a.example/lamp.v2.html", "http://a.example/.lamp",
                          "http://lamp", "http://lamp/?lamp", "http://a.example/?/lamp", ""})
    EXPECT_NE(page_name_of(url).name, lamp.name) << url;
  for (const char* url :
       {"", "/", "https://a.example", "https://a.example/", "https://a.example///?q", "#lamp"})
    EXPECT_EQ(page_name_of(url).name, 0U) << url;
  EXPECT_EQ(page_name_of("http://a.example/lamp?a=1#x").query, page_name_of("http://b.example/?a=1").query);
  EXPECT_NE(page_name_of("http://a.example/lamp?a=1").query, page_name_of("http://a.example/lamp?a=2").query);
  for (const char* url : {"http://a.example/lamp", "http://a.example/lamp?", "http://a.example/lamp#?a"})
    EXPECT_EQ(page_name_of(url).query, 0U) << url;
  for (const char* url : {"http://a.example/12", "http://a.example/2021-05.html", "http://a.example/%20"})
    EXPECT_TRUE(page_name_of(url).is_number) << url;
  for (const char* url :
       {"http://a.example/t12", "http://a.example/\xe6\x9b\xb8", "http://a.example/%E6%9B%B8"})
    EXPECT_FALSE(page_name_of(url).is_number) << url;
}

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
