#include "engine/site_knowledge_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace nd::engine {
namespace {

constexpr size_t kPartBytes = sizeof(uint64_t) + sizeof(CountedPart);

CountedPart part_of(uint64_t hash) {
  return {static_cast<uint32_t>(hash % 1000 + 1), static_cast<uint32_t>(hash >> 40)};
}

SiteKnowledgeRecord record_of(const std::vector<uint64_t>& hashes) {
  SiteKnowledgeRecord record(7);
  record.header.last_use = 17;
  record.header.pages = 30;
  record.header.seen = 31;
  for (uint64_t hash : hashes)
    record.parts[hash] = part_of(hash);
  return record;
}

bool same(const CountedPart& a, const CountedPart& b) {
  return a.pages == b.pages && a.first == b.first;
}

// Aligned as in a run.
class StoredSite {
 public:
  explicit StoredSite(const SiteKnowledgeRecord& record) {
    Vector<uint8_t> bytes;
    record.write(bytes);
    assign(bytes);
  }
  explicit StoredSite(const std::vector<uint8_t>& bytes) { assign(bytes); }
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

TEST(SiteKnowledgeRecord, IsReadInPlaceAsItWasInMemory) {
  std::mt19937_64 random(3);
  for (size_t count : {0U, 1U, 2U, 3U, 100U, 1000U}) {
    std::vector<uint64_t> hashes;
    for (size_t i = 0; i < count; ++i)
      hashes.push_back(random());
    const SiteKnowledgeRecord record = record_of(hashes);
    const StoredSite stored(record);
    ASSERT_EQ(stored.bytes().size(), sizeof(SiteKnowledgeHeader) + count * kPartBytes);
    const std::optional<SiteKnowledgeView> view = SiteKnowledgeRecord::parse(stored.bytes());
    ASSERT_TRUE(view);
    EXPECT_EQ(view->part_count(), count);
    EXPECT_EQ(record.view().part_count(), count);
    EXPECT_EQ(std::memcmp(&view->header(), &record.header, sizeof(SiteKnowledgeHeader)), 0);
    for (uint64_t hash : hashes) {
      for (const SiteKnowledgeView& each : {*view, record.view()}) {
        each.prefetch(hash);
        ASSERT_NE(each.find(hash), nullptr);
        EXPECT_TRUE(same(*each.find(hash), part_of(hash)));
        EXPECT_EQ(each.find(hash + 1), nullptr);
      }
    }
  }
}

TEST(SiteKnowledgeRecord, CopiesOfEitherLayerAreEqual) {
  const SiteKnowledgeRecord record = record_of({1, 50, UINT64_MAX, 0});
  const StoredSite stored(record);
  for (const SiteKnowledgeView& view : {record.view(), *SiteKnowledgeRecord::parse(stored.bytes())}) {
    SiteKnowledgeRecord copy = SiteKnowledgeRecord::copy(view);
    EXPECT_EQ(copy.parts.size(), 4U);
    EXPECT_TRUE(std::ranges::equal(StoredSite(copy).bytes(), stored.bytes()));
    copy.parts.erase(50);
    copy.header.pages = 1;
    EXPECT_NE(view.find(50), nullptr) << "it is a copy";
    EXPECT_EQ(view.header().pages, 30U);
  }
}

TEST(SiteKnowledgeRecord, TheBytesDoNotTellThePastOfTheTable) {
  SiteKnowledgeRecord grown = record_of({});
  for (uint64_t hash = 1000; hash > 0; --hash)
    grown.parts[hash] = {1, 1};
  for (uint64_t hash = 11; hash <= 1000; ++hash)
    grown.parts.erase(hash);
  for (uint64_t hash = 1; hash <= 10; ++hash)
    grown.parts[hash] = part_of(hash);
  const SiteKnowledgeRecord small = record_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_GT(grown.memory_bytes(), small.memory_bytes());
  EXPECT_TRUE(std::ranges::equal(StoredSite(grown).bytes(), StoredSite(small).bytes()));
}

TEST(SiteKnowledgeRecord, ParsesOnlySizesThatAddUp) {
  const StoredSite stored(record_of({1, 2, 3}));
  for (size_t size = 0; size <= stored.bytes().size(); ++size) {
    const bool adds_up =
        size >= sizeof(SiteKnowledgeHeader) && (size - sizeof(SiteKnowledgeHeader)) % kPartBytes == 0;
    EXPECT_EQ(SiteKnowledgeRecord::parse(stored.bytes().first(size)).has_value(), adds_up) << size;
  }
  const size_t size = sizeof(SiteKnowledgeHeader) + kPartBytes;
  EXPECT_TRUE(SiteKnowledgeRecord::parse(stored.bytes().first(size)));
  for (const size_t offset : {1U, 2U, 4U, 7U})
    EXPECT_FALSE(SiteKnowledgeRecord::parse(stored.bytes().subspan(offset, size))) << "not aligned";
}

// Nothing is promised of the answers; the sanitizers watch.
TEST(SiteKnowledgeRecord, AnyBytesCanBeReadAndChanged) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<uint8_t> bytes(sizeof(SiteKnowledgeHeader) + random() % 20 * kPartBytes);
    for (uint8_t& byte : bytes)
      byte = static_cast<uint8_t>(random() % 4 == 0 ? 0xff : random());
    const StoredSite stored(bytes);
    const std::optional<SiteKnowledgeView> view = SiteKnowledgeRecord::parse(stored.bytes());
    ASSERT_TRUE(view);
    SiteKnowledgeRecord record = SiteKnowledgeRecord::copy(*view);
    EXPECT_LE(record.parts.size(), view->part_count());
    for (int i = 0; i < 50; ++i) {
      uint64_t hash = random();
      if (view->part_count() != 0) {
        const size_t at = sizeof(SiteKnowledgeHeader) + random() % view->part_count() * sizeof hash;
        std::memcpy(&hash, bytes.data() + at, sizeof hash);
      }
      static_cast<void>(view->find(hash));
      ++record.parts[hash].pages;
    }
    EXPECT_TRUE(SiteKnowledgeRecord::parse(StoredSite(record).bytes()));
  }
}

}  // namespace
}  // namespace nd::engine
