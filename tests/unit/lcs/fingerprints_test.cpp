// Fingerprints against their oracle and an example worked by hand.
#include "lcs/fingerprints.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/utf8.hpp"
#include "unit/lcs/fingerprints_oracle.hpp"
#include "unit/openssl_md5.hpp"

namespace nd::lcs {
namespace {

std::string hex_of(const Md5Digest& digest) {
  std::string text;
  for (const uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

class FingerprintsTest : public testing::Test {
 protected:
  SentenceDigest sentence(std::string_view text) { return {openssl_md5(text), width(text)}; }

  std::vector<Fingerprint> fingerprints(const std::vector<SentenceDigest>& sentences,
                                        const FingerprintParameters& parameters) {
    Vector<Fingerprint> out;
    fingerprinter_.append_fingerprints(sentences, parameters, out);
    return {out.begin(), out.end()};
  }

  Fingerprinter fingerprinter_;
};

TEST_F(FingerprintsTest, WorkedExample) {
  const std::vector<SentenceDigest> sentences = {
      sentence("the first sentence of the example."), sentence("a second sentence follows it."),
      sentence("and a third one ends here."), sentence("a fourth sentence, for the buckets."),
      sentence("the fifth and last sentence.")};
  EXPECT_EQ(hex_of(sentences[0].digest), "3bd0a6eaa3242ac220c7e90b881027ba");
  const auto result =
      fingerprints(sentences, {.sentence_width = 10, .sentences = 2, .cover_width = 0, .buckets = 2});
  ASSERT_EQ(result.size(), 25u);
  EXPECT_EQ(hex_of(result[0]), "32599f788f5a85b0dace47f4d15a910a");
  EXPECT_EQ(hex_of(result[1]), "4d84521b745c1a66d5985935adbb5861");
  EXPECT_EQ(hex_of(result[2]), "54315346cdcf6aa317ef92b622a42993");
  EXPECT_EQ(hex_of(result[3]), "af6d48c58ac79d0c7f2f634ff730610f");
  EXPECT_EQ(hex_of(result[24]), "0d741fe7ee70ce052a5acc0fad617734");
}

TEST_F(FingerprintsTest, EqualsTheOracle) {
  std::mt19937_64 random(20071220);
  for (int round = 0; round < 300; ++round) {
    const FingerprintParameters parameters = {
        .sentence_width = static_cast<uint32_t>(random() % 12),
        .sentences = static_cast<uint32_t>(1 + random() % 6),
        .cover_width = static_cast<uint32_t>(random() % 100),
        .buckets = static_cast<uint32_t>(1 + random() % (round % 2 ? 64 : 8)),
        .rotations = static_cast<uint32_t>(round % 4 == 0 ? 1 + random() % 16 : 16)};
    std::vector<SentenceDigest> sentences;
    const size_t count = random() % 60;
    for (size_t i = 0; i < count; ++i) {
      SentenceDigest next;
      // A small range makes equal digests, equal high halves and runs of equal bytes.
      for (uint8_t& byte : next.digest)
        byte = static_cast<uint8_t>(round % 3 == 0 ? random() % 2 * 255 : random());
      next.width = static_cast<uint32_t>(random() % 40);
      if (i > 0 && random() % 4 == 0) next.digest = sentences[random() % i].digest;
      sentences.push_back(next);
    }
    EXPECT_EQ(fingerprints(sentences, parameters), oracle::fingerprints(sentences, parameters)) << round;
  }
}

TEST_F(FingerprintsTest, TheCoverMustBeWiderThanZ) {
  const std::vector<SentenceDigest> sentences = {{openssl_md5("one"), 50}, {openssl_md5("two"), 50}};
  FingerprintParameters parameters = {.sentence_width = 10, .sentences = 2, .cover_width = 100, .buckets = 1};
  EXPECT_EQ(fingerprints(sentences, parameters).size(), 0u);
  parameters.cover_width = 99;
  EXPECT_EQ(fingerprints(sentences, parameters).size(), kRotations);
}

TEST_F(FingerprintsTest, OneSentenceManyTimesIsOneSentence) {
  const std::vector<SentenceDigest> sentences(100'000, {openssl_md5("again"), 200});
  const FingerprintParameters parameters = {
      .sentence_width = 10, .sentences = 2, .cover_width = 0, .buckets = 1};
  EXPECT_EQ(fingerprints(sentences, parameters).size(), 0u);
}

TEST_F(FingerprintsTest, AppendsAndKeysAreTheFirstBytes) {
  Vector<Fingerprint> out(1);
  const std::vector<SentenceDigest> sentences = {{openssl_md5("one"), 50}};
  fingerprinter_.append_fingerprints(
      sentences, {.sentence_width = 10, .sentences = 1, .cover_width = 0, .buckets = 1}, out);
  EXPECT_EQ(out.size(), 17u);
  EXPECT_EQ(out[0], Fingerprint{});
  EXPECT_EQ(key_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}), 0x0102030405060708u);
}

}  // namespace
}  // namespace nd::lcs
