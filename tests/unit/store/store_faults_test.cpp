// Every call of the file system fails once, at every place; machines and processes die; disks lie.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "store/store_names.hpp"
#include "unit/store/faulty_files.hpp"
#include "unit/store/temporary_directory.hpp"
#include "unit/store/toy_client.hpp"

namespace nd::store {
namespace {

// What was acknowledged to a user.
struct Told {
  std::vector<std::string> acknowledged;
  std::vector<std::string> failed;  // since the last that was acknowledged
  size_t acknowledged_by_snapshot = 0;
  bool opened = false;
  bool reserves = true;  // the file system: then a change may be in force whose record could not be written
};

// All that was acknowledged, and at most one whose failure was reported behind it.
bool has_all(const std::vector<std::string>& log, const Told& told) {
  std::vector<std::string> more = told.acknowledged;
  more.emplace_back();
  return log == told.acknowledged ||
         std::any_of(told.failed.begin(), told.failed.end(), [&](const std::string& text) {
           more.back() = text;
           return log == more;
         });
}

bool has_beginning(const std::vector<std::string>& log, const Told& told, size_t least) {
  const size_t count = std::min(log.size(), told.acknowledged.size());
  return log.size() >= least && (log.size() == count || has_all(log, told)) &&
         std::equal(log.begin(), log.begin() + static_cast<ptrdiff_t>(count), told.acknowledged.begin());
}

class Session {
 public:
  Session(const std::string& path, FileSystem& files, Durability durability, Told& told)
      : told_(told), client_(ToyClient::open(path, files, {.durability = durability})) {
    if (!client_) return;
    told_.opened = true;
    const std::vector<std::string> log = client_->log();
    // Without a journal an earlier session's end is gone with it.
    const bool is_written = durability == Durability::kJournal || durability == Durability::kSync;
    EXPECT_TRUE(is_written ? has_all(log, told_) : has_beginning(log, told_, told_.acknowledged_by_snapshot));
    told_.acknowledged = log;
    told_.failed.clear();
  }
  bool is_open() const { return static_cast<bool>(client_); }
  void add(int count) {
    for (int i = 0; i < count; ++i) {
      std::string text = "text " + std::to_string(number_++ * 7919 % 100000);
      if (client_->add(text)) {
        take_those_in_force();
        told_.acknowledged.push_back(std::move(text));
        told_.failed.clear();
      } else {
        told_.failed.push_back(std::move(text));
      }
    }
  }
  // Tries twice, as after a disk that was full.
  bool snapshot(bool merge_all = false) {
    const bool taken = client_->snapshot(merge_all) || client_->snapshot(merge_all);
    if (taken) told_.acknowledged_by_snapshot = told_.acknowledged.size();
    return taken;
  }

 private:
  // Of those that failed, before the last: its record stands behind theirs.
  void take_those_in_force() {
    const std::vector<std::string> log = client_->log();
    for (size_t i = told_.acknowledged.size(); i + 1 < log.size(); ++i) {
      EXPECT_TRUE(told_.reserves);
      EXPECT_EQ(std::count(told_.failed.begin(), told_.failed.end(), log[i]), 1);
      told_.acknowledged.push_back(log[i]);
    }
  }

