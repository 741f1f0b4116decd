// Run files: what is written is read, also by plain code that knows the document only.
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
  RunHint hint;
  for (int i = 0; i < 200; ++i) {
    const uint64_t near = hint.begin + random() % 16;
    const uint64_t any = random() % 4 == 0 || near >= table.size() ? random() % table.size() : near;
    const std::optional<RunEntry> entry = run.at(any, hint);
    ASSERT_TRUE(entry);
    EXPECT_EQ(run.lower_bound(entry->key), any);
  }
  EXPECT_FALSE(run.at(table.size()));
  EXPECT_FALSE(run.at(kGreatest));
}

void expect_round_trip(const SampleTable& table, std::mt19937_64& random, RunFormat format) {
  const TemporaryDirectory directory;
  const Result<RunDescription> written = write_sample(system_files(), directory.path(), "r", table, format);
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
  for (const RunFormat format : all_formats())
    expect_round_trip(table, random, format);
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

// The entries of a file of version 2, read as the description says.
SampleTable read_plainly(const std::string& content) {
  const Bytes bytes = sample_bytes(content);
  const auto number = [&](uint64_t offset, uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = count; i > 0; --i)
      sum = sum << 8 | bytes[offset + i - 1];
    return sum;
  };
  const uint64_t trailer = content.size() - 128;
  EXPECT_EQ(number(trailer + 8, 4), kStoreFormat);
  const uint64_t least_key = number(trailer + 40, 8);
  const uint64_t entries = number(trailer + 56, 8);
  const uint64_t directory = number(trailer + 64, 8);
  const uint64_t shift = number(trailer + 88, 4);
  const uint64_t position_bytes = number(trailer + 92, 4);
  const uint64_t key_bytes = number(trailer + 96, 4);
  const uint64_t data_bytes = number(trailer + 100, 4);
  SampleTable table;
  for (uint64_t bucket = 0; bucket < number(trailer + 80, 8); ++bucket) {
    const uint64_t end = number(directory + (bucket + 1) * position_bytes, position_bytes);
    for (uint64_t i = number(directory + bucket * position_bytes, position_bytes); i < end; ++i) {
      const uint64_t entry = entries + i * (key_bytes + data_bytes + 1);
      const uint64_t key = least_key + (bucket << shift) + number(entry, key_bytes);
      const uint64_t data = entry + key_bytes;
      const uint64_t kind = bytes[data + data_bytes];
      const uint64_t value = number(data, data_bytes) * 8;
      EXPECT_FALSE(table.contains(key));
      table[key] = std::nullopt;
      if (kind < 8) table[key] = content.substr(data, kind);
      if (kind == 0xFF) table[key] = content.substr(value + 8, number(value, 4));
    }
  }
  return table;
}

TEST(RunFile, IsReadByPlainCode) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 60; ++round) {
    const TemporaryDirectory directory;
    const SampleTable table = random_sample(random, 1 + random() % 3000, round % 4);
    ASSERT_TRUE(write_sample(system_files(), directory.path(), "r", table, all_formats()[1 + random() % 2]));
    EXPECT_EQ(read_plainly(file_content(directory / "r")), table);
  }
}

TEST(RunFile, HasAsManyBytesOfDataAsItsEntriesNeed) {
  std::mt19937_64 random(6);
  for (uint32_t size = 0; size <= kInlineBytes; ++size) {
    SampleTable table = {{random(), random_value(random, size)}, {random(), std::nullopt}};
    while (table.size() < 500)
      table[random()] = random_value(random, random() % (size + 1));
    const TemporaryDirectory directory;
    ASSERT_TRUE(write_sample(system_files(), directory.path(), "r", table));
    EXPECT_EQ(trailer_of(file_content(directory / "r")).data_bytes, size);
    expect_round_trip(table, random);
  }
  // Of 100 values of 24 bytes and their heads, the last begins at 8 times 398: two bytes.
  SampleTable table;
  for (uint64_t key = 0; key < 100; ++key)
    table[key] = std::string(24, 'v');
  const TemporaryDirectory directory;
  ASSERT_TRUE(write_sample(system_files(), directory.path(), "r", table));
  EXPECT_EQ(trailer_of(file_content(directory / "r")).data_bytes, 2u);
  expect_round_trip(table, random);
}

// A bucket for each key, or for a few; or one for nearly all of them.
TEST(RunFile, HasAsManyBytesOfKeysAsItsBucketsNeed) {
  std::mt19937_64 random(7);
  for (uint32_t shift = 0; shift < 62; ++shift) {
    SampleTable table;
    for (uint64_t i = 0; i < 40; ++i)
      table[(i << shift) + random() % (uint64_t{1} << shift)] = "value";
    expect_round_trip(table, random);
    table[~uint64_t{0}] = "far";
    expect_round_trip(table, random);
  }
}

std::string hex_of_example(RunFormat format) {
  const TemporaryDirectory directory;
  const SampleTable table = {{3, "one"}, {5, "twelve bytes"}, {40, std::nullopt}};
  EXPECT_TRUE(write_sample(system_files(), directory.path(), "r", table, format));
  std::string hex;
  for (const char byte : file_content(directory / "r")) {
    hex += "0123456789abcdef"[static_cast<uint8_t>(byte) >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

// The worked example of the format's description.
TEST(RunFile, HasTheBytesOfTheExample) {
  EXPECT_EQ(hex_of_example(RunFormat::kPlain),
            "4e4452554e3100000100000004030201"
            "0c000000000000007477656c76652062"
            "7974657300000000006f6e6503020200"
            "00ff05000000fe000000000002000000"
            "03000000000000008720ad4e0ee58989"
            "4e4452554e3100000100000004030201"
            "d0000000000000000300000000000000"
            "01000000000000000300000000000000"
            "28000000000000002800000000000000"
            "38000000000000004800000000000000"
            "02000000000000000500000004000000"
            "01000000030000000000000000000000"
            "e0a57b3edac042383e1e8a6baac6fd11");
}

TEST(RunFile, HasTheBytesOfTheExampleWithAFilter) {
  EXPECT_EQ(hex_of_example(RunFormat::kWithFilter),
            "4e4452554e3100000100000004030201"
            "0c000000000000007477656c76652062"
            "7974657300000000006f6e6503020200"
            "00ff05000000fe000000000002000000"
            "03000000000000000000000000000000"
            "00000000000000000000000000000000"
            "00000000000000000000000000000000"
            "00000000000000000000000000000000"
            "00000000804000000000200000001000"
            "00000002001000008000000100000000"
            "10000008000000000000000000020200"
            "00400000000020480000002000008000"
            "01619a88d0d2c3d14e4452554e310000"
            "01000000040302014801000000000000"
            "03000000000000000100000000000000"
            "03000000000000002800000000000000"
            "28000000000000003800000000000000"
            "c0000000000000000200000000000000"
            "05000000040000000100000003000000"
            "01000000000000001d78f955d532ce5f"
            "56ff0626ea3b1773");
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
  Result<Owned<RunWriter>> writer =
      RunWriter::create(system_files(), directory.path(), "r", RunFormat::kWithFilter);
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
