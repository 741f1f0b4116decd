// Stores that are damaged, foreign, of another version, out of reach, or on a full disk.
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "unit/capi/store_calls_sample.hpp"

namespace nd_test {
namespace {

// How manifests and journals begin: magic, checksum of all behind it, version, byte order
// (docs/snapshot_format.md).
constexpr size_t kChecksumAt = 8;
constexpr size_t kVersionAt = 16;
constexpr size_t kByteOrderAt = 20;

constexpr uint64_t kPages = 12;
constexpr rlim_t kFullBytes = rlim_t{40} << 10;
constexpr uid_t kNobody = 65534;

class BadStoreTest : public CapiStoreTest {
 protected:
  // Two generations and a journal, all of which matter.
  void make_store() {
    open();
    for (uint64_t number = 0; number < kPages; ++number) {
      check(number);
      if (number == 3 || number == 7) {
        EXPECT_EQ(nd_snapshot(engine_), ND_OK);
      }
    }
    // The journal is wanted, so nobody says goodbye.
    const auto all = files();
    close();
    restore(all);
  }

  // Writes a 32-bit number into each manifest, with the right checksum.
  void patch_manifests(size_t at, uint32_t value) {
    for (auto [name, bytes] : files()) {
      if (!name.starts_with("manifest-")) continue;
      std::memcpy(bytes.data() + at, &value, sizeof value);
      const uint64_t checksum = XXH3_64bits(bytes.data() + kVersionAt, bytes.size() - kVersionAt);
      std::memcpy(bytes.data() + kChecksumAt, &checksum, sizeof checksum);
      write_file(name, bytes);
    }
  }

