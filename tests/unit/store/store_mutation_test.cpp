// Files of a store with anything done to them: opening gives an error, or all that was taken.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "store/store_names.hpp"
#include "unit/store/temporary_directory.hpp"
#include "unit/store/toy_client.hpp"

namespace nd::store {
namespace {

namespace fs = std::filesystem;
using Content = std::map<std::string, std::string>;

struct MutatedStore {
  Content files;
  std::vector<std::string> texts;
  std::vector<uint64_t> record_starts;  // in the newest journal
};

Content read_all(const std::string& path) {
  Content files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return files;
}

void write(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
}

MutatedStore make_sample(const std::string& path) {
  MutatedStore sample;
  Result<ToyClient> client = ToyClient::open(path, system_files());
  EXPECT_TRUE(client);
  uint64_t offset = 64;
  const auto add = [&](int count) {
    for (int i = 0; i < count; ++i) {
      sample.texts.push_back("text " + std::to_string(sample.texts.size() * 7919 % 100000));
      EXPECT_TRUE(client->add(sample.texts.back()));
    }
  };
  for (int i = 0; i < 4; ++i) {
    add(5);
    EXPECT_TRUE(client->snapshot());
  }
  for (int i = 0; i < 6; ++i) {
    sample.record_starts.push_back(offset);
    add(1);
    offset += 32 + (8 + sample.texts.back().size() + 7) / 8 * 8;
  }
  sample.files = read_all(path);
  EXPECT_EQ(sample.files[journal_name(4).c_str()].size(), offset);
  return sample;
}

// The changed bytes are [begin, end) of one file.
struct Mutation {
  std::string file;
  uint64_t begin = 0;
  uint64_t end = ~uint64_t{0};
  bool is_shortened = false;
};

Mutation mutate(Content& files, std::mt19937_64& random) {
  auto chosen = std::next(files.begin(), static_cast<ptrdiff_t>(random() % files.size()));
  std::string& content = chosen->second;
  Mutation mutation{chosen->first};
  const uint64_t size = content.size();
  const uint64_t at = size == 0 ? 0 : random() % size;
  switch (random() % 8) {
    case 0:  // the file is removed
      files.erase(chosen);
      return mutation;
    case 1:  // becomes another
      content = std::next(files.begin(), static_cast<ptrdiff_t>(random() % files.size()))->second;
      return mutation;
    case 2:
      content.resize(at);
      mutation.begin = at;
      mutation.is_shortened = true;
      return mutation;
    case 3:
      mutation.begin = size;
      for (uint64_t i = 0; i <= random() % 200; ++i)
        content.push_back(static_cast<char>(random() % 2 == 0 ? 0 : random()));
      return mutation;
    case 4:  // a part is zero
      mutation = {chosen->first, at, std::min(size, at + 1 + random() % 512)};
      std::fill(content.begin() + static_cast<ptrdiff_t>(at),
                content.begin() + static_cast<ptrdiff_t>(mutation.end), '\0');
      return mutation;
    case 5:  // a part is copied elsewhere
      if (size < 16) return mutation;
      mutation = {chosen->first, at, std::min(size, at + 1 + random() % 64)};
      content.replace(at, mutation.end - at, content.substr(random() % size, mutation.end - at));
      return {chosen->first, at, ~uint64_t{0}, content.size() < size};
    default:
      if (size == 0) return mutation;
      mutation = {chosen->first, at, at + 1};
      content[at] = static_cast<char>(content[at] ^ static_cast<char>(1U << random() % 8));
      return mutation;
  }
}

// How many records of the newest journal may be missing: those from the changed one on, if none of them can
// still stand behind the change.
size_t losable(const MutatedStore& sample, const Mutation& mutation) {
  if (mutation.file != std::string(journal_name(4)) || mutation.end <= sample.record_starts.back()) return 0;
  const auto first =
      std::upper_bound(sample.record_starts.begin(), sample.record_starts.end(), mutation.begin);
  const auto behind = static_cast<size_t>(sample.record_starts.end() - first);
  return std::min(behind + 1, sample.record_starts.size());
}

TEST(StoreMutationTest, GivesAnErrorOrAllThatWasTaken) {
  std::mt19937_64 random(9);
  TemporaryDirectory directory;
  const std::string path = directory / "store";
  const MutatedStore sample = make_sample(path);
  int refused = 0;
  int fallen_back = 0;
  int whole = 0;
  Content on_disk = sample.files;
  for (int round = 0; round < 1500; ++round) {
    Content files = sample.files;
    const Mutation mutation = mutate(files, random);
    for (const auto& [name, content] : on_disk) {
      if (!files.contains(name)) fs::remove(path + "/" + name);
    }
    for (const auto& [name, content] : files) {
      const auto found = on_disk.find(name);
      if (found == on_disk.end() || found->second != content) write(path + "/" + name, content);
    }
    SCOPED_TRACE(mutation.file + " " + std::to_string(mutation.begin) + " round " + std::to_string(round));
    // Reading everything twice takes most of the time.
    const bool is_verified = round % 8 == 0;
    const bool seen = is_verified && !verify_store(path, nullptr, system_files());
    {
      const Result<ToyClient> client = ToyClient::open(path, system_files(), {.verify = Verify::kFull});
      if (!client) {
        ++refused;
        EXPECT_TRUE(client.failure().status == Status::kCorrupt ||
                    client.failure().status == Status::kUnsupportedVersion)
            << client.failure().message;
        EXPECT_TRUE(seen || !is_verified);
      } else {
        const std::vector<std::string> log = client->log();
        ASSERT_LE(log.size(), sample.texts.size());
        ASSERT_GE(log.size() + losable(sample, mutation), sample.texts.size());
        EXPECT_TRUE(std::equal(log.begin(), log.end(), sample.texts.begin()));
        EXPECT_EQ(client->latest(), ToyClient::latest_of(log));
        const bool has_fallen_back = !const_cast<ToyClient&>(*client).store().fallback().empty();
        EXPECT_TRUE(seen || !is_verified || !has_fallen_back);
        fallen_back += has_fallen_back;
        // Nothing else can pass for an unfinished record.
        EXPECT_TRUE(log.size() == sample.texts.size() || mutation.is_shortened);
        whole += log.size() == sample.texts.size();
      }
    }
    ASSERT_FALSE(::testing::Test::HasFailure());
    on_disk = read_all(path);
  }
  EXPECT_GT(refused, 150);
  EXPECT_GT(fallen_back, 50);
  EXPECT_GT(whole, 250);
}

}  // namespace
}  // namespace nd::store
