// Manifests with every bit flipped and every cut, and numbers that cannot be right.
#include "store/manifest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

#include "store/file_preamble.hpp"
#include "store/store_names.hpp"

namespace nd::store {
namespace {

Manifest sample(uint64_t generation = 7) {
  Manifest manifest;
  manifest.generation = generation;
  manifest.identity = {0x1122334455667788, 42, {"profile=a/1", "", "x=1"}};
  manifest.state = {1, 2, 3, 4, 5};
  const auto run = [](uint64_t number, const char* table, uint32_t position) {
    return RunDescription{run_name(number, table, position), 4096, 10, 3, 1, ~uint64_t{0}, 99};
  };
  manifest.tables.push_back({1, 0, {run(3, "pages", 0), run(7, "pages", 2)}});
  manifest.tables.push_back({9, 500, {}});
  manifest.tables.push_back({32, 0, {run(7, "groups", 0)}});
  return manifest;
}

Vector<uint8_t> encoded(const Manifest& manifest) {
  Result<Vector<uint8_t>> bytes = encode_manifest(manifest);
  EXPECT_TRUE(bytes);
  return *std::move(bytes);
}

Status status_of(Bytes bytes) {
  uint64_t offset = 0;
  const Result<Manifest> manifest = parse_manifest(bytes, offset);
  EXPECT_LE(offset, bytes.size());
  return manifest ? Status::kOk : manifest.failure().status;
}

// Like a malicious writer.
void set_checksum(Vector<uint8_t>& bytes) {
  const uint64_t checksum = preamble_checksum(bytes);
  std::memcpy(bytes.data() + 8, &checksum, sizeof checksum);
}

TEST(ManifestTest, WhatIsWrittenIsRead) {
  const Manifest written = sample();
  const Vector<uint8_t> bytes = encoded(written);
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 8), "NDCSTORE");
  uint64_t offset = 0;
  const Result<Manifest> read = parse_manifest(bytes, offset);
  ASSERT_TRUE(read) << read.failure().message;
  EXPECT_EQ(read->generation, 7U);
  EXPECT_EQ(read->identity.secret, written.identity.secret);
  EXPECT_EQ(read->identity.pipeline, 42U);
  EXPECT_EQ(read->identity.options, written.identity.options);
  EXPECT_EQ(read->state, written.state);
  ASSERT_EQ(read->tables.size(), 3U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read->tables[i].number, written.tables[i].number);
    EXPECT_EQ(read->tables[i].least_key, written.tables[i].least_key);
    ASSERT_EQ(read->tables[i].runs.size(), written.tables[i].runs.size());
    for (size_t j = 0; j < read->tables[i].runs.size(); ++j) {
      const RunDescription& one = read->tables[i].runs[j];
      const RunDescription& other = written.tables[i].runs[j];
      EXPECT_EQ(one.name, other.name);
      EXPECT_EQ(one.file_bytes, other.file_bytes);
      EXPECT_EQ(one.entry_count, other.entry_count);
      EXPECT_EQ(one.erased_count, other.erased_count);
      EXPECT_EQ(one.least_key, other.least_key);
      EXPECT_EQ(one.greatest_key, other.greatest_key);
      EXPECT_EQ(one.checksum, other.checksum);
    }
  }
  EXPECT_EQ(encoded(*read), bytes);
}

TEST(ManifestTest, EveryFlippedBitAndEveryCutIsSeen) {
  const Vector<uint8_t> bytes = encoded(sample());
  for (size_t i = 0; i < bytes.size(); ++i) {
    Vector<uint8_t> damaged = bytes;
    damaged[i] ^= static_cast<uint8_t>(1U << (i % 8));
    EXPECT_EQ(status_of(damaged), Status::kCorrupt) << i;
    EXPECT_EQ(status_of(Bytes(bytes).first(i)), Status::kCorrupt) << i;
  }
  Vector<uint8_t> longer = bytes;
  longer.resize(longer.size() + 8);
  EXPECT_EQ(status_of(longer), Status::kCorrupt);
  set_checksum(longer);
  EXPECT_EQ(status_of(longer), Status::kCorrupt);
}

