// Run files whose bytes are not those that were written.
#include <gtest/gtest.h>

#include <functional>

#include "unit/store/run_sample.hpp"

namespace nd::store {
namespace {

// A run of a few blocks in all sections, of each format.
class RunDamage : public testing::TestWithParam<RunFormat> {
 protected:
  void SetUp() override {
    table_ = random_sample(random_, 1100, 2);
    table_[77] = random_value(random_, 40000);
    const Result<RunDescription> written =
        write_sample(system_files(), directory_.path(), "r", table_, GetParam());
    ASSERT_TRUE(written);
    description_ = *written;
    content_ = file_content(directory_ / "r");
  }

  // Reads all of the run in all ways. Whatever its bytes are, each answer must be one that a run can give.
  static void exercise(const store::Run& run, const SampleTable& table, bool right_or_absent) {
    RunHint hint;
    for (uint64_t position = 0; position < run.entry_count(); ++position) {
      for (const std::optional<RunEntry>& entry : {run.at(position, hint), run.at(position)}) {
        if (entry && right_or_absent) expect_right(*entry, table);
        if (entry) touch(entry->value);
      }
    }
    for (const auto& [key, value] : table) {
      const std::optional<RunEntry> entry = run.find(key);
      if (entry) {
        EXPECT_EQ(entry->key, key);
        touch(entry->value);
      }
      if (entry && right_or_absent) expect_right(*entry, table);
      EXPECT_LE(run.lower_bound(key), run.entry_count());
    }
  }

  static void expect_right(const RunEntry& entry, const SampleTable& table) {
    const auto found = table.find(entry.key);
    ASSERT_NE(found, table.end());
    ASSERT_EQ(entry.erased, !found->second);
    ASSERT_EQ(sample_text(entry.value), found->second.value_or(""));
  }

  // So that the sanitizers see whether all of it may be read.
  static void touch(Bytes bytes) {
    static volatile uint8_t sum;
    for (const uint8_t byte : bytes)
      sum = static_cast<uint8_t>(sum + byte);
  }

  // With the checksums as they were: only what is right is given, and what is missing has been reported.
  void expect_right_or_reported(const std::string& changed, const RunDescription& expected) {
    write_content(directory_ / "r", changed);
    const ReadMode mode = all_modes()[random_() % 4];
    auto damage = std::make_shared<DamageReport>();
    const auto run = open_run(system_files(), directory_.path(), expected, mode, damage);
    if (run) {
      exercise(**run, table_, mode.verify_blocks);
      // All blocks have been used by now.
      if (mode.verify_blocks) {
        EXPECT_EQ(bool(damage->first()), changed == content_);
        EXPECT_TRUE(!damage->first() || read_sample(**run) == table_);
      }
    } else {
      EXPECT_EQ(run.failure().status, Status::kCorrupt) << run.failure().message;
    }
    uint64_t fault = 0;
    EXPECT_EQ(bool(verify_run(system_files(), directory_.path(), expected, fault)), changed == content_);
    EXPECT_LE(fault, changed.size());
  }

  // With right checksums: anything but a fault of the memory, and a run that passes the verification is one.
  bool expect_safe(std::string changed) {
    const RunDescription expected = description_of(changed, "r");
    write_content(directory_ / "r", changed);
    uint64_t fault = 0;
    const Result<void> verified = verify_run(system_files(), directory_.path(), expected, fault);
    EXPECT_LE(fault, changed.size());
    auto damage = std::make_shared<DamageReport>();
    const auto run =
        open_run(system_files(), directory_.path(), expected, all_modes()[random_() % 4], damage);
    if (run) exercise(**run, table_, false);
    if (verified) {
      EXPECT_TRUE(run && damage->first());
      const SampleTable read = read_sample(**run);
      EXPECT_EQ(read.size(), (*run)->entry_count());
      for (const auto& [key, value] : read)
        EXPECT_TRUE((*run)->find(key));
    }
    return bool(verified);
  }

  std::string with_number(uint64_t offset, uint64_t number, size_t bytes = 8) const {
    std::string changed = content_;
    std::memcpy(changed.data() + offset, &number, bytes);
    return changed;
  }

  std::string with_place(uint64_t position, uint64_t data, uint8_t kind) const {
    const RunTrailer trailer = trailer_of(content_);
    std::string changed = content_;
    char* place = changed.data() + place_offset(trailer, position);
    std::memcpy(place, &data, EntryLayout(trailer).data_bytes());
    place[EntryLayout(trailer).data_bytes()] = static_cast<char>(kind);
    return changed;
  }

