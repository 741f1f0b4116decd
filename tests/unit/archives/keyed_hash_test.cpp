// SipHash against the example of its paper, and that each byte and the key count.
#include "archives/keyed_hash.hpp"

#include <gtest/gtest.h>

namespace ndc::test {
namespace {

// The example of the specification's appendix: the key 00 01 ... 0f, the message 00 01 ... 0e.
TEST(SipHash, OfThePapersExample) {
  std::string message;
  for (char byte = 0; byte < 15; ++byte)
    message += byte;
  EXPECT_EQ(sip_hash({0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL}, message), 0xa129ca6149be45e5ULL);
}

TEST(SipHash, DependsOnKeyAndEveryByte) {
  const std::string text(17, 'x');
  EXPECT_NE(sip_hash({1, 0}, text), sip_hash({0, 1}, text));
  for (size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] ^= 1;
    EXPECT_NE(sip_hash({1, 2}, text), sip_hash({1, 2}, changed));
    EXPECT_NE(sip_hash({1, 2}, text), sip_hash({1, 2}, text.substr(0, i)));
  }
}

TEST(KeyedMap, LooksUpWithoutACopy) {
  KeyedMap<int> map;
  map["a"] = 1;
  const std::string_view key = "a";
  EXPECT_NE(map.find(key), map.end());
  EXPECT_EQ(KeyedHash{}("a"), KeyedHash{}(key));
}

}  // namespace
}  // namespace ndc::test
