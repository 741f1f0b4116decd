// Pages are checked against a store without being added to it.
#include "unit/capi/store_calls_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

class OverlayTest : public CapiStoreTest {
 protected:
  static bool are_same(const nd_result& a, const nd_result& b) {
    return a.verdict == b.verdict && a.flags == b.flags && a.page_id == b.page_id &&
           a.group_id == b.group_id && a.matched_page_id == b.matched_page_id &&
           a.resemblance == b.resemblance && a.probability == b.probability &&
           a.related_group_id == b.related_group_id;
  }
  std::vector<nd_result> check_new_pages() {
    std::vector<nd_result> results;
    for (uint64_t i = 0; i < 12; ++i)
      results.push_back(check(20 + i, html(rewritten(article(i % 8), 1, i)), 5000));
    results.push_back(check(1, article_html(1), 6000));
    results.push_back(check(2, article_html(60), 6000));
    results.push_back(check(40, article_html(60), 6000));
    return results;
  }
};

TEST_F(OverlayTest, AnswersAreThoseOfAWriterAndNothingIsWritten) {
  open();
  for (uint64_t i = 1; i <= 5; ++i)
    check(i);
  EXPECT_EQ(set_bookmark("reader", "place"), ND_OK);
  close();
  const auto before = files();

  open({{"overlay", "true"}});
  const std::vector<nd_result> answers = check_new_pages();
  EXPECT_EQ(stats().pages, 18U);
  const std::string gone = url(3);
  EXPECT_EQ(nd_remove_page(engine_, gone.data(), gone.size()), ND_OK) << nd_last_error();
  EXPECT_EQ(find(3), ND_ERR_NOT_FOUND);
  EXPECT_EQ(bookmark("reader"), "place");
  EXPECT_EQ(set_bookmark("reader", "other"), ND_ERR_READ_ONLY);
  EXPECT_EQ(nd_snapshot(engine_), ND_ERR_READ_ONLY);
  EXPECT_EQ(nd_compact(engine_), ND_ERR_READ_ONLY);
  EXPECT_EQ(nd_refresh(engine_), ND_ERR_INVALID_ARGUMENT);
  close();
  EXPECT_EQ(files(), before);

  open();
  const std::vector<nd_result> expected = check_new_pages();
  ASSERT_EQ(answers.size(), expected.size());
  for (size_t i = 0; i < answers.size(); ++i)
    EXPECT_TRUE(are_same(answers[i], expected[i])) << i;
}

TEST_F(OverlayTest, AWriterMayBeAtWork) {
  open();
  check(1);
  ASSERT_EQ(nd_snapshot(engine_), ND_OK);
  nd_engine* writer = std::exchange(engine_, nullptr);
  nd_engine* overlay = nullptr;
  ASSERT_EQ(open_at(path_, {{"overlay", "true"}}, overlay), ND_OK) << last_error();
  engine_ = overlay;
  EXPECT_EQ(check(11, html(rewritten(article(1), 1, 9))).group_id, 1U);
  engine_ = writer;
  check(2);
  EXPECT_EQ(nd_compact(engine_), ND_OK);
  EXPECT_EQ(nd_compact(engine_), ND_OK);
  EXPECT_EQ(find(11), ND_ERR_NOT_FOUND);
  engine_ = overlay;
  EXPECT_EQ(check(12, html(rewritten(article(1), 1, 8))).group_id, 1U);
  EXPECT_EQ(find(2), ND_ERR_NOT_FOUND) << "it stays at its snapshot";
  EXPECT_EQ(nd_close(writer), ND_OK);
}

TEST_F(OverlayTest, ThereMustBeAStore) {
  EXPECT_EQ(try_open({{"overlay", "true"}}), ND_ERR_NOT_FOUND);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(OverlayTest, OptionsOfTheStoreHold) {
  open({{"same_document", "0.7"}});
  check(1);
  close();
  EXPECT_EQ(try_open({{"overlay", "true"}, {"same_document", "0.6"}}), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(try_open({{"overlay", "true"}}), ND_OK);
}

// As an engine in memory: what has no room is answered, and not kept.
TEST_F(OverlayTest, TheMemoryBudgetHolds) {
  open();
  check(1);
  close();
  open({{"overlay", "true"}, {"memory_budget_bytes", "300000"}});
  for (uint64_t i = 100; i < 400; ++i)
    check(i);
  EXPECT_GT(stats().limit_memory, 0U);
  EXPECT_EQ(check(11, html(rewritten(article(1), 1, 9))).group_id, 1U);
}

}  // namespace
}  // namespace nd_test
