// A value or a failure with its message, moved and passed on.
#include "core/result.hpp"

#include <gtest/gtest.h>

namespace nd {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return error(Status::kInvalidArgument, "odd number");
  return number / 2;
}

Result<void> check(bool good) {
  if (!good) return error(Status::kCorrupt, "bad ", String("version"), " 7");
  return {};
}

TEST(Result, HoldsAValue) {
  Result<int> result = half(8);
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 4);
  *result = 5;
  EXPECT_EQ(*half(2), 1);
}

TEST(Result, HoldsAFailure) {
  const Result<int> result = half(3);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.failure().status, Status::kInvalidArgument);
  EXPECT_EQ(result.failure().message, "odd number");
}

TEST(Result, PassesAFailureOnWithItsMessage) {
  const auto doubled = [](int number) -> Result<String> {
    Result<int> halved = half(number);
    if (!halved) return std::move(halved).failure();
    return String("fine");
  };
  EXPECT_EQ(doubled(1).failure().message, "odd number");
  EXPECT_EQ(doubled(2)->size(), 4U);
}

TEST(Result, OfNothingIsGoodUnlessItFailed) {
  EXPECT_TRUE(check(true));
  const Result<void> failed = check(false);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.failure().status, Status::kCorrupt);
  EXPECT_EQ(failed.failure().message, "bad version 7");
}

TEST(Result, MovesOutWhatCannotBeCopied) {
  Result<Owned<int>> result = make_owned<int>(9);
  const Owned<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 9);
}

}  // namespace
}  // namespace nd
