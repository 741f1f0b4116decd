#include "store/store.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "store/store_names.hpp"
#include "unit/store/faulty_files.hpp"
#include "unit/store/temporary_directory.hpp"
#include "unit/store/toy_client.hpp"

namespace nd::store {
namespace {

namespace fs = std::filesystem;

constexpr StoreParameters kJournaled{};
constexpr StoreParameters kReader{.read_only = true};
constexpr StoreParameters kUnwritten{.durability = Durability::kSnapshot};
constexpr StoreParameters kSynced{.durability = Durability::kSync};

std::set<std::string> names_in(const std::string& path) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    names.insert(entry.path().filename().string());
  return names;
}

std::string text_number(uint64_t number) {
  return "text " + std::to_string(number * 7919 % 1000);
}

// A byte of a file is another one.
void damage(const std::string& path, int64_t offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  if (offset < 0) offset += static_cast<int64_t>(fs::file_size(path));
  file.seekg(offset);
  const char byte = static_cast<char>(file.get() ^ 0x40);
  file.seekp(offset);
  file.put(byte);
}

class StoreTest : public ::testing::Test {
 protected:
  Result<ToyClient> try_open(StoreParameters parameters = kJournaled) {
    return ToyClient::open(path_, system_files(), parameters);
  }
  ToyClient open(StoreParameters parameters = kJournaled) {
    Result<ToyClient> client = try_open(parameters);
    EXPECT_TRUE(client) << (client ? "" : client.failure().message);
    return *std::move(client);
  }
  Error failure_of_open(StoreParameters parameters = kJournaled) {
    const Result<ToyClient> client = try_open(parameters);
    EXPECT_FALSE(client);
    return client ? Error{Status::kOk, {}} : client.failure();
  }
  void add(ToyClient& client, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
      texts_.push_back(text_number(texts_.size()));
      const Result<void> added = client.add(texts_.back());
      EXPECT_TRUE(added) << (added ? "" : added.failure().message);
    }
  }
  void snapshot(ToyClient& client, bool merge_all = false) {
    const Result<void> taken = client.snapshot(merge_all);
    EXPECT_TRUE(taken) << (taken ? "" : taken.failure().message);
  }
  void expect_all(const ToyClient& client) {
    EXPECT_EQ(client.log(), texts_);
    EXPECT_EQ(client.latest(), ToyClient::latest_of(texts_));
  }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

  TemporaryDirectory directory_;
  std::string path_ = directory_ / "store";
  std::vector<std::string> texts_;
};

TEST_F(StoreTest, IsMadeWithItsIdentityAndKeepsIt) {
  {
    ToyClient client = open();
    EXPECT_EQ(client.store().generation(), 0U);
    EXPECT_TRUE(client.store().state().empty());
    EXPECT_EQ(client.store().fallback(), "");
    EXPECT_TRUE(client.store().runs(1).empty());
    EXPECT_EQ(names_in(path_), (std::set<std::string>{"lock", "manifest-00000000000000000000",
                                                      "journal-00000000000000000000"}));
  }
  const auto never = []() -> Result<Identity> {
    ADD_FAILURE();
    return Identity{};
  };
  const Result<Owned<Store>> again = Store::open(path_, {}, ToyClient::kTables, never, system_files());
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->identity().secret, ToyClient::kSecret);
  EXPECT_EQ((*again)->identity().pipeline, 5U);
  EXPECT_EQ((*again)->identity().options, (Vector<String>{"a=1", "b=2"}));
}

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

TEST_F(StoreTest, HasOneWriter) {
  ToyClient client = open();
  const Error failure = failure_of_open();
  EXPECT_EQ(failure.status, Status::kLocked);
  EXPECT_NE(failure.message.find("one writer"), String::npos);
}

TEST_F(StoreTest, OnlyAStoreIsOpened) {
  fs::create_directory(path_);
  std::ofstream(file("notes")) << "mine";
  EXPECT_EQ(failure_of_open().status, Status::kInvalidArgument);
  EXPECT_NE(failure_of_open().message.find("is not an ndc store"), String::npos);
  EXPECT_EQ(failure_of_open(kReader).status, Status::kInvalidArgument);
  EXPECT_EQ(names_in(path_), std::set<std::string>{"notes"});
  std::ofstream(file("lock")) << "";
  EXPECT_EQ(failure_of_open().status, Status::kInvalidArgument);
  path_ = file("notes");
  EXPECT_EQ(failure_of_open().status, Status::kInvalidArgument);
  EXPECT_EQ(failure_of_open(kReader).status, Status::kInvalidArgument);
  path_ = directory_ / "not/there";
  EXPECT_EQ(failure_of_open().status, Status::kNotFound);
}

