// The first calls of a process, while ICU and libxml2 set themselves up: every allocation fails
// once, each in a process of its own. What these libraries remember as failed for ever is reported by every
// call after; none crashes, and none answers otherwise than it would have.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "faults/calls.hpp"
#include "faults/foreign_pages.hpp"
#include "faults/rehearsal.hpp"
#include "unit/page_sample.hpp"

namespace faults {
namespace {

constexpr size_t kPlaces = 100'000;
constexpr unsigned kSecondsOfARun = 60;

// How a process ended; other numbers are signals and wrong answers.
enum End { kRecovered = 0, kRemembers = 1, kWrong = 2 };

Scenario first_calls() {
  using namespace calls;
  return {"cold start",
          {open(), check(sample::url(1), sample::article_html(1, 3)),
           check(sample::url(2), page_in(chinese_text(1), "GBK")),
           check(sample::url(3), page_in(japanese_text(1), "Shift_JIS")),
           features("a", sample::url(1), page_in(chinese_text(2), "Big5")),
           signature("s", sample::url(1), sample::article_html(2, 3)), close()}};
}

bool is_told(const Outcome& outcome) {
  return (outcome.status == ND_ERR_NO_MEMORY || outcome.status == ND_ERR_INTERNAL) && outcome.answer.empty();
}

End play(const Scenario& scenario, const FaultPoint& point) {
  memory_clock.arm(point.number, Mode::kOnce);
  std::vector<Outcome> first;
  {
    World world;
    for (size_t i = 0; i < scenario.steps.size(); ++i) {
      first.push_back(perform(scenario, i, world));
      if (first.back().status == ND_OK) continue;
      if (!is_told(first.back())) return kWrong;
      if (scenario.steps[i].name == "open") first.back() = perform(scenario, i, world);
      if (world.engine == nullptr) return is_told(first.back()) ? kRemembers : kWrong;
    }
  }
  memory_clock.disarm();
  World world;
  for (size_t i = 0; i < scenario.steps.size(); ++i) {
    const Outcome second = perform(scenario, i, world);
    if (second.status != ND_OK) return is_told(second) ? kRemembers : kWrong;
    // The ids count on from the pages that were taken.
    const bool is_numbered = scenario.steps[i].name.starts_with("check");
    if (first[i].status == ND_OK && !is_numbered && first[i] != second) return kWrong;
  }
  return kRecovered;
}

// ICU 72 deadlocks if there is no memory for the name of the process's locale.
bool hangs_icu(const FaultPoint& point) {
  return describe_site(point.site).find("locale_set_default_internal") != std::string::npos;
}

template <typename Work>
int in_child(Work work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSecondsOfARun);
    _exit(work());
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// This case alone, in a process whose libraries are still cold.
int run_in_new_process() {
  const std::string filter =
      "--gtest_filter=*" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name());
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "faults_test", filter.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(ColdStartTest, NoFailureWhileLibrariesSetThemselvesUpGoesUnnoticed) {
  if (!called_functions().empty()) {
    // Cases before this one have used the library; under ctest each has a process anyway.
    EXPECT_EQ(run_in_new_process(), 0);
    return;
  }
  const Scenario scenario = first_calls();
  // Shared with a child that only looks, so that this process stays as it is.
  void* const shared = mmap(nullptr, kPlaces * sizeof(FaultPoint) + sizeof(size_t), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& count = *static_cast<size_t*>(shared);
  auto* const places = reinterpret_cast<FaultPoint*>(&count + 1);
  ASSERT_EQ(in_child([&] {
              std::vector<FaultPoint> points;
              World world;
              memory_clock.record(&points);
              for (size_t i = 0; i < scenario.steps.size(); ++i)
                perform(scenario, i, world);
              memory_clock.disarm();
              std::erase_if(points, hangs_icu);
              count = std::min(points.size(), kPlaces);
              std::memcpy(places, points.data(), count * sizeof(FaultPoint));
              return 0;
            }),
            0);
  const std::vector<FaultPoint> points(places, places + count);
  munmap(shared, kPlaces * sizeof(FaultPoint) + sizeof(size_t));
  const std::vector<FaultPoint> sample = sample_by_site(points, points_limit() / 2);
  size_t ends[3] = {};
  int faults = 0;
  for (const FaultPoint& point : sample) {
    const int end = in_child([&] { return play(scenario, point); });
    if (end == kRecovered || end == kRemembers) {
      ++ends[end];
      continue;
    }
    ADD_FAILURE() << "ended with " << end << " after allocation " << point.number << " in call "
                  << scenario.steps[point.call].name;
    if (++faults >= 5) break;
  }
  std::printf("%s: %zu points at %zu sites, %zu tried: %zu recovered, %zu told for ever; %s\n",
              scenario.name.c_str(), points.size(), count_sites(points), sample.size(), ends[kRecovered],
              ends[kRemembers], faults == 0 ? "all passed" : "FAILED");
  EXPECT_GT(points.size(), 500U);
  EXPECT_GT(ends[kRecovered], 0U);
}

}  // namespace
}  // namespace faults
