// Many threads on one engine. What holds whatever the order: no page is lost, every page has one group, equal
// pages meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <thread>

#include "core/json.hpp"
#include "engine/metrics.hpp"
#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

class ConcurrencyTest : public EngineTest, public ::testing::WithParamInterface<int> {
 protected:
  template <typename Work>
  void on_threads(Work work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < GetParam(); ++i)
      threads.emplace_back(work, i);
    for (std::thread& thread : threads)
      thread.join();
  }
};

TEST_P(ConcurrencyTest, OfEqualPagesCheckedAtOnceOneFoundsAndTheOthersJoin) {
  constexpr uint64_t kRounds = 12;
  const int count = GetParam();
  std::vector<std::vector<Answer>> answers(kRounds, std::vector<Answer>(static_cast<size_t>(count)));
  std::barrier start(count);
  on_threads([&](int thread) {
    for (uint64_t round = 0; round < kRounds; ++round) {
      const std::string page = article_html(round, 3);
      start.arrive_and_wait();
      answers[round][static_cast<size_t>(thread)] =
          check(url(round * 100 + static_cast<uint64_t>(thread)), page);
    }
  });
  for (const std::vector<Answer>& round : answers) {
    int founders = 0;
    for (const Answer& answer : round) {
      founders += answer.verdict == kNew;
      EXPECT_TRUE(answer.verdict == kNew || answer.verdict == kExactDuplicate);
      EXPECT_EQ(answer.group_id, round[0].group_id);
    }
    EXPECT_EQ(founders, 1);
  }
  EXPECT_EQ(engine_->sizes().pages, kRounds * static_cast<uint64_t>(count));
  EXPECT_EQ(engine_->sizes().groups, kRounds);
  expect_consistent();
}

// The index of keys full, and a later look goes by the spot signatures that the first one found.
TEST_P(ConcurrencyTest, EqualPagesCheckedAtOnceMeetWithoutKeys) {
  Parameters parameters;
  parameters.index.bytes = 1;
  open(parameters);
  constexpr uint64_t kRounds = 8;
  std::barrier start(GetParam());
  on_threads([&](int thread) {
    for (uint64_t round = 0; round < kRounds; ++round) {
      const std::string page = article_html(round, 3);
      start.arrive_and_wait();
      check(url(round * 100 + static_cast<uint64_t>(thread)), page);
    }
  });
  EXPECT_EQ(engine_->sizes().groups, kRounds);
  expect_consistent();
}

