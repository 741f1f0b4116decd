// Lines from before there was a logger; tests/unit/capi/logger_test.cpp has its life and its callbacks.
#include "core/logger.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace nd {
namespace {

TEST(Logger, GivesItsFirstTargetSixteenLinesFromBefore) {
  Logger logger;
  for (int line = 1; line <= 20; ++line)
    logger.log(kLogWarning, std::to_string(line));
  std::vector<std::string> lines;
  const LogTarget target{[](int32_t, const char* message, size_t size, void* context) {
                           static_cast<std::vector<std::string>*>(context)->emplace_back(message, size);
                         },
                         &lines};
  logger.set(target);
  ASSERT_EQ(lines.size(), 16U);
  EXPECT_EQ(lines.front(), "1");
  EXPECT_EQ(lines.back(), "16");
  logger.log(kLogError, "now");
  EXPECT_EQ(lines.back(), "now");
  // They are told once.
  lines.clear();
  logger.set(target);
  EXPECT_TRUE(lines.empty());
}

}  // namespace
}  // namespace nd
