// Pages of one URL follow each other while others run.
#include "url_turns.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

namespace ndc::test {
namespace {

TEST(UrlTurns, PagesOfOneUrlFollowEachOther) {
  constexpr uint64_t kItems = 400;
  constexpr uint64_t kUrls = 3;
  constexpr size_t kThreads = 4;
  const auto url_of = [](uint64_t item) { return "http://a/" + std::to_string(item % kUrls); };
  UrlTurns turns;
  for (uint64_t item = 0; item < kItems; ++item)
    turns.queue(url_of(item), item);
  std::mutex mutex;
  uint64_t next = 0;
  std::vector<std::vector<uint64_t>> seen(kUrls);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (;;) {
        uint64_t item = 0;
        {
          const std::lock_guard lock(mutex);
          if (next == kItems) return;
          item = next++;
        }
        turns.wait(url_of(item), item);
        {
          const std::lock_guard lock(mutex);
          seen[item % kUrls].push_back(item);
        }
        turns.done(url_of(item), item);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  for (uint64_t url = 0; url < kUrls; ++url) {
    for (size_t i = 0; i < seen[url].size(); ++i)
      ASSERT_EQ(seen[url][i], url + i * kUrls);
  }
}

TEST(UrlTurns, StopLetsEverybodyGo) {
  UrlTurns turns;
  turns.queue("a", 1);
  turns.queue("a", 2);
  std::thread waiting([&] { turns.wait("a", 2); });
  turns.stop();
  waiting.join();
  turns.wait("a", 2);
}

TEST(UrlTurns, AnItemWithoutATurnIsDoneAtOnce) {
  UrlTurns turns;
  turns.done("a", 1);
  turns.wait("a", 1);
  turns.queue("a", 1);
  turns.done("a", 7);
  turns.wait("a", 1);
}

}  // namespace
}  // namespace ndc::test
