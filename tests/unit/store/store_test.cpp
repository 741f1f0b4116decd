// A store in a directory: generations, merges, readers beside a writer.
#include "store/store.hpp"

#include <atomic>
#include <mutex>
#include <thread>

#include "store/store_names.hpp"
#include "unit/store/faulty_files.hpp"
#include "unit/store/store_fixture.hpp"

namespace nd::store {
namespace {

class StoreTest : public StoreFixture {};

TEST_F(StoreTest, GivesBackEverythingThatWasAdded) {
  for (int round = 0; round < 6; ++round) {
    ToyClient client = open();
    expect_all(client);
    add(client, 20);
    expect_all(client);
    if (round % 2 == 1) {
      snapshot(client);
      expect_all(client);
      add(client, 5);
      snapshot(client, round == 5);
      add(client, 3);
    }
    expect_all(client);
  }
  ToyClient client = open();
  expect_all(client);
  EXPECT_EQ(client.store().generation(), 6U);
}

TEST_F(StoreTest, KeepsTwoGenerationsAndNothingElse) {
  ToyClient client = open();
  for (int i = 0; i < 5; ++i) {
    add(client, 3);
    snapshot(client);
  }
  const std::set<std::string> names = names_in(path_);
  EXPECT_TRUE(names.contains("manifest-00000000000000000004"));
  EXPECT_TRUE(names.contains("manifest-00000000000000000005"));
  EXPECT_TRUE(names.contains("journal-00000000000000000004"));
  EXPECT_TRUE(names.contains("journal-00000000000000000005"));
  for (const std::string& name : names) {
    const FileName parsed = parse_file_name(name);
    EXPECT_TRUE(parsed.kind == FileKind::kRun || parsed.kind == FileKind::kLock || parsed.generation >= 4)
        << name;
  }
  uint64_t bytes = fs::file_size(file(manifest_name(5)));
  std::set<std::string> kept;
  for (const std::string& name : names) {
    if (parse_file_name(name).kind == FileKind::kRun) bytes += fs::file_size(file(name));
  }
  // Runs that only generation 4 has are on the disk beside those of generation 5.
  EXPECT_LE(client.store().disk_bytes(), bytes);
  EXPECT_GE(client.store().disk_bytes() * 2, bytes);
}

TEST_F(StoreTest, RunsAreMergedByTierAndByRequest) {
  ToyClient client = open();
  for (int i = 0; i < 40; ++i) {
    add(client, 4);
    snapshot(client);
    ASSERT_LT(client.store().runs(ToyClient::kLog).size(), 10U);
  }
  EXPECT_GT(client.store().runs(ToyClient::kLog).size(), 1U);
  snapshot(client, true);
  EXPECT_EQ(client.store().runs(ToyClient::kLog).size(), 1U);
  EXPECT_EQ(client.store().runs(ToyClient::kLatest).size(), 1U);
  expect_all(client);
  EXPECT_EQ(client.store().runs(ToyClient::kLatest)[0]->entry_count(), client.latest().size());
}

TEST_F(StoreTest, ForgottenKeysAreGoneAfterAMerge) {
  {
    ToyClient client = open();
    add(client, 10);
    snapshot(client);
    client.store().forget_below(ToyClient::kLog, 7);
    add(client, 1);
    snapshot(client, true);
    EXPECT_EQ(client.store().runs(ToyClient::kLog)[0]->at(0)->key, 7U);
  }
  ToyClient client = open();  // and it is remembered
  add(client, 1);
  snapshot(client, true);
  EXPECT_EQ(client.store().runs(ToyClient::kLog)[0]->entry_count(), 5U);
}

TEST_F(StoreTest, ReadersSeeSnapshotsAndChangeNothing) {
  EXPECT_EQ(failure_of_open(kReader).status, Status::kNotFound);
  EXPECT_FALSE(fs::exists(path_));
  ToyClient writer = open();
  add(writer, 5);
  snapshot(writer);
  const std::vector<std::string> first = texts_;
  add(writer, 3);
  const std::set<std::string> names = names_in(path_);
  ToyClient reader = open(kReader);
  EXPECT_EQ(reader.log(), first);
  EXPECT_EQ(names_in(path_), names);
  EXPECT_EQ(reader.add("no").failure().status, Status::kReadOnly);
  EXPECT_EQ(reader.snapshot().failure().status, Status::kReadOnly);
  EXPECT_FALSE(*reader.store().refresh());
  snapshot(writer);
  snapshot(writer);
  snapshot(writer);
  EXPECT_EQ(reader.log(), first);  // its files are gone from the directory, not from the disk
  EXPECT_TRUE(*reader.store().refresh());
  EXPECT_EQ(reader.store().generation(), 1U) << "until the caller has taken it over";
  reader.store().end_refresh();
  EXPECT_EQ(reader.store().generation(), 4U);
  EXPECT_FALSE(*reader.store().refresh());
  EXPECT_EQ(open(kReader).log(), texts_);
  EXPECT_EQ(writer.store().refresh().failure().status, Status::kInvalidArgument);

  add(writer, 1);
  snapshot(writer);
  damage(file(manifest_name(5)), 40);
  EXPECT_EQ(reader.store().refresh().failure().status, Status::kCorrupt);
  EXPECT_EQ(reader.store().generation(), 4U);
  ToyClient other = open(kReader);
  EXPECT_EQ(other.store().generation(), 4U);
  EXPECT_NE(other.store().fallback(), "");
}

TEST_F(StoreTest, ReadersOpenWhileAWriterDropsGenerations) {
  ToyClient writer = open();
  add(writer, 5);
  snapshot(writer);
  std::atomic<bool> stop = false;
  std::thread reading([&] {
    while (!stop) {
      const Result<ToyClient> reader = ToyClient::open(path_, system_files(), kReader);
      EXPECT_TRUE(reader) << (reader ? "" : reader.failure().message);
      if (reader) {
        EXPECT_EQ(reader->latest(), ToyClient::latest_of(reader->log()));
      }
    }
  });
  for (int i = 0; i < 60; ++i) {
    add(writer, 2);
    snapshot(writer);
  }
  stop = true;
  reading.join();
}

TEST_F(StoreTest, WhatIsTakenBackIsGone) {
  {
    ToyClient client = open();
    add(client, 2);
    const uint64_t bytes = client.store().journal_bytes();
    ASSERT_TRUE(client.store().append(ToyClient::bytes_of("anything")));
    EXPECT_EQ(client.store().append(ToyClient::bytes_of("more")).failure().status, Status::kInternal);
    EXPECT_GT(client.store().journal_bytes(), bytes);
    ASSERT_TRUE(client.store().cancel());
    EXPECT_EQ(client.store().journal_bytes(), bytes);
    EXPECT_EQ(client.store().cancel().failure().status, Status::kInternal);
    EXPECT_EQ(client.store().append({}).failure().status, Status::kLimit);
    add(client, 1);
  }
  ToyClient client = open();
  expect_all(client);
}

TEST_F(StoreTest, AFailedAppendIsCutBack) {
  FaultyFiles files(system_files());
  files.reserve_nothing();
  {
    Result<ToyClient> client = ToyClient::open(path_, files);
    ASSERT_TRUE(client);
    add(*client, 2);
    files.fail(FaultyFiles::kAppend, 1, FaultyFiles::Failure::kTorn);
    EXPECT_EQ(client->add("not there").failure().status, Status::kIo);
    add(*client, 2);
    files.fail(FaultyFiles::kAppend | FaultyFiles::kTruncate, 1, FaultyFiles::Failure::kFromThenOn);
    EXPECT_FALSE(client->add("not there"));
    files.fail_no_more();
    const Result<void> later = client->add("not any more");
    ASSERT_FALSE(later);
    EXPECT_EQ(later.failure().status, Status::kIo);
    EXPECT_NE(later.failure().message.find("until the store is opened anew"), String::npos);
    EXPECT_FALSE(client->store().cancel());
    EXPECT_FALSE(client->snapshot());
  }
  ToyClient client = open();
  expect_all(client);
}

TEST_F(StoreTest, AnFsyncIsNeverTriedAgain) {
  FaultyFiles files(system_files());
  {
    Result<ToyClient> client = ToyClient::open(path_, files, kSynced);
    ASSERT_TRUE(client);
    add(*client, 2);
    files.fail(FaultyFiles::kSync, 1);
    EXPECT_FALSE(client->add("perhaps"));
    EXPECT_FALSE(client->add("no more"));
    EXPECT_FALSE(client->store().sync());
  }
  files.crash();
  ToyClient client = open();
  expect_all(client);
}

TEST_F(StoreTest, ThreadsShareAnFsync) {
  FaultyFiles files(system_files());
  std::vector<std::vector<std::string>> acknowledged(4);
  uint64_t added = 0;
  {
    Result<ToyClient> client = ToyClient::open(path_, files, kSynced);
    ASSERT_TRUE(client);
    std::mutex writer_lock;
    std::vector<std::thread> threads;
    for (size_t thread = 0; thread < acknowledged.size(); ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < 300; ++i) {
          std::string text = std::to_string(thread) + " " + std::to_string(i);
          {
            const std::lock_guard lock(writer_lock);
            ASSERT_TRUE(client->append(text));
            if (i == 150 && thread == 0) {
              EXPECT_TRUE(client->snapshot());
            }
            if (i % 10 == 0) {
              ASSERT_TRUE(client->store().append(ToyClient::bytes_of("taken back")));
              ASSERT_TRUE(client->store().cancel());
            }
          }
          ASSERT_TRUE(client->store().sync());
          acknowledged[thread].push_back(std::move(text));
        }
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    added = client->log().size();
  }
  EXPECT_LE(files.calls(FaultyFiles::kSync), added + 40);
  files.crash();
  ToyClient client = open();
  const std::vector<std::string> log = client.log();
  EXPECT_EQ(log.size(), 1200U);
  const std::set<std::string> found(log.begin(), log.end());
  for (const std::vector<std::string>& texts : acknowledged) {
    for (const std::string& text : texts)
      EXPECT_TRUE(found.contains(text)) << text;
  }
}

}  // namespace
}  // namespace nd::store
