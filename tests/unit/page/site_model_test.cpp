// The model of one site: in memory, in a run and as bytes that strangers may have changed.
#include "page/site_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "unit/collection/counted_page_sample.hpp"

namespace nd::engine {
namespace {

constexpr size_t kPartBytes = sizeof(uint64_t) + sizeof(CountedPart);
constexpr uint16_t kMostInPart = UINT16_MAX;

CountedPart part_of(uint64_t hash) {
  return {static_cast<uint16_t>(hash % 1000 + 1), static_cast<uint16_t>(hash >> 20),
          static_cast<uint32_t>(hash >> 40)};
}

SiteModel record_of(const std::vector<uint64_t>& hashes) {
  SiteModel record(7);
  record.header.last_use = 17;
  record.header.pages = 30;
  record.header.seen = 31;
  for (uint64_t hash : hashes)
    record.parts[hash] = part_of(hash);
  return record;
}

bool same(const CountedPart& a, const CountedPart& b) {
  return a.pages == b.pages && a.span == b.span && a.first == b.first;
}

// Aligned as in a run.
class StoredSite {
 public:
  explicit StoredSite(const SiteModel& record) {
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

TEST(SiteModel, IsReadInPlaceAsItWasInMemory) {
  std::mt19937_64 random(3);
  for (size_t count : {0U, 1U, 2U, 3U, 100U, 1000U}) {
    std::vector<uint64_t> hashes;
    for (size_t i = 0; i < count; ++i)
      hashes.push_back(random());
    const SiteModel record = record_of(hashes);
    const StoredSite stored(record);
    ASSERT_EQ(stored.bytes().size(), sizeof(SiteModelHeader) + count * kPartBytes);
    const std::optional<SiteModelView> view = SiteModel::parse(stored.bytes());
    ASSERT_TRUE(view);
    EXPECT_EQ(view->part_count(), count);
    EXPECT_EQ(record.view().part_count(), count);
    EXPECT_EQ(std::memcmp(&view->header(), &record.header, sizeof(SiteModelHeader)), 0);
    for (uint64_t hash : hashes) {
      for (const SiteModelView& each : {*view, record.view()}) {
        ASSERT_NE(each.find(hash), nullptr);
        EXPECT_TRUE(same(*each.find(hash), part_of(hash)));
        EXPECT_EQ(each.find(hash + 1), nullptr);
      }
    }
  }
}

TEST(SiteModel, CopiesOfEitherLayerAreEqual) {
  const SiteModel record = record_of({1, 50, UINT64_MAX, 0});
  const StoredSite stored(record);
  for (const SiteModelView& view : {record.view(), *SiteModel::parse(stored.bytes())}) {
    SiteModel copy = SiteModel::copy(view);
    EXPECT_EQ(copy.parts.size(), 4U);
    EXPECT_TRUE(std::ranges::equal(StoredSite(copy).bytes(), stored.bytes()));
    copy.parts.erase(50);
    copy.header.pages = 1;
    EXPECT_NE(view.find(50), nullptr) << "it is a copy";
    EXPECT_EQ(view.header().pages, 30U);
  }
}

TEST(SiteModel, TheBytesDoNotTellThePastOfTheTable) {
  SiteModel grown = record_of({});
  for (uint64_t hash = 1000; hash > 0; --hash)
    grown.parts[hash] = {1, 0, 1};
  for (uint64_t hash = 11; hash <= 1000; ++hash)
    grown.parts.erase(hash);
  for (uint64_t hash = 1; hash <= 10; ++hash)
    grown.parts[hash] = part_of(hash);
  const SiteModel small = record_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_GT(grown.memory_bytes(), small.memory_bytes());
  EXPECT_TRUE(std::ranges::equal(StoredSite(grown).bytes(), StoredSite(small).bytes()));
}

TEST(SiteModel, ParsesOnlySizesThatAddUp) {
  const StoredSite stored(record_of({1, 2, 3}));
  for (size_t size = 0; size <= stored.bytes().size(); ++size) {
    const bool adds_up =
        size >= sizeof(SiteModelHeader) && (size - sizeof(SiteModelHeader)) % kPartBytes == 0;
    EXPECT_EQ(SiteModel::parse(stored.bytes().first(size)).has_value(), adds_up) << size;
  }
  const size_t size = sizeof(SiteModelHeader) + kPartBytes;
  EXPECT_TRUE(SiteModel::parse(stored.bytes().first(size)));
  for (const size_t offset : {1U, 2U, 4U, 7U})
    EXPECT_FALSE(SiteModel::parse(stored.bytes().subspan(offset, size))) << "not aligned";
}

// Nothing is promised of the answers; the sanitizers watch.
TEST(SiteModel, AnyBytesCanBeReadAndChanged) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<uint8_t> bytes(sizeof(SiteModelHeader) + random() % 20 * kPartBytes);
    for (uint8_t& byte : bytes)
      byte = static_cast<uint8_t>(random() % 4 == 0 ? 0xff : random());
    const StoredSite stored(bytes);
    const std::optional<SiteModelView> view = SiteModel::parse(stored.bytes());
    ASSERT_TRUE(view);
    SiteModel record = SiteModel::copy(*view);
    EXPECT_LE(record.parts.size(), view->part_count());
    for (int i = 0; i < 50; ++i) {
      uint64_t hash = random();
      if (view->part_count() != 0) {
        const size_t at = sizeof(SiteModelHeader) + random() % view->part_count() * sizeof hash;
        std::memcpy(&hash, bytes.data() + at, sizeof hash);
      }
      static_cast<void>(view->find(hash));
      ++record.parts[hash].pages;
    }
    EXPECT_TRUE(SiteModel::parse(StoredSite(record).bytes()));
  }
}

Vector<uint8_t> saved(const SiteModel& model) {
  Vector<uint8_t> bytes;
  model.save({}, bytes);
  return bytes;
}

// As anyone who knows the format can.
Vector<uint8_t> forged(uint32_t pages, uint32_t seen,
                       const std::vector<std::pair<uint64_t, CountedPart>>& parts) {
  SiteModel model(1);
  model.header.pages = pages;
  model.header.seen = seen;
  for (const auto& [hash, part] : parts)
    model.parts[hash] = part;
  return saved(model);
}

// Wherever the bytes are: a reader copies those that are not aligned.
TEST(SiteModel, WhatIsSavedIsReadInPlaceAsItIsMerged) {
  std::mt19937_64 random(5);
  std::vector<uint64_t> hashes;
  for (size_t i = 0; i < 300; ++i)
    hashes.push_back(random());
  const SiteModel model = record_of(hashes);
  const Vector<uint8_t> bytes = saved(model);
  SiteModel merged(3);
  ASSERT_TRUE(merged.merge(bytes, SiteModel::kPartsLimit));
  std::vector<uint64_t> words(bytes.size() / 8 + 2);
  for (size_t offset = 0; offset < 8; ++offset) {
    auto* const place = reinterpret_cast<uint8_t*>(words.data()) + offset;
    std::memcpy(place, bytes.data(), bytes.size());
    const Result<SavedSiteModel> read = SavedSiteModel::read({place, bytes.size()});
    ASSERT_TRUE(read);
    EXPECT_EQ(read->view().header().pages, merged.header.pages);
    EXPECT_EQ(read->view().header().seen, merged.header.seen);
    ASSERT_EQ(read->view().part_count(), hashes.size());
    for (const uint64_t hash : hashes) {
      ASSERT_NE(read->view().find(hash), nullptr);
      EXPECT_TRUE(same(*read->view().find(hash), *merged.parts.entry(hash)));
    }
  }
}

TEST(SiteModel, WhatIsSavedSaysWhatWasLearned) {
  const uint64_t first[] = {10, 20, 30}, second[] = {20, 40};
  SiteModel model(1);
  model.learn(first, 100);
  model.learn(second, 100);
  const Vector<uint8_t> bytes = saved(model);
  ASSERT_EQ(bytes.size(), 32 + 4 * kPartBytes);
  const auto number = [&](size_t at) {
    uint32_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  EXPECT_EQ(number(16), 2U) << "pages";
  EXPECT_EQ(number(20), 2U) << "seen";
  EXPECT_EQ(number(24), 2U) << "there";
  const size_t counts = 32 + 4 * sizeof(uint64_t);
  EXPECT_EQ(number(counts + 8), 2U | 1U << 16) << "20: on two pages, the second behind the first";
  EXPECT_EQ(number(counts + 12), 1U) << "first seen with page 1";
  EXPECT_EQ(number(counts + 28), 2U) << "40: first seen with page 2";
}

TEST(SiteModel, MergingIsLearningTheOthersPagesAfterwards) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 40; ++round) {
    SiteModel all(1), begun(2), other(3);
    const size_t count = random() % 30 + 1, in_first = random() % (count + 1);
    for (size_t i = 0; i < count; ++i) {
      std::vector<uint64_t> page;
      for (int k = 0; k < 6; ++k)
        page.push_back(random() % 25);
      std::ranges::sort(page);
      page.erase(std::unique(page.begin(), page.end()), page.end());
      all.learn(page, 1000);
      (i < in_first ? begun : other).learn(page, 1000);
    }
    ASSERT_TRUE(begun.merge(saved(other), 1000));
    EXPECT_EQ(saved(begun), saved(all));
  }
}

TEST(SiteModel, AForgedModelKeepsTheLimits) {
  constexpr uint32_t kMost = UINT32_MAX;
  SiteModel model(1);
  const uint64_t page[] = {1, 2};
  model.learn(page, 50);
  std::vector<std::pair<uint64_t, CountedPart>> parts;
  for (uint64_t hash = 0; hash < 5000; ++hash)
    parts.push_back({hash, {kMostInPart, kMostInPart, kMost}});
  const Vector<uint8_t> bytes = forged(kMost, kMost, parts);
  for (int twice = 0; twice < 2; ++twice) {
    const Result<SiteModel::Change> merged = model.merge(bytes, 50);
    ASSERT_TRUE(merged);
    EXPECT_GT(merged->dropped, 4000U);
    EXPECT_LE(model.parts.size(), 50U);
    EXPECT_LE(model.header.pages, 4096U);
  }
  model.learn(page, 50);
  const Features asked = counted_page({4990, 4991, 1, 2});
  CountedPage counted;
  model.view().count(asked.blocks(), {}, {}, counted);
  for (const uint32_t with : counted.blocks)
    EXPECT_LE(with, counted.pages);
  EXPECT_FALSE(model.merge(forged(1, 1, {{7, {0, 0, 1}}}), 50)) << "on no page";
}

// Every byte of a saved model changed, its checksum made right: refused, or used within its bounds.
TEST(SiteModel, AnySavedBytesAreReadWithinBounds) {
  SiteModel model(1);
  for (uint64_t i = 0; i < 5; ++i) {
    const uint64_t page[] = {1, 2, 100 + i};
    model.learn(page, 50);
  }
  const Vector<uint8_t> bytes = saved(model);
  size_t taken = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const uint8_t flip : {uint8_t{1}, uint8_t{0x80}, uint8_t{0xff}}) {
      Vector<uint8_t> changed = bytes;
      changed[at] ^= flip;
      EXPECT_FALSE(SiteModel(2).merge(changed, 50)) << at;
      const uint64_t checksum =
          stable_hash({reinterpret_cast<const char*>(changed.data()) + 16, changed.size() - 16});
      std::memcpy(changed.data() + 8, &checksum, sizeof checksum);
      SiteModel other(2);
      if (!other.merge(changed, 50)) continue;
      ++taken;
      const uint64_t page[] = {1, 2, 3};
      other.learn(page, 50);
      other.forget(page);
      EXPECT_LE(other.header.pages, 4096U);
    }
  }
  EXPECT_GT(taken, 20U);
}

}  // namespace
}  // namespace nd::engine
