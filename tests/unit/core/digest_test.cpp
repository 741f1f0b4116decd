#include "core/digest.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace nd {
namespace {

std::string hex(const Md5Digest& digest) {
  std::string text;
  for (const uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// RFC 1321, appendix A.5.
TEST(Md5, GivesTheAnswersOfTheRfc) {
  Md5 md5 = *Md5::create();
  EXPECT_EQ(hex(md5("")), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(hex(md5("a")), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(hex(md5("abc")), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(hex(md5("message digest")), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(hex(md5("abcdefghijklmnopqrstuvwxyz")), "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(hex(md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890")),
            "57edf4a22be3c955ac49da2e2107b67a");
}

// The worked example of the LCS partition's fingerprints starts from these.
TEST(Md5, GivesTheDigestsOfTheFiveSentences) {
  Md5 md5 = *Md5::create();
  EXPECT_EQ(hex(md5("the first sentence of the example.")), "3bd0a6eaa3242ac220c7e90b881027ba");
  EXPECT_EQ(hex(md5("a second sentence follows it.")), "7d6188885293017b7590255a782d4d83");
  EXPECT_EQ(hex(md5("and a third one ends here.")), "2448ee0657a8af3aad92fe9bab04958c");
  EXPECT_EQ(hex(md5("a fourth sentence, for the buckets.")), "b8cf3c1a111fa4052552d8d74ebc5af6");
  EXPECT_EQ(hex(md5("the fifth and last sentence.")), "2a2f5bb57deaaa133834c6600e8a776f");
}

TEST(Md5, IsReusableAndMovable) {
  Md5 first = *Md5::create();
  EXPECT_EQ(hex(first("abc")), hex(first("abc")));
  Md5 second = std::move(first);
  EXPECT_EQ(hex(second("abc")), "900150983cd24fb0d6963f7d28e17f72");
  Md5 third = *Md5::create();
  third = std::move(second);
  EXPECT_EQ(hex(third(std::string_view("a\0b", 3))), hex(third(std::string_view("a\0b", 3))));
  EXPECT_NE(hex(third(std::string_view("a\0b", 3))), hex(third("a")));
}

// Against OpenSSL, one by one: all lengths around the borders of blocks, and lanes that are refilled.
TEST(Md5, SideBySideIsTheSame) {
  std::mt19937_64 random(1321);
  Md5 md5 = *Md5::create();
  for (size_t count = 0; count < 300; ++count) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < count; ++i) {
      std::string text(i % 7 == 0 ? random() % 5000 : (count + i) % 200, '\0');
      for (char& c : text)
        c = static_cast<char>(random());
      texts.push_back(text);
    }
    const std::vector<std::string_view> messages(texts.begin(), texts.end());
    std::vector<Md5Digest> digests(count), portable(count);
    md5(messages, digests);
    md5_side_by_side_portable(messages, portable.data());
    for (size_t i = 0; i < count; ++i) {
      const std::string expected = hex(md5(messages[i]));
      ASSERT_EQ(hex(digests[i]), expected) << count << " " << i;
      ASSERT_EQ(hex(portable[i]), expected) << count << " " << i;
    }
  }
}

}  // namespace
}  // namespace nd
