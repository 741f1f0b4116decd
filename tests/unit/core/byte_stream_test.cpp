// Numbers as bytes and back; what is cut reads as failed and never beyond its end.
#include "core/byte_stream.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

namespace nd {
namespace {

TEST(ByteStream, ShortNumbersTakeABytePerSevenBits) {
  Vector<uint8_t> bytes;
  ByteWriter(bytes).short_number(0).short_number(0x7f).short_number(0x80).short_number(300);
  EXPECT_EQ(bytes, (Vector<uint8_t>{0, 0x7f, 0x80, 1, 0xac, 2}));
  for (unsigned bits = 0; bits <= 64; ++bits) {
    bytes.clear();
    ByteWriter(bytes).short_number(bits == 0 ? 0 : std::numeric_limits<uint64_t>::max() >> (64 - bits));
    EXPECT_EQ(bytes.size(), bits == 0 ? 1U : (bits + 6) / 7);
  }
}

TEST(ByteStream, GivesBackWhatWasWritten) {
  std::mt19937_64 random(3);
  Vector<uint8_t> bytes;
  ByteWriter out(bytes);
  std::vector<uint64_t> written;
  for (int i = 0; i < 2000; ++i) {
    written.push_back(random() >> random() % 64);
    out.short_number(written.back()).number(written.back());
  }
  ByteReader in(bytes);
  for (const uint64_t number : written) {
    EXPECT_EQ(in.short_number(), number);
    EXPECT_EQ(in.number<uint64_t>(), number);
  }
  EXPECT_TRUE(in.at_end());
}

TEST(ByteStream, ShortNumbersEndWithTheBytes) {
  const std::vector<uint8_t> cut = {0x80, 0x80};
  ByteReader in(cut);
  in.short_number();
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.short_number(), 0U);

  const std::vector<uint8_t> too_long(11, 0x80);
  ByteReader long_one(too_long);
  long_one.short_number();
  EXPECT_FALSE(long_one.ok());
}

}  // namespace
}  // namespace nd
