// Every allocation of a scenario fails once: the call that met it says so and leaves the engine as it was.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <new>

#include "engine/engine.hpp"
#include "unit/page_sample.hpp"

namespace nd::engine {
namespace {

// Counts down to the failure; armed only inside calls of the scenario.
struct Failing {
  bool armed = false;
  bool persistent = false;  // from the first failure on, until the call has returned
  long left = 0;
  bool failed = false;
  long held = 0;
};
Failing state;

bool fails() {
  if (!state.armed || --state.left > 0) return false;
  if (state.left < 0 && !state.persistent) return false;
  state.failed = true;
  return true;
}

void use_failing_memory() {
  set_memory_functions({[](size_t size, void*) -> void* {
                          if (fails()) return nullptr;
                          ++state.held;
                          return std::malloc(size);
                        },
                        [](void* memory, size_t size, void*) -> void* {
                          if (fails()) return nullptr;
                          if (memory == nullptr) ++state.held;
                          return std::realloc(memory, size);
                        },
                        [](void* memory, void*) {
                          --state.held;
                          std::free(memory);
                        },
                        nullptr});
}

struct Step {
  enum { kCheck, kRemove, kQuery, kExplain } kind;
  std::string url, html;
};

std::vector<Step> scenario() {
  using sample::article;
  using sample::article_html;
  using sample::html;
  using sample::rewritten;
  using sample::url;
  return {{Step::kCheck, url(1), article_html(1)},
          {Step::kCheck, url(2), html(rewritten(article(1), 1, 7))},  // joins
          {Step::kCheck, url(3), article_html(3)},
          {Step::kCheck, url(4), html(rewritten(article(1), 2, 8))},  // joins: lists in the index grow
          {Step::kCheck, "", article_html(3)},
          {Step::kQuery, url(9), article_html(3)},
          {Step::kExplain, "", ""},
          {Step::kCheck, url(3), article_html(5)},                    // leaves: a fresh id
          {Step::kCheck, url(1), html(rewritten(article(1), 1, 9))},  // a founder that stays
          {Step::kRemove, url(2), ""},
          {Step::kRemove, url(4), ""},
          {Step::kCheck, url(1), html(rewritten(article(1), 2, 11))},  // alone with its own tombstone
          {Step::kCheck, url(5), article_html(3)},
          {Step::kRemove, url(3), ""},
          {Step::kCheck, url(2), html(rewritten(article(1), 2, 11))}};
}

// True if it ran; false if memory was short.
bool run(Engine& engine, const Step& step) {
  try {
    PageInput page;
    page.url = step.url;
    page.body = {reinterpret_cast<const uint8_t*>(step.html.data()), step.html.size()};
    page.fetched_at_ms = 1000;
    const auto passed = [](const auto& result) {
      EXPECT_TRUE(result || result.failure().status == Status::kNoMemory);
      return static_cast<bool>(result);
    };
    switch (step.kind) {
      case Step::kCheck:
        return passed(engine.check(page));
      case Step::kQuery:
        return passed(engine.query(page));
      case Step::kRemove:
        return passed(engine.remove(step.url));
      case Step::kExplain: {
        String json;
        return passed(engine.explain(1, 2, json));
      }
    }
  } catch (const std::bad_alloc&) {
    return false;
  }
  return false;
}

// Everything a caller can see of the engine.
std::string picture(const Engine& engine) {
  std::string out;
  const auto add = [&out](uint64_t number) { out += std::to_string(number) + " "; };
  const Result<Vector<GroupView>> groups = engine.groups();
  for (const GroupView& group : *groups) {
    add(group.id);
    add(group.representative_page_id);
    const auto pages = engine.pages_of_group(group.id);
    for (const PageView& page : *pages) {
      add(page.answer.page_id);
      add(static_cast<uint64_t>(page.answer.verdict));
      add(page.answer.flags);
      add(page.answer.matched_page_id);
      out +=
          std::to_string(page.answer.resemblance) + " " + std::string(page.url.data(), page.url.size()) + " ";
    }
    out += "\n";
  }
  const Sizes sizes = engine.sizes();
  add(sizes.keys);
  add(sizes.hot_keys);
  add(sizes.texts);  // not their bytes: words met in a call that failed have codes sooner
  return out;
}

Owned<Engine> open_engine() {
  return *Engine::open(Parameters{});
}

class FailedAllocationsTest : public ::testing::TestWithParam<bool> {};

TEST_P(FailedAllocationsTest, EveryFailureIsToldAndLeavesNoTrace) {
  use_failing_memory();
  const std::vector<Step> steps = scenario();
  std::vector<std::string> expected;
  {
    const Owned<Engine> undisturbed = open_engine();
    for (const Step& step : steps) {
      ASSERT_TRUE(run(*undisturbed, step));
      expected.push_back(picture(*undisturbed));
    }
  }
  // One engine a step: every allocation of that step fails once, then the step passes and the next one's turn
  // comes.
  long failures = 0;
  Owned<Engine> engine = open_engine();
  for (size_t i = 0; i < steps.size(); ++i) {
    const std::string before = i == 0 ? picture(*engine) : expected[i - 1];
    for (long n = 1;; ++n) {
      ASSERT_LT(n, 20000) << "step " << i << " never passes";
      state.left = n;
      state.failed = false;
      state.persistent = GetParam();
      state.armed = true;
      const bool passed = run(*engine, steps[i]);
      state.armed = false;
      if (passed) break;
      ASSERT_TRUE(state.failed);
      ++failures;
      ASSERT_EQ(picture(*engine), before) << "step " << i << ", allocation " << n;
    }
    ASSERT_EQ(picture(*engine), expected[i]) << "step " << i;
  }
  EXPECT_GT(failures, 80);
  engine.reset();
  EXPECT_EQ(state.held, 0) << "what was allocated was freed";
}

INSTANTIATE_TEST_SUITE_P(OnceAndFromThenOn, FailedAllocationsTest, ::testing::Bool());

// The n-th allocation of the call fails, and those after it.
template <typename Call>
bool fails_for_want_of_memory(long n, Call call) {
  state.left = n;
  state.failed = false;
  state.persistent = true;
  state.armed = true;
  bool short_of_memory = false;
  try {
    const Result<void> done = call();
    EXPECT_TRUE(done) << (done ? "" : done.failure().message);
  } catch (const std::bad_alloc&) {
    short_of_memory = true;
  }
  state.armed = false;
  EXPECT_EQ(short_of_memory, short_of_memory && state.failed);
  return short_of_memory;
}

// The tables take over the runs that a snapshot has written, which cannot fail any more.
TEST(FailedAllocationsTest, SnapshotsSaySoToo) {
  use_failing_memory();
  const std::vector<Step> steps = scenario();
  // In memory where the system has such a place: some thousand syncs.
  const std::string folder = std::filesystem::exists("/dev/shm") ? "/dev/shm/" : ::testing::TempDir();
  const std::string path = folder + "ndc_failed_snapshot_" + std::to_string(getpid());
  std::filesystem::remove_all(path);
  long failures = 0;
  {
    Result<Owned<Engine>> engine = Engine::open(path, {}, store::system_files());
    ASSERT_TRUE(engine);
    for (size_t i = 0; i < 4; ++i) {
      ASSERT_TRUE(run(**engine, steps[i]));
      const std::string before = picture(**engine);
      for (long n = 1; fails_for_want_of_memory(n, [&] { return (*engine)->snapshot(); }); ++n) {
        ASSERT_LT(n, 20000);
        ++failures;
        ASSERT_EQ(picture(**engine), before) << "snapshot " << i << ", allocation " << n;
      }
      EXPECT_EQ((*engine)->sizes().pages, i + 1);
    }
    EXPECT_TRUE((*engine)->close());
  }
  EXPECT_GT(failures, 100);
  std::filesystem::remove_all(path);
}

TEST(FailedAllocationsTest, OpeningSaysSoToo) {
  use_failing_memory();
  for (long n = 1;; ++n) {
    ASSERT_LT(n, 5000);
    state.left = n;
    state.failed = false;
    state.persistent = true;
    state.armed = true;
    bool opened = false;
    try {
      opened = static_cast<bool>(Engine::open({}));
    } catch (const std::bad_alloc&) {
    }
    state.armed = false;
    ASSERT_TRUE(opened || state.failed);
    EXPECT_EQ(state.held, 0);
    if (!state.failed) break;  // what it can do without may be missing
  }
}

}  // namespace
}  // namespace nd::engine
