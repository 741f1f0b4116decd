// Two stores become one: the first keeps its ids, the second gets new ones, of which the callback tells; what
// cannot be merged is refused, and neither store ever changes.
#include <set>

#include "unit/capi/store_calls_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

using Files = std::map<std::string, std::string>;

struct Row {
  nd_merged_page page;
  std::string url;
};

class MergeTest : public CapiStoreTest {
 protected:
  void SetUp() override {
    CapiStoreTest::SetUp();
    first_ = folder_ + "/first";
    second_ = folder_ + "/second";
    merged_ = folder_ + "/merged";
  }

  // Fills the store at `path`.
  void fill(const std::string& path, const std::function<void()>& pages, const Settings& settings = {}) {
    path_ = path;
    open(settings);
    pages();
    close();
    if (path == first_) first_files_ = files();
    if (path == second_) second_files_ = files();
  }

  nd_status merge(const Settings& settings = {}) {
    nd_options* options = nullptr;
    EXPECT_EQ(nd_options_new(&options), ND_OK);
    for (const auto& [key, value] : settings)
      EXPECT_EQ(nd_options_set(options, key.c_str(), value.c_str()), ND_OK) << nd_last_error();
    rows_.clear();
    lines_.clear();
    counts_ = ND_MERGE_COUNTS_INIT;
    const auto note = [](int32_t, const char* line, size_t size, void* ctx) {
      static_cast<std::string*>(ctx)->append(line, size).append("\n");
    };
    EXPECT_EQ(nd_options_set_logger(options, note, &lines_), ND_OK);
    const auto add = [](const nd_merged_page* page, const char* address, size_t size, void* ctx) {
      auto& rows = *static_cast<std::vector<Row>*>(ctx);
      rows.push_back({*page, std::string(address, size)});
      return int32_t{0};
    };
    const nd_status status =
        nd_merge_stores(first_.c_str(), second_.c_str(), merged_.c_str(), options, add, &rows_, &counts_);
    said_ = nd_last_error();
    nd_options_free(options);
    expect_whole_inputs();
    EXPECT_FALSE(std::filesystem::exists(merged_ + ".new"));
    if (status == ND_OK) {
      EXPECT_EQ(nd_verify_store(merged_.c_str(), nullptr, nullptr), ND_OK) << nd_last_error();
      EXPECT_EQ(rows_.size(), counts_.added + counts_.newer + counts_.older + counts_.withheld);
    } else {
      EXPECT_FALSE(std::filesystem::exists(merged_));
      EXPECT_EQ(counts_.pages, 0U);
    }
    return status;
  }
  void expect_whole_inputs() {
    for (const auto& [path, before] : {std::pair(first_, first_files_), std::pair(second_, second_files_)}) {
      if (before.empty()) continue;
      path_ = path;
      EXPECT_EQ(files(), before) << path;
    }
  }
  void open_merged() {
    path_ = merged_;
    open();
  }
  const Row& row_of(uint64_t number) {
    for (const Row& row : rows_) {
      if (row.url == url(number)) return row;
    }
    ADD_FAILURE() << number;
    return rows_.at(0);
  }
  nd_page_info info_of(uint64_t number) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    EXPECT_EQ(find(number, &info), ND_OK) << number;
    return info;
  }

  std::string first_, second_, merged_;
  Files first_files_, second_files_;
  std::vector<Row> rows_;
  std::string lines_;  // of the logger
  nd_merge_counts counts_ = ND_MERGE_COUNTS_INIT;
  std::string said_;
};

