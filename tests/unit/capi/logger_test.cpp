// How long a logger lives, and what it may do.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

using sample::article_html;
using sample::url;

class LoggerTest : public ::testing::Test {
 protected:
  // An engine that logs at its second page.
  void SetUp() override {
    const OptionSet options{{"memory_budget_bytes", "1"}};
    ASSERT_EQ(nd_open(nullptr, options, &engine_), ND_OK);
  }
  void TearDown() override { EXPECT_EQ(nd_close(engine_), ND_OK); }

  nd_status check(uint64_t number) {
    const std::string address = url(number), body = article_html(number);
    const nd_page page = page_of(address, body);
    nd_result result = ND_RESULT_INIT;
    return nd_check_page(engine_, &page, &result);
  }

  nd_engine* engine_ = nullptr;
};

struct Gate {
  std::promise<void> entered;
  std::promise<void> may_leave;
  std::atomic<bool> left{false};
};

void wait_at_gate(int32_t, const char*, size_t, void* ctx) {
  auto* gate = static_cast<Gate*>(ctx);
  gate->entered.set_value();
  gate->may_leave.get_future().wait();
  gate->left = true;
}

TEST_F(LoggerTest, TheOldOneHasEndedWhenAnotherIsSet) {
  Gate gate;
  ASSERT_EQ(nd_set_logger(engine_, wait_at_gate, &gate), ND_OK);
  std::thread checking([&] {
    for (uint64_t i = 0; i < 3; ++i)
      EXPECT_EQ(check(i), ND_OK);
  });
  gate.entered.get_future().wait();
  std::future<bool> set = std::async(std::launch::async, [&] {
    EXPECT_EQ(nd_set_logger(engine_, nullptr, nullptr), ND_OK);
    return gate.left.load();
  });
  // It waits: whatever the machine does, it is not done before the callback is.
  EXPECT_EQ(set.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  gate.may_leave.set_value();
  EXPECT_TRUE(set.get());
  checking.join();
}

TEST_F(LoggerTest, ACallbackMaySetAnother) {
  struct Context {
    nd_engine* engine;
    int lines;
  } context{engine_, 0};
  ASSERT_EQ(nd_set_logger(
                engine_,
                [](int32_t, const char*, size_t, void* ctx) {
                  auto* self = static_cast<Context*>(ctx);
                  ++self->lines;
                  EXPECT_EQ(nd_set_logger(self->engine, nullptr, nullptr), ND_OK);
                },
                &context),
            ND_OK);
  for (uint64_t i = 0; i < 4; ++i)
    EXPECT_EQ(check(i), ND_OK);
  EXPECT_EQ(context.lines, 1);
}

TEST_F(LoggerTest, WhatItThrowsIsLost) {
  int lines = 0;
  ASSERT_EQ(nd_set_logger(
                engine_,
                [](int32_t, const char*, size_t, void* ctx) {
                  ++*static_cast<int*>(ctx);
                  throw std::runtime_error("thrown");
                },
                &lines),
            ND_OK);
  for (uint64_t i = 0; i < 4; ++i)
    EXPECT_EQ(check(i), ND_OK);
  EXPECT_EQ(lines, 1);
  EXPECT_EQ(nd_set_logger(engine_, nullptr, nullptr), ND_OK);
}

TEST_F(LoggerTest, WhatOtherCallbacksThrowEndsTheCall) {
  ASSERT_EQ(check(1), ND_OK);
  ASSERT_EQ(check(2), ND_OK);
  const auto failing = [](const nd_group_info*, void* ctx) -> int32_t {
    if (++*static_cast<int*>(ctx) == 1) throw std::runtime_error("thrown");
    throw std::bad_alloc();
  };
  int calls = 0;
  EXPECT_EQ(nd_each_group(engine_, failing, &calls), ND_ERR_INTERNAL);
  EXPECT_EQ(nd_each_group(engine_, failing, &calls), ND_ERR_NO_MEMORY);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(check(3), ND_OK);
}

TEST_F(LoggerTest, OptionsGiveEachEngineALogger) {
  std::vector<std::string> lines;
  OptionSet options{{"memory_budget_bytes", "1"}};
  const auto add_line = [](int32_t, const char* message, size_t size, void* ctx) {
    static_cast<std::vector<std::string>*>(ctx)->emplace_back(message, size);
  };
  ASSERT_EQ(nd_options_set_logger(options, add_line, &lines), ND_OK);
  for (size_t engines = 1; engines <= 2; ++engines) {
    ASSERT_EQ(nd_close(engine_), ND_OK);
    ASSERT_EQ(nd_open(nullptr, options, &engine_), ND_OK);
    for (uint64_t i = 0; i < 3; ++i)
      EXPECT_EQ(check(i), ND_OK);
    EXPECT_EQ(lines.size(), engines);
  }
}

// Many threads log and many change the logger; each context is freed as soon as another one is set.
TEST_F(LoggerTest, NoContextIsUsedAfterItsEnd) {
  std::atomic<bool> done{false};
  std::vector<std::thread> checking;
  for (int thread = 0; thread < 3; ++thread) {
    checking.emplace_back([&done] {
      const OptionSet options{{"memory_budget_bytes", "1"}};
      while (!done) {
        nd_engine* engine = nullptr;
        ASSERT_EQ(nd_open(nullptr, options, &engine), ND_OK);
        std::thread setting([engine] {
          for (int i = 0; i < 50; ++i) {
            auto alive = std::make_unique<std::string>("alive");
            const auto read = [](int32_t, const char*, size_t, void* ctx) {
              EXPECT_EQ(*static_cast<std::string*>(ctx), "alive");
            };
            EXPECT_EQ(nd_set_logger(engine, read, alive.get()), ND_OK);
            EXPECT_EQ(nd_set_logger(engine, nullptr, nullptr), ND_OK);
            *alive = "gone";
          }
        });
        for (uint64_t i = 0; i < 3; ++i) {
          const std::string address = url(i), body = article_html(i);
          const nd_page page = page_of(address, body);
          nd_result result = ND_RESULT_INIT;
          EXPECT_EQ(nd_check_page(engine, &page, &result), ND_OK);
        }
        setting.join();
        EXPECT_EQ(nd_close(engine), ND_OK);
      }
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  done = true;
  for (std::thread& thread : checking)
    thread.join();
}

}  // namespace
}  // namespace nd_test
