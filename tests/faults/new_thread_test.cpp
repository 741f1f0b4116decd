// The first call on a thread, when no memory is left from some moment on: libxml2 keeps something for each
// thread, and must not be asked to where there is no room for that.
#include <gtest/gtest.h>

#include <cstdio>
#include <thread>
#include <vector>

#include "faults/calls.hpp"
#include "faults/rehearsal.hpp"
#include "unit/page_sample.hpp"

namespace faults {
namespace {

// The step of the scenario.
constexpr size_t kQuery = 3;

// libxml2 2.9 calls itself until the stack ends. ndc has asked for more just before, and given it back: here
// it is there all the same when asked, and gone when libxml2 asks.
bool crashes_libxml2(const FaultPoint& point) {
  return describe_site(point.site).find("xmlGetGlobalState") != std::string::npos;
}

// The call, on a thread of its own.
template <typename Prepare>
Outcome on_new_thread(const Scenario& scenario, World& world, Prepare prepare) {
  Outcome outcome;
  std::thread([&] {
    const LibraryCall outside(false);  // a thread that the library has not started
    prepare();
    outcome = perform(scenario, kQuery, world);
  }).join();
  return outcome;
}

TEST(NewThreadTest, TheFirstCallWithoutMemoryIsRefused) {
  using namespace calls;
  const Scenario scenario = {"new thread",
                             {new_options(), set_option("x_html_reader", "libxml2"), open(),
                              query(sample::url(1), sample::article_html(1, 3))}};
  World world;
  for (size_t step = 0; step < kQuery; ++step)
    ASSERT_EQ(perform(scenario, step, world).status, ND_OK);
  const Outcome expected = perform(scenario, kQuery, world);
  ASSERT_EQ(expected.status, ND_OK);
  count_background(true);
  std::vector<FaultPoint> points;
  EXPECT_EQ(on_new_thread(scenario, world, [&] { memory_clock.record(&points); }), expected);
  memory_clock.disarm();
  size_t tried = 0, left_out = 0;
  for (const FaultPoint& point : points) {
    if (crashes_libxml2(point)) {
      ++left_out;
      continue;
    }
    const auto arm = [&] { memory_clock.arm(point.number, Mode::kFromThenOn); };
    const Outcome outcome = on_new_thread(scenario, world, arm);
    EXPECT_TRUE(memory_clock.has_struck());
    memory_clock.disarm();
    EXPECT_EQ(outcome.status, ND_ERR_NO_MEMORY) << point.number << "\n" << describe_site(point.site);
    EXPECT_EQ(outcome.answer, "");
    ++tried;
  }
  count_background(false);
  EXPECT_GT(tried, left_out);
  std::printf("the first call on a thread: %zu points, %zu tried, %zu left out\n", points.size(), tried,
              left_out);
}

}  // namespace
}  // namespace faults