TEST_F(MergeTest, TheFirstStoreKeepsItsIdsAndTheMapTellsThoseOfTheSecond) {
  fill(first_, [&] {
    for (uint64_t i = 1; i <= 6; ++i)
      check(i);
    EXPECT_EQ(set_bookmark("reader", "first"), ND_OK);
  });
  std::map<uint64_t, nd_page_info> before;
  path_ = first_;
  open({{"read_only", "true"}});
  for (uint64_t i = 1; i <= 6; ++i)
    before[i] = info_of(i);
  close();
  fill(second_, [&] {
    check(11);                                      // new to the first store
    check(12, html(rewritten(article(2), 1, 9)));   // as page 2 of the first store
    check(13, html(rewritten(article(11), 1, 9)));  // as page 11
    check(14, html(rewritten(article(2), 1, 8)));   // as page 12
    check(15, "");                                  // without text
    EXPECT_EQ(set_bookmark("reader", "second"), ND_OK);
  });
  ASSERT_EQ(merge(), ND_OK) << said_;
  EXPECT_EQ(counts_.added, 5U);
  EXPECT_EQ(counts_.joined, 2U);
  open_merged();
  EXPECT_EQ(stats().pages, 11U);
  EXPECT_EQ(counts_.pages, 11U);
  EXPECT_EQ(counts_.groups, stats().groups);
  EXPECT_EQ(bookmark("reader"), "first");
  for (const auto& [number, info] : before) {
    EXPECT_EQ(info_of(number).page_id, info.page_id);
    EXPECT_EQ(info_of(number).group_id, info.group_id);
  }
  uint64_t last = 0;
  for (const Row& row : rows_) {
    EXPECT_GT(row.page.old_page_id, last);
    last = row.page.old_page_id;
    EXPECT_GT(row.page.page_id, 6U);
    EXPECT_EQ(row.page.kind, ND_MERGED_ADDED);
    EXPECT_EQ(row.page.struct_size, sizeof(nd_merged_page));
  }
  for (const uint64_t number : {11U, 12U, 13U, 14U, 15U}) {
    const nd_page_info info = info_of(number);
    EXPECT_EQ(row_of(number).page.page_id, info.page_id);
    EXPECT_EQ(row_of(number).page.group_id, info.group_id);
    EXPECT_EQ(info.first_fetched_at_ms, 1000);
  }
  EXPECT_EQ(info_of(12).group_id, before[2].group_id);
  EXPECT_EQ(info_of(14).group_id, before[2].group_id);
  EXPECT_EQ(info_of(13).group_id, info_of(11).group_id);
  EXPECT_EQ(info_of(13).matched_page_id, info_of(11).page_id);
  EXPECT_EQ(info_of(13).verdict, ND_NEAR);
  // It goes on as any other store.
  EXPECT_EQ(check(20, html(rewritten(article(11), 1, 7))).group_id, info_of(11).group_id);
  EXPECT_EQ(check(14, html(rewritten(article(2), 1, 8)), 2000).verdict, ND_UNCHANGED);
}

TEST_F(MergeTest, OfAUrlInBothTheLaterFetchIsThePage) {
  fill(first_, [&] {
    check(1, article_html(1), 5000);
    check(2, article_html(2), 5000);
    check(3, article_html(3), 5000);
  });
  fill(second_, [&] {
    check(1, article_html(51), 6000);  // later, another text
    check(2, article_html(52), 4000);  // earlier
    check(3, article_html(3), 6000);   // later, unchanged
  });
  ASSERT_EQ(merge(), ND_OK) << said_;
  EXPECT_EQ(counts_.newer, 2U);
  EXPECT_EQ(counts_.older, 1U);
  EXPECT_EQ(counts_.pages, 3U);
  open_merged();
  EXPECT_EQ(info_of(1).page_id, row_of(1).page.page_id);
  EXPECT_EQ(info_of(1).first_fetched_at_ms, 5000);
  EXPECT_EQ(info_of(1).last_fetched_at_ms, 6000);
  EXPECT_EQ(info_of(2).page_id, 2U);
  EXPECT_EQ(row_of(2).page.page_id, 2U);
  EXPECT_EQ(info_of(2).first_fetched_at_ms, 4000);
  EXPECT_EQ(info_of(2).last_fetched_at_ms, 5000);
  EXPECT_EQ(info_of(3).page_id, 3U);
  EXPECT_EQ(info_of(3).last_fetched_at_ms, 6000);
  EXPECT_EQ(check(1, article_html(51), 7000).verdict, ND_UNCHANGED);
  EXPECT_EQ(check(2, article_html(2), 7000).verdict, ND_UNCHANGED);
}

// The text of a founder that has gone is not taken; the others are, and found each other.
TEST_F(MergeTest, GroupsWithoutTheirFounderGoOn) {
  fill(first_, [&] { check(1); });
  fill(second_, [&] {
    check(11);
    check(12, html(rewritten(article(11), 1, 9)));
    check(13, html(rewritten(article(11), 1, 8)));
    const std::string address = url(11);
    EXPECT_EQ(nd_remove_page(engine_, address.data(), address.size()), ND_OK);
    check(14);
    check(15, html(rewritten(article(14), 1, 9)));
    check(14, article_html(77), 2000);  // the founder has other text now
  });
  ASSERT_EQ(merge(), ND_OK) << said_;
  EXPECT_EQ(counts_.added, 4U);
  open_merged();
  EXPECT_EQ(info_of(12).group_id, info_of(13).group_id);
  EXPECT_NE(info_of(14).group_id, info_of(15).group_id);
  EXPECT_EQ(check(14, article_html(77), 3000).verdict, ND_UNCHANGED);
}