  Told& told_;
  Result<ToyClient> client_;
  static inline uint64_t number_ = 0;
};

// Two sessions with all that a store does.
void run_scenario(const std::string& path, FileSystem& files, Durability durability, Told& told) {
  {
    Session session(path, files, durability, told);
    if (!session.is_open()) return;
    session.add(3);
    session.snapshot();
    session.add(2);
    session.snapshot();
    session.add(1);
    session.snapshot();
    session.add(2);
  }
  Session session(path, files, durability, told);
  if (!session.is_open()) return;
  session.add(2);
  session.snapshot(true);
  session.add(1);
  session.snapshot();
  session.add(1);
}

enum class End { kProcess, kMachine, kMachineAnyhow };

// What is on the disk after the end can be opened, has what it must have, and is a store as any other.
void expect_whole(const std::string& path, FileSystem& files, Durability durability, End end,
                  const Told& told, bool in_full = true) {
  {
    Result<ToyClient> client = ToyClient::open(
        path, files, {.verify = in_full ? Verify::kFull : Verify::kLazy, .durability = durability});
    ASSERT_TRUE(client) << client.failure().message;
    EXPECT_EQ(client->store().fallback(), "");
    const std::vector<std::string> log = client->log();
    EXPECT_EQ(client->latest(), ToyClient::latest_of(log));
    const bool nothing_lost =
        durability == Durability::kSync || (durability == Durability::kJournal && end == End::kProcess);
    if (nothing_lost) {
      EXPECT_TRUE(has_all(log, told)) << log.size() << " of " << told.acknowledged.size();
    } else {
      EXPECT_TRUE(has_beginning(log, told, told.acknowledged_by_snapshot))
          << log.size() << " of " << told.acknowledged.size() << " and " << told.acknowledged_by_snapshot;
    }
    ASSERT_TRUE(client->add("another"));
    ASSERT_TRUE(client->snapshot());
    ASSERT_TRUE(client->snapshot());
    EXPECT_EQ(client->log().size(), log.size() + 1);
  }
  const Result<StoreListing> listing = list_store(files, path);
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->manifests.size(), 2U);
  EXPECT_EQ(listing->journals.size(), 2U);
  EXPECT_TRUE(listing->unfinished.empty());
  EXPECT_FALSE(listing->has_others);
  if (in_full) {
    EXPECT_TRUE(verify_store(path, nullptr, files));
  }
}

void sweep(Durability durability, FaultyFiles::Failure failure, bool reserves = true) {
  std::mt19937_64 random(7);
  uint64_t opened = 0;
  uint64_t n = 1;
  for (;; ++n) {
    TemporaryDirectory directory;
    FaultyFiles files(system_files());
    const std::string path = directory / "store";
    if (!reserves) files.reserve_nothing();
    files.fail(FaultyFiles::kAny, n, failure);
    Told told;
    told.reserves = reserves;
    run_scenario(path, files, durability, told);
    if (files.failures() == 0) break;
    opened += told.opened;
    const End end = static_cast<End>(n % 3);
    if (end == End::kProcess) files.crash_of_process();
    if (end == End::kMachine) files.crash();
    if (end == End::kMachineAnyhow) files.crash(random);
    SCOPED_TRACE("call " + std::to_string(n));
    // Reading every byte takes most of the time.
    expect_whole(path, files, durability, end, told, n % 4 == 0);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(n, 150U);
  EXPECT_GT(opened, 100U);
}

TEST(StoreFaultsTest, OneCallFailsWithAJournal) {
  sweep(Durability::kJournal, FaultyFiles::Failure::kOnce);
}
TEST(StoreFaultsTest, OneCallFailsHalfWayWithAJournal) {
  sweep(Durability::kJournal, FaultyFiles::Failure::kTorn);
}
TEST(StoreFaultsTest, AllCallsFailFromOneOnWithAJournal) {
  sweep(Durability::kJournal, FaultyFiles::Failure::kFromThenOn);
}
TEST(StoreFaultsTest, OneCallFailsHalfWayWithAJournalWithoutRoom) {
  sweep(Durability::kJournal, FaultyFiles::Failure::kTorn, false);
}
TEST(StoreFaultsTest, AllCallsFailFromOneOnWithAJournalWithoutRoom) {
  sweep(Durability::kJournal, FaultyFiles::Failure::kFromThenOn, false);
}
TEST(StoreFaultsTest, OneCallFailsWithFsync) {
  sweep(Durability::kSync, FaultyFiles::Failure::kOnce);
}
TEST(StoreFaultsTest, OneCallFailsHalfWayWithFsync) {
  sweep(Durability::kSync, FaultyFiles::Failure::kTorn);
}
TEST(StoreFaultsTest, AllCallsFailFromOneOnWithFsync) {
  sweep(Durability::kSync, FaultyFiles::Failure::kFromThenOn);
}
TEST(StoreFaultsTest, OneCallFailsWithoutAJournal) {
  sweep(Durability::kSnapshot, FaultyFiles::Failure::kOnce);
}
TEST(StoreFaultsTest, AllCallsFailFromOneOnWithoutAJournal) {
  sweep(Durability::kSnapshot, FaultyFiles::Failure::kFromThenOn);
}

// A manifest that stays keeps the journal and the runs that it speaks of.
TEST(StoreFaultsTest, AFileThatCannotBeRemovedDamagesNothing) {
  for (uint64_t n = 1;; ++n) {
    TemporaryDirectory directory;
    FaultyFiles files(system_files());
    const std::string path = directory / "store";
    Told told;
    Session session(path, files, Durability::kJournal, told);
    for (int i = 0; i < 2; ++i) {
      session.add(1);
      ASSERT_TRUE(session.snapshot());
    }
    session.add(1);
    files.fail(FaultyFiles::kRemove, n);
    ASSERT_TRUE(session.snapshot());
    const bool has_failed = files.failures() > 0;
    EXPECT_TRUE(verify_store(path, nullptr, files)) << "removal " << n;
    if (!has_failed) {
      EXPECT_GT(n, 5U);
      return;
    }
  }
}

// A full disk: only what needs room fails, until there is some again.
TEST(StoreFaultsTest, AFullDiskLosesNothing) {
  TemporaryDirectory directory;
  FaultyFiles files(system_files());
  const std::string path = directory / "store";
  Told told;
  {
    Session session(path, files, Durability::kJournal, told);
    session.add(5);
    session.snapshot();
    // Of the next journal: its header; then nothing more.
    files.fail(FaultyFiles::kAppend | FaultyFiles::kReserve, 2, FaultyFiles::Failure::kFromThenOn);
    EXPECT_FALSE(session.snapshot());
    session.add(3);
    EXPECT_EQ(told.acknowledged.size(), 5U);
    EXPECT_FALSE(session.snapshot());
    files.fail_no_more();
    session.add(3);
    EXPECT_TRUE(session.snapshot());
    session.add(1);
  }
  files.crash_of_process();
  expect_whole(path, files, Durability::kJournal, End::kProcess, told);
}

// The disk said that the journal is safe, was honest later, and lost power.
TEST(StoreFaultsTest, AJournalThatLostItsEndIsNoticedUnlessItIsNotNeeded) {
  for (const bool is_needed : {true, false}) {
    TemporaryDirectory directory;
    FaultyFiles files(system_files());
    const std::string path = directory / "store";
    Told told;
    {
      Session session(path, files, Durability::kSync, told);
      session.add(2);
      files.lie(FaultyFiles::kSync);
      session.add(3);
      // Two calls make the next journal; the snapshot's first run fails.
      files.fail(FaultyFiles::kOpen, 3, FaultyFiles::Failure::kFromThenOn);
      EXPECT_FALSE(session.snapshot());
      files.fail_no_more();
      files.lie(0);
      session.add(1);
      if (!is_needed) {
        EXPECT_TRUE(session.snapshot());
      }
    }
    files.crash();
    if (!is_needed) {
      expect_whole(path, files, Durability::kSync, End::kMachine, told);
      continue;
    }
    const Result<ToyClient> client = ToyClient::open(path, files);
    ASSERT_FALSE(client);
    EXPECT_EQ(client.failure().status, Status::kCorrupt);
    EXPECT_NE(client.failure().message.find("journal-00000000000000000000, offset "), String::npos);
  }
}

TEST(StoreFaultsTest, DisksThatLieLoseOnlyTheEndOrAreFoundOut) {
  std::mt19937_64 random(8);
  int found_out = 0;
  int opened = 0;
  for (int round = 0; round < 400; ++round) {
    TemporaryDirectory directory;
    FaultyFiles files(system_files());
    const std::string path = directory / "store";
    Told told;
    files.lie(round % 4 == 0 ? FaultyFiles::kSync | FaultyFiles::kSyncDirectory : FaultyFiles::kSync);
    if (round % 2 == 1) files.fail(FaultyFiles::kAny, 20 + random() % 250, FaultyFiles::Failure::kFromThenOn);
    run_scenario(path, files, Durability::kSync, told);
    if (round % 3 == 0) {
      files.crash();
    } else {
      files.crash(random);
    }
    Result<ToyClient> client = ToyClient::open(path, files, {.verify = Verify::kFull});
    if (!client) {
      EXPECT_TRUE(client.failure().status == Status::kCorrupt) << client.failure().message;
      ++found_out;
      continue;
    }
    EXPECT_TRUE(has_beginning(client->log(), told, 0));
    EXPECT_EQ(client->latest(), ToyClient::latest_of(client->log()));
    ++opened;
  }
  EXPECT_GT(found_out, 50);
  EXPECT_GT(opened, 20);
}

}  // namespace
}  // namespace nd::store
