// The budget of a check: it grows with the page, and is never overdrawn.
#include "decision/work_budget.hpp"

#include <gtest/gtest.h>

#include "unit/page/feature_sample.hpp"

namespace nd::engine {
namespace {

TEST(WorkBudgetTest, GrowsWithThePage) {
  BudgetParameters parameters;
  parameters.check_work = 1000;
  parameters.byte_work = 3;
  WorkBudget budget;
  budget.start(parameters, 50);
  EXPECT_EQ(budget.left(), 1150U);
  budget.start(parameters, 50, 4);
  EXPECT_EQ(budget.left(), 4600U);
}

TEST(WorkBudgetTest, WithoutALimitThereIsNoBound) {
  BudgetParameters parameters;
  parameters.check_work = 0;
  WorkBudget budget;
  budget.start(parameters, 0);
  budget.spend(uint64_t{1} << 60);
  EXPECT_GT(budget.left(), uint64_t{1} << 63);
}

TEST(WorkBudgetTest, IsNeverOverdrawn) {
  BudgetParameters parameters;
  parameters.check_work = 1000;
  WorkBudget budget;
  budget.start(parameters, 0);
  budget.spend(400);
  EXPECT_EQ(budget.left(), 600U);
  budget.spend(10'000);
  EXPECT_EQ(budget.left(), 0U);
}

TEST(WorkBudgetTest, ASearchLeavesHalfOfIt) {
  BudgetParameters parameters;
  parameters.check_work = 1000;
  WorkBudget budget;
  budget.start(parameters, 0);
  EXPECT_EQ(budget.share_of_search(), 500U);
  budget.spend(400);
  EXPECT_EQ(budget.share_of_search(), 300U);
}

TEST(WorkBudgetTest, KeepsSomethingForTheOthers) {
  BudgetParameters parameters;
  parameters.check_work = 1000;
  WorkBudget budget;
  budget.start(parameters, 0);
  EXPECT_EQ(budget.share(0, 300), 1000U);
  EXPECT_EQ(budget.share(2, 100), 800U);
  EXPECT_EQ(budget.share(3, 300), 250U) << "an equal share, where all would not have as much";
  EXPECT_EQ(budget.share(7, UINT32_MAX), 125U);
}

TEST(WorkBudgetTest, CountsTokensAndBlocks) {
  FeatureSample sample;
  sample.blocks = {{words(1, 10)}, {words(100, 20)}};
  const Features page = sample.features();
  const Features other = one_block(words(1, 5));
  EXPECT_EQ(least_steps(page.header(), other.header()), 4 * 35 + kStepsPerBlock * 3);
  EXPECT_EQ(steps_to_unpack(page.header()), kStepsToUnpack * (30 + 2));
  EXPECT_GT(steps_of_near_equal(page), least_steps(page.header(), page.header()));
}

}  // namespace
}  // namespace nd::engine