// A site's pages are counted once, those of both stores: what a page shares with the others is the site's.
TEST_F(MergeTest, SitesKnowThePagesOfBoth) {
  const auto page = [](uint64_t number, uint64_t text) {
    sample::Paragraphs all = article(900);  // on every page of the site
    const sample::Paragraphs own = article(text, 4);
    all.insert(all.end(), own.begin(), own.end());
    return std::pair("https://news.example/" + std::to_string(number), html(all));
  };
  const auto check_site = [&](uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to; ++i) {
      const auto [address, body] = page(i, i);
      const nd_page input = page_of(address, body, 1000);
      nd_result result = ND_RESULT_INIT;
      EXPECT_EQ(nd_check_page(engine_, &input, &result), ND_OK);
    }
  };
  fill(first_, [&] { check_site(0, 20); });
  fill(second_, [&] { check_site(10, 30); });
  ASSERT_EQ(merge(), ND_OK) << said_;
  EXPECT_EQ(counts_.pages, 30U);
  EXPECT_EQ(counts_.older, 10U);
  open_merged();
  const auto [address, body] = page(40, 40);
  const nd_page input = page_of(address, body, 1000);
  nd_result result = ND_RESULT_INIT;
  ASSERT_EQ(nd_check_page(engine_, &input, &result), ND_OK);
  EXPECT_EQ(result.verdict, ND_NEW);
}

TEST_F(MergeTest, ASmallBudgetGivesTheSameStore) {
  const auto some = [&](uint64_t from) {
    for (uint64_t i = from; i < from + 60; ++i) {
      check(i, html(rewritten(article(i % 25), 1, i)));
    }
  };
  fill(first_, [&] { some(100); });
  fill(second_, [&] { some(200); });
  ASSERT_EQ(merge(), ND_OK) << said_;
  const std::vector<Row> expected = rows_;
  std::filesystem::remove_all(merged_);
  ASSERT_EQ(merge({{"memory_budget_bytes", "1000000"}, {"mmap", "false"}}), ND_OK) << said_;
  ASSERT_EQ(rows_.size(), expected.size());
  for (size_t i = 0; i < rows_.size(); ++i) {
    EXPECT_EQ(rows_[i].page.page_id, expected[i].page.page_id);
    EXPECT_EQ(rows_[i].page.group_id, expected[i].page.group_id);
  }
}

// A program may open and merge with one set of options, so nothing is refused; but nothing is ignored in
// silence either.
TEST_F(MergeTest, OptionsWithoutEffectAreAWarning) {
  fill(first_, [&] { check(1); });
  fill(second_, [&] { check(2); });
  ASSERT_EQ(merge({{"durability", "sync"},
                   {"page_ttl_s", "100"},
                   {"read_only", "true"},
                   {"verify", "full"},
                   {"keep_text", "true"},
                   {"x_similar_pages_limit", "9"},
                   {"memory_budget_bytes", "100000000"}}),
            ND_OK)
      << said_;
  EXPECT_EQ(lines_,
            "option keep_text has no effect here: it acts on features\n"
            "option x_similar_pages_limit has no effect here: it acts on searches\n"
            "option durability has no effect on a merge, which has durability=none\n"
            "option page_ttl_s has no effect on a merge, which has page_ttl_s=0\n"
            "option read_only has no effect on a merge, which has read_only=false\n");
  std::filesystem::remove_all(merged_);
  ASSERT_EQ(merge({{"durability", "none"}, {"mmap", "false"}}), ND_OK) << said_;
  EXPECT_EQ(lines_, "");
}

TEST_F(MergeTest, ChangesInTheJournalsAreTakenToo) {
  for (const std::string& path : {first_, second_}) {
    path_ = path;
    ASSERT_EQ(in_child([&] {
                open();
                check(path == first_ ? 1 : 2);
                return HasFailure() ? 1 : 0;  // killed
              }),
              0);
    (path == first_ ? first_files_ : second_files_) = files();
  }
  ASSERT_EQ(merge(), ND_OK) << said_;
  open_merged();
  EXPECT_EQ(find(1), ND_OK);
  EXPECT_EQ(find(2), ND_OK);
}

