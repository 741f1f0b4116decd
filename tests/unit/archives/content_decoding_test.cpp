// Content codings, cut, damaged, or expanding without end.
#include "archives/content_decoding.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "archive_builder.hpp"

namespace ndc::test {
namespace {

constexpr size_t kLimit = size_t{1} << 20;

using Decoder = Decoding (*)(std::string_view, size_t, std::string&);
using Encoder = std::string (*)(std::string_view);

struct Coding {
  const char* name;
  Encoder encode;
  Decoder decode;
};

const Coding kCodings[] = {{"gzip", gzip, decode_gzip},
                           {"zlib", zlib, decode_deflate},
                           {"deflate", raw_deflate, decode_deflate},
                           {"brotli", brotli, decode_brotli}};

std::string sample_text(size_t words) {
  std::mt19937 random(5);
  std::string text;
  for (size_t i = 0; i < words; ++i)
    text += "word" + std::to_string(random() % 1000) + ' ';
  return text;
}

TEST(ContentDecoding, GivesBackWhatWasEncoded) {
  for (const Coding& coding : kCodings) {
    for (const std::string& text : {std::string(), std::string("a"), sample_text(60000)}) {
      std::string out = "old";
      EXPECT_EQ(coding.decode(coding.encode(text), kLimit, out), Decoding::kComplete) << coding.name;
      EXPECT_EQ(out, text) << coding.name;
    }
  }
}

TEST(ContentDecoding, ReadsSeveralGzipMembersAndIgnoresWhatFollows) {
  std::string out;
  EXPECT_EQ(decode_gzip(gzip("one ") + gzip("two"), kLimit, out), Decoding::kComplete);
  EXPECT_EQ(out, "one two");
  EXPECT_EQ(decode_gzip(gzip("one") + "trailing bytes", kLimit, out), Decoding::kComplete);
  EXPECT_EQ(out, "one");
}

TEST(ContentDecoding, GivesTheStartOfCutData) {
  const std::string text = sample_text(3000);
  for (const Coding& coding : kCodings) {
    const std::string encoded = coding.encode(text);
    for (size_t size = 0; size < encoded.size(); size += 7) {
      std::string out;
      const Decoding outcome = coding.decode(std::string_view(encoded).substr(0, size), kLimit, out);
      ASSERT_EQ(outcome, Decoding::kCut) << coding.name << " " << size;
      ASSERT_TRUE(text.starts_with(out)) << coding.name << " " << size;
    }
  }
}

TEST(ContentDecoding, StopsAtTheLimit) {
  const std::string text = sample_text(20000);
  for (const Coding& coding : kCodings) {
    const std::string encoded = coding.encode(text);
    std::string out;
    EXPECT_EQ(coding.decode(encoded, text.size(), out), Decoding::kComplete) << coding.name;
    for (const size_t limit : {size_t{0}, size_t{1}, size_t{70000}, text.size() - 1}) {
      EXPECT_EQ(coding.decode(encoded, limit, out), Decoding::kOverLimit) << coding.name;
      EXPECT_EQ(out, text.substr(0, limit)) << coding.name;
    }
  }
}

TEST(ContentDecoding, ABombGivesNoMoreThanTheLimit) {
  const std::string zeros(size_t{16} << 20, '\0');
  for (const Coding& coding : kCodings) {
    const std::string bomb = coding.encode(zeros);
    ASSERT_LT(bomb.size(), size_t{100000});
    std::string out;
    EXPECT_EQ(coding.decode(bomb, kLimit, out), Decoding::kOverLimit) << coding.name;
    EXPECT_EQ(out.size(), kLimit);
    EXPECT_LT(out.capacity(), 3 * kLimit);
  }
}

TEST(ContentDecoding, DamagedDataIsNotTakenForWhole) {
  const std::string text = sample_text(500);
  for (const Coding& coding : {kCodings[0], kCodings[1]}) {
    std::string encoded = coding.encode(text);
    // The checksum's last bytes.
    encoded[encoded.size() - (coding.decode == decode_gzip ? 5 : 1)] ^= 1;
    std::string out;
    EXPECT_EQ(coding.decode(encoded, kLimit, out), Decoding::kDamaged) << coding.name;
    EXPECT_EQ(out, text) << coding.name;
  }
}

TEST(ContentDecoding, RandomBytesEnd) {
  std::mt19937 random(17);
  for (int round = 0; round < 400; ++round) {
    std::string bytes = round % 2 == 0 ? "\x1f\x8b\x08" : "";
    const size_t count = random() % 500;
    for (size_t i = 0; i < count; ++i)
      bytes += static_cast<char>(random());
    for (const Coding& coding : kCodings) {
      std::string out;
      coding.decode(bytes, 5000, out);
      ASSERT_LE(out.size(), 5000u) << coding.name;
    }
  }
}

}  // namespace
}  // namespace ndc::test