  TemporaryDirectory directory_;
  std::mt19937_64 random_{21};
  SampleTable table_;
  RunDescription description_;
  std::string content_;
};

std::string random_change(const std::string& content, std::mt19937_64& random) {
  std::string changed = content;
  const uint64_t blocks = content.size() / kBlockBytes;
  const uint64_t block = random() % blocks * kBlockBytes;
  const uint64_t other = random() % blocks * kBlockBytes;
  const size_t offset = random() % content.size();
  switch (random() % 7) {
    case 0:
      changed.resize(offset);
      break;
    case 1:
      changed += random_value(random, 1 + random() % 1000);
      break;
    case 2:
      changed.replace(block, kBlockBytes, kBlockBytes, '\0');
      break;
    case 3:
      changed.replace(block, kBlockBytes, content, other, kBlockBytes);
      changed.replace(other, kBlockBytes, content, block, kBlockBytes);
      break;
    case 4: {
      const size_t size = std::min<size_t>(random() % 64, changed.size() - offset);
      changed.replace(offset, size, random_value(random, size));
      break;
    }
    default:
      changed[offset] = static_cast<char>(changed[offset] ^ 1 << random() % 8);
  }
  return changed;
}

TEST_P(RunDamage, IsReportedAndReadsAsAbsent) {
  for (int round = 0; round < 600; ++round) {
    expect_right_or_reported(random_change(content_, random_), description_);
  }
}

TEST_P(RunDamage, OfTheEndIsFoundByOpening) {
  for (size_t back = 1; back <= sizeof(RunTrailer); ++back) {
    std::string changed = content_;
    changed[changed.size() - back] ^= 0x10;
    write_content(directory_ / "r", changed);
    EXPECT_FALSE(
        open_run(system_files(), directory_.path(), description_, {}, std::make_shared<DamageReport>()));
  }
}

TEST_P(RunDamage, WithRightChecksumsIsHarmless) {
  for (int round = 0; round < 900; ++round) {
    std::string changed = random_change(content_, random_);
    if (changed.size() < sizeof(RunTrailer)) continue;
    repair_checksums(changed);
    expect_safe(changed);
  }
}

const uint64_t kHostileNumbers[] = {0,
                                    1,
                                    7,
                                    8,
                                    63,
                                    64,
                                    0x4000,
                                    0xFFFFFFFF,
                                    uint64_t{1} << 32,
                                    uint64_t{1} << 56,
                                    uint64_t{1} << 60,
                                    uint64_t{1} << 61,
                                    uint64_t{1} << 63,
                                    ~uint64_t{0} - 15,
                                    ~uint64_t{0}};

TEST_P(RunDamage, HostileNumbersInTheTrailer) {
  const uint64_t trailer = content_.size() - sizeof(RunTrailer);
  for (uint64_t field = 16; field < sizeof(RunTrailer) - 8; field += 4) {
    uint64_t number;
    std::memcpy(&number, content_.data() + trailer + field, sizeof number);
    std::vector<uint64_t> numbers(std::begin(kHostileNumbers), std::end(kHostileNumbers));
    numbers.insert(numbers.end(), {number + 1, number - 1, number + 16, number - 16, number * 2});
    for (const uint64_t hostile : numbers) {
      std::string changed = with_number(trailer + field, hostile, field % 8 == 0 ? 8 : 4);
      set_trailer(changed, trailer_of(changed));
      RunDescription expected = description_of(changed, "r");
      expect_safe(changed);
      repair_checksums(changed);
      expect_safe(changed);
    }
  }
}

// The directory that has one bucket more than a number can count.
TEST_P(RunDamage, AllKeysAndNoBucket) {
  RunTrailer trailer = trailer_of(content_);
  trailer.least_key = 0;
  trailer.greatest_key = ~uint64_t{0};
  trailer.bucket_shift = 0;
  trailer.bucket_count = 0;
  trailer.checksums_offset = trailer.directory_offset + 8;
  std::string changed = content_.substr(0, trailer.checksums_offset);
  changed.resize(changed.size() + block_count(trailer) * 8 + sizeof trailer);
  trailer.file_bytes = changed.size();
  set_trailer(changed, trailer);
  repair_checksums(changed);
  EXPECT_FALSE(expect_safe(changed));
}

TEST_P(RunDamage, HostilePlacesOfEntries) {
  const RunTrailer trailer = trailer_of(content_);
  for (unsigned kind = 0; kind < 256; kind += kind < 10 || kind > 250 ? 1 : 60) {
    for (const uint64_t data : kHostileNumbers) {
      std::string changed = with_place(random_() % trailer.entry_count, data, static_cast<uint8_t>(kind));
      repair_checksums(changed);
      expect_safe(changed);
    }
  }
  for (const int64_t back : {-8, 0, 8, 16, 24}) {
    const uint64_t target = trailer.entries_offset - static_cast<uint64_t>(back);
    std::string changed = with_place(0, EntryLayout(trailer).place_at(target).data, kOutOfLine);
    repair_checksums(changed);
    EXPECT_FALSE(expect_safe(changed));
  }
}

TEST_P(RunDamage, HostileSizesOfValues) {
  const RunTrailer trailer = trailer_of(content_);
  for (uint64_t position = 0; position < trailer.entry_count; position += 97) {
    const EntryLayout layout(trailer);
    const uint8_t* entry = sample_bytes(content_).data() + entry_offset(trailer, position);
    const EntryPlace place = layout.place(entry);
    if (place.kind != kOutOfLine) continue;
    const uint64_t offset = layout.offset(place);
    for (const uint64_t hostile : kHostileNumbers) {
      std::string changed = with_number(offset, hostile);
      repair_checksums(changed);
      EXPECT_TRUE(changed == content_ || !expect_safe(changed));
    }
  }
}

TEST_P(RunDamage, HostilePositionsInTheDirectory) {
  const RunTrailer trailer = trailer_of(content_);
  for (uint64_t bucket = 0; bucket <= trailer.bucket_count; bucket += 41) {
    for (const uint64_t hostile : kHostileNumbers) {
      std::string changed = with_number(trailer.directory_offset + bucket * 4, hostile, 4);
      repair_checksums(changed);
      EXPECT_TRUE(changed == content_ || !expect_safe(changed));
    }
  }
}

// No run of a test is so long that it needs positions of eight bytes; one that has them can be read.
TEST_P(RunDamage, PositionsOfEightBytesAreNone) {
  RunTrailer trailer = trailer_of(content_);
  std::string wide = content_.substr(0, trailer.directory_offset);
  for (uint64_t bucket = 0; bucket <= trailer.bucket_count; ++bucket) {
    wide += content_.substr(trailer.directory_offset + bucket * 4, 4) + std::string(4, '\0');
  }
  const std::string filter =
      has_filter(trailer)
          ? content_.substr(filter_offset(trailer), trailer.checksums_offset - filter_offset(trailer))
          : "";
  trailer.position_bytes = 8;
  if (has_filter(trailer)) wide.resize(filter_offset(trailer));
  wide += filter;
  trailer.checksums_offset = wide.size();
  wide.resize(wide.size() + block_count(trailer) * 8 + sizeof trailer);
  trailer.file_bytes = wide.size();
  set_trailer(wide, trailer);
  repair_checksums(wide);
  EXPECT_TRUE(expect_safe(wide));
  const auto run = open_run(system_files(), directory_.path(), description_of(wide, "r"), {},
                            std::make_shared<DamageReport>());
  ASSERT_TRUE(run);
  EXPECT_EQ(read_sample(**run), table_);
  for (const auto& [key, value] : table_)
    EXPECT_TRUE((*run)->find(key));
}

TEST_P(RunDamage, AnotherVersionIsToldApart) {
  for (const uint64_t field : {8U, 12U}) {
    const uint64_t offset = content_.size() - sizeof(RunTrailer) + field;
    std::string changed = with_number(offset, 0x04030201, 4);
    set_trailer(changed, trailer_of(changed));
    write_content(directory_ / "r", changed);
    const auto run = open_run(system_files(), directory_.path(), description_of(changed, "r"), {},
                              std::make_shared<DamageReport>());
    ASSERT_FALSE(run);
    EXPECT_EQ(run.failure().status, Status::kUnsupportedVersion);
  }
}

TEST_P(RunDamage, ADescriptionOfAnotherRunIsRefused) {
  const auto refused = [&](const std::function<void(RunDescription&)>& change) {
    RunDescription other = description_;
    change(other);
    const auto run = open_run(system_files(), directory_.path(), other, {}, std::make_shared<DamageReport>());
    return !run && run.failure().status == Status::kCorrupt;
  };
  EXPECT_TRUE(refused([](RunDescription& other) { ++other.file_bytes; }));
  EXPECT_TRUE(refused([](RunDescription& other) { ++other.entry_count; }));
  EXPECT_TRUE(refused([](RunDescription& other) { ++other.erased_count; }));
  EXPECT_TRUE(refused([](RunDescription& other) { ++other.least_key; }));
  EXPECT_TRUE(refused([](RunDescription& other) { --other.greatest_key; }));
  EXPECT_TRUE(refused([](RunDescription& other) { ++other.checksum; }));
  for (const char* name : {"", ".", "..", "../r", "a/b"}) {
    EXPECT_TRUE(refused([&](RunDescription& other) { other.name = name; })) << name;
  }
  RunDescription none = description_;
  none.name = "none";
  const auto run = open_run(system_files(), directory_.path(), none, {}, std::make_shared<DamageReport>());
  ASSERT_FALSE(run);
  EXPECT_EQ(run.failure().status, Status::kNotFound);
}

TEST_P(RunDamage, SaysWhichFileAndWhere) {
  std::string changed = content_;
  changed[20000] ^= 1;
  write_content(directory_ / "r", changed);
  auto damage = std::make_shared<DamageReport>();
  const auto run = open_run(system_files(), directory_.path(), description_, {}, damage);
  ASSERT_TRUE(run);
  EXPECT_TRUE(damage->first());
  exercise(**run, table_, true);
  EXPECT_EQ(damage->first().failure().message, "r, offset 16384: a block of the run has a wrong checksum");
  uint64_t fault = 0;
  const Result<void> verified = verify_run(system_files(), directory_.path(), description_, fault);
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.failure().message, "a block of the run has a wrong checksum");
  EXPECT_EQ(fault, 16384u);
  changed = content_;
  changed.back() ^= 1;
  write_content(directory_ / "r", changed);
  const auto refused = open_run(system_files(), directory_.path(), description_, {}, damage);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().message, String(("r, offset " + std::to_string(content_.size() - 128) +
                                               ": the trailer of the run has a wrong checksum")
                                                  .c_str()));
}

