// Stores as their callers meet them: what stays, who may open, options, bookmarks, removal.
#include "unit/capi/store_calls_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

TEST_F(CapiStoreTest, EverythingIsThereWhenOpenedAgain) {
  open();
  const nd_result first = check(1);
  const nd_result second = check(2, html(rewritten(article(1), 1, 9)));
  const std::string gone = url(3);
  check(3);
  ASSERT_EQ(nd_remove_page(engine_, gone.data(), gone.size()), ND_OK);
  ASSERT_EQ(set_bookmark("reader", std::string("a\0b", 3)), ND_OK);
  const std::vector<nd_event> before = events();
  ASSERT_EQ(before.size(), 1U);

  reopen();
  nd_page_info info = ND_PAGE_INFO_INIT;
  ASSERT_EQ(find(2, &info), ND_OK);
  EXPECT_EQ(info.page_id, second.page_id);
  EXPECT_EQ(info.group_id, first.page_id);
  EXPECT_EQ(info.verdict, ND_NEAR);
  EXPECT_EQ(info.matched_page_id, first.page_id);
  EXPECT_EQ(info.resemblance, second.resemblance);
  EXPECT_EQ(info.containment, second.containment);
  EXPECT_NE(info.text_hash, 0U);
  EXPECT_EQ(find(3), ND_ERR_NOT_FOUND);
  EXPECT_EQ(bookmark("reader"), std::string("a\0b", 3));
  ASSERT_EQ(events().size(), 1U);
  EXPECT_EQ(events()[0].sequence, before[0].sequence);
  EXPECT_EQ(check(1).verdict, ND_UNCHANGED);
  EXPECT_EQ(check(4, article_html(1)).verdict, ND_EXACT);
  // The id of the page that was removed is not given again.
  EXPECT_EQ(check(5).page_id, 5U);
  const std::string again = url(1);
  ASSERT_EQ(nd_remove_page(engine_, again.data(), again.size()), ND_OK);
  EXPECT_EQ(events().back().sequence, before[0].sequence + 1);
}

