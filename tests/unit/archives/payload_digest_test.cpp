// Digests in base 32 and hexadecimal have one spelling, and those of nothing have none.
#include "archives/payload_digest.hpp"

#include <gtest/gtest.h>

namespace ndc::test {
namespace {

TEST(PayloadDigest, HasOneSpelling) {
  const std::string hex = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
  for (const char* written :
       {"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "SHA-1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj",
        "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
        "urn:sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709", "sha1: 3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ "}) {
    EXPECT_EQ(canonical_digest(written), hex) << written;
  }
  EXPECT_EQ(canonical_digest("sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ===="),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(canonical_digest("md5:2QOYZWMPACZAJ2MABGMOZ6CCPY======"), "d41d8cd98f00b204e9800998ecf8427e");
}

TEST(PayloadDigest, WhatCannotBeReadStandsForItself) {
  EXPECT_EQ(canonical_digest(""), "");
  EXPECT_EQ(canonical_digest("sha1:"), "");
  EXPECT_EQ(canonical_digest("sha1:====="), "");
  for (const char* text :
       {"AbC", "x/y+", "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY", "da39a3ee5e6b4b0d3255bfef95601890afd8070"})
    EXPECT_EQ(canonical_digest(text), text);
}

TEST(PayloadDigest, OfNothing) {
  for (const char* written :
       {"md5:d41d8cd98f00b204e9800998ecf8427e", "md5:2QOYZWMPACZAJ2MABGMOZ6CCPY",
        "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "sha-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ",
        "sha224:d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f",
        "sha384:"
        "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b",
        "sha512:cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"}) {
    EXPECT_TRUE(is_digest_of_nothing(canonical_digest(written))) << written;
  }
  for (const char* written : {"", "sha1:", "sha1:IB723SXHRURE4K3OBCSGFMVJFYNXLAWT", "3I42"})
    EXPECT_FALSE(is_digest_of_nothing(canonical_digest(written))) << written;
}

}  // namespace
}  // namespace ndc::test