INSTANTIATE_TEST_SUITE_P(Formats, RunDamage, testing::ValuesIn(all_formats()), [](const auto& parameter) {
  return parameter.param == RunFormat::kPlain ? "Plain" : "WithFilter";
});

// A run whose filter has blocks of its own.
class FilterDamage : public testing::Test {
 protected:
  void SetUp() override {
    table_ = random_sample(random_, 40000, 0);
    ASSERT_TRUE(write_sample(system_files(), directory_.path(), "r", table_));
    content_ = file_content(directory_ / "r");
    trailer_ = trailer_of(content_);
  }

  size_t found_count(const std::string& changed, const std::shared_ptr<DamageReport>& damage) {
    write_content(directory_ / "r", changed);
    const auto run = open_run(system_files(), directory_.path(), description_of(changed, "r"), {}, damage);
    EXPECT_TRUE(run);
    size_t count = 0;
    for (const auto& [key, value] : table_)
      count += run && (*run)->find(key) ? 1 : 0;
    return count;
  }

  TemporaryDirectory directory_;
  std::mt19937_64 random_{22};
  SampleTable table_;
  std::string content_;
  RunTrailer trailer_;
};

TEST_F(FilterDamage, LeavesTheEntriesToDecide) {
  std::string changed = content_;
  const uint64_t offset = round_up(filter_offset(trailer_), kBlockBytes);
  ASSERT_LE(offset + kBlockBytes, trailer_.checksums_offset);
  changed.replace(offset, kBlockBytes, kBlockBytes, '\0');
  const auto damage = std::make_shared<DamageReport>();
  EXPECT_EQ(found_count(changed, damage), table_.size());
  EXPECT_FALSE(damage->first());
}

// That look-ups ask the filter shows where it is wrong.
TEST_F(FilterDamage, WithRightChecksumsHidesKeysAndIsFoundByVerifying) {
  for (const char byte : {'\x00', '\xff'}) {
    std::string changed = content_;
    const uint64_t offset = filter_offset(trailer_);
    const uint64_t size = trailer_.checksums_offset - offset;
    changed.replace(offset, size, size, byte);
    repair_checksums(changed);
    const auto damage = std::make_shared<DamageReport>();
    EXPECT_EQ(found_count(changed, damage), byte == 0 ? 0 : table_.size());
    EXPECT_TRUE(damage->first());
    uint64_t fault = 0;
    const Result<void> verified =
        verify_run(system_files(), directory_.path(), description_of(changed, "r"), fault);
    ASSERT_FALSE(verified);
    EXPECT_EQ(verified.failure().message, "the filter of the run has other keys");
    EXPECT_EQ(fault, offset);
  }
}

}  // namespace
}  // namespace nd::store
