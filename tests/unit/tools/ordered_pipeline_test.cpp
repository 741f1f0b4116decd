// Work on many threads comes out in order, and a failing step ends it.
#include "ordered_pipeline.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ndc::test {
namespace {

struct SquaresRun {
  std::vector<int> slots;
  std::vector<int> consumed;
  int produced = 0;
};

// Produces 0, 1, ... up to `count`, squares them, stops behind `stop_after`.
SquaresRun run_squares(size_t threads, int count, int stop_after = 1 << 30) {
  SquaresRun run;
  run.slots.resize(pipeline_slots(threads));
  PipelineSteps steps;
  steps.produce = [&](size_t slot) {
    if (run.produced == count) return false;
    run.slots[slot] = run.produced++;
    return true;
  };
  steps.work = [&](size_t slot) {
    // Some take longer, so that workers overtake each other.
    if (run.slots[slot] % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    run.slots[slot] *= run.slots[slot];
  };
  steps.consume = [&](size_t slot) {
    run.consumed.push_back(run.slots[slot]);
    return run.slots[slot] < stop_after;
  };
  run_in_order(threads, steps);
  return run;
}

TEST(OrderedPipeline, ConsumesEverythingInOrder) {
  for (const size_t threads : {1u, 2u, 3u, 8u}) {
    for (const int count : {0, 1, 5, 500}) {
      const SquaresRun run = run_squares(threads, count);
      ASSERT_EQ(run.consumed.size(), static_cast<size_t>(count)) << threads;
      for (int i = 0; i < count; ++i)
        ASSERT_EQ(run.consumed[static_cast<size_t>(i)], i * i) << threads;
    }
  }
}

TEST(OrderedPipeline, StopsWhenTheConsumerSaysSo) {
  for (const size_t threads : {1u, 4u}) {
    const SquaresRun run = run_squares(threads, 100000, 100);
    EXPECT_EQ(run.consumed.size(), 11u);
    EXPECT_LE(run.produced, 11 + static_cast<int>(pipeline_slots(threads)));
  }
}

TEST(OrderedPipeline, OneThreadIsTheCallingThread) {
  std::set<std::thread::id> ids;
  int left = 3;
  PipelineSteps steps;
  steps.produce = [&](size_t) {
    ids.insert(std::this_thread::get_id());
    return left-- > 0;
  };
  steps.work = [&](size_t) { ids.insert(std::this_thread::get_id()); };
  steps.consume = [&](size_t) { return ids.insert(std::this_thread::get_id()), true; };
  run_in_order(1, steps);
  EXPECT_EQ(ids, std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST(OrderedPipeline, ThrowsWhatAStepThrew) {
  for (const size_t threads : {1u, 4u}) {
    for (int failing = 0; failing < 3; ++failing) {
      std::atomic<int> calls[3] = {0, 0, 0};
      const auto step = [&](int which) {
        if (++calls[which] == 20 && which == failing) throw std::runtime_error("step failed");
      };
      PipelineSteps steps;
      steps.produce = [&](size_t) { return step(0), true; };
      steps.work = [&](size_t) { step(1); };
      steps.consume = [&](size_t) { return step(2), true; };
      EXPECT_THROW(run_in_order(threads, steps), std::runtime_error) << threads << " " << failing;
    }
  }
}

TEST(ReadAhead, ConsumesEverythingInOrder) {
  for (const int count : {0, 1, 5, 8, 9, 500}) {
    std::vector<int> slots(read_ahead_slots());
    std::vector<int> consumed;
    int produced = 0;
    PipelineSteps steps;
    steps.produce = [&](size_t slot) {
      if (produced == count) return false;
      // Now the reader is the slower, now the consumer.
      if (produced % 50 < 10) std::this_thread::sleep_for(std::chrono::microseconds(100));
      slots[slot] = produced++;
      return true;
    };
    steps.work = [&](size_t slot) {
      if (consumed.size() % 50 > 30) std::this_thread::sleep_for(std::chrono::microseconds(100));
      slots[slot] *= slots[slot];
    };
    steps.consume = [&](size_t slot) { return consumed.push_back(slots[slot]), true; };
    run_read_ahead(steps);
    ASSERT_EQ(consumed.size(), static_cast<size_t>(count));
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(consumed[static_cast<size_t>(i)], i * i);
  }
}

TEST(ReadAhead, WorksAndConsumesOnTheCallingThread) {
  std::set<std::thread::id> ids;
  std::thread::id reader;
  int left = 30;
  PipelineSteps steps;
  steps.produce = [&](size_t) {
    reader = std::this_thread::get_id();
    return left-- > 0;
  };
  steps.work = [&](size_t) { ids.insert(std::this_thread::get_id()); };
  steps.consume = [&](size_t) { return ids.insert(std::this_thread::get_id()), true; };
  run_read_ahead(steps);
  EXPECT_EQ(ids, std::set<std::thread::id>{std::this_thread::get_id()});
  EXPECT_NE(reader, std::this_thread::get_id());
}

TEST(ReadAhead, StopsWhenTheConsumerSaysSo) {
  std::atomic<int> produced = 0;
  int consumed = 0;
  PipelineSteps steps;
  steps.produce = [&](size_t) { return ++produced, true; };
  steps.work = [](size_t) {};
  steps.consume = [&](size_t) { return ++consumed < 11; };
  run_read_ahead(steps);
  EXPECT_EQ(consumed, 11);
  EXPECT_LE(produced, 11 + static_cast<int>(read_ahead_slots()));
}

// The rows before a failure do not depend on how far the reader was ahead.
TEST(ReadAhead, ThrowsWhatAStepThrew) {
  for (int failing = 0; failing < 3; ++failing) {
    std::atomic<int> calls[3] = {0, 0, 0};
    const auto step = [&](int which) {
      if (++calls[which] == 20 && which == failing) throw std::runtime_error("step failed");
    };
    PipelineSteps steps;
    steps.produce = [&](size_t) { return step(0), true; };
    steps.work = [&](size_t) { step(1); };
    steps.consume = [&](size_t) { return step(2), true; };
    EXPECT_THROW(run_read_ahead(steps), std::runtime_error) << failing;
    EXPECT_EQ(calls[2], failing == 2 ? 20 : 19) << failing;
  }
}

}  // namespace
}  // namespace ndc::test
