// What a store answers that is opened with each content that its directory may have.
#include <cstring>
#include <memory>

#include "store/file_preamble.hpp"
#include "store/journal_file.hpp"
#include "store/store.hpp"
#include "store/store_names.hpp"
#include "unit/store/faulty_files.hpp"
#include "unit/store/store_fixture.hpp"

namespace nd::store {
namespace {

class StoreOpeningTest : public StoreFixture {};

TEST_F(StoreOpeningTest, IsMadeWithItsIdentityAndKeepsIt) {
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

TEST_F(StoreOpeningTest, HasOneWriter) {
  ToyClient client = open();
  const Error failure = failure_of_open();
  EXPECT_EQ(failure.status, Status::kLocked);
  EXPECT_NE(failure.message.find("one writer"), String::npos);
}

TEST_F(StoreOpeningTest, OnlyAStoreIsOpened) {
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
  EXPECT_EQ(failure_of_open().status, Status::kIo);
}

TEST_F(StoreOpeningTest, ADirectoryThatCannotBeListedIsNotCalledAFile) {
  static_cast<void>(open());
  FaultyFiles files(system_files());
  files.fail(FaultyFiles::kList, 1);
  const Result<ToyClient> client = ToyClient::open(path_, files, kJournaled);
  ASSERT_FALSE(client);
  EXPECT_EQ(client.failure().status, Status::kIo);
}

TEST_F(StoreOpeningTest, UnknownFilesAreLeftAlone) {
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

TEST_F(StoreOpeningTest, CreationThatWasCutShortIsCompleted) {
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

TEST_F(StoreOpeningTest, ADamagedGenerationIsNotUsedAndNothingIsLost) {
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

// A copy of the bytes was damaged, not the file: the next generation reads it again.
TEST_F(StoreOpeningTest, DamageGoesWithTheGenerationThatHadIt) {
  ToyClient writer = open();
  add(writer, 40);
  snapshot(writer);
  const std::string run = file(run_name(1, "log", 0));
  damage(run, 30);
  ToyClient reader = open({.read_only = true, .mmap = false});
  static_cast<void>(reader.log());
  EXPECT_EQ(reader.store().damage().failure().status, Status::kCorrupt);
  damage(run, 30);  // the bit turns back
  EXPECT_FALSE(*reader.store().refresh()) << "no newer snapshot";
  reader.store().end_refresh();
  EXPECT_FALSE(reader.store().damage());

  const std::vector<std::string> texts = texts_;
  add(writer, 1);
  snapshot(writer);
  EXPECT_TRUE(*reader.store().refresh());
  EXPECT_FALSE(reader.store().damage()) << "what the caller has is still of the old generation";
  EXPECT_TRUE(reader.store().check_refresh());
  reader.store().end_refresh();
  EXPECT_TRUE(reader.store().damage());
  EXPECT_EQ(ToyClient::text_of(reader.store().runs(ToyClient::kLog)[0]->at(0)->value), texts[0]);
  EXPECT_TRUE(reader.store().damage());
}

TEST_F(StoreOpeningTest, DamageInTheNextGenerationLeavesTheOneInUseAlone) {
  ToyClient writer = open();
  add(writer, 40);
  snapshot(writer);
  ToyClient reader = open({.read_only = true, .mmap = false});
  add(writer, 40);
  snapshot(writer);
  damage(file(run_name(2, "log", 0)), 30);
  EXPECT_TRUE(*reader.store().refresh());
  for (const auto& run : reader.store().next_content().runs[ToyClient::kLog])
    static_cast<void>(run->at(0));
  EXPECT_TRUE(reader.store().damage());
  EXPECT_EQ(reader.store().check_refresh().failure().status, Status::kCorrupt);
  EXPECT_TRUE(reader.store().damage());
  damage(file(run_name(2, "log", 0)), 30);
  add(writer, 1);
  snapshot(writer);
  EXPECT_TRUE(*reader.store().refresh());
  EXPECT_TRUE(reader.store().check_refresh());
  reader.store().end_refresh();
  EXPECT_TRUE(reader.store().damage());
}

TEST_F(StoreOpeningTest, FullVerificationReadsEverything) {
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
    // Damaged runs are not merged into something that looks right.
    texts_.push_back("more");
    ASSERT_TRUE(client.add("more"));
    EXPECT_EQ(client.snapshot(true).failure().status, Status::kCorrupt);
  }
  ToyClient client = open({.verify = Verify::kFull});
  EXPECT_EQ(client.store().generation(), 1U);
  EXPECT_NE(client.store().fallback().find("run-00000000000000000002-log"), std::string_view::npos);
  expect_all(client);
}

TEST_F(StoreOpeningTest, WithoutAJournalAFallbackWouldLoseSomethingAndIsRefused) {
  {
    ToyClient client = open(kUnwritten);
    add(client, 5);
    snapshot(client);
    add(client, 6);
    snapshot(client);
    EXPECT_EQ(client.store().journal_bytes(), 0U);
    ASSERT_TRUE(client.store().append(ToyClient::bytes_of("is lost")));
    EXPECT_GT(client.store().journal_bytes(), 0U);
    ASSERT_TRUE(client.store().cancel());
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

TEST_F(StoreOpeningTest, NoUsableGenerationIsAnErrorThatNamesThePlace) {
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

TEST_F(StoreOpeningTest, ATornEndIsCutOffAndDamageBeforeItIsNot) {
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

TEST_F(StoreOpeningTest, AnEarlierJournalMustBeWhole) {
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

TEST_F(StoreOpeningTest, AStoreOfAnotherVersionIsNotPassedOver) {
  {
    ToyClient client = open();
    add(client, 5);
    snapshot(client);
  }
  constexpr TableKind kFewer[] = {{ToyClient::kLog, "log", 4}};
  const Result<Owned<Store>> store = Store::open(path_, {}, kFewer, ToyClient::make, system_files());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.failure().status, Status::kUnsupportedVersion);

  std::fstream manifest(file(manifest_name(1)), std::ios::in | std::ios::out | std::ios::binary);
  std::string bytes(fs::file_size(file(manifest_name(1))), '\0');
  manifest.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes[16] = 2;  // the version
  const uint64_t checksum = preamble_checksum(ToyClient::bytes_of(bytes));
  std::memcpy(bytes.data() + 8, &checksum, sizeof checksum);
  manifest.seekp(0);
  manifest << bytes << std::flush;
  for (const StoreParameters& parameters : {kJournaled, kReader}) {
    const Error failure = failure_of_open(parameters);
    EXPECT_EQ(failure.status, Status::kUnsupportedVersion);
    EXPECT_NE(failure.message.find("written by another version of ndc"), String::npos);
  }
  EXPECT_EQ(verify_store(path_, nullptr, system_files()).failure().status, Status::kUnsupportedVersion);
}

TEST_F(StoreOpeningTest, VerificationFindsWhatIsWrong) {
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
  {
    TemporaryDirectory other;
    fs::copy_file(file(journal_name(3)), other / "journal");
    const Vector<uint8_t> header = encode_journal_header({3, 1, fs::file_size(file(journal_name(2))), false});
    std::ofstream(file(journal_name(3)), std::ios::binary)
        .write(reinterpret_cast<const char*>(header.data()), static_cast<std::streamsize>(header.size()));
    EXPECT_EQ(status(), Status::kCorrupt);
    EXPECT_EQ(faults, std::vector<std::string>{"journal-00000000000000000003 0"});
    EXPECT_EQ(failure_of_open().status, Status::kCorrupt);
    fs::copy_file(other / "journal", file(journal_name(3)), fs::copy_options::overwrite_existing);
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
