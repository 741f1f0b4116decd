// What happens around a store: full disks, files that are deleted, clocks that jump; and what the metrics
// say.
#include <signal.h>
#include <sys/resource.h>

#include "unit/capi/store_calls_sample.hpp"

namespace nd_test {
namespace {

using sample::article_html;
using sample::url;

class StoreFailuresTest : public CapiStoreTest {
 protected:
  nd_status try_check(uint64_t number, int64_t fetched_at_ms = 1000) {
    const std::string address = url(number), body = article_html(number);
    const nd_page page = page_of(address, body, fetched_at_ms);
    nd_result result = ND_RESULT_INIT;
    return nd_check_page(engine_, &page, &result);
  }
  uint64_t metric(const std::string& name) {
    Buffer text;
    EXPECT_EQ(nd_metrics(engine_, &text.raw), ND_OK);
    const std::string all = text.text();
    const size_t at = all.find("\n" + name + " ");
    EXPECT_NE(at, std::string::npos) << name;
    return at == std::string::npos ? 0 : std::stoull(all.substr(at + name.size() + 2));
  }
  size_t remove_runs() {
    size_t removed = 0;
    for (const auto& [name, bytes] : files()) {
      if (name.starts_with("run-")) removed += std::filesystem::remove(path_ + "/" + name);
    }
    return removed;
  }
};

// A limit of the size of files is a full disk that needs no disk.
class FullDisk {
 public:
  FullDisk() {
    old_handler_ = ::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    ::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int) = nullptr;
};

TEST_F(StoreFailuresTest, TheFirstSnapshotAfterAFullDiskIsTried) {
  open({{"durability", "snapshot"}, {"journal_bytes", "65536"}});
  uint64_t count = 0;
  {
    const FullDisk full;
    nd_status status = ND_OK;
    while (status == ND_OK && count < 10000)
      status = try_check(++count);
    ASSERT_EQ(status, ND_ERR_IO) << nd_last_error();
    EXPECT_EQ(nd_snapshot(engine_), ND_ERR_IO);
    EXPECT_NE(std::string(nd_last_error()).find("File too large"), std::string::npos) << nd_last_error();
    EXPECT_GT(metric("ndc_snapshot_failures_total"), 0U);
    EXPECT_EQ(find(1), ND_OK);
  }
  EXPECT_EQ(nd_snapshot(engine_), ND_OK) << nd_last_error();
  EXPECT_EQ(try_check(count), ND_OK);
  reopen();
  EXPECT_EQ(find(1), ND_OK);
  EXPECT_EQ(stats().pages, count);
}

TEST_F(StoreFailuresTest, DeletedRunsAreAnErrorOfTheSnapshot) {
  for (const bool has_changes : {true, false}) {
    SCOPED_TRACE(has_changes);
    std::filesystem::remove_all(path_);
    open();
    for (uint64_t i = 1; i <= 4; ++i)
      check(i);
    ASSERT_EQ(nd_snapshot(engine_), ND_OK);
    if (has_changes) check(5);
    const uint64_t pages = stats().pages;
    ASSERT_GT(remove_runs(), 3U);
    for (int attempt = 0; attempt < 2; ++attempt) {
      EXPECT_EQ(nd_snapshot(engine_), ND_ERR_CORRUPT);
      EXPECT_EQ(std::string(nd_last_error()).find("run-"), 0U) << nd_last_error();
    }
    EXPECT_EQ(find(2), ND_OK);
    // Runs that are still mapped are rewritten.
    EXPECT_EQ(nd_compact(engine_), ND_OK) << nd_last_error();
    EXPECT_EQ(nd_snapshot(engine_), ND_OK) << nd_last_error();
    check(6);
    reopen({{"verify", "full"}});
    EXPECT_EQ(stats().pages, pages + 1);
    EXPECT_EQ(nd_verify_store(path_.c_str(), nullptr, nullptr), ND_OK) << nd_last_error();
    close();
  }
}

TEST_F(StoreFailuresTest, ClosingSaysThatRunsAreGone) {
  open();
  check(1);
  ASSERT_EQ(nd_snapshot(engine_), ND_OK);
  remove_runs();
  EXPECT_EQ(nd_close(engine_), ND_ERR_CORRUPT);
  engine_ = nullptr;
}

TEST_F(StoreFailuresTest, MetricsOfAStore) {
  open();
  for (uint64_t i = 1; i <= 3; ++i)
    check(i);
  EXPECT_EQ(metric("ndc_journal_records"), 3U);
  EXPECT_EQ(metric("ndc_journal_appended_total"), 3U);
  EXPECT_GT(metric("ndc_journal_bytes"), 300U);
  EXPECT_EQ(metric("ndc_generation"), 0U);
  ASSERT_EQ(nd_snapshot(engine_), ND_OK);
  EXPECT_EQ(metric("ndc_generation"), 1U);
  EXPECT_EQ(metric("ndc_snapshots_total"), 1U);
  EXPECT_EQ(metric("ndc_journal_records"), 0U);
  EXPECT_EQ(metric("ndc_journal_bytes"), 0U);
  EXPECT_GT(metric("ndc_store_bytes"), 300U);
  for (uint64_t i = 4; i <= 9; ++i) {
    check(i);
    ASSERT_EQ(nd_snapshot(engine_), ND_OK);
  }
  EXPECT_GT(metric("ndc_run_merges_total"), 0U);
  EXPECT_EQ(metric("ndc_journal_appended_total"), 9U);
  {
    const FullDisk full;
    EXPECT_EQ(try_check(10), ND_ERR_IO);
    EXPECT_EQ(metric("ndc_journal_failures_total"), 1U);
    EXPECT_EQ(nd_snapshot(engine_), ND_OK) << "there is nothing to write";
  }
  EXPECT_EQ(metric("ndc_snapshot_failures_total"), 0U);
  ASSERT_EQ(in_child([] { return 0; }), 0);
  check(11);
  EXPECT_EQ(metric("ndc_journal_records"), 1U);
  check(11);
  EXPECT_EQ(metric("ndc_journal_records"), 2U);
}

TEST_F(StoreFailuresTest, MetricsOfWhatAJournalLeft) {
  ASSERT_EQ(in_child([&] {
              open();
              for (uint64_t i = 1; i <= 3; ++i)
                check(i);
              return HasFailure() ? 1 : 0;
            }),
            0);
  open();
  EXPECT_EQ(metric("ndc_journal_records"), 3U);
  EXPECT_EQ(metric("ndc_journal_appended_total"), 0U);
  EXPECT_EQ(metric("ndc_expired_total"), 0U);
}

// Pages are as old as the latest time at which they were seen; a clock that goes back makes none older, and
// one that is ahead of the system's removes nothing before its time.
TEST_F(StoreFailuresTest, AClockThatJumpsExpiresNothingEarly) {
  constexpr int64_t kNow = 1'700'000'000'000, kTtl = 1000;
  open({{"page_ttl_s", std::to_string(kTtl)}});
  for (uint64_t i = 1; i <= 10; ++i)
    ASSERT_EQ(try_check(i, kNow), ND_OK);
  // Back by years, and again.
  for (uint64_t round = 0; round < 3; ++round) {
    for (uint64_t i = 1; i <= 20; ++i)
      ASSERT_EQ(try_check(i, kNow - 100'000'000'000 + static_cast<int64_t>(round)), ND_OK);
  }
  for (uint64_t i = 1; i <= 10; ++i) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    ASSERT_EQ(find(i, &info), ND_OK);
    EXPECT_EQ(info.last_fetched_at_ms, kNow);
  }
  EXPECT_EQ(metric("ndc_expired_total"), 0U);
  // Ahead by centuries: the system's clock decides, by which pages 1 to 10 are old indeed and a page of the
  // future is not.
  ASSERT_EQ(try_check(30, kNow * 10), ND_OK);
  for (uint64_t i = 100; i < 120; ++i)
    ASSERT_EQ(try_check(i, kNow * 10), ND_OK);
  EXPECT_EQ(find(1), ND_ERR_NOT_FOUND);
  EXPECT_EQ(find(30), ND_OK);
  EXPECT_GE(metric("ndc_expired_total"), 10U);
  // And back to the present: what was seen in the future stays until then.
  for (uint64_t i = 200; i < 260; ++i)
    ASSERT_EQ(try_check(i, kNow), ND_OK);
  EXPECT_EQ(find(30), ND_OK);
}

}  // namespace
}  // namespace nd_test
