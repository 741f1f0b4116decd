#include "text/markup_buffer.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace nd::text {
namespace {

TEST(MarkupBuffer, HoldsWhatAStringWouldHold) {
  std::mt19937 random(5);
  MarkupBuffer buffer;
  std::string expected;
  for (int round = 0; round < 20000; ++round) {
    const size_t size = random() % 16 == 0 ? random() % 5000 : random() % 48;
    // Of just this size, so that a sanitizer sees what is read beyond it.
    std::vector<char> piece(1 + size + random() % 48);
    for (char& c : piece)
      c = static_cast<char>('a' + random() % 26);
    switch (random() % 8) {
      case 0:
        buffer.push_back('!');
        expected.push_back('!');
        break;
      case 1:
        buffer.append("one").append(" more");
        expected += "one more";
        break;
      case 2:
        expected.resize(random() % (expected.size() + 1));
        buffer.cut(expected.size());
        break;
      default:
        buffer.append(piece.data(), size, piece.size());
        expected.append(piece.data(), size);
    }
    ASSERT_EQ(buffer.size(), expected.size());
    if (round % 64 != 0) continue;
    ASSERT_EQ(buffer.view(), expected);
  }
  ASSERT_EQ(buffer.view(), expected);
}

}  // namespace
}  // namespace nd::text
