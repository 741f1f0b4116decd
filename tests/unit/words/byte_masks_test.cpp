// The vector masks of bytes against their portable form.
#include "words/byte_masks.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace nd::text {
namespace {

using byte_masks_detail::mark_mask;
using byte_masks_detail::mark_mask_portable;
using byte_masks_detail::word_masks;
using byte_masks_detail::word_masks_portable;

void expect_equal(const std::string& bytes) {
  const WordMasks fast = word_masks(bytes.data());
  const WordMasks plain = word_masks_portable(bytes.data());
  EXPECT_EQ(fast.word, plain.word) << bytes;
  EXPECT_EQ(fast.high, plain.high) << bytes;
  EXPECT_EQ(mark_mask(bytes.data()), mark_mask_portable(bytes.data())) << bytes;
}

TEST(ByteMasks, WorkedExample) {
  std::string bytes = "a Z.9\xe3\x80\x82!";
  bytes.resize(kMaskBytes, ' ');
  EXPECT_EQ(word_masks(bytes.data()).word, 0b011110101U);
  EXPECT_EQ(word_masks(bytes.data()).high, 0b011100000U);
  EXPECT_EQ(mark_mask(bytes.data()), 0b100101000U);
}

TEST(ByteMasks, EveryByteAtEveryPlaceEqualsThePortableForm) {
  for (int byte = 0; byte < 256; ++byte) {
    expect_equal(std::string(kMaskBytes, static_cast<char>(byte)));
    for (size_t place = 0; place < kMaskBytes; ++place) {
      std::string bytes(kMaskBytes, ' ');
      bytes[place] = static_cast<char>(byte);
      expect_equal(bytes);
    }
  }
}

TEST(ByteMasks, RandomBytesEqualThePortableForm) {
  std::mt19937 random(7);
  std::string bytes(kMaskBytes, '\0');
  for (int i = 0; i < 20000; ++i) {
    for (char& byte : bytes)
      byte = static_cast<char>(i % 2 != 0 ? random() % 128 : random() % 256);
    expect_equal(bytes);
  }
}

TEST(ByteMasks, AllOfATextIsVisitedOnceWithZerosBehind) {
  for (size_t size = 0; size < 200; ++size) {
    const std::string text(size, 'x');
    std::string seen;
    for_each_64_bytes(text, [&](const char* at, size_t offset) {
      EXPECT_EQ(offset, seen.size());
      seen.append(at, kMaskBytes);
    });
    EXPECT_EQ(seen.size() % kMaskBytes, 0U);
    EXPECT_LT(seen.size(), size + kMaskBytes);
    EXPECT_EQ(seen.substr(0, size), text);
    EXPECT_EQ(seen.find_first_not_of('\0', size), std::string::npos);
  }
}

}  // namespace
}  // namespace nd::text