TEST_P(ConcurrencyTest, ACheckSearchesBySpotSignaturesOnce) {
  // Until threads have met, which the scheduler may put off for a while.
  for (uint64_t round = 0; round < 200 && engine_->counters().retried_commits == 0; ++round) {
    std::barrier start(GetParam());
    on_threads([&](int thread) {
      for (uint64_t i = 0; i < 20; ++i) {
        const std::string page = html(rewritten(article(i % 5, 4), 1, i));
        start.arrive_and_wait();
        check(url(round * 10'000 + static_cast<uint64_t>(thread) * 100 + i), page);
      }
    });
  }
  EXPECT_GT(engine_->counters().retried_commits.load(), 0U);
  EXPECT_EQ(engine_->counters().spot_searches.load(), engine_->counters().checks.load());
}

TEST_P(ConcurrencyTest, OneUrlFromManyThreadsIsOnePage) {
  const std::string page = article_html(1, 3);
  std::vector<uint64_t> ids(static_cast<size_t>(GetParam()));
  std::barrier start(GetParam());
  on_threads([&](int thread) {
    start.arrive_and_wait();
    ids[static_cast<size_t>(thread)] = check(url(1), page).page_id;
  });
  for (uint64_t id : ids)
    EXPECT_EQ(id, ids[0]);
  EXPECT_EQ(engine_->sizes().pages, 1U);
}

TEST_P(ConcurrencyTest, NoPageIsLost) {
  constexpr uint64_t kPagesPerThread = 25;
  std::atomic<uint64_t> verdicts{0};
  on_threads([&](int thread) {
    for (uint64_t i = 0; i < kPagesPerThread; ++i) {
      const uint64_t number = static_cast<uint64_t>(thread) * kPagesPerThread + i;
      const Answer answer = check(url(number), html(rewritten(article(number % 9, 4), number % 2, number)));
      verdicts += answer.verdict != 0 && answer.page_id != 0 && answer.group_id != 0;
    }
  });
  const uint64_t all = kPagesPerThread * static_cast<uint64_t>(GetParam());
  EXPECT_EQ(verdicts.load(), all);
  EXPECT_EQ(engine_->sizes().pages, all);
  EXPECT_EQ(engine_->counters().checks.load(), all);
  for (uint64_t number = 0; number < all; ++number)
    EXPECT_TRUE(knows(url(number))) << number;
  expect_consistent();
}

// Every call at once on few URLs, so that pages change, move and vanish under the others' hands.
TEST_P(ConcurrencyTest, EveryCallAtOnceLeavesAConsistentEngine) {
  std::atomic<uint64_t> calls{0};
  on_threads([&](int thread) {
    sample::Random random(static_cast<uint64_t>(thread) + 1);
    for (int step = 0; step < 60; ++step) {
      const std::string at = url(random() % 15);
      const uint64_t seed = random() % 5;
      const std::string page = html(rewritten(article(seed, 3), random() % 3, random() % 6));
      switch (random() % 12) {
        case 0:
          (void)engine_->remove(at);
          break;
        case 1:
          query(at, page);
          break;
        case 2:
          engine_->sizes();
          break;
        case 3: {
          for (const GroupView& group : groups_of(*engine_)) {
            const auto pages = engine_->pages_of_group(group.id);
            if (!pages) continue;
            for (const PageView& each : *pages)
              EXPECT_EQ(each.answer.group_id, group.id);
          }
          break;
        }
        case 4: {
          String json;
          (void)engine_->explain(1 + random() % 30, 1 + random() % 30, json);
          break;
        }
        case 5: {
          String text;
          write_metrics(*engine_, text);
          EXPECT_TRUE(engine_->events_after(random() % 20));
          break;
        }
        case 6:
          (void)engine_->remove_matching({url(random() % 15), "", 0});
          break;
        case 7:
          engine_->set_logger({[](int32_t, const char*, size_t, void*) {}, nullptr});
          break;
        case 8:
          (void)engine_->find_page(at);
          break;
        default: {
          const Answer answer = check(at, page);
          EXPECT_NE(answer.page_id, 0U);
          EXPECT_NE(answer.group_id, 0U);
        }
      }
      ++calls;
    }
  });
  EXPECT_EQ(calls.load(), 60U * static_cast<uint64_t>(GetParam()));
  expect_consistent();
  // The rest can be removed to the last byte.
  ASSERT_TRUE(engine_->remove_matching({"https://", "", 0}));
  EXPECT_EQ(engine_->sizes().pages, 0U);
  EXPECT_EQ(engine_->sizes().groups, 0U);
  EXPECT_EQ(engine_->sizes().keys, 0U);
  EXPECT_EQ(engine_->sizes().bytes_features, 0U);
}

TEST_P(ConcurrencyTest, TheMemoryBudgetHoldsWithThreads) {
  Parameters parameters;
  parameters.memory_budget_bytes = 60'000;
  open(parameters);
  on_threads([&](int thread) {
    for (uint64_t i = 0; i < 15; ++i)
      check(url(static_cast<uint64_t>(thread) * 100 + i),
            article_html(static_cast<uint64_t>(thread) * 100 + i, 3));
  });
  EXPECT_EQ(engine_->sizes().pages, 15U * static_cast<uint64_t>(GetParam()));
  EXPECT_GT(engine_->counters().limit_memory.load(), 0U);
  EXPECT_LT(engine_->sizes().bytes_features, 60'000U);
  expect_consistent();
}

// Threads that do nothing but walk give up after so many walks; the checks are done long before.
TEST_P(ConcurrencyTest, WalkersDoNotStopChecks) {
  constexpr uint64_t kFounded = 1500;
  constexpr uint64_t kChecks = 40;
  constexpr uint64_t kMostWalks = 20'000;
  for (uint64_t number = 0; number < kFounded; ++number)
    check(url(number), "");
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> walks{0};
  std::vector<std::thread> walkers;
  for (int walker = 0; walker < GetParam(); ++walker) {
    walkers.emplace_back([&] {
      for (uint64_t walk = 0; walk < kMostWalks && !stop; ++walk) {
        EXPECT_GE(groups_of(*engine_).size(), kFounded);
        ++walks;
      }
    });
  }
  while (walks < 2)
    std::this_thread::yield();
  for (uint64_t number = 0; number < kChecks; ++number)
    check(url(kFounded + number), article_html(number, 2));
  EXPECT_LT(walks, kMostWalks) << "a check waited until a walker had given up";
  stop = true;
  for (std::thread& walker : walkers)
    walker.join();
}

// A walk lasts while others go on; what is there all the time is in it, once.
TEST_P(ConcurrencyTest, AWalkBesideChangesHasWhatStays) {
  constexpr uint64_t kStaying = 700;
  std::vector<uint64_t> staying;
  for (uint64_t number = 0; number < kStaying; ++number)
    staying.push_back(check(url(number), "").group_id);
  std::atomic<bool> stop{false};
  std::vector<std::thread> changers;
  for (int changer = 0; changer < GetParam(); ++changer) {
    changers.emplace_back([&, changer] {
      for (uint64_t round = 0; !stop; ++round) {
        const std::string at = url(10'000 + static_cast<uint64_t>(changer) * 100 + round % 10);
        check(at, round % 2 == 0 ? "" : article_html(round % 3, 2));
        EXPECT_TRUE(engine_->remove(at));
      }
    });
  }
  for (int walk = 0; walk < 20; ++walk) {
    std::vector<uint64_t> seen;
    for (const GroupView& group : groups_of(*engine_))
      seen.push_back(group.id);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end()) << "a group twice";
    EXPECT_TRUE(std::ranges::includes(seen, staying)) << "a group is missing";
  }
  stop = true;
  for (std::thread& changer : changers)
    changer.join();
  expect_consistent();
}

// Members of one large group, in pieces, while others join it and leave.
TEST_P(ConcurrencyTest, MembersThatStayAreInAWalkOfTheirGroup) {
  constexpr uint64_t kMembers = 600;
  const std::string body = article_html(1, 2);
  std::vector<uint64_t> staying;
  uint64_t group = 0;
  for (uint64_t number = 0; number < kMembers; ++number) {
    const Answer answer = check(url(number), body);
    group = answer.group_id;
    staying.push_back(answer.page_id);
  }
  std::atomic<bool> stop{false};
  std::vector<std::thread> changers;
  for (int changer = 0; changer < GetParam(); ++changer) {
    changers.emplace_back([&, changer] {
      for (uint64_t round = 0; !stop; ++round) {
        const std::string at = url(10'000 + static_cast<uint64_t>(changer) * 100 + round % 7);
        check(at, body);
        EXPECT_TRUE(engine_->remove(at));
      }
    });
  }
  for (int walk = 0; walk < 20; ++walk) {
    const std::vector<uint64_t> seen = members(group);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end()) << "a page twice";
    EXPECT_TRUE(std::ranges::includes(seen, staying)) << "a page is missing";
  }
  stop = true;
  for (std::thread& changer : changers)
    changer.join();
  expect_consistent();
}

// A purge goes in pieces, and what others do between them does not spoil it.
TEST_P(ConcurrencyTest, APurgeBesideChecksLeavesAConsistentEngine) {
  constexpr uint64_t kDoomed = 200;
  for (uint64_t number = 0; number < kDoomed; ++number)
    check("https://doomed.example/" + std::to_string(number), article_html(number % 40, 2));
  for (uint64_t number = 0; number < 40; ++number)
    check("https://staying.example/" + std::to_string(number), article_html(number, 2));
  std::atomic<bool> stop{false};
  std::vector<std::thread> checkers;
  for (int checker = 0; checker < GetParam(); ++checker) {
    checkers.emplace_back([&, checker] {
      for (uint64_t round = 0; !stop; ++round)
        check("https://staying.example/" + std::to_string(round % 60 + static_cast<uint64_t>(checker) * 60),
              article_html(round % 50, 2));
    });
  }
  const Result<uint64_t> removed =
      engine_->remove_matching({"https://doomed.example/", "", 0, /*purge=*/true});
  ASSERT_TRUE(removed);
  EXPECT_EQ(*removed, kDoomed);
  stop = true;
  for (std::thread& checker : checkers)
    checker.join();
  for (uint64_t number = 0; number < kDoomed; ++number)
    EXPECT_FALSE(knows("https://doomed.example/" + std::to_string(number)));
  expect_consistent();
}

INSTANTIATE_TEST_SUITE_P(Threads, ConcurrencyTest, ::testing::Values(4, 8));

}  // namespace
}  // namespace nd::engine
