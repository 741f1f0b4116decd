// The snapshot that an engine takes by itself, on a thread of its own, meets every failure of memory and
// files. A failure is reported to the logger only; nothing is lost, and the next snapshot succeeds.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "faults/interposed_files.hpp"
#include "faults/rehearsal.hpp"
#include "unit/page_sample.hpp"

namespace faults {
namespace {

using namespace std::chrono_literals;

std::atomic<int> lines_logged{0};

void count_line(int32_t, const char*, size_t, void*) {
  ++lines_logged;
}

nd_status open_store(const std::string& path, nd_engine*& engine) {
  nd_options* options = nullptr;
  nd_options_new(&options);
  nd_options_set(options, "journal_bytes", "65536");
  const nd_status status = nd_open(path.c_str(), options, &engine);
  nd_options_free(options);
  return status;
}

// Pages until the journal asks for a snapshot. `taken`: how many were acknowledged.
nd_status fill_journal(nd_engine* engine, uint64_t& taken) {
  nd_status status = ND_OK;
  taken = 0;
  for (uint64_t number = 1; number <= 6 && status == ND_OK; ++number) {
    const std::string url = sample::url(number), body = sample::article_html(number, 60);
    nd_page page = ND_PAGE_INIT;
    page.url = url.data();
    page.url_size = url.size();
    page.body = body.data();
    page.body_size = body.size();
    page.fetched_at_ms = 1000;
    nd_result result = ND_RESULT_INIT;
    status = nd_check_page(engine, &page, &result);
    taken += status == ND_OK;
  }
  return status;
}

uint64_t snapshots_of(nd_engine* engine) {
  nd_stats stats = ND_STATS_INIT;
  nd_get_stats(engine, &stats);
  return stats.snapshots;
}

// A snapshot was taken, or its failure reported.
bool is_over(nd_engine* engine) {
  for (int i = 0; i < 20'000; ++i) {
    if (lines_logged != 0 || snapshots_of(engine) != 0) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

struct Run {
  bool was_struck = false;  // a clock has made something fail
  bool was_told = false;    // the logger heard of it
};

// A snapshot by itself, and what is there after it. What is wrong, or nothing.
std::string play(Run& run) {
  World world;
  lines_logged = 0;
  if (open_store(world.path(), world.engine) != ND_OK) return "not opened";
  nd_set_logger(world.engine, count_line, nullptr);
  uint64_t taken = 0;
  const nd_status filled = fill_journal(world.engine, taken);
  // Once the journal's sync has failed nothing more is taken.
  if (filled != ND_OK && filled != ND_ERR_IO) return nd_last_error();
  if (!is_over(world.engine)) return "neither a snapshot nor a line of the log";
  run.was_told = lines_logged != 0;
  const std::string content = picture_of(world.engine).content;
  if (content.find(": " + std::to_string(taken) + " pages") == content.npos)
    return "not the pages that were taken:\n" + content;
  // It may still be at its end.
  nd_status status = nd_snapshot(world.engine);
  run.was_struck = memory_clock.has_struck() || file_clock.has_struck();
  memory_clock.disarm();
  file_clock.disarm();
  if (status != ND_OK && run.was_told) status = nd_snapshot(world.engine);
  const bool is_broken = status == ND_ERR_IO && run.was_told;
  if (filled != ND_OK && !is_broken) return "a page was refused without a reason";
  if (status != ND_OK && !is_broken) return "no snapshot after it: " + std::string(nd_last_error());
  status = nd_close(std::exchange(world.engine, nullptr));
  if (status != ND_OK && !is_broken) return "not closed: " + std::string(nd_last_error());
  if (open_store(world.path(), world.engine) != ND_OK)
    return "not opened again: " + std::string(nd_last_error());
  if (picture_of(world.engine).content != content) return "not as it was when opened again";
  return nd_verify_store(world.path().c_str(), nullptr, nullptr) == ND_OK ? "" : nd_last_error();
}

struct Background {
  Background() { count_background(true); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() { count_background(false); }
};

void sweep(const char* name, FaultClock& clock, Mode mode, const std::vector<FaultPoint>& points) {
  const std::vector<FaultPoint> sample = sample_by_site(points, points_limit() / 4);
  size_t told = 0, missed = 0;
  int faults = 0;
  for (const FaultPoint& point : sample) {
    clock.arm(point.number, mode, point.kind);
    Run run;
    const std::string fault = play(run);
    clock.disarm();
    told += run.was_told;
    missed += fault.empty() && !run.was_struck;
    if (fault.empty()) continue;
    ADD_FAILURE() << fault << "\n  place " << point.number << ", kind " << point.kind << "\n"
                  << describe_site(point.site);
    if (++faults >= 5) break;
  }
  std::printf("background snapshot, %s, %s: %zu points at %zu sites, %zu tried: %zu told, %zu missed; %s\n",
              name, mode == Mode::kOnce ? "once" : "from then on", points.size(), count_sites(points),
              sample.size(), told, missed, faults == 0 ? "all passed" : "FAILED");
  EXPECT_GT(told, 0U);
  // The two threads' order is not the same in each run: one in fifty, and some more where few are tried.
  EXPECT_LE(missed * 50, sample.size() + 200) << "the runs are not alike";
}

std::vector<FaultPoint> record(FaultClock& clock) {
  std::vector<FaultPoint> points;
  Run run;
  EXPECT_EQ(play(run), "");
  clock.record(&points);
  EXPECT_EQ(play(run), "");
  clock.disarm();
  EXPECT_FALSE(run.was_told || run.was_struck);
  return points;
}

class BackgroundSnapshotTest : public ::testing::TestWithParam<Mode> {};

TEST_P(BackgroundSnapshotTest, SurvivesEveryAllocation) {
  const Background background;
  sweep("memory", memory_clock, GetParam(), record(memory_clock));
}

TEST_P(BackgroundSnapshotTest, SurvivesEveryFailureOfAFile) {
  const Background background;
  std::vector<FaultPoint> points;
  for (const FaultPoint& point : record(file_clock)) {
    for (const FileFault fault : faults_of(static_cast<FileOperation>(point.kind)))
      points.push_back({point.number, point.site * 31 + static_cast<uint64_t>(fault), point.call,
                        static_cast<uint32_t>(fault)});
  }
  sweep("files", file_clock, GetParam(), points);
}

INSTANTIATE_TEST_SUITE_P(OnceAndFromThenOn, BackgroundSnapshotTest,
                         ::testing::Values(Mode::kOnce, Mode::kFromThenOn));

}  // namespace
}  // namespace faults
