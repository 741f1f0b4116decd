// What the tests of Store have in common: a directory, a toy client, and the texts that it must have.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "unit/store/temporary_directory.hpp"
#include "unit/store/toy_client.hpp"

namespace nd::store {

namespace fs = std::filesystem;

inline constexpr StoreParameters kJournaled{};
inline constexpr StoreParameters kReader{.read_only = true};
inline constexpr StoreParameters kUnwritten{.durability = Durability::kSnapshot};
inline constexpr StoreParameters kSynced{.durability = Durability::kSync};

inline std::set<std::string> names_in(const std::string& path) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    names.insert(entry.path().filename().string());
  return names;
}

inline std::string text_number(uint64_t number) {
  return "text " + std::to_string(number * 7919 % 1000);
}

// A byte of a file is another one.
inline void damage(const std::string& path, int64_t offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  if (offset < 0) offset += static_cast<int64_t>(fs::file_size(path));
  file.seekg(offset);
  const char byte = static_cast<char>(file.get() ^ 0x40);
  file.seekp(offset);
  file.put(byte);
}

class StoreFixture : public ::testing::Test {
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

}  // namespace nd::store
