#include "store/run_file.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "unit/store/run_sample.hpp"

namespace nd::store {
namespace {

constexpr uint64_t kGreatest = std::numeric_limits<uint64_t>::max();

// Reads the run in all ways, and compares with the table.
void expect_equal(const Run& run, const SampleTable& table, std::mt19937_64& random) {
  ASSERT_EQ(run.entry_count(), table.size());
  EXPECT_EQ(read_sample(run), table);
  uint64_t position = 0;
  for (const auto& [key, value] : table) {
    const std::optional<RunEntry> entry = run.find(key);
    ASSERT_TRUE(entry) << key;
    EXPECT_EQ(entry->key, key);
    ASSERT_EQ(entry->erased, !value);
    EXPECT_EQ(sample_text(entry->value), value.value_or(""));
    if (entry->value.size() > 7) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(entry->value.data()) % 8, 0u);
    }
    ASSERT_EQ(run.lower_bound(key), position++);
    if (key != 0 && !table.contains(key - 1)) {
      EXPECT_FALSE(run.find(key - 1));
    }
    if (key != kGreatest) {
      EXPECT_EQ(run.lower_bound(key + 1), position);
    }
  }
  for (int i = 0; i < 200; ++i) {
    const uint64_t key = random() >> (random() % 64);
    EXPECT_EQ(run.find(key).has_value(), table.contains(key));
    const auto bound = table.lower_bound(key);
    EXPECT_EQ(run.lower_bound(key), static_cast<uint64_t>(std::distance(table.begin(), bound)));
  }
  EXPECT_FALSE(run.at(table.size()));
  EXPECT_FALSE(run.at(kGreatest));
}

void expect_round_trip(const SampleTable& table, std::mt19937_64& random, bool with_filter) {
  const TemporaryDirectory directory;
  const Result<RunDescription> written =
      write_sample(system_files(), directory.path(), "r", table, with_filter);
  ASSERT_TRUE(written) << written.failure().message;
  uint64_t fault = 0;
  const Result<void> verified = verify_run(system_files(), directory.path(), *written, fault);
  ASSERT_TRUE(verified) << verified.failure().message << " at " << fault;
  for (const ReadMode& mode : all_modes()) {
    auto damage = std::make_shared<DamageReport>();
    const auto run = open_run(system_files(), directory.path(), *written, mode, damage);
    ASSERT_TRUE(run) << run.failure().message;
    EXPECT_EQ((*run)->file_bytes(), std::filesystem::file_size(directory / "r"));
    expect_equal(**run, table, random);
    EXPECT_TRUE(damage->first());
  }
}

void expect_round_trip(const SampleTable& table, std::mt19937_64& random) {
  expect_round_trip(table, random, false);
  expect_round_trip(table, random, true);
}

TEST(RunFile, GivesBackWhatWasWritten) {
  std::mt19937_64 random(1);
  for (const size_t count : {1U, 2U, 7U, 8U, 9U, 1000U, 20000U}) {
    for (int shape = 0; shape < 4; ++shape)
      expect_round_trip(random_sample(random, count, shape), random);
  }
  expect_round_trip(random_sample(random, 100000, 2), random);
}

TEST(RunFile, GivesBackValuesOfAllSizes) {
  std::mt19937_64 random(2);
  SampleTable table;
  for (const size_t size : {16000U, 16376U, 16384U, 20000U, 100000U, 1000000U}) {
    table[table.size()] = random_value(random, size);
  }
  for (size_t size = 0; size <= 40; ++size)
    table[1000 + size] = random_value(random, size);
  expect_round_trip(table, random);
}

TEST(RunFile, GivesBackTheOutermostKeys) {
  std::mt19937_64 random(3);
  expect_round_trip({{0, "a"}}, random);
  expect_round_trip({{kGreatest, std::nullopt}}, random);
  expect_round_trip({{0, std::nullopt}, {kGreatest, "nine bytes"}}, random);
}