TEST(ManifestTest, AnotherVersionAndAnotherByteOrderAreNoDamage) {
  for (const uint32_t version : {0U, kStoreFormat - 1, kStoreFormat + 1}) {
    Vector<uint8_t> other = encoded(sample());
    other[16] = static_cast<uint8_t>(version);
    EXPECT_EQ(status_of(other), Status::kCorrupt);
    set_checksum(other);
    uint64_t offset = 0;
    const Result<Manifest> read = parse_manifest(other, offset);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.failure().status, Status::kUnsupportedVersion);
    EXPECT_EQ(read.failure().message, of_another_version().message);
    EXPECT_EQ(offset, 16U);
  }

  Vector<uint8_t> swapped = encoded(sample());
  std::reverse(swapped.begin(), swapped.begin() + 8);
  std::reverse(swapped.begin() + 20, swapped.begin() + 24);
  set_checksum(swapped);
  std::reverse(swapped.begin() + 8, swapped.begin() + 16);
  EXPECT_EQ(status_of(swapped), Status::kUnsupportedVersion);
}

TEST(ManifestTest, RejectsWhatCannotBeRight) {
  const auto rejects = [](const std::function<void(Manifest&)>& spoil) {
    Manifest manifest = sample();
    spoil(manifest);
    return status_of(encoded(manifest)) == Status::kCorrupt;
  };
  EXPECT_FALSE(rejects([](Manifest&) {}));
  EXPECT_TRUE(rejects([](Manifest& m) { m.tables[0].number = 0; }));
  EXPECT_TRUE(rejects([](Manifest& m) { m.tables[2].number = kTablesLimit + 1; }));
  EXPECT_TRUE(rejects([](Manifest& m) { std::swap(m.tables[0], m.tables[1]); }));
  EXPECT_TRUE(rejects([](Manifest& m) { m.tables[0].number = 9; }));
  EXPECT_TRUE(rejects([](Manifest& m) { m.generation = 6; }));  // runs of generation 7
  EXPECT_TRUE(rejects([](Manifest& m) { m.generation = kGreatestGeneration + 1; }));
  EXPECT_TRUE(rejects([](Manifest& m) { m.tables[0].runs[0].entry_count = 0; }));
  EXPECT_TRUE(rejects([](Manifest& m) { m.tables[0].runs[0].erased_count = 11; }));
  EXPECT_TRUE(rejects([](Manifest& m) { m.tables[0].runs[0].greatest_key = 0; }));
  for (const char* name : {"", "lock", "../run-00000000000000000001-pages", "run-00000000000000000001-",
                           "run-00000000000000000001-pages/x", "manifest-00000000000000000001"}) {
    EXPECT_TRUE(rejects([name](Manifest& m) { m.tables[0].runs[0].name = name; })) << name;
  }
}

TEST(ManifestTest, ARunIsNamedOnce) {
  Manifest within = sample();
  within.tables[0].runs[0].name = within.tables[0].runs[1].name;
  EXPECT_EQ(status_of(encoded(within)), Status::kCorrupt);
  Manifest across = sample();
  across.tables[0].runs[0].name = across.tables[2].runs[0].name;
  EXPECT_EQ(status_of(encoded(across)), Status::kCorrupt);
}

TEST(ManifestTest, ATableHasNoMoreRunsThanTheLimit) {
  Manifest manifest = sample();
  Vector<RunDescription>& runs = manifest.tables[0].runs;
  for (uint32_t position = 3; runs.size() < kRunsLimit; ++position) {
    runs.push_back(runs.front());
    runs.back().name = run_name(3, "pages", position);
  }
  Vector<uint8_t> bytes = encoded(manifest);
  EXPECT_EQ(status_of(bytes), Status::kOk);
  runs.push_back(runs.front());
  runs.back().name = run_name(2, "pages", 0);
  const Result<Vector<uint8_t>> refused = encode_manifest(manifest);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().status, Status::kLimit);
  // The same of a file: the count of the first table, behind the options.
  runs.pop_back();
  const uint64_t table = 72 + 16 + 8 + 8;
  uint32_t count = 0;
  std::memcpy(&count, bytes.data() + table + 4, sizeof count);
  ASSERT_EQ(count, kRunsLimit);
  ++count;
  std::memcpy(bytes.data() + table + 4, &count, sizeof count);
  set_checksum(bytes);
  uint64_t offset = 0;
  const Result<Manifest> read = parse_manifest(bytes, offset);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.failure().message, "a table of more than 65,536 runs");
  EXPECT_EQ(offset, table + 16);
}