TEST_F(MergeTest, WhatCannotBeMergedIsRefused) {
  fill(first_, [&] { check(1); });
  fill(second_, [&] { check(2); }, {{"same_document", "0.7"}});
  EXPECT_EQ(merge(), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(said_.find("same_document"), std::string::npos) << said_;
  std::filesystem::remove_all(second_);
  second_files_.clear();
  EXPECT_EQ(merge(), ND_ERR_NOT_FOUND) << said_;
  fill(second_, [&] { check(2); });
  EXPECT_EQ(merge({{"same_document", "0.7"}}), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(said_.find("same_document"), std::string::npos) << said_;

  path_ = second_;
  second_files_.clear();
  open();
  EXPECT_EQ(merge(), ND_ERR_LOCKED) << said_;
  close();
  const std::string kept = std::exchange(second_, first_);
  EXPECT_EQ(merge(), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(said_.find("itself"), std::string::npos) << said_;
  second_ = kept;

  for (const std::string& there : {first_, second_, folder_}) {
    EXPECT_EQ(
        nd_merge_stores(first_.c_str(), second_.c_str(), there.c_str(), nullptr, nullptr, nullptr, nullptr),
        ND_ERR_INVALID_ARGUMENT);
    EXPECT_NE(std::string(nd_last_error()).find("there already"), std::string::npos) << nd_last_error();
  }
  const auto give_up = [](const nd_merged_page*, const char*, size_t, void*) { return int32_t{1}; };
  EXPECT_EQ(
      nd_merge_stores(first_.c_str(), second_.c_str(), merged_.c_str(), nullptr, give_up, nullptr, nullptr),
      ND_ERR_IO);
  EXPECT_FALSE(std::filesystem::exists(merged_));
  EXPECT_FALSE(std::filesystem::exists(merged_ + ".new"));
  EXPECT_EQ(nd_merge_stores(first_.c_str(), second_.c_str(), nullptr, nullptr, nullptr, nullptr, nullptr),
            ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(merge(), ND_OK) << said_;
}

// Whatever byte is damaged, of either store: an error, or the same store; never a crash, and nothing half
// made.
TEST_F(MergeTest, DamageIsAnError) {
  const auto pages = [&](uint64_t from) {
    for (uint64_t i = from; i < from + 8; ++i) {
      check(i, html(rewritten(article(i % 5), 1, i)));
      // Both generations have what came before it.
      if (i == from + 5) {
        EXPECT_EQ(nd_snapshot(engine_), ND_OK);
      }
    }
  };
  fill(first_, [&] { pages(10); });
  fill(second_, [&] { pages(30); });
  std::mt19937_64 random(7);
  size_t refused = 0, tried = 0;
  for (const bool is_first : {true, false}) {
    const std::string path = is_first ? first_ : second_;
    const Files whole = is_first ? first_files_ : second_files_;
    Files& now = is_first ? first_files_ : second_files_;
    for (const auto& [name, bytes] : whole) {
      if (bytes.empty()) continue;
      for (int i = 0; i < 3; ++i) {
        now = whole;
        now[name][random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
        path_ = path;
        restore(now);
        ++tried;
        const nd_status status = merge();
        refused += status != ND_OK;
        EXPECT_TRUE(status == ND_OK || status == ND_ERR_CORRUPT || status == ND_ERR_UNSUPPORTED_VERSION)
            << name << ": " << said_;
        if (status == ND_OK) {
          EXPECT_EQ(counts_.pages, 16U) << name;
        }
        std::filesystem::remove_all(merged_);
      }
    }
    path_ = path;
    restore(whole);
    now = whole;
  }
  EXPECT_GT(refused, tried / 3);
}

// What a process that was killed has left is removed; what is no store's is not.
TEST_F(MergeTest, AnUnfinishedStoreIsMadeAnew) {
  fill(first_, [&] { check(1); });
  fill(second_, [&] { check(2); });
  std::filesystem::copy(first_, merged_ + ".new");
  ASSERT_EQ(merge(), ND_OK) << said_;
  EXPECT_EQ(counts_.pages, 2U);
  std::filesystem::remove_all(merged_);
  std::filesystem::create_directory(merged_ + ".new");
  path_ = merged_ + ".new";
  write_file("letter.txt", "keep me");
  EXPECT_EQ(
      nd_merge_stores(first_.c_str(), second_.c_str(), merged_.c_str(), nullptr, nullptr, nullptr, nullptr),
      ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(files().at("letter.txt"), "keep me");
}

}  // namespace
}  // namespace nd_test
