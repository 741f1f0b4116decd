// Runs on a file system that fails, or that many threads read.
#include <gtest/gtest.h>

#include <thread>

#include "unit/store/faulty_files.hpp"
#include "unit/store/run_sample.hpp"

namespace nd::store {
namespace {

using Failure = FaultyFiles::Failure;

size_t file_count(const TemporaryDirectory& directory) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(directory.path()), {}));
}

TEST(RunFailure, OfAnyCallWhileWritingIsToldAndLeavesNoFile) {
  std::mt19937_64 random(31);
  const SampleTable table = random_sample(random, 60000, 0);
  for (const Failure failure : {Failure::kOnce, Failure::kTorn, Failure::kFromThenOn}) {
    uint64_t n = 1;
    for (;; ++n) {
      const TemporaryDirectory directory;
      FaultyFiles files(system_files());
      files.fail(FaultyFiles::kAny, n, failure);
      const Result<RunDescription> written = write_sample(files, directory.path(), "r", table);
      if (files.failures() == 0) break;
      ASSERT_FALSE(written);
      EXPECT_EQ(written.failure().status, Status::kIo);
      EXPECT_EQ(file_count(directory), failure == Failure::kFromThenOn && n > 1 ? 1u : 0u);
    }
    EXPECT_GT(n, 8u);
  }
}

TEST(RunFailure, OfAnyCallWhileManyEntriesWait) {
  uint64_t n = 1;
  for (;; ++n) {
    const TemporaryDirectory directory;
    FaultyFiles files(system_files());
    files.fail(FaultyFiles::kAny & ~FaultyFiles::kAppend, n);
    Result<RunDescription> written = [&]() -> Result<RunDescription> {
      Result<Owned<RunWriter>> writer =
          RunWriter::create(files, directory.path(), "r", RunFormat::kWithFilter);
      if (!writer) return std::move(writer).failure();
      for (uint64_t key = 0; key < 65538; ++key) {
        Result<void> added = (*writer)->add(key, {});
        if (!added) return std::move(added).failure();
      }
      return (*writer)->finish();
    }();
    if (files.failures() == 0) {
      EXPECT_TRUE(written);
      break;
    }
    ASSERT_FALSE(written);
    EXPECT_EQ(written.failure().status, Status::kIo);
    // Of the calls on the way one removes the file of the entries; it may stay then.
    EXPECT_LE(file_count(directory), 1u);
  }
  EXPECT_GT(n, 20u);
}

TEST(RunFailure, OfAnyCallWhileReadingIsToldOrReported) {
  std::mt19937_64 random(32);
  const TemporaryDirectory directory;
  const SampleTable table = random_sample(random, 5000, 2);
  const Result<RunDescription> written = write_sample(system_files(), directory.path(), "r", table);
  ASSERT_TRUE(written);
  for (const ReadMode& mode : all_modes()) {
    for (uint64_t n = 1;; ++n) {
      FaultyFiles files(system_files());
      files.fail(FaultyFiles::kAny, n, Failure::kOnce, "Input/output error");
      auto damage = std::make_shared<DamageReport>();
      const auto run = open_run(files, directory.path(), *written, mode, damage);
      if (!run) {
        EXPECT_EQ(run.failure().status, Status::kIo);
        continue;
      }
      const SampleTable read = read_sample(**run);
      for (const auto& [key, value] : read)
        EXPECT_EQ(value, table.at(key));
      EXPECT_EQ(read.size() < table.size(), files.failures() == 1);
      EXPECT_EQ(bool(damage->first()), files.failures() == 0);
      // Data that could not be read once stays absent.
      EXPECT_EQ(read_sample(**run), read);
      if (files.failures() == 0) break;
    }
  }
  for (uint64_t n = 1;; ++n) {
    FaultyFiles files(system_files());
    files.fail(FaultyFiles::kAny, n, Failure::kOnce, "Input/output error");
    uint64_t fault = 0;
    const Result<void> verified = verify_run(files, directory.path(), *written, fault);
    EXPECT_EQ(bool(verified), files.failures() == 0);
    if (files.failures() == 0) break;
    EXPECT_EQ(verified.failure().status, Status::kIo);
  }
}

TEST(RunFailure, AFinishedRunSurvivesACrash) {
  std::mt19937_64 random(33);
  const TemporaryDirectory directory;
  FaultyFiles files(system_files());
  const Result<RunDescription> written =
      write_sample(files, directory.path(), "r", random_sample(random, 5000, 0));
  ASSERT_TRUE(written);
  ASSERT_TRUE(files.sync_directory(directory.path()));
  files.crash();
  uint64_t fault = 0;
  EXPECT_TRUE(verify_run(files, directory.path(), *written, fault));
}

TEST(RunFailure, AFileThatBecomesShorterIsReported) {
  std::mt19937_64 random(34);
  const TemporaryDirectory directory;
  const SampleTable table = random_sample(random, 5000, 0);
  const Result<RunDescription> written = write_sample(system_files(), directory.path(), "r", table);
  ASSERT_TRUE(written);
  auto damage = std::make_shared<DamageReport>();
  const auto run = open_run(system_files(), directory.path(), *written, {false, true}, damage);
  ASSERT_TRUE(run);
  std::filesystem::resize_file(directory / "r", 40000);
  EXPECT_LT(read_sample(**run).size(), table.size());
  EXPECT_FALSE(damage->first());
}

TEST(RunWriter, RefusesKeysThatDoNotAscend) {
  const TemporaryDirectory directory;
  for (const uint64_t key : {4U, 5U}) {
    Result<Owned<RunWriter>> writer =
        RunWriter::create(system_files(), directory.path(), "r", RunFormat::kWithFilter);
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->add(5, {}));
    EXPECT_EQ((*writer)->add(key, {}).failure().status, Status::kInternal);
    EXPECT_EQ((*writer)->add(6, {}).failure().status, Status::kInternal);
    EXPECT_EQ((*writer)->finish().failure().status, Status::kInternal);
  }
  EXPECT_EQ(file_count(directory), 0u);
}

TEST(RunWriter, WritesOverNoOtherFile) {
  const TemporaryDirectory directory;
  write_content(directory / "r", "another file");
  EXPECT_EQ(write_sample(system_files(), directory.path(), "r", {{1, "one"}}).failure().status, Status::kIo);
  EXPECT_EQ(file_content(directory / "r"), "another file");
  EXPECT_FALSE(RunWriter::create(system_files(), directory.path(), "../r", RunFormat::kWithFilter));
}

TEST(RunFile, ManyThreadsReadTheSame) {
  std::mt19937_64 random(35);
  const TemporaryDirectory directory;
  const SampleTable table = random_sample(random, 20000, 0);
  const Result<RunDescription> written = write_sample(system_files(), directory.path(), "r", table);
  ASSERT_TRUE(written);
  for (const ReadMode& mode : all_modes()) {
    const auto run =
        open_run(system_files(), directory.path(), *written, mode, std::make_shared<DamageReport>());
    ASSERT_TRUE(run);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (const auto& [key, value] : table) {
          const std::optional<RunEntry> entry = (*run)->find(key);
          if (!entry || sample_text(entry->value) != value.value_or("")) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    EXPECT_EQ(wrong, 0);
  }
}

}  // namespace
}  // namespace nd::store
