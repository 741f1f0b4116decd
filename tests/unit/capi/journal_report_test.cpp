// What a caller hears of a damaged journal, and that the record which a crash has cut is no damage.
#include "unit/capi/store_calls_sample.hpp"

namespace nd_test {
namespace {

constexpr const char* kJournal = "journal-00000000000000000001";

class JournalReportTest : public CapiStoreTest {
 protected:
  // Pages in a snapshot, and more in the journal.
  void fill() {
    ASSERT_EQ(in_child([&] {
                open();
                for (uint64_t i = 1; i <= 5; ++i)
                  check(i);
                if (nd_snapshot(engine_) != ND_OK) return 1;
                for (uint64_t i = 6; i <= kPages; ++i)
                  check(i);
                return HasFailure() ? 2 : 0;
              }),
              0);
    whole_ = files();
  }
  nd_status open_and_close(const Settings& settings, uint64_t& pages) {
    log_.clear();
    nd_engine* engine = nullptr;
    const nd_status status = open_at(path_, settings, engine, &log_);
    nd_stats stats{};
    stats.struct_size = sizeof stats;
    if (status == ND_OK) {
      EXPECT_EQ(nd_get_stats(engine, &stats), ND_OK);
    }
    pages = stats.pages;
    EXPECT_EQ(nd_close(engine), ND_OK);
    return status;
  }
  std::string fault_of_store() {
    std::string sentence;
    const auto note = [](const nd_store_fault* fault, void* ctx) {
      *static_cast<std::string*>(ctx) =
          fault->file + std::string(" ") + std::to_string(fault->offset) + " " + fault->sentence;
      return int32_t{0};
    };
    EXPECT_EQ(nd_verify_store(path_.c_str(), note, &sentence), ND_ERR_CORRUPT);
    return sentence;
  }

  static constexpr uint64_t kPages = 40;
  std::map<std::string, std::string> whole_;
  std::vector<std::string> log_;
};

TEST_F(JournalReportTest, ZeroedSectorsAreReported) {
  ASSERT_NO_FATAL_FAILURE(fill());
  const std::string& journal = whole_.at(kJournal);
  int opened = 0, refused = 0;
  const size_t step = journal.size() / 64 / 512 * 512;
  for (size_t at = 512; at < journal.size(); at += step) {
    SCOPED_TRACE(at);
    std::map<std::string, std::string> damaged = whole_;
    const size_t size = std::min<size_t>(512, journal.size() - at);
    damaged[kJournal].replace(at, size, std::string(size, '\0'));
    restore(damaged);
    const std::string fault = fault_of_store();
    EXPECT_EQ(fault.find(kJournal), 0U) << fault;
    EXPECT_NE(fault.find(" bytes"), std::string::npos) << fault;
    uint64_t pages = 0;
    EXPECT_EQ(open_and_close({{"verify", "full"}}, pages), ND_ERR_CORRUPT);
    EXPECT_NE(last_error().find(", offset "), std::string::npos) << last_error();
    EXPECT_NE(last_error().find("recover=true"), std::string::npos) << last_error();
    EXPECT_EQ(files(), damaged);
    if (open_and_close({}, pages) == ND_OK) {
      ++opened;
      EXPECT_LT(pages, kPages);
      ASSERT_EQ(log_.size(), 1U);
      EXPECT_NE(log_[0].find(kJournal), std::string::npos) << log_[0];
      EXPECT_NE(log_[0].find(", offset "), std::string::npos) << log_[0];
    } else {
      ++refused;
      EXPECT_EQ(files(), damaged);
    }
    restore(damaged);
    EXPECT_EQ(open_and_close({{"verify", "full"}, {"recover", "true"}}, pages), ND_OK) << last_error();
    EXPECT_EQ(log_.size(), 1U);
    EXPECT_GE(pages, 5U);
    EXPECT_LT(pages, kPages);
    EXPECT_EQ(nd_verify_store(path_.c_str(), nullptr, nullptr), ND_OK) << nd_last_error();
  }
  EXPECT_GE(opened + refused, 60);
  EXPECT_GT(opened, 0);
}

TEST_F(JournalReportTest, AnUnfinishedRecordIsNone) {
  ASSERT_NO_FATAL_FAILURE(fill());
  std::map<std::string, std::string> cut = whole_;
  for (size_t left_out : {1U, 100U, 1000U}) {
    cut[kJournal] = whole_.at(kJournal).substr(0, whole_.at(kJournal).size() - left_out);
    restore(cut);
    EXPECT_EQ(nd_verify_store(path_.c_str(), nullptr, nullptr), ND_OK);
    uint64_t pages = 0;
    EXPECT_EQ(open_and_close({{"verify", "full"}}, pages), ND_OK) << last_error();
    EXPECT_EQ(pages, kPages - 1);
    EXPECT_TRUE(log_.empty());
  }
}

}  // namespace
}  // namespace nd_test
