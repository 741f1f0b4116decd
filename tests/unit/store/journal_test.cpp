// The journal while calls of the file system fail that find no memory to say why: what was acknowledged stays
// readable, and nothing is taken behind what could not be undone.
#include "store/journal.hpp"

#include <gtest/gtest.h>

#include <new>
#include <string>
#include <vector>

#include "store/store_names.hpp"
#include "unit/store/faulty_files.hpp"
#include "unit/store/temporary_directory.hpp"

namespace nd::store {
namespace {

using Failure = FaultyFiles::Failure;

Bytes record_bytes(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

class JournalTest : public ::testing::Test {
 protected:
  JournalTest() : files_(system_files()), journal_(files_, directory_.path(), Durability::kSync) {
    bool undone = false;
    Result<Owned<File>> file = create_journal(files_, directory_.path(), kHeader, undone);
    EXPECT_TRUE(file);
    journal_.attach(*std::move(file), kHeader, kJournalHeaderBytes, true);
  }

  void fail(uint32_t kinds, Failure failure) {
    files_.fail(kinds, 1, failure);
    files_.speechless();
  }
  Result<void> append(const std::string& text) { return journal_.append(record_bytes(text)); }

  // Of the file, and whether a torn one stands behind them.
  std::vector<std::string> records() {
    files_.fail_no_more();
    std::vector<std::string> all;
    Result<Owned<File>> file =
        files_.open(directory_ / journal_name(kHeader.generation).c_str(), FileSystem::Access::kRead);
    EXPECT_TRUE(file);
    uint64_t fault_offset = 0;
    const auto apply = [&](Bytes record) {
      all.emplace_back(record.begin(), record.end());
      return Result<void>();
    };
    const Result<JournalEnd> end = read_journal(**file, kHeader, apply, fault_offset);
    EXPECT_TRUE(end);
    if (end && end->left_bytes > 0) all.emplace_back("torn");
    return all;
  }
  bool is_there(uint64_t generation) const {
    return std::filesystem::exists(directory_ / journal_name(generation).c_str());
  }

  static constexpr JournalHeader kHeader{.generation = 3, .secret = 7, .synced = true};
  TemporaryDirectory directory_;
  FaultyFiles files_;
  Journal journal_;
};

TEST_F(JournalTest, ARecordThatWasTornIsCutOff) {
  ASSERT_TRUE(append("one"));
  fail(FaultyFiles::kAppend, Failure::kTorn);
  EXPECT_THROW(static_cast<void>(append("two")), std::bad_alloc);
  ASSERT_TRUE(append("three"));
  EXPECT_EQ(records(), (std::vector<std::string>{"one", "three"}));
}

TEST_F(JournalTest, NothingIsTakenBehindARecordThatCannotBeCutOff) {
  ASSERT_TRUE(append("one"));
  fail(FaultyFiles::kAppend | FaultyFiles::kTruncate, Failure::kFromThenOn);
  EXPECT_THROW(static_cast<void>(append("two")), std::bad_alloc);
  files_.fail_no_more();
  EXPECT_EQ(append("three").failure().status, Status::kIo);
  EXPECT_EQ(records(), (std::vector<std::string>{"one"}));
}

TEST_F(JournalTest, NothingIsTakenBehindARecordThatCannotBeTakenBack) {
  ASSERT_TRUE(append("one"));
  fail(FaultyFiles::kTruncate, Failure::kOnce);
  EXPECT_THROW(static_cast<void>(journal_.take_back()), std::bad_alloc);
  EXPECT_EQ(append("two").failure().status, Status::kIo);
}

TEST_F(JournalTest, NothingIsTakenAfterASyncThatFailed) {
  ASSERT_TRUE(append("one"));
  fail(FaultyFiles::kSync, Failure::kOnce);
  EXPECT_THROW(static_cast<void>(journal_.sync()), std::bad_alloc);
  EXPECT_EQ(journal_.sync().failure().status, Status::kIo);
  EXPECT_EQ(append("two").failure().status, Status::kIo);
}

TEST_F(JournalTest, AJournalThatCannotBeOpenedIsTakenAway) {
  ASSERT_TRUE(append("one"));
  files_.fail(FaultyFiles::kSyncDirectory, 1, Failure::kOnce);
  files_.speechless();
  EXPECT_THROW(static_cast<void>(journal_.switch_to(4)), std::bad_alloc);
  EXPECT_FALSE(is_there(4));
  ASSERT_TRUE(append("two"));
  EXPECT_EQ(records(), (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(journal_.switch_to(4));
}

TEST_F(JournalTest, NothingIsTakenBesideAJournalThatCannotBeTakenAway) {
  ASSERT_TRUE(append("one"));
  files_.fail(FaultyFiles::kSyncDirectory, 1, Failure::kFromThenOn);
  files_.speechless();
  EXPECT_THROW(static_cast<void>(journal_.switch_to(4)), std::bad_alloc);
  EXPECT_EQ(append("two").failure().status, Status::kIo);
  EXPECT_EQ(records(), (std::vector<std::string>{"one"}));
}

}  // namespace
}  // namespace nd::store
