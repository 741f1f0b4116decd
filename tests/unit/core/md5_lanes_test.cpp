// MD5 in lanes against the RFC's answers and OpenSSL, in the vector form and the portable one.
#include "core/md5_lanes.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "unit/openssl_md5.hpp"

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

std::vector<std::string> digests_of(const std::vector<std::string_view>& messages) {
  std::vector<Md5Digest> digests(messages.size());
  md5_side_by_side(messages, digests.data());
  std::vector<std::string> texts;
  for (const Md5Digest& digest : digests)
    texts.push_back(hex(digest));
  return texts;
}

// RFC 1321, appendix A.5.
TEST(Md5Lanes, GiveTheAnswersOfTheRfc) {
  EXPECT_EQ(digests_of({"", "a", "abc", "message digest", "abcdefghijklmnopqrstuvwxyz",
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                        "12345678901234567890123456789012345678901234567890123456789012345678901234567890"}),
            (std::vector<std::string>{"d41d8cd98f00b204e9800998ecf8427e", "0cc175b9c0f1b6a831c399e269772661",
                                      "900150983cd24fb0d6963f7d28e17f72", "f96b697d7cb7938d525a2f31aaf161d0",
                                      "c3fcd3d76192e4007dfb496cca67e13b", "d174ab98d277d9f5a5611c2c9f419d9f",
                                      "57edf4a22be3c955ac49da2e2107b67a"}));
}

// The worked example of the LCS partition's fingerprints starts from these.
TEST(Md5Lanes, GiveTheDigestsOfTheFiveSentences) {
  EXPECT_EQ(digests_of({"the first sentence of the example.", "a second sentence follows it.",
                        "and a third one ends here.", "a fourth sentence, for the buckets.",
                        "the fifth and last sentence."}),
            (std::vector<std::string>{"3bd0a6eaa3242ac220c7e90b881027ba", "7d6188885293017b7590255a782d4d83",
                                      "2448ee0657a8af3aad92fe9bab04958c", "b8cf3c1a111fa4052552d8d74ebc5af6",
                                      "2a2f5bb57deaaa133834c6600e8a776f"}));
}

TEST(Md5Lanes, ZeroBytesCount) {
  EXPECT_NE(digests_of({std::string_view("a\0b", 3)}), digests_of({"a"}));
}

// Against OpenSSL, one by one: all lengths around the borders of blocks, and lanes that are refilled.
TEST(Md5Lanes, EqualOpenSsl) {
  std::mt19937_64 random(1321);
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
    md5_side_by_side(messages, digests.data());
    md5_side_by_side_portable(messages, portable.data());
    for (size_t i = 0; i < count; ++i) {
      const std::string expected = hex(openssl_md5(messages[i]));
      ASSERT_EQ(hex(digests[i]), expected) << count << " " << i;
      ASSERT_EQ(hex(portable[i]), expected) << count << " " << i;
    }
  }
}

}  // namespace
}  // namespace nd
