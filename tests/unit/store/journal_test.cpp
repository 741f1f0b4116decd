// The journal while calls of the file system fail that find no memory to say why: what was acknowledged stays
// readable, and nothing is taken behind what could not be undone.
#include "store/journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <mutex>
#include <new>
#include <string>
#include <thread>
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
  // Like a real change: its record is written before it returns.
  Result<void> append(const std::string& text) {
    if (Result<void> appended = journal_.append(record_bytes(text)); !appended) return appended;
    journal_.confirm();
    return journal_.sync();
  }

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
  files_.reserve_nothing();
  ASSERT_TRUE(append("one"));
  fail(FaultyFiles::kAppend, Failure::kTorn);
  EXPECT_THROW(static_cast<void>(append("two")), std::bad_alloc);
  ASSERT_TRUE(append("three"));
  EXPECT_EQ(records(), (std::vector<std::string>{"one", "three"}));
}

// With room reserved a record is written after its change, which is then in force: it is kept.
TEST_F(JournalTest, ARecordThatWasTornBehindItsChangeIsWrittenFirst) {
  ASSERT_TRUE(append("one"));
  fail(FaultyFiles::kAppend, Failure::kTorn);
  EXPECT_THROW(static_cast<void>(append("two")), std::bad_alloc);
  EXPECT_EQ(records(), (std::vector<std::string>{"one"}));
  ASSERT_TRUE(append("three"));
  EXPECT_EQ(records(), (std::vector<std::string>{"one", "two", "three"}));
}

TEST_F(JournalTest, NothingIsTakenWhileARecordCannotBeWritten) {
  ASSERT_TRUE(append("one"));
  files_.fail(FaultyFiles::kAppend, 1, Failure::kFromThenOn);
  EXPECT_EQ(append("two").failure().status, Status::kIo);
  const uint64_t bytes = journal_.bytes();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(journal_.append(record_bytes("refused")).failure().status, Status::kIo);
    EXPECT_EQ(journal_.sync().failure().status, Status::kIo);
    EXPECT_EQ(journal_.switch_to(4).failure().status, Status::kIo);
  }
  EXPECT_EQ(journal_.bytes(), bytes);
  EXPECT_EQ(records(), (std::vector<std::string>{"one"}));
  ASSERT_TRUE(journal_.sync());
  EXPECT_EQ(records(), (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(journal_.switch_to(4));
}

// Room that is reserved is not seen: neither as a torn record nor in the size, while the journal is written
// and after it has ended.
TEST_F(JournalTest, TheRoomThatIsReservedIsNoPartOfTheFile) {
  ASSERT_TRUE(append("one"));
  EXPECT_EQ(files_.calls(FaultyFiles::kReserve), 1U);
  const std::string path = directory_ / journal_name(kHeader.generation).c_str();
  EXPECT_EQ(std::filesystem::file_size(path), kJournalHeaderBytes + record_file_bytes(3));
  EXPECT_EQ(records(), (std::vector<std::string>{"one"}));
  files_.crash_of_process();
  EXPECT_EQ(records(), (std::vector<std::string>{"one"}));
}

TEST_F(JournalTest, RoomIsReservedNowAndThenOnly) {
  const std::string text(10'000, 'a');
  for (int i = 0; i < 500; ++i)
    ASSERT_TRUE(append(text));
  EXPECT_GE(files_.calls(FaultyFiles::kReserve), 4U);
  EXPECT_LE(files_.calls(FaultyFiles::kReserve), 6U);
  const std::string large(3'000'000, 'b');  // more than is reserved at once
  ASSERT_TRUE(append(large));
  EXPECT_LE(files_.calls(FaultyFiles::kReserve), 7U);
  EXPECT_EQ(records().size(), 501U);
}

TEST_F(JournalTest, WhatTheDiskHasNoRoomForIsWrittenBeforeItsChange) {
  ASSERT_TRUE(append("one"));
  const std::string large(3'000'000, 'b');
  ASSERT_TRUE(journal_.append(record_bytes("two")));
  journal_.confirm();  // waits in the queue
  EXPECT_EQ(records(), (std::vector<std::string>{"one"}));
  files_.fail(FaultyFiles::kReserve, 1, Failure::kFromThenOn);
  ASSERT_TRUE(journal_.append(record_bytes(large)));
  EXPECT_EQ(records(), (std::vector<std::string>{"one", "two", large}));
  ASSERT_TRUE(journal_.cancel());
  EXPECT_EQ(records(), (std::vector<std::string>{"one", "two"}));
  ASSERT_TRUE(append("three"));
  EXPECT_EQ(records(), (std::vector<std::string>{"one", "two", "three"}));
}

TEST_F(JournalTest, WhatIsTakenBackInReservedRoomTouchesNoFile) {
  ASSERT_TRUE(append("one"));
  const uint64_t calls = files_.calls(FaultyFiles::kAny);
  ASSERT_TRUE(journal_.append(record_bytes("not in force")));
  ASSERT_TRUE(journal_.cancel());
  EXPECT_EQ(files_.calls(FaultyFiles::kAny), calls);
  ASSERT_TRUE(append("two"));
  EXPECT_EQ(records(), (std::vector<std::string>{"one", "two"}));
}

// A call that makes many changes does not keep all their records in memory.
TEST_F(JournalTest, TheQueueIsBounded) {
  const std::string text(100'000, 'a');
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(journal_.append(record_bytes(text)));
    journal_.confirm();
  }
  EXPECT_GT(records().size(), 80U);
  ASSERT_TRUE(journal_.sync());
  EXPECT_EQ(records().size(), 100U);
}

// Threads that change one after the other, and write beside each other: the records stand in the order of the
// changes, each is there when its thread continues, and rooms that cannot be reserved occasionally change
// nothing of it.
TEST_F(JournalTest, ThreadsWriteTheQueueInOrder) {
  constexpr int kThreads = 4;
  constexpr size_t kChanges = 400;
  std::mutex update;
  std::vector<std::string> made;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (size_t i = 0; i < kChanges; ++i) {
        const std::string text = std::to_string(thread) + " " + std::string(i % 97 * 40, 'x');
        {
          const std::lock_guard lock(update);
          if (i % 50 == 7) files_.fail(FaultyFiles::kReserve, 1);
          ASSERT_TRUE(journal_.append(record_bytes(text)));
          if (i % 10 == 3) {
            ASSERT_TRUE(journal_.cancel());
            continue;
          }
          journal_.confirm();
          made.push_back(text);
        }
        ASSERT_TRUE(journal_.sync());
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(records(), made);
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
  files_.reserve_nothing();
  ASSERT_TRUE(journal_.append(record_bytes("one")));
  fail(FaultyFiles::kTruncate, Failure::kOnce);
  EXPECT_THROW(static_cast<void>(journal_.cancel()), std::bad_alloc);
  EXPECT_EQ(append("two").failure().status, Status::kIo);
}

TEST_F(JournalTest, NothingIsTakenAfterASyncThatFailed) {
  ASSERT_TRUE(append("one"));
  ASSERT_TRUE(journal_.append(record_bytes("unsynced")));
  journal_.confirm();
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
