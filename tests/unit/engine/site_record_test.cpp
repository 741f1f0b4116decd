#include "engine/site_record.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace nd::engine {
namespace {

constexpr size_t kBlockBytes = sizeof(uint64_t) + sizeof(BlockEntry);

BlockEntry entry_of(uint32_t number) {
  BlockEntry entry{};
  entry.add(number);
  entry.first_page = entry.last_page = number;
  entry.count_page();
  return entry;
}

SiteRecord record_of(uint64_t secret, const std::vector<uint64_t>& hashes) {
  SiteRecord record(secret);
  record.header.last_use = 17;
  record.header.pages = 3;
  record.header.counted[2] = {5, 6};
  for (uint64_t hash : hashes)
    record.blocks[hash] = entry_of(static_cast<uint32_t>(hash));
  return record;
}

// Aligned as in a run.
class Stored {
 public:
  explicit Stored(const SiteRecord& record) {
    Vector<uint8_t> bytes;
    record.write(bytes);
    assign(bytes);
  }
  explicit Stored(const std::vector<uint8_t>& bytes) { assign(bytes); }
  store::Bytes bytes() const { return {reinterpret_cast<const uint8_t*>(words_.data()), size_}; }

 private:
  void assign(store::Bytes bytes) {
    words_.resize((bytes.size() + 7) / 8);
    size_ = bytes.size();
    if (size_ != 0) std::memcpy(words_.data(), bytes.data(), size_);
  }
  std::vector<uint64_t> words_;
  size_t size_ = 0;
};

bool same(const BlockEntry& a, const BlockEntry& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(SiteRecord, IsReadInPlaceAsItWasInMemory) {
  std::mt19937_64 random(3);
  for (size_t count : {0U, 1U, 2U, 3U, 100U, 1000U}) {
    std::vector<uint64_t> hashes;
    for (size_t i = 0; i < count; ++i)
      hashes.push_back(random());
    const SiteRecord record = record_of(7, hashes);
    const Stored stored(record);
    ASSERT_EQ(stored.bytes().size(), sizeof(SiteHeader) + count * kBlockBytes);
    const std::optional<SiteView> view = SiteRecord::parse(stored.bytes());
    ASSERT_TRUE(view);
    EXPECT_EQ(view->block_count(), count);
    EXPECT_EQ(std::memcmp(&view->header(), &record.header, sizeof(SiteHeader)), 0);
    for (uint64_t hash : hashes) {
      ASSERT_NE(view->find(hash), nullptr);
      EXPECT_TRUE(same(*view->find(hash), entry_of(static_cast<uint32_t>(hash))));
      EXPECT_EQ(view->find(hash + 1), nullptr);
    }
  }
}

TEST(SiteRecord, CopiesOfEitherLayerAreEqual) {
  const SiteRecord record = record_of(7, {1, 50, UINT64_MAX, 0});
  const Stored stored(record);
  for (const SiteView& view : {record.view(), *SiteRecord::parse(stored.bytes())}) {
    SiteRecord copy = SiteRecord::copy(view);
    EXPECT_EQ(copy.blocks.size(), 4U);
    EXPECT_TRUE(std::ranges::equal(Stored(copy).bytes(), stored.bytes()));
    copy.blocks.erase(50);
    EXPECT_NE(view.find(50), nullptr) << "it is a copy";
  }
}

TEST(SiteRecord, TheBytesDoNotTellThePastOfTheTable) {
  SiteRecord grown = record_of(7, {});
  for (uint64_t hash = 1000; hash > 0; --hash)
    grown.blocks[hash] = entry_of(1);
  for (uint64_t hash = 11; hash <= 1000; ++hash)
    grown.blocks.erase(hash);
  for (uint64_t hash = 1; hash <= 10; ++hash)
    grown.blocks[hash] = entry_of(static_cast<uint32_t>(hash));
  const SiteRecord small = record_of(7, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_GT(grown.memory_bytes(), small.memory_bytes());
  EXPECT_TRUE(std::ranges::equal(Stored(grown).bytes(), Stored(small).bytes()));
}

TEST(SiteRecord, ParsesOnlySizesThatAddUp) {
  const Stored stored(record_of(7, {1, 2, 3}));
  for (size_t size = 0; size <= stored.bytes().size(); ++size) {
    const bool adds_up = size >= sizeof(SiteHeader) && (size - sizeof(SiteHeader)) % kBlockBytes == 0;
    EXPECT_EQ(SiteRecord::parse(stored.bytes().first(size)).has_value(), adds_up) << size;
  }
  const size_t size = sizeof(SiteHeader) + kBlockBytes;
  EXPECT_TRUE(SiteRecord::parse(stored.bytes().first(size)));
  EXPECT_FALSE(SiteRecord::parse(stored.bytes().subspan(1, size))) << "not aligned";
  EXPECT_FALSE(SiteRecord::parse(stored.bytes().subspan(4, size))) << "not aligned";
}

// Nothing is promised of the answers; the sanitizers watch.
TEST(SiteRecord, AnyBytesCanBeReadAndChanged) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<uint8_t> bytes(sizeof(SiteHeader) + random() % 20 * kBlockBytes);
    for (uint8_t& byte : bytes)
      byte = static_cast<uint8_t>(random() % 4 == 0 ? 0xff : random());
    const Stored stored(bytes);
    const std::optional<SiteView> view = SiteRecord::parse(stored.bytes());
    ASSERT_TRUE(view);
    SiteRecord record = SiteRecord::copy(*view);
    EXPECT_LE(record.blocks.size(), view->block_count());
    for (int i = 0; i < 50; ++i) {
      uint64_t hash = random();
      if (view->block_count() != 0) {
        const size_t at = sizeof(SiteHeader) + random() % view->block_count() * sizeof hash;
        std::memcpy(&hash, bytes.data() + at, sizeof hash);
      }
      if (const BlockEntry* entry = view->find(hash)) {
        view->header().is_boilerplate(*entry, 1, 2);
        view->header().is_everywhere(*entry);
      }
      record.header.count_new_page(static_cast<uint32_t>(random()));
      BlockEntry& entry = record.blocks[hash];
      entry.add(static_cast<uint32_t>(random()));
      entry.drop(entry.groups[1]);
      entry.count_page();
    }
    EXPECT_TRUE(SiteRecord::parse(Stored(record).bytes()));
  }
}

TEST(SiteRecord, TheCountOfPagesEndsBeforeItIsTakenForMoreGroups) {
  BlockEntry entry{};
  entry.pages_and_more = (uint32_t{1} << 31) - 2;
  for (int i = 0; i < 3; ++i)
    entry.count_page();
  EXPECT_EQ(entry.pages(), (uint32_t{1} << 31) - 1);
  EXPECT_FALSE(entry.has_more());
  for (uint32_t group = 1; group <= 5; ++group)
    entry.add(group);
  EXPECT_TRUE(entry.has_more());
  EXPECT_EQ(entry.pages(), (uint32_t{1} << 31) - 1);
}

}  // namespace
}  // namespace nd::engine
