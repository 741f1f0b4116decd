// Forked children: what they inherit is of no use to them, and does the parent no harm.
#include <signal.h>

#include "unit/capi/store_calls_sample.hpp"

namespace nd_test {
namespace {

using sample::article_html;
using sample::url;

class ForkedProcessTest : public CapiStoreTest {};

TEST_F(ForkedProcessTest, CallsOnAnInheritedEngineAreRefused) {
  for (const bool in_memory : {false, true}) {
    if (in_memory) {
      close();
      ASSERT_EQ(nd_open(nullptr, nullptr, &engine_), ND_OK);
    } else {
      open();
    }
    check(1);
    const std::map<std::string, std::string> before = in_memory ? decltype(files()){} : files();
    const int outcome = in_child([&] {
      const std::string address = url(2), body = article_html(2);
      const nd_page page = page_of(address, body);
      nd_result result = ND_RESULT_INIT;
      nd_page_info info = ND_PAGE_INFO_INIT;
      Buffer buffer;
      nd_stats stats{};
      stats.struct_size = sizeof stats;
      const auto each = [](const nd_group_info*, void*) { return int32_t{0}; };
      const nd_status statuses[] = {
          nd_check_page(engine_, &page, &result),
          nd_query_page(engine_, &page, &result),
          nd_own_text(engine_, &page, &buffer.raw),
          nd_check_page_text(engine_, &page, &result, &buffer.raw),
          nd_remove_page(engine_, address.data(), address.size()),
          nd_find_page(engine_, address.data(), address.size(), &info),
          nd_each_group(engine_, each, nullptr),
          nd_snapshot(engine_),
          nd_compact(engine_),
          nd_set_bookmark(engine_, "a", "b", 1),
          nd_get_bookmark(engine_, "a", &buffer.raw),
          nd_metrics(engine_, &buffer.raw),
          nd_get_stats(engine_, &stats),
          nd_set_logger(engine_, nullptr, nullptr),
          nd_close(engine_),
      };
      int position = 0;
      for (const nd_status status : statuses) {
        ++position;
        if (status != ND_ERR_INVALID_ARGUMENT) return position;
      }
      // One of its own works, and its grandchild's does not.
      nd_engine* own = nullptr;
      if (nd_open(nullptr, nullptr, &own) != ND_OK) return 100;
      if (nd_check_page(own, &page, &result) != ND_OK) return 101;
      if (in_child([&] { return nd_check_page(own, &page, &result) == ND_ERR_INVALID_ARGUMENT ? 0 : 1; }) !=
          0)
        return 102;
      if (nd_close(own) != ND_OK) return 103;
      return nd_open(path_.c_str(), nullptr, &own) == (in_memory ? ND_OK : ND_ERR_LOCKED) ? 0 : 104;
    });
    EXPECT_EQ(outcome, 0);
    if (!in_memory) {
      EXPECT_EQ(files(), before);
    }
    check(3);
    EXPECT_EQ(find(1), ND_OK);
    EXPECT_EQ(stats().pages, 2U);
  }
}

// A child that lives on, as that of a host which starts others.
class LivingChild {
 public:
  LivingChild() : process_(fork()) {
    if (process_ != 0) return;
    for (;;)
      pause();
  }
  ~LivingChild() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

 private:
  pid_t process_;
};

TEST_F(ForkedProcessTest, TheLockEndsWithTheEngineWhateverChildrenLive) {
  open();
  check(1);
  const LivingChild child;
  close();
  open();
  EXPECT_EQ(find(1), ND_OK);
  EXPECT_EQ(try_open(), ND_ERR_LOCKED) << "the lock is held as long as the engine is open";
}

#ifndef NDEBUG
TEST_F(ForkedProcessTest, ClosingBesideRunningCallsIsNoticedInDebugBuilds) {
  open();
  check(1);
  const auto close_inside = [](const nd_group_info*, void* ctx) {
    EXPECT_EQ(nd_close(static_cast<nd_engine*>(ctx)), ND_ERR_INVALID_ARGUMENT);
    return int32_t{0};
  };
  EXPECT_EQ(nd_each_group(engine_, close_inside, engine_), ND_OK);
  check(2);
}
#endif

}  // namespace
}  // namespace nd_test
