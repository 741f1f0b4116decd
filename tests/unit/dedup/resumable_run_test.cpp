// Runs that end anywhere and continue with another number of threads: a page is checked once, and the next
// run knows that it was.
#include "resumable_run.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "command_options.hpp"
#include "ordered_pipeline.hpp"
#include "store_access.hpp"

namespace ndc::test {
namespace {

ArchiveItem page_item(uint64_t number) {
  ArchiveItem item;
  item.outcome = PageOutcome::kPage;
  item.readable = true;
  item.record.type = "response";
  item.record.target_uri = "http://pages.example/" + std::to_string(number);
  item.page.url = item.record.target_uri;
  item.page.storage = "<p>The text of page number " + std::to_string(number) + ".</p>";
  return item;
}

// A store, and what was checked with it.
class ResumedRuns : public testing::Test {
 protected:
  void SetUp() override {
    const OptionsHandle options = make_library_options({});
    std::string pattern = testing::TempDir() + "ndc_resumed_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    settings_.store = folder_ + "/store.ndc";
    bool wrong_option = false;
    engine_ = open_store(settings_.store, options.get(), wrong_option);
    ASSERT_TRUE(engine_);
  }

  void TearDown() override {
    run_.reset();
    engine_.reset();
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  // Begins or continues a run, up to the checking of pages.
  void start(size_t threads, bool fresh = false) {
    run_.reset();
    settings_.threads = threads;
    run_ = std::make_unique<ResumableRun>(engine_.get(), settings_);
    ASSERT_EQ(run_->find_start(), fresh ? ResumableRun::Start::kFresh : ResumableRun::Start::kContinued);
    if (fresh) {
      ASSERT_EQ(run_->begin({}), ND_OK);
    }
    next_ = run_->mark().item + (run_->mark().behind ? 1 : 0);
    queued_ = next_;
    window_ = pipeline_slots(threads);
    here_.clear();
  }

  void check(uint64_t number) {
    for (; queued_ <= number; ++queued_)
      run_->queue(queued_, page_item(queued_));
    ArchiveItem item = page_item(number);
    item.page.body = item.page.storage;
    std::optional<nd_result> recalled;
    ASSERT_EQ(run_->before_check(number, item, {}, recalled), ND_OK);
    ASSERT_EQ(recalled.has_value(), checked_.contains(number)) << "page " << number;
    here_.insert(number);
    if (recalled) return;
    nd_result result = ND_RESULT_INIT;
    const nd_page page = library_page(item.page);
    ASSERT_EQ(nd_check_page(engine_.get(), &page, &result), ND_OK);
    checked_.insert(number);
  }

  void write_row() { ASSERT_EQ(run_->after_row(next_, page_item(next_), {}), ND_OK); }

  std::string folder_;
  DedupSettings settings_;
  EngineHandle engine_;
  std::unique_ptr<ResumableRun> run_;
  std::set<uint64_t> checked_;
  std::set<uint64_t> here_;  // by this run
  uint64_t next_ = 0;        // whose row is written next
  uint64_t queued_ = 0;
  size_t window_ = 1;
};

TEST_F(ResumedRuns, WithMoreThreadsThatEndBeforeTheFirstRow) {
  ASSERT_NO_FATAL_FAILURE(start(1, true));
  ASSERT_NO_FATAL_FAILURE(start(4));
  for (const uint64_t number : {3U, 0U, 9U, 15U})
    ASSERT_NO_FATAL_FAILURE(check(number));
  ASSERT_NO_FATAL_FAILURE(start(8));
  for (const uint64_t number : {15U, 31U, 0U, 9U, 3U, 16U})
    ASSERT_NO_FATAL_FAILURE(check(number));
  ASSERT_NO_FATAL_FAILURE(start(4));
  for (const uint64_t number : {0U, 3U, 9U, 15U})
    ASSERT_NO_FATAL_FAILURE(check(number));
}

TEST_F(ResumedRuns, WhereALaterPageComesBeforeOneThatIsInDoubt) {
  ASSERT_NO_FATAL_FAILURE(start(2, true));
  for (const uint64_t number : {0U, 1U, 2U, 7U})
    ASSERT_NO_FATAL_FAILURE(check(number));
  ASSERT_NO_FATAL_FAILURE(start(8));
  for (uint64_t number = 31; number > 7; --number)
    ASSERT_NO_FATAL_FAILURE(check(number));
  ASSERT_NO_FATAL_FAILURE(start(8));
  for (uint64_t number = 0; number < 32; ++number)
    ASSERT_NO_FATAL_FAILURE(check(number));
}

TEST_F(ResumedRuns, WithAnyNumberOfThreadsThatEndAnywhere) {
  std::mt19937_64 random(20261121);
  const auto drawn = [&](uint64_t bound) { return random() % bound; };
  ASSERT_NO_FATAL_FAILURE(start(1, true));
  while (next_ < 2000) {
    for (uint64_t steps = drawn(60); steps > 0; --steps) {
      const uint64_t number = next_ + drawn(window_);
      if (!here_.contains(number)) {
        ASSERT_NO_FATAL_FAILURE(check(number));
      }
      if (window_ > 1 && drawn(3) == 0) continue;
      for (; here_.contains(next_); ++next_)
        ASSERT_NO_FATAL_FAILURE(write_row());
    }
    ASSERT_NO_FATAL_FAILURE(start(size_t{1} << drawn(5)));
  }
}

}  // namespace
}  // namespace ndc::test
