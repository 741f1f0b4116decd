// The fast scan of UTF-8 against an oracle, with every lead and at every offset.
#include "reading/utf8_scan.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace nd::text {
namespace {

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

struct Repaired {
  Utf8Scan scan;
  std::string text;
};

// The WHATWG decoder (Encoding Standard, section 8.1.1), byte by byte as written there.
Repaired oracle(std::string_view input) {
  Repaired result;
  unsigned needed = 0, seen = 0, lower = 0x80, upper = 0xbf;
  std::string pending;
  for (size_t i = 0; i < input.size();) {
    const auto byte = static_cast<unsigned char>(input[i]);
    if (needed == 0) {
      ++i;
      if (byte == 0) {
        result.scan.has_nul = true;
      } else if (byte < 0x80) {
        result.text += static_cast<char>(byte);
      } else if (byte >= 0xc2 && byte <= 0xf4) {
        needed = byte <= 0xdf ? 1 : byte <= 0xef ? 2 : 3;
        lower = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
        upper = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
        seen = 0;
        pending = static_cast<char>(byte);
      } else {
        ++result.scan.malformed_count;
        result.text += "\uFFFD";
      }
      continue;
    }
    if (byte < lower || byte > upper) {
      needed = 0;
      ++result.scan.malformed_count;
      result.text += "\uFFFD";
      continue;
    }
    ++i;
    lower = 0x80;
    upper = 0xbf;
    pending += static_cast<char>(byte);
    if (++seen == needed) {
      result.text += pending;
      ++result.scan.sequence_count;
      needed = 0;
    }
  }
  if (needed != 0) result.scan.cut_bytes = pending.size();
  return result;
}

void expect_equal(std::string_view input) {
  const Repaired expected = oracle(input);
  // An exact copy on the heap, so that AddressSanitizer sees a read behind the end.
  const std::vector<uint8_t> exact(input.begin(), input.end());
  const Utf8Scan scan = scan_utf8(exact);
  ASSERT_EQ(scan.sequence_count, expected.scan.sequence_count) << testing::PrintToString(exact);
  ASSERT_EQ(scan.malformed_count, expected.scan.malformed_count) << testing::PrintToString(exact);
  ASSERT_EQ(scan.cut_bytes, expected.scan.cut_bytes) << testing::PrintToString(exact);
  ASSERT_EQ(scan.has_nul, expected.scan.has_nul) << testing::PrintToString(exact);
  Utf8Output out;
  append_repaired_utf8(exact, out);
  ASSERT_EQ(out.text(), expected.text) << testing::PrintToString(exact);
}

TEST(Utf8Scan, WorkedExamples) {
  const Utf8Scan scan = scan_utf8(bytes_of("a中é😀\xE4\xB8"));
  EXPECT_EQ(scan.sequence_count, 3U);
  EXPECT_EQ(scan.malformed_count, 0U);
  EXPECT_EQ(scan.cut_bytes, 2U);
  EXPECT_FALSE(scan.has_nul);
  EXPECT_FALSE(scan.is_ascii());
  EXPECT_TRUE(scan_utf8({}).is_ascii());
  EXPECT_TRUE(scan_utf8(bytes_of("abc")).is_ascii());
  // Unicode Standard, table 3-8: E1 80 E2 F0 91 92 F1 BF 41 has four maximal subparts.
  EXPECT_EQ(scan_utf8(bytes_of("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41")).malformed_count, 4U);
  EXPECT_EQ(scan_utf8(bytes_of("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41")).malformed_count, 8U);
  EXPECT_EQ(scan_utf8(bytes_of("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41")).malformed_count, 8U);
}

TEST(Utf8Scan, FindsANulAtEveryOffset) {
  for (size_t size = 1; size < 200; ++size) {
    for (size_t at = 0; at < size; at += size < 100 ? 1 : 17) {
      std::string text(size, 'a');
      EXPECT_FALSE(scan_utf8(bytes_of(text)).has_nul);
      text[at] = '\0';
      EXPECT_TRUE(scan_utf8(bytes_of(text)).has_nul) << size << " " << at;
      EXPECT_TRUE(scan_utf8(bytes_of(text + "中")).has_nul) << size << " " << at;
    }
  }
}

// A NUL behind the first non-ASCII byte of a block must not be lost, one in front of it not be invented.
TEST(Utf8Scan, EqualsTheOracleOnEveryPairAndLead) {
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      const std::string pair{static_cast<char>(first), static_cast<char>(second)};
      expect_equal(pair);
      expect_equal(pair + "\x80\x80zzzz");
      expect_equal("xyz" + pair + "\xBF");
    }
  }
}

TEST(Utf8Scan, GivesUpOnlyWhereMostIsMalformed) {
  const auto repeat = [](std::string_view text, size_t count) {
    std::string repeated;
    for (size_t i = 0; i < count; ++i)
      repeated += text;
    return repeated;
  };
  EXPECT_FALSE(scan_utf8(bytes_of(repeat("\xFF ", 1023) + repeat("中", 2000))).gave_up);
  EXPECT_TRUE(scan_utf8(bytes_of(repeat("\xFF ", 1024) + repeat("中", 2000))).gave_up);
  const std::string half = repeat("中", 1024) + repeat("\xFF ", 1024);
  EXPECT_FALSE(scan_utf8(bytes_of(half)).gave_up);
  EXPECT_EQ(scan_utf8(bytes_of(half)).malformed_count, 1024U);
  EXPECT_EQ(scan_utf8(bytes_of(half)).sequence_count, 1024U);
  EXPECT_TRUE(scan_utf8(bytes_of(half + "\xFF")).gave_up);
}

TEST(Utf8Scan, EqualsTheOracleOnMutatedText) {
  const std::string text =
      "<p class=\"article\">人工智能 (AI) 正在改变世界。Ünïcödé — 😀🎉 текст</p><div>plain ascii text that is "
      "long enough "
      "for the wide path of the scan, sixteen bytes and more</div>𠀀龘";
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string mutated = text.substr(random() % 40, 1 + random() % text.size());
    for (size_t i = random() % 6; i > 0; --i)
      mutated[random() % mutated.size()] = static_cast<char>(random());
    expect_equal(mutated);
  }
}

TEST(Utf8Scan, EqualsTheOracleOnBytesNearTheLimits) {
  const unsigned char alphabet[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2,
                                    0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5};
  std::mt19937 random(2);
  for (int round = 0; round < 50000; ++round) {
    std::string input(random() % 12, '\0');
    for (char& c : input)
      c = static_cast<char>(alphabet[random() % std::size(alphabet)]);
    expect_equal(input);
  }
}

}  // namespace
}  // namespace nd::text
