#include "text/site.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace nd::text
