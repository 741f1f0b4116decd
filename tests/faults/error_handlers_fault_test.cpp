// Where memory runs out while a page is read, libxml2's error handlers of the thread are again what they
// were, and have heard nothing. Where it does not: tests/unit/capi/error_handlers_test.cpp.
#include <gtest/gtest.h>

#include <cstdio>

#include "faults/calls.hpp"
#include "faults/rehearsal.hpp"
#include "faults/sweep_case.hpp"
#include "unit/host_error_handlers.hpp"
#include "unit/page_sample.hpp"

namespace faults {
namespace {

// The step of the scenario.
constexpr size_t kCheck = 3;

class ErrorHandlersFaultTest : public ::testing::TestWithParam<Mode> {};

TEST_P(ErrorHandlersFaultTest, AreAgainWhatTheyWereWithoutMemory) {
  using namespace calls;
  const Scenario scenario = {"error handlers",
                             {new_options(), set_option("x_html_reader", "libxml2"), open(),
                              check(sample::url(1), sample::article_html(1, 3) + "<b>&unknown;</i>")}};
  const Stage stage(scenario);
  const Rehearsal expected = rehearse(scenario, stage, memory_clock);
  size_t tried = 0, refused = 0;
  for (const FaultPoint& point : sample_by_site(expected.points, points_limit())) {
    if (point.call != kCheck) continue;
    World world;
    memory_clock.arm(point.number, GetParam());
    for (size_t step = 0; step < kCheck; ++step)
      perform(scenario, step, world);
    sample::HostErrorHandlers handlers;
    const Outcome outcome = perform(scenario, kCheck, world);
    memory_clock.disarm();
    ++tried;
    refused += outcome.status == ND_ERR_NO_MEMORY;
    EXPECT_TRUE(handlers.are_as_set()) << point.number << "\n" << describe_site(point.site);
    EXPECT_EQ(handlers.count(), 0) << point.number << "\n" << describe_site(point.site);
    if (HasFailure()) break;
  }
  std::printf("error handlers, %s: %zu points, %zu tried, %zu refused\n", name_of(GetParam()).c_str(),
              expected.points.size(), tried, refused);
  EXPECT_GT(refused, 20U);
}

INSTANTIATE_TEST_SUITE_P(OnceAndFromThenOn, ErrorHandlersFaultTest,
                         ::testing::Values(Mode::kOnce, Mode::kFromThenOn));

}  // namespace
}  // namespace faults