// With the right checksum anything can follow it; sanitizers watch.
TEST(ManifestTest, NothingThatIsClaimedIsBelieved) {
  std::mt19937_64 random(5);
  const Vector<uint8_t> bytes = encoded(sample());
  int rejected = 0;
  for (int round = 0; round < 20000; ++round) {
    Vector<uint8_t> spoiled = bytes;
    for (uint64_t i = 0; i <= random() % 3; ++i)
      spoiled[24 + random() % (spoiled.size() - 24)] =
          static_cast<uint8_t>(random() % 2 == 0 ? 0xFF : random());
    if (random() % 4 == 0) spoiled.resize(24 + random() % spoiled.size());
    const uint64_t size = spoiled.size();
    if (size >= 32 && random() % 2 == 0) std::memcpy(spoiled.data() + 24, &size, sizeof size);
    set_checksum(spoiled);
    const Status status = status_of(spoiled);
    EXPECT_TRUE(status == Status::kOk || status == Status::kCorrupt);
    rejected += status == Status::kCorrupt;
  }
  EXPECT_GT(rejected, 10000);
}

TEST(ManifestTest, TooLargeAStateIsRefused) {
  Manifest manifest = sample();
  manifest.state.resize(kManifestBytesLimit + 1);
  const Result<Vector<uint8_t>> bytes = encode_manifest(manifest);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.failure().status, Status::kLimit);
}

TEST(StoreNamesTest, NamesAreReadAsTheyAreWritten) {
  const auto kind = [](std::string_view name) { return parse_file_name(name).kind; };
  EXPECT_EQ(manifest_name(12), "manifest-00000000000000000012");
  EXPECT_EQ(journal_name(kGreatestGeneration), "journal-00999999999999999999");
  EXPECT_EQ(run_name(3, "pages", 0), "run-00000000000000000003-pages");
  EXPECT_EQ(run_name(3, "pages", 12), "run-00000000000000000003-pages-12");
  for (const uint64_t number : {uint64_t{0}, uint64_t{17}, kGreatestGeneration}) {
    EXPECT_EQ(parse_file_name(manifest_name(number)).generation, number);
    EXPECT_EQ(kind(manifest_name(number)), FileKind::kManifest);
    EXPECT_EQ(kind(journal_name(number)), FileKind::kJournal);
    EXPECT_EQ(kind(run_name(number, "a", 0)), FileKind::kRun);
    EXPECT_EQ(kind(run_name(number, "a", 7)), FileKind::kRun);
    EXPECT_EQ(kind(run_name(number, "a", 7) + ".new"), FileKind::kUnfinished);
  }
  EXPECT_EQ(kind(run_name(3, "a", 7) + ".entries"), FileKind::kUnfinished);
  EXPECT_EQ(kind("lock"), FileKind::kLock);
  for (const char* name : {"", ".new", "lock.new", "notes", "manifest-1", "manifest-000000000000000000012",
                           "manifest-99999999999999999999", "manifest-01000000000000000000",
                           "manifest-0000000000000000001x", "journal-", "run-00000000000000000001",
                           "run-00000000000000000001-Pages", "run-00000000000000000001-pages-",
                           "run-00000000000000000001-pages-x", "run-00000000000000000001-pages-1-2"}) {
    EXPECT_EQ(kind(name), FileKind::kUnknown) << name;
  }
}

TEST(StoreNamesTest, ParentsAreFound) {
  EXPECT_EQ(parent_of("a"), ".");
  EXPECT_EQ(parent_of("a/"), ".");
  EXPECT_EQ(parent_of("a/b//"), "a");
  EXPECT_EQ(parent_of("/a"), "/");
  EXPECT_EQ(parent_of("/"), "/");
  EXPECT_EQ(path_of("a", "b"), "a/b");
  EXPECT_EQ(path_of("a/", "b"), "a/b");
}

}  // namespace
}  // namespace nd::store
