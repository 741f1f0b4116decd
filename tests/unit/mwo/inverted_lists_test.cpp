// Lists from terms to documents of which the oldest goes, against a map of maps.
#include "index/inverted_lists.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace nd {
namespace {

struct Posting {
  uint32_t document;
  uint32_t value;
};

TEST(InvertedListsTest, EqualsAMapOfMapsUnderRandomChanges) {
  std::mt19937_64 random(1);
  InvertedLists<Posting> lists(7);
  std::map<uint64_t, std::map<uint32_t, uint32_t>> oracle;
  uint32_t document = 0;
  uint64_t removed = 0;
  for (int step = 0; step < 20000; ++step) {
    const uint64_t key = random() % 300;
    if (random() % 5 < 3) {
      const auto value = static_cast<uint32_t>(random());
      lists.add(key, {++document, value});
      oracle[key][document] = value;
    } else {
      const auto found = oracle.find(key);
      uint32_t gone = document + 1;  // one that is not there
      if (found != oracle.end() && random() % 8 != 0) {
        auto at = found->second.begin();
        std::advance(at, random() % found->second.size());
        gone = at->first;
        found->second.erase(at);
        if (found->second.empty()) oracle.erase(found);
        ++removed;
        EXPECT_TRUE(lists.remove(key, gone));
      }
      ASSERT_FALSE(lists.remove(key, gone));
    }
    ASSERT_EQ(lists.key_count(), oracle.size());
    std::map<uint32_t, uint32_t> kept;
    uint32_t before = 0;
    for (const Posting& posting : lists.find(key)) {
      ASSERT_GT(posting.document, before);
      before = posting.document;
      kept[posting.document] = posting.value;
    }
    const auto found = oracle.find(key);
    ASSERT_EQ(kept, found == oracle.end() ? decltype(kept)() : found->second);
  }
  EXPECT_GT(removed, 1000U);
  EXPECT_EQ(lists.posting_count(), document - removed);
}

// As in an index at its budget: for each new document the oldest is removed from all of its lists.
TEST(InvertedListsTest, TheOldestDocumentGoesAtAConstantCost) {
  constexpr uint32_t kDocuments = 20'000;
  InvertedLists<Posting> lists(1);
  for (uint32_t document = 1; document <= kDocuments; ++document)
    lists.add(7, {document, 0});
  const uint64_t memory = lists.memory_bytes();
  const uint64_t before = lists.probe_count();
  for (uint32_t document = 1; document <= 2 * kDocuments; ++document) {
    lists.add(7, {kDocuments + document, 0});
    ASSERT_TRUE(lists.remove(7, document));
    ASSERT_EQ(lists.find(7).front().document, document + 1);
    ASSERT_EQ(lists.find(7).size(), kDocuments);
  }
  EXPECT_LE(lists.probe_count() - before, 24U * 2 * kDocuments) << "two look-ups, a binary search";
  EXPECT_LE(lists.memory_bytes(), 3 * memory);
}

TEST(InvertedListsTest, EmptyListsAreUsedAgain) {
  InvertedLists<Posting> lists(1);
  uint64_t held = 0;
  for (uint32_t document = 1; document <= 10000; ++document) {
    lists.add(document, {document, 0});
    EXPECT_TRUE(lists.remove(document, document));
    if (document == 10) held = lists.memory_bytes();
  }
  EXPECT_EQ(lists.memory_bytes(), held);
  EXPECT_EQ(lists.key_count(), 0U);
}

}  // namespace
}  // namespace nd