std::string hex_of_example(bool with_filter) {
  const TemporaryDirectory directory;
  const SampleTable table = {{3, "one"}, {5, "twelve bytes"}, {40, std::nullopt}};
  EXPECT_TRUE(write_sample(system_files(), directory.path(), "r", table, with_filter));
  std::string hex;
  for (const char byte : file_content(directory / "r")) {
    hex += "0123456789abcdef"[static_cast<uint8_t>(byte) >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

// The worked example of the format's description.
TEST(RunFile, HasTheBytesOfTheExample) {
  EXPECT_EQ(hex_of_example(false),
            "4e4452554e3100000100000004030201"
            "0c000000000000007477656c76652062"
            "79746573000000000000000000000000"
            "03000000000000006f6e650000000003"
            "050000000000000010000000000000ff"
            "280000000000000000000000000000fe"
            "00000000020000000300000000000000"
            "c12dbb83de8950ef4e4452554e310000"
            "0100000004030201f800000000000000"
            "03000000000000000100000000000000"
            "03000000000000002800000000000000"
            "30000000000000006000000000000000"
            "70000000000000000200000000000000"
            "05000000040000000000000000000000"
            "0000000000000000c6d816361142e360"
            "c323105bace050c7");
}

TEST(RunFile, HasTheBytesOfTheExampleWithAFilter) {
  EXPECT_EQ(hex_of_example(true),
            "4e4452554e3100000200000004030201"
            "0c000000000000007477656c76652062"
            "79746573000000000000000000000000"
            "03000000000000006f6e650000000003"
            "050000000000000010000000000000ff"
            "280000000000000000000000000000fe"
            "00000000020000000300000000000000"
            "00000000000000000000000000000000"
            "00000000804000000000200000001000"
            "00000002001000008000000100000000"
            "10000008000000000000000000020200"
            "00400000000020480000002000008000"
            "6eaf3f537b0a9e584e4452554e310000"
            "02000000040302014801000000000000"
            "03000000000000000100000000000000"
            "03000000000000002800000000000000"
            "30000000000000006000000000000000"
            "c0000000000000000200000000000000"
            "05000000040000000000000000000000"
            "0000000000000000cfa939e5f0f20f48"
            "66c290a44d997707");
}

// Keys as a run has them: those of eight neighbouring buckets, of four to eight keys each.
TEST(RunFile, AFilterPartKnowsItsKeysAndFewOthers) {
  std::mt19937_64 random(4);
  for (const size_t count : {32U, 48U, 64U}) {
    size_t wrong = 0;
    constexpr size_t kRounds = 1000;
    constexpr size_t kAbsent = 100;
    for (size_t round = 0; round < kRounds; ++round) {
      const uint64_t beginning = random() << 40;
      const auto key = [&] { return beginning | random() >> 24; };
      FilterPart part;
      std::vector<uint64_t> keys;
      while (keys.size() < count)
        part.add(keys.emplace_back(key()));
      for (const uint64_t present : keys)
        ASSERT_TRUE(part.may_have(present));
      for (size_t i = 0; i < kAbsent; ++i)
        wrong += part.may_have(key()) ? 1 : 0;
    }
    // 0.09, 0.6 and 2.1 % for six bits of 512 that are set independently.
    EXPECT_LT(wrong, kRounds * kAbsent * 3 / 100) << count;
  }
}

TEST(RunFile, WithoutEntriesIsNoFile) {
  const TemporaryDirectory directory;
  const Result<RunDescription> written = write_sample(system_files(), directory.path(), "r", {});
  ASSERT_TRUE(written);
  EXPECT_EQ(written->entry_count, 0u);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(RunFile, OfMoreEntriesThanWaitInMemory) {
  const TemporaryDirectory directory;
  constexpr uint64_t kCount = 200001;
  Result<Owned<RunWriter>> writer = RunWriter::create(system_files(), directory.path(), "r", true);
  ASSERT_TRUE(writer);
  for (uint64_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE((*writer)->add(i * i, bytes_of(std::span(&i, 1)).first(5)));
  }
  const Result<RunDescription> written = (*writer)->finish();
  ASSERT_TRUE(written) << written.failure().message;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
  uint64_t fault = 0;
  EXPECT_TRUE(verify_run(system_files(), directory.path(), *written, fault));
  const auto run = open_run(system_files(), directory.path(), *written, {}, std::make_shared<DamageReport>());
  ASSERT_TRUE(run);
  for (uint64_t i = 0; i < kCount; ++i) {
    const std::optional<RunEntry> entry = (*run)->find(i * i);
    ASSERT_TRUE(entry);
    ASSERT_EQ(std::memcmp(entry->value.data(), &i, 5), 0);
  }
}

}  // namespace
}  // namespace nd::store