TEST_F(StoreTest, UnknownFilesAreLeftAlone) {
  add(*std::make_unique<ToyClient>(open()), 1);
  for (const char* name : {"notes", "manifest-1", "notes.new"})
    std::ofstream(file(name)) << "mine";
  std::ofstream(file("run-00000000000000000009-log")) << "left over";
  std::ofstream(file("manifest-00000000000000000009.new")) << "left over";
  ToyClient client = open();
  snapshot(client);
  expect_all(client);
  const std::set<std::string> names = names_in(path_);
  for (const char* name : {"notes", "manifest-1", "notes.new"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_FALSE(names.contains("run-00000000000000000009-log"));
  EXPECT_FALSE(names.contains("manifest-00000000000000000009.new"));
}

TEST_F(StoreTest, CreationThatWasCutShortIsCompleted) {
  { ToyClient client = open(); }
  fs::rename(file(manifest_name(0)), file(std::string(manifest_name(0)) + ".new"));
  EXPECT_EQ(failure_of_open(kReader).status, Status::kNotFound);
  {
    ToyClient client = open();
    add(client, 2);
  }
  fs::remove(file(manifest_name(0)));  // there are records now
  EXPECT_EQ(failure_of_open().status, Status::kCorrupt);
  fs::remove(file(journal_name(0)));
  texts_.clear();
  ToyClient client = open();
  expect_all(client);
}

TEST_F(StoreTest, ADamagedGenerationIsNotUsedAndNothingIsLost) {
  for (const char* which : {"manifest", "run", "missing run"}) {
    SCOPED_TRACE(which);
    fs::remove_all(path_);
    texts_.clear();
    {
      ToyClient client = open();
      add(client, 5);
      snapshot(client);
      add(client, 6);
      snapshot(client);
      add(client, 7);
    }
    const std::string run = file(run_name(2, "log", 0));
    if (which == std::string("manifest")) damage(file(manifest_name(2)), 40);
    if (which == std::string("run")) damage(run, -20);
    if (which == std::string("missing run")) fs::remove(run);
    {
      ToyClient client = open();
      EXPECT_EQ(client.store().generation(), 1U);
      EXPECT_NE(client.store().fallback().find("00002"), std::string_view::npos) << client.store().fallback();
      expect_all(client);
      add(client, 2);
    }
    EXPECT_TRUE(fs::exists(file(manifest_name(2))));  // still evidence
    {
      ToyClient client = open();
      expect_all(client);
      snapshot(client);
      EXPECT_EQ(client.store().generation(), 3U);
      EXPECT_FALSE(fs::exists(file(manifest_name(2))));
      add(client, 1);
    }
    ToyClient client = open();
    EXPECT_EQ(client.store().fallback(), "");
    EXPECT_EQ(client.store().generation(), 3U);
    expect_all(client);
  }
}

TEST_F(StoreTest, FullVerificationReadsEverything) {
  {
    ToyClient client = open();
    for (int i = 0; i < 2; ++i) {
      add(client, 40);
      snapshot(client);
    }
  }
  damage(file(run_name(2, "log", 0)), 30);  // a value
  {
    ToyClient client = open({.durability = Durability::kJournal});
    EXPECT_EQ(client.store().generation(), 2U);
    EXPECT_TRUE(client.store().damage());
    static_cast<void>(client.log());
    const Result<void> found = client.store().damage();
    ASSERT_FALSE(found);
    EXPECT_EQ(found.failure().status, Status::kCorrupt);
    // What is damaged is not merged into something that looks right.
    texts_.push_back("more");
    ASSERT_TRUE(client.add("more"));
    EXPECT_EQ(client.snapshot(true).failure().status, Status::kCorrupt);
  }
  ToyClient client = open({.verify = Verify::kFull});
  EXPECT_EQ(client.store().generation(), 1U);
  EXPECT_NE(client.store().fallback().find("run-00000000000000000002-log"), std::string_view::npos);
  expect_all(client);
}

TEST_F(StoreTest, WithoutAJournalAFallbackWouldLoseSomethingAndIsRefused) {
  {
    ToyClient client = open(kUnwritten);
    add(client, 5);
    snapshot(client);
    add(client, 6);
    snapshot(client);
    EXPECT_EQ(client.store().journal_bytes(), 0U);
    ASSERT_TRUE(client.add("is lost"));
    EXPECT_GT(client.store().journal_bytes(), 0U);
    ASSERT_TRUE(client.store().take_back());
    EXPECT_EQ(client.store().journal_bytes(), 0U);
    EXPECT_EQ(fs::file_size(file(journal_name(2))), 64U);
  }
  {
    ToyClient client = open(kUnwritten);
    expect_all(client);
  }
  damage(file(manifest_name(2)), 40);
  const Error failure = failure_of_open();
  EXPECT_EQ(failure.status, Status::kCorrupt);
  EXPECT_NE(failure.message.find("removing the manifests and journals from 2 on"), String::npos)
      << failure.message;
  fs::remove(file(manifest_name(2)));
  fs::remove(file(journal_name(2)));
  ToyClient client = open();
  texts_.resize(5);
  expect_all(client);
}

TEST_F(StoreTest, NoUsableGenerationIsAnErrorThatNamesThePlace) {
  {
    ToyClient client = open();
    add(client, 5);
    snapshot(client);
  }
  damage(file(manifest_name(1)), 50);
  damage(file(manifest_name(0)), 50);
  const Error failure = failure_of_open();
  EXPECT_EQ(failure.status, Status::kCorrupt);
  EXPECT_NE(failure.message.find("manifest-00000000000000000001, offset 8: "), String::npos)
      << failure.message;
  EXPECT_NE(failure.message.find("backup"), String::npos);
  EXPECT_EQ(failure_of_open(kReader).status, Status::kCorrupt);
}

TEST_F(StoreTest, ATornEndIsCutOffAndDamageBeforeItIsNot) {
  {
    ToyClient client = open();
    add(client, 6);
  }
  const std::string journal = file(journal_name(0));
  const uint64_t size = fs::file_size(journal);
  {  // zeros, as of a file system that kept only the size
    fs::resize_file(journal, size + 5000);
    ToyClient client = open();
    expect_all(client);
    EXPECT_EQ(fs::file_size(journal), size);
  }
  fs::resize_file(journal, size - 3);
  texts_.pop_back();
  {
    ToyClient client = open();
    expect_all(client);
    add(client, 3);
  }
  damage(journal, 64 + 36);
  const Error failure = failure_of_open();
  EXPECT_EQ(failure.status, Status::kCorrupt);
  EXPECT_NE(failure.message.find("journal-00000000000000000000, offset 64: "), String::npos)
      << failure.message;
}

TEST_F(StoreTest, AnEarlierJournalMustBeWhole) {
  {
    FaultyFiles files(system_files());
    Result<ToyClient> client = ToyClient::open(path_, files);
    ASSERT_TRUE(client);
    add(*client, 5);
    files.fail(FaultyFiles::kMap | FaultyFiles::kRead, 1);
    ASSERT_FALSE(client->snapshot());
    files.fail_no_more();
    add(*client, 4);
  }
  {
    ToyClient client = open();
    expect_all(client);
  }
  const std::string journal = file(journal_name(0));
  fs::copy_file(journal, directory_ / "copy");
  fs::resize_file(journal, fs::file_size(journal) - 8);
  EXPECT_EQ(failure_of_open().status, Status::kCorrupt);
  fs::resize_file(journal, 64);  // whole records are missing
  EXPECT_EQ(failure_of_open().status, Status::kCorrupt);
  fs::remove(journal);
  EXPECT_EQ(failure_of_open().status, Status::kCorrupt);
  fs::copy_file(directory_ / "copy", journal);
  ToyClient client = open();
  expect_all(client);
}

TEST_F(StoreTest, AStoreOfANewerNdcIsNotPassedOver) {
  {
    ToyClient client = open();
    add(client, 5);
    snapshot(client);
  }
  constexpr TableKind kFewer[] = {{ToyClient::kLog, "log", 4}};
  const Result<Owned<Store>> store = Store::open(path_, {}, kFewer, ToyClient::make, system_files());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.failure().status, Status::kUnsupportedVersion);
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
    EXPECT_GT(client.store().journal_bytes(), bytes);
    ASSERT_TRUE(client.store().take_back());
    EXPECT_EQ(client.store().journal_bytes(), bytes);
    EXPECT_EQ(client.store().take_back().failure().status, Status::kInternal);
    EXPECT_EQ(client.store().append({}).failure().status, Status::kLimit);
    add(client, 1);
  }
  ToyClient client = open();
  expect_all(client);
}

