// Pages and groups against two maps, with names that go from page to page.
#include "collection/page_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "unit/store/memory_run.hpp"

namespace nd::engine {
namespace {

PageRecord page(uint64_t id, const std::string& url) {
  PageRecord record;
  record.data.answer.page_id = id;
  record.url.assign(url);
  return record;
}

std::vector<uint64_t> members_of(const PageTable& table, uint64_t group_id) {
  std::vector<uint64_t> members;
  const GroupRef group = table.group(group_id);
  if (!group) return members;
  table.for_each_member(*group, [&](uint64_t id) {
    members.push_back(id);
    return true;
  });
  EXPECT_EQ(members.size(), group->data->page_count);
  return members;
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
      EXPECT_EQ(table.insert(page(++last_id, url)).data.answer.page_id, last_id);
      by_id[last_id] = url;
      if (!url.empty()) by_url[url] = last_id;
    } else if (known != by_url.end() && random() % 2 == 0) {
      table.erase(known->second);
      by_id.erase(known->second);
      by_url.erase(known);
    }
    ASSERT_EQ(table.page_count(), by_id.size());
    const uint64_t id = 1 + random() % (last_id + 1);
    const PageRef found = table.find(id);
    ASSERT_EQ(found.has_value(), by_id.contains(id));
    if (found) {
      EXPECT_EQ(std::string(found->url), by_id[id]);
    }
    const std::string asked = "https://host" + std::to_string(random() % 200) + ".example/a/long/enough/path";
    const PageRef named = table.find(std::string_view(asked));
    ASSERT_EQ(named.has_value(), by_url.contains(asked));
    if (named) {
      EXPECT_EQ(named->data->answer.page_id, by_url[asked]);
    }
  }
}

TEST(PageTableTest, AnEmptyUrlIsNeverKnown) {
  PageTable table(1);
  table.insert(page(1, ""));
  table.insert(page(2, ""));
  EXPECT_FALSE(table.find(std::string_view()));
  EXPECT_TRUE(table.find(uint64_t{1}));
  EXPECT_TRUE(table.find(uint64_t{2}));
  table.erase(1);
  table.erase(1);
  table.erase(77);
  EXPECT_EQ(table.page_count(), 1U);
}

TEST(PageTableTest, ANameGoesToAnotherPageAndBack) {
  PageTable table(1);
  const std::string url(100, 'u');
  PageRecord& first = table.insert(page(1, url));
  table.insert(page(2, url));
  EXPECT_EQ(table.find(std::string_view(url))->data->answer.page_id, 2U);
  table.erase(2);
  EXPECT_FALSE(table.find(std::string_view(url)));
  table.name(first);
  EXPECT_EQ(table.find(std::string_view(url))->data->answer.page_id, 1U);
}

TEST(PageTableTest, ThePageThatLostItsNameGoesWithoutTakingTheOthers) {
  PageTable table(1);
  const std::string url(100, 'u');
  table.insert(page(9, "other"));
  table.insert(page(1, url));
  table.insert(page(2, url));
  table.erase(1);
  EXPECT_EQ(table.find(std::string_view(url))->data->answer.page_id, 2U);
  table.erase(2);
  EXPECT_EQ(table.page_count(), 1U);
}

TEST(PageTableTest, GroupsComeAndGo) {
  PageTable table(1);
  table.insert_group(5, {});
  table.insert_group(6, {});
  EXPECT_TRUE(table.group(5));
  table.erase_group(5);
  EXPECT_FALSE(table.group(5));
  EXPECT_TRUE(table.group(6));
  EXPECT_EQ(table.group_count(), 1U);
}

// Against a set, through the first members and the parts behind them, many of which are emptied again.
TEST(PageTableTest, MembersAreInOrderHoweverManyComeAndGo) {
  std::mt19937_64 random(5);
  PageTable table(1);
  table.insert_group(1, {});
  std::set<uint64_t> expected;
  uint64_t last_id = 0;
  for (int step = 0; step < 6000; ++step) {
    GroupRecord& group = *table.change_group(1);
    if (expected.empty() || random() % 5 < (step < 4000 ? 4U : 1U)) {
      last_id += 1 + random() % 3;
      table.add_member(group, last_id);
      expected.insert(last_id);
    } else {
      auto gone = expected.lower_bound(random() % (last_id + 1));
      if (gone == expected.end()) gone = expected.begin();
      ASSERT_TRUE(table.prepare_removal(group, *gone));
      table.remove_member(group, *gone);
      expected.erase(gone);
    }
    EXPECT_FALSE(table.prepare_removal(group, last_id + 1));
    if (step % 50 == 0) {
      ASSERT_EQ(members_of(table, 1), std::vector<uint64_t>(expected.begin(), expected.end())) << step;
    }
  }
  GroupRecord& group = *table.change_group(1);
  for (uint64_t id : expected) {
    ASSERT_TRUE(table.prepare_removal(group, id));
    table.remove_member(group, id);
  }
  EXPECT_TRUE(members_of(table, 1).empty());
  EXPECT_TRUE(group.parts.empty());
}

// As in a forged store.
TEST(PageTableTest, MembersThatComeAgainEndTheList) {
  PageTable table(1);
  const uint64_t part[] = {70, 71};
  const store::Bytes bytes(reinterpret_cast<const uint8_t*>(part), sizeof part);
  table.parts().attach({store::sample::make_run({{70, store::sample::MemoryEntry::of(bytes)}})}, 1);
  GroupRecord group;
  group.data.page_count = 3;
  group.first.push_back(3);
  group.parts.assign({70, 70, 70});
  table.insert_group(3, std::move(group));
  EXPECT_EQ(members_of(table, 3), (std::vector<uint64_t>{3, 70, 71}));
}

// Each change would pass over all of them.
TEST(PageTableTest, ARecordOfTooManyMembersCannotBeRead) {
  const auto group_of = [](size_t members) {
    GroupRecord group;
    group.first.resize(members);
    Vector<uint8_t> bytes;
    group.write(bytes);
    return GroupRecord::parse(bytes).has_value();
  };
  EXPECT_TRUE(group_of(64));
  EXPECT_FALSE(group_of(65));
  const auto part_of = [](size_t members) {
    Vector<uint8_t> bytes;
    MemberPart{Vector<uint64_t>(members, 1)}.write(bytes);
    return MemberPart::parse(bytes).has_value();
  };
  EXPECT_TRUE(part_of(256));
  EXPECT_FALSE(part_of(257));
}

}  // namespace
}  // namespace nd::engine