  // Every page is there and right, if the store opens at all. In a process of its own, which ends without the
  // cost of closing.
  void expect_error_or_everything(const std::string& what, bool must_open = false) {
    const auto look = [&] {
      const nd_status status = open_at(path_, {{"verify", "full"}}, engine_);
      if (status != ND_OK) {
        EXPECT_FALSE(must_open) << what << ": " << last_error();
        EXPECT_TRUE(status == ND_ERR_CORRUPT || status == ND_ERR_INVALID_ARGUMENT)
            << what << ": " << last_error();
        EXPECT_FALSE(last_error().empty()) << what;
        return HasFailure() ? 1 : 0;
      }
      for (uint64_t number = 0; number < kPages; ++number) {
        nd_page_info info = ND_PAGE_INFO_INIT;
        EXPECT_EQ(find(number, &info), ND_OK) << what << ", page " << number;
        EXPECT_EQ(info.page_id, number + 1) << what;
      }
      EXPECT_EQ(check(0).verdict, ND_UNCHANGED) << what;
      EXPECT_EQ(check(kPages, sample::article_html(5)).verdict, ND_EXACT) << what;
      EXPECT_EQ(check(kPages + 1).page_id, kPages + 2) << what;
      return HasFailure() ? 1 : 0;
    };
    EXPECT_EQ(in_child(look), 0) << what;
  }
};

TEST_F(BadStoreTest, TheTestsOwnStoreIsWhole) {
  make_store();
  EXPECT_EQ(nd_verify_store(path_.c_str(), nullptr, nullptr), ND_OK) << nd_last_error();
  expect_error_or_everything("untouched", true);
}

TEST_F(BadStoreTest, WithoutOneOfItsFilesNothingIsLostInSilence) {
  make_store();
  const auto whole = files();
  ASSERT_GE(whole.size(), 8U);
  for (const auto& [name, bytes] : whole) {
    restore(whole);
    std::filesystem::remove(path_ + "/" + name);
    expect_error_or_everything("without " + name);
  }
}

TEST_F(BadStoreTest, CutAndChangedFilesLoseNothingInSilence) {
  make_store();
  const auto whole = files();
  sample::Random random(7);
  for (const auto& [name, bytes] : whole) {
    // The end of the last journal may be torn: that is what a crash looks like.
    if (bytes.empty() || name.starts_with("journal-")) continue;
    const size_t at = static_cast<size_t>(random() % bytes.size());
    std::string damaged = bytes;
    if (random() % 2 == 0) {
      damaged[at] = static_cast<char>(damaged[at] ^ (1 + static_cast<int>(random() % 255)));
    } else {
      damaged.resize(at);
    }
    restore(whole);
    write_file(name, damaged);
    const std::string what =
        name + " of " + std::to_string(damaged.size()) + " bytes, damaged at " + std::to_string(at);
    EXPECT_EQ(nd_verify_store(path_.c_str(), nullptr, nullptr), ND_ERR_CORRUPT) << what;
    expect_error_or_everything(what);
  }
}

TEST_F(BadStoreTest, VerificationNamesTheFaults) {
  make_store();
  auto all = files();
  const auto manifest = std::prev(all.lower_bound("manifest-~"));
  ASSERT_TRUE(manifest->first.starts_with("manifest-"));
  manifest->second[manifest->second.size() / 2] ^= 1;
  write_file(manifest->first, manifest->second);
  std::vector<std::string> seen;
  EXPECT_EQ(nd_verify_store(
                path_.c_str(),
                [](const nd_store_fault* fault, void* ctx) {
                  EXPECT_EQ(fault->struct_size, sizeof(nd_store_fault));
                  EXPECT_NE(std::strlen(fault->sentence), 0U);
                  static_cast<std::vector<std::string>*>(ctx)->push_back(fault->file);
                  return int32_t{0};
                },
                &seen),
            ND_ERR_CORRUPT);
  EXPECT_NE(std::find(seen.begin(), seen.end(), manifest->first), seen.end());
  EXPECT_EQ(nd_verify_store((folder_ + "/none").c_str(), nullptr, nullptr), ND_ERR_NOT_FOUND);
  EXPECT_EQ(nd_verify_store(nullptr, nullptr, nullptr), ND_ERR_INVALID_ARGUMENT);
}

TEST_F(BadStoreTest, OfAnotherVersionOrAnotherByteOrder) {
  make_store();
  const auto whole = files();
  patch_manifests(kVersionAt, 1000);
  const auto other = files();
  EXPECT_EQ(try_open(), ND_ERR_UNSUPPORTED_VERSION);
  EXPECT_NE(last_error().find("another version"), std::string::npos) << last_error();
  EXPECT_EQ(try_open({{"read_only", "true"}}), ND_ERR_UNSUPPORTED_VERSION);
  EXPECT_EQ(files(), other) << "it is not ours to touch";
  restore(whole);
  patch_manifests(kByteOrderAt, 0x04030201);
  EXPECT_EQ(try_open(), ND_ERR_UNSUPPORTED_VERSION) << last_error();
  restore(whole);
  EXPECT_EQ(try_open(), ND_OK) << last_error();
}

// A store without pages.
TEST_F(BadStoreTest, OfAnotherVersionSaysHowToFillANewOne) {
  const auto file = [](std::string_view magic, size_t size, std::initializer_list<uint64_t> numbers) {
    std::string bytes(size, '\0');
    bytes.replace(0, magic.size(), magic);
    bytes[kVersionAt] = 2;
    const uint32_t byte_order = 0x01020304;
    std::memcpy(bytes.data() + kByteOrderAt, &byte_order, sizeof byte_order);
    std::memcpy(bytes.data() + kByteOrderAt + sizeof byte_order, numbers.begin(),
                numbers.size() * sizeof(uint64_t));
    const uint64_t checksum = XXH3_64bits(bytes.data() + kVersionAt, bytes.size() - kVersionAt);
    std::memcpy(bytes.data() + kChecksumAt, &checksum, sizeof checksum);
    return bytes;
  };
  std::filesystem::create_directory(path_);
  write_file("lock", "");
  constexpr uint64_t kSecret = 7;
  write_file("manifest-00000000000000000000", file("NDCSTORE", 72, {72, 0, kSecret}));
  write_file("journal-00000000000000000000", file("NDCJOURN", 64, {0, kSecret}));
  const auto before = files();
  const auto expect_told = [&](nd_status status, const std::string& message) {
    EXPECT_EQ(status, ND_ERR_UNSUPPORTED_VERSION);
    EXPECT_TRUE(
        message.ends_with("the store was written by another version of ndc; make a new store from "
                          "its archives: ndc dedup --store NEW ARCHIVE..."))
        << message;
    EXPECT_EQ(files(), before);
  };
  expect_told(try_open(), last_error());
  expect_told(try_open({{"read_only", "true"}}), last_error());
  const nd_status verified = nd_verify_store(path_.c_str(), nullptr, nullptr);
  expect_told(verified, nd_last_error());
  nd_repair_counts repair = ND_REPAIR_COUNTS_INIT;
  const std::string saved = folder_ + "/saved";
  const nd_status repaired = nd_repair_store(path_.c_str(), saved.c_str(), nullptr, nullptr, &repair);
  expect_told(repaired, nd_last_error());
  EXPECT_FALSE(std::filesystem::exists(saved));
}

TEST_F(BadStoreTest, WhatIsNoStore) {
  std::filesystem::create_directory(path_);
  write_file("letter.txt", "Dear reader");
  const auto before = files();
  EXPECT_EQ(try_open(), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(last_error().find(path_), std::string::npos) << last_error();
  EXPECT_EQ(files(), before);
  std::filesystem::remove_all(path_);
  std::ofstream(path_) << "a file";
  EXPECT_EQ(try_open(), ND_ERR_INVALID_ARGUMENT) << last_error();
  EXPECT_EQ(std::filesystem::file_size(path_), 6U);
  path_ = folder_ + "/missing/store";
  EXPECT_NE(try_open(), ND_OK);
  EXPECT_NE(last_error().find("missing"), std::string::npos) << last_error();
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/missing")) << "parents are not made";
  path_ = "";
  EXPECT_NE(try_open(), ND_OK);
}

TEST_F(BadStoreTest, WithoutPermission) {
  make_store();
  std::filesystem::permissions(folder_, std::filesystem::perms(0755));
  const auto open_as_nobody = [&](const Settings& settings) {
    return in_child([&] {
      // Nobody else's rights hold for root.
      if (geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) return 100;
      nd_engine* opened = nullptr;
      const nd_status status = open_at(path_, settings, opened);
      nd_close(opened);
      return -status;
    });
  };
  std::filesystem::permissions(path_, std::filesystem::perms(0555));
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    std::filesystem::permissions(entry.path(), std::filesystem::perms(0444));
  EXPECT_EQ(open_as_nobody({}), -ND_ERR_IO);
  EXPECT_EQ(open_as_nobody({{"read_only", "true"}}), 0);
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    std::filesystem::permissions(entry.path(), std::filesystem::perms(0200));
  EXPECT_EQ(open_as_nobody({{"read_only", "true"}}), -ND_ERR_IO);
  std::filesystem::permissions(path_, std::filesystem::perms(0755));
}

// A limit on the size of files is the full disk that needs no disk.
TEST_F(BadStoreTest, AFullDiskLosesNothingAndCanBeFreed) {
  for (const char* durability : {"journal", "snapshot"}) {
    SCOPED_TRACE(durability);
    std::filesystem::remove_all(path_);
    ASSERT_EQ(in_child([&] {
                std::signal(SIGXFSZ, SIG_IGN);
                open({{"durability", durability}});
                check(0);
                if (nd_snapshot(engine_) != ND_OK) return 1;
                rlimit limit{};
                getrlimit(RLIMIT_FSIZE, &limit);
                const rlimit free = limit;
                limit.rlim_cur = kFullBytes;
                setrlimit(RLIMIT_FSIZE, &limit);
                uint64_t done = 1;
                nd_status status = ND_OK;
                for (; done < 400 && status == ND_OK; ++done) {
                  const std::string at = sample::url(done), body = sample::article_html(done);
                  const nd_page page = page_of(at, body);
                  nd_result result = ND_RESULT_INIT;
                  status = nd_check_page(engine_, &page, &result);
                  if (status == ND_OK && done % 50 == 0) status = nd_snapshot(engine_);
                }
                if (status != ND_ERR_IO || nd_last_error()[0] == '\0') return 2;
                // Reading continues.
                if (find(0) != ND_OK || find(1) != ND_OK) return 3;
                setrlimit(RLIMIT_FSIZE, &free);
                if (nd_snapshot(engine_) != ND_OK) return 4;
                check(1000);
                return HasFailure() || nd_close(engine_) != ND_OK ? 5 : 0;
              }),
              0);
    open();
    EXPECT_EQ(find(0), ND_OK);
    EXPECT_EQ(find(1), ND_OK);
    EXPECT_EQ(find(1000), ND_OK);
    EXPECT_EQ(nd_verify_store(path_.c_str(), nullptr, nullptr), ND_OK) << nd_last_error();
    close();
  }
}

}  // namespace
}  // namespace nd_test