TEST_F(StoreTest, AFailedAppendIsCutBack) {
  FaultyFiles files(system_files());
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
    EXPECT_FALSE(client->store().take_back());
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
              ASSERT_TRUE(client->store().take_back());
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

TEST_F(StoreTest, VerificationFindsWhatIsWrong) {
  std::vector<std::string> faults;
  const auto report = [&faults](const StoreFault& fault) {
    faults.push_back(std::string(fault.file) + " " + std::to_string(fault.offset));
    EXPECT_FALSE(fault.sentence.empty());
  };
  const auto status = [&] {
    faults.clear();
    const Result<void> verified = verify_store(path_, report, system_files());
    return verified ? Status::kOk : verified.failure().status;
  };
  EXPECT_EQ(status(), Status::kNotFound);
  {
    ToyClient client = open();
    EXPECT_EQ(status(), Status::kOk);
    for (int i = 0; i < 3; ++i) {
      add(client, 6);
      snapshot(client);
      EXPECT_EQ(status(), Status::kOk);
    }
    add(client, 4);
    EXPECT_EQ(status(), Status::kOk);
  }
  damage(file(manifest_name(2)), 60);
  damage(file(run_name(3, "log", 0)), 20);
  damage(file(journal_name(3)), 64 + 34);
  EXPECT_EQ(status(), Status::kCorrupt);
  EXPECT_EQ(faults,
            (std::vector<std::string>{"manifest-00000000000000000002 8", "run-00000000000000000003-log 0",
                                      "journal-00000000000000000003 64"}));
  fs::remove(file(journal_name(3)));
  fs::remove(file(run_name(1, "log", 0)));
  EXPECT_EQ(status(), Status::kCorrupt);
  EXPECT_EQ(faults.size(), 4U);
  EXPECT_TRUE(verify_store(path_, nullptr, system_files()).failure().status == Status::kCorrupt);
}

}  // namespace
}  // namespace nd::store
