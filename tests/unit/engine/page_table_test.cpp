#include "engine/page_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace nd::engine {
namespace {

PageRecord page(uint64_t id, const std::string& url) {
  PageRecord record;
  record.answer.page_id = id;
  record.url.assign(url);
  return record;
}

TEST(PageTableTest, EqualsTwoMapsUnderRandomChanges) {
  std::mt19937_64 random(3);
  PageTable table(9);
  std::map<uint64_t, std::string> by_id;
  std::map<std::string, uint64_t> by_url;
  uint64_t last_id = 0;
  for (int step = 0; step < 20000; ++step) {
    const std::string url =
        random() % 10 == 0 ? ""
                           : "https://host" + std::to_string(random() % 200) + ".example/a/long/enough/path";
    const auto known = by_url.find(url);
    if (known == by_url.end() && random() % 3 != 0) {
      EXPECT_EQ(table.insert(page(++last_id, url)).answer.page_id, last_id);
      by_id[last_id] = url;
      if (!url.empty()) by_url[url] = last_id;
    } else if (known != by_url.end() && random() % 2 == 0) {
      table.erase(known->second);
      by_id.erase(known->second);
      by_url.erase(known);
    }
    ASSERT_EQ(table.page_count(), by_id.size());
    const uint64_t id = 1 + random() % (last_id + 1);
    const PageRecord* found = table.find(id);
    ASSERT_EQ(found != nullptr, by_id.contains(id));
    if (found != nullptr) {
      EXPECT_EQ(std::string(found->url.data(), found->url.size()), by_id[id]);
    }
    const std::string asked = "https://host" + std::to_string(random() % 200) + ".example/a/long/enough/path";
    const PageRecord* named = table.find(std::string_view(asked));
    ASSERT_EQ(named != nullptr, by_url.contains(asked));
    if (named != nullptr) {
      EXPECT_EQ(named->answer.page_id, by_url[asked]);
    }
  }
}

TEST(PageTableTest, AnEmptyUrlIsNeverKnown) {
  PageTable table(1);
  table.insert(page(1, ""));
  table.insert(page(2, ""));
  EXPECT_EQ(table.find(std::string_view()), nullptr);
  EXPECT_NE(table.find(uint64_t{1}), nullptr);
  EXPECT_NE(table.find(uint64_t{2}), nullptr);
  table.erase(1);
  table.erase(1);
  table.erase(77);
  EXPECT_EQ(table.page_count(), 1U);
}

TEST(PageTableTest, ANameIsTakenAndGivenBack) {
  PageTable table(1);
  const std::string url(100, 'u');
  PageRecord& first = table.insert(page(1, url));
  const uint64_t before = table.memory_bytes();
  String taken = table.take_name(first);
  EXPECT_EQ(taken.size(), 100U);
  EXPECT_EQ(table.find(std::string_view(url)), nullptr);
  EXPECT_LT(table.memory_bytes(), before);
  table.name(first, std::move(taken));
  EXPECT_EQ(table.find(std::string_view(url)), &first);
  EXPECT_EQ(table.memory_bytes(), before);
}

TEST(PageTableTest, ANameGoesToAnotherPageAndBack) {
  PageTable table(1);
  const std::string url(100, 'u');
  PageRecord& first = table.insert(page(1, url));
  String taken = table.take_name(first);
  table.insert(page(2, url));
  EXPECT_EQ(table.find(std::string_view(url))->answer.page_id, 2U);
  table.erase(2);
  EXPECT_EQ(table.find(std::string_view(url)), nullptr);
  table.name(first, std::move(taken));
  EXPECT_EQ(table.find(std::string_view(url))->answer.page_id, 1U);
}

TEST(PageTableTest, ThePageThatLostItsNameGoesWithoutTakingTheOthers) {
  PageTable table(1);
  const std::string url(100, 'u');
  table.insert(page(9, "other"));
  const uint64_t before = table.memory_bytes();
  PageRecord& first = table.insert(page(1, url));
  table.take_name(first);
  table.insert(page(2, url));
  table.erase(1);
  EXPECT_EQ(table.find(std::string_view(url))->answer.page_id, 2U);
  table.erase(2);
  EXPECT_EQ(table.page_count(), 1U);
  EXPECT_LE(table.memory_bytes(), before + 64);  // the slots of the vector, no URL
}

TEST(PageTableTest, GroupsComeAndGo) {
  PageTable table(1);
  GroupRecord record;
  record.id = 5;
  const GroupSlot first = table.insert_group(record);
  record.id = 6;
  const GroupSlot second = table.insert_group(record);
  EXPECT_NE(first, second);
  EXPECT_EQ(table.find_group(5)->id, 5U);
  table.erase_group(first);
  EXPECT_EQ(table.find_group(5), nullptr);
  EXPECT_EQ(table.group_count(), 1U);
  record.id = 7;
  EXPECT_EQ(table.insert_group(record), first);
  EXPECT_EQ(table.find_group(7)->id, 7U);
  EXPECT_EQ(table.find_group(6)->id, 6U);
}

}  // namespace
}  // namespace nd::engine