TEST_F(CapiStoreTest, IsNotSettled) {
  open();
  const nd_result first = check(1);
  EXPECT_EQ(nd_settle(engine_, nullptr, nullptr), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(check(1).group_id, first.group_id);
}

// What changes nothing.
TEST_F(CapiStoreTest, AReaderComparesAndRanks) {
  open();
  const nd_result a = check(1), b = check(2, html(rewritten(article(1), 1, 9)));
  nd_result wanted = ND_RESULT_INIT, result = ND_RESULT_INIT;
  ASSERT_EQ(nd_compare_pages(engine_, a.page_id, b.page_id, &wanted), ND_OK);
  reopen({{"read_only", "true"}});
  ASSERT_EQ(nd_compare_pages(engine_, a.page_id, b.page_id, &result), ND_OK) << nd_last_error();
  EXPECT_EQ(result.verdict, ND_NEAR);
  EXPECT_EQ(result.resemblance, wanted.resemblance);
  int32_t similar = 0;
  const auto count = [](const nd_similar_page*, const char*, size_t, void* ctx) {
    ++*static_cast<int32_t*>(ctx);
    return int32_t{0};
  };
  ASSERT_EQ(nd_similar_pages(engine_, a.page_id, 10, count, &similar), ND_OK) << nd_last_error();
  EXPECT_EQ(similar, 1);
}

TEST_F(CapiStoreTest, WhatADeadProcessLeaves) {
  struct Case {
    const char* durability;
    bool without_snapshot;
  };
  for (const Case& each : {Case{"none", false}, {"snapshot", false}, {"journal", true}, {"sync", true}}) {
    SCOPED_TRACE(each.durability);
    std::filesystem::remove_all(path_);
    ASSERT_EQ(in_child([&] {
                open({{"durability", each.durability}});
                check(1);
                set_bookmark("b", "1");
                if (nd_snapshot(engine_) != ND_OK) return 1;
                check(2);
                set_bookmark("b", "2");
                return HasFailure() ? 2 : 0;
              }),
              0);
    open({{"durability", each.durability}});
    EXPECT_EQ(find(1), ND_OK);
    EXPECT_EQ(find(2), each.without_snapshot ? ND_OK : ND_ERR_NOT_FOUND);
    EXPECT_EQ(bookmark("b"), each.without_snapshot ? "2" : "1");
    EXPECT_EQ(check(3).page_id, each.without_snapshot ? 3U : 2U);
    close();
  }
}

TEST_F(CapiStoreTest, ClosingTakesASnapshotUnlessNothingIsPromised) {
  for (const char* durability : {"none", "snapshot", "journal", "sync"}) {
    SCOPED_TRACE(durability);
    std::filesystem::remove_all(path_);
    open({{"durability", durability}});
    check(1);
    close();
    open();
    EXPECT_EQ(find(1), std::string(durability) == "none" ? ND_ERR_NOT_FOUND : ND_OK);
    const uint64_t generation = stats().generation;
    reopen();
    EXPECT_EQ(stats().generation, generation) << "nothing had changed";
    close();
  }
}

TEST_F(CapiStoreTest, HasOneWriter) {
  open();
  EXPECT_EQ(try_open(), ND_ERR_LOCKED);
  EXPECT_NE(last_error().find(path_), std::string::npos) << last_error();
  EXPECT_EQ(in_child([&] {
              nd_engine* other = nullptr;
              return nd_open(path_.c_str(), nullptr, &other) == ND_ERR_LOCKED && other == nullptr ? 0 : 1;
            }),
            0);
  close();
  EXPECT_EQ(try_open(), ND_OK);
}

TEST_F(CapiStoreTest, ReadersSeeTheLastSnapshot) {
  EXPECT_EQ(try_open({{"read_only", "true"}}), ND_ERR_NOT_FOUND);
  EXPECT_FALSE(std::filesystem::exists(path_));
  open();
  check(1);
  ASSERT_EQ(nd_snapshot(engine_), ND_OK);
  check(2);
  nd_engine* const writer = engine_;
  nd_engine* reader = nullptr;
  ASSERT_EQ(open_at(path_, {{"read_only", "true"}}, reader), ND_OK) << last_error();
  engine_ = reader;
  EXPECT_EQ(find(1), ND_OK);
  EXPECT_EQ(find(2), ND_ERR_NOT_FOUND);
  ASSERT_EQ(nd_refresh(reader), ND_OK);
  EXPECT_EQ(find(2), ND_ERR_NOT_FOUND);
  engine_ = writer;
  ASSERT_EQ(nd_snapshot(writer), ND_OK);
  engine_ = reader;
  EXPECT_EQ(find(2), ND_ERR_NOT_FOUND);
  ASSERT_EQ(nd_refresh(reader), ND_OK) << nd_last_error();
  EXPECT_EQ(find(2), ND_OK);
  // A query changes nothing.
  const std::string at = url(7), body = article_html(2);
  const nd_page page = page_of(at, body);
  nd_result result = ND_RESULT_INIT;
  ASSERT_EQ(nd_query_page(reader, &page, &result), ND_OK);
  EXPECT_EQ(result.verdict, ND_EXACT);
  engine_ = writer;
  EXPECT_EQ(nd_refresh(writer), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(nd_close(reader), ND_OK);
}

TEST_F(CapiStoreTest, ReadersChangeNothing) {
  open();
  check(1);
  reopen({{"read_only", "true"}});
  const auto before = files();
  const std::string at = url(1), body = article_html(1);
  const nd_page page = page_of(at, body);
  nd_result result = ND_RESULT_INIT;
  EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_ERR_READ_ONLY);
  const std::string features = features_of(at, body);
  EXPECT_EQ(nd_check_features(engine_, features.data(), features.size(), &result), ND_ERR_READ_ONLY);
  EXPECT_EQ(nd_remove_page(engine_, at.data(), at.size()), ND_ERR_READ_ONLY);
  nd_filter filter = ND_FILTER_INIT;
  filter.fetched_before_ms = 5;
  EXPECT_EQ(nd_remove_matching(engine_, &filter, nullptr), ND_ERR_READ_ONLY);
  EXPECT_EQ(nd_snapshot(engine_), ND_ERR_READ_ONLY);
  EXPECT_EQ(nd_compact(engine_), ND_ERR_READ_ONLY);
  EXPECT_EQ(set_bookmark("b", "1"), ND_ERR_READ_ONLY);
  EXPECT_EQ(bookmark("b"), nd_status_string(ND_ERR_NOT_FOUND));
  close();
  EXPECT_EQ(files(), before);
}

TEST_F(CapiStoreTest, AStoreKeepsTheOptionsItWasMadeWith) {
  open({{"decision", "report"}, {"resemblance", "0.61"}});
  check(1);
  close();
  EXPECT_EQ(try_open(), ND_OK);
  EXPECT_EQ(try_open({{"decision", "report"}, {"resemblance", "0.61"}}), ND_OK);
  EXPECT_EQ(try_open({{"decision", "report"}, {"resemblance", "0.62"}}), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(last_error().find("resemblance"), std::string::npos) << last_error();
  // It is in force: these two resemble each other with about 0.7.
  open();
  check(2, html(article(2, 10)));
  EXPECT_EQ(check(3, html(rewritten(article(2, 10), 3, 9))).verdict, ND_NEW);
  // Options that are not parameters of the algorithm may differ.
  reopen({{"memory_budget_bytes", "100000000"}, {"durability", "sync"}});
}

TEST_F(CapiStoreTest, BookmarksHaveLimits) {
  open();
  EXPECT_EQ(set_bookmark("", "1"), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(set_bookmark(std::string(ND_BOOKMARK_NAME_MAX_SIZE, 'n'), std::string(ND_BOOKMARK_MAX_SIZE, 'd')),
            ND_OK);
  EXPECT_EQ(set_bookmark(std::string(ND_BOOKMARK_NAME_MAX_SIZE + 1, 'n'), "1"), ND_ERR_LIMIT);
  EXPECT_EQ(set_bookmark("n", std::string(ND_BOOKMARK_MAX_SIZE + 1, 'd')), ND_ERR_LIMIT);
  for (int i = 1; i < 1000; ++i)
    ASSERT_EQ(set_bookmark(std::to_string(i), "x"), ND_OK) << i;
  EXPECT_EQ(set_bookmark("one more", "x"), ND_ERR_LIMIT);
  EXPECT_EQ(set_bookmark("7", "y"), ND_OK);
  EXPECT_EQ(set_bookmark("8", ""), ND_OK);
  EXPECT_EQ(set_bookmark("one more", "z"), ND_OK);
  reopen();
  EXPECT_EQ(bookmark("7"), "y");
  EXPECT_EQ(bookmark("8"), nd_status_string(ND_ERR_NOT_FOUND));
  EXPECT_EQ(bookmark("one more"), "z");
  EXPECT_EQ(bookmark(std::string(ND_BOOKMARK_NAME_MAX_SIZE, 'n')), std::string(ND_BOOKMARK_MAX_SIZE, 'd'));
}

// Nothing of a page that was removed and purged stays on the disk when compactions have dropped the earlier
// generations.
TEST_F(CapiStoreTest, PurgedTextsAreNotKept) {
  open();
  const sample::Paragraphs text = article(1);
  const nd_result founder = check(1, html(text));
  check(2, html(rewritten(text, 1, 8)));
  check(3, html(rewritten(text, 1, 9)));
  // A text's record bears the URL it was read from.
  const std::string secret = url(1);
  const auto is_on_disk = [&] {
    for (const auto& [name, bytes] : files()) {
      if (bytes.find(secret) != std::string::npos) return true;
    }
    return false;
  };
  ASSERT_EQ(nd_snapshot(engine_), ND_OK);
  ASSERT_TRUE(is_on_disk()) << "the test looks for something that is never there";
  nd_filter filter = ND_FILTER_INIT;
  filter.flags = ND_REMOVE_PURGE;
  filter.url_prefix = secret.data();
  filter.url_prefix_size = secret.size();
  uint64_t removed = 0;
  ASSERT_EQ(nd_remove_matching(engine_, &filter, &removed), ND_OK) << nd_last_error();
  EXPECT_EQ(removed, 1U);
  ASSERT_FALSE(events().empty());
  bool reelected = false;
  for (const nd_event& event : events())
    reelected |= event.kind == ND_EVENT_REELECTED && event.new_group_id == founder.page_id;
  EXPECT_TRUE(reelected);
  // Two compactions: the generation before the last one is kept as well.
  ASSERT_EQ(nd_compact(engine_), ND_OK) << nd_last_error();
  check(4);
  ASSERT_EQ(nd_compact(engine_), ND_OK) << nd_last_error();
  EXPECT_FALSE(is_on_disk());
  reopen();
  EXPECT_EQ(find(1), ND_ERR_NOT_FOUND);
  EXPECT_EQ(find(2), ND_OK);
  EXPECT_EQ(find(3), ND_OK);
}

TEST_F(CapiStoreTest, OldPagesExpire) {
  constexpr int64_t kNow = 1'700'000'000'000;
  constexpr int64_t kHourMs = 3'600'000;
  open({{"page_ttl_s", "7200"}});
  check(1, article_html(1), kNow);
  check(2, article_html(2), kNow + kHourMs);
  // Fetched again, it is young again.
  check(1, article_html(1), kNow + 2 * kHourMs);
  for (uint64_t number = 3; number < 200; ++number)
    check(number, article_html(number, 1), kNow + 4 * kHourMs);
  ASSERT_EQ(nd_snapshot(engine_), ND_OK);
  EXPECT_EQ(find(2), ND_ERR_NOT_FOUND);
  EXPECT_EQ(find(3), ND_OK);
  EXPECT_GE(stats().expired, 1U);
}

TEST_F(CapiStoreTest, CompactionGivesSpaceBack) {
  open();
  for (uint64_t number = 0; number < 60; ++number)
    check(number);
  ASSERT_EQ(nd_compact(engine_), ND_OK);
  const uint64_t before = stats().bytes_disk;
  nd_filter filter = ND_FILTER_INIT;
  const std::string prefix = "https://www.site1";
  filter.url_prefix = prefix.data();
  filter.url_prefix_size = prefix.size();
  uint64_t removed = 0;
  ASSERT_EQ(nd_remove_matching(engine_, &filter, &removed), ND_OK);
  EXPECT_EQ(removed, 11U);
  ASSERT_EQ(nd_compact(engine_), ND_OK);
  EXPECT_LT(stats().bytes_disk, before - before / 10);
  EXPECT_EQ(stats().pages, 49U);
}

TEST_F(CapiStoreTest, AnEngineInMemoryHasNoStore) {
  ASSERT_EQ(nd_open(nullptr, nullptr, &engine_), ND_OK);
  EXPECT_EQ(nd_snapshot(engine_), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(nd_compact(engine_), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(nd_refresh(engine_), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(set_bookmark("b", "1"), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(bookmark("b"), nd_status_string(ND_ERR_INVALID_ARGUMENT));
  EXPECT_EQ(stats().generation, 0U);
}

}  // namespace
}  // namespace nd_test
