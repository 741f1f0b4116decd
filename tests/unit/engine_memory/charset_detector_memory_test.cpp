// The charset detector where ICU has no memory for it: that is told, although ICU itself reports no error.
#include <gtest/gtest.h>
#include <unicode/uclean.h>

#include <cstdlib>
#include <new>
#include <string>

#include "reading/charset_detector.hpp"

namespace nd::text {
namespace {

bool is_short = false;

void* take(const void*, size_t size) {
  return is_short ? nullptr : std::malloc(size);
}

void* resize(const void*, void* memory, size_t size) {
  return is_short ? nullptr : std::realloc(memory, size);
}

void give_back(const void*, void* memory) {
  std::free(memory);
}

TEST(CharsetDetectorMemoryTest, ADetectorThatCannotBeMadeIsTold) {
  UErrorCode status = U_ZERO_ERROR;
  u_setMemoryFunctions(nullptr, take, resize, give_back, &status);
  ASSERT_TRUE(U_SUCCESS(status));
  std::string text;  // Cyrillic letters in windows-1251
  for (int i = 0; i < 200; ++i)
    text += std::string("\xef\xf0\xe8\xe2\xe5\xf2 ") + static_cast<char>(0xe0 + i * 7 % 32);
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  CharsetDetector detector;
  is_short = true;
  EXPECT_THROW(static_cast<void>(detector.detect(bytes)), std::bad_alloc);
  is_short = false;
  const Result<std::optional<Charset>> found = detector.detect(bytes);
  ASSERT_TRUE(found);
  EXPECT_TRUE(*found);
}

}  // namespace
}  // namespace nd::text
