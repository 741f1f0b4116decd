// A store that is told what another engine decided knows what that one knows: the other engine is the oracle.
#include <cstring>
#include <limits>

#include "unit/capi/store_calls_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

// All that is listed of an engine, in text.
std::string listed(nd_engine* engine) {
  std::string out;
  const auto add_page = [](const nd_page_info* info, const char* at, size_t size, void* ctx) {
    const auto shares = {info->resemblance, info->containment, info->probability};
    std::string line = std::to_string(info->page_id) + " " + std::string(at, size);
    for (const uint64_t number :
         {uint64_t(info->verdict), uint64_t{info->flags}, info->group_id, uint64_t(info->first_fetched_at_ms),
          uint64_t(info->last_fetched_at_ms), info->text_width, info->text_hash, info->matched_page_id,
          info->related_group_id})
      line += " " + std::to_string(number);
    for (const double share : shares)
      line += " " + std::to_string(share);
    static_cast<std::string*>(ctx)->append(line + "\n");
    return int32_t{0};
  };
  const auto add_group = [](const nd_group_info* info, void* ctx) {
    auto& groups = *static_cast<std::vector<nd_group_info>*>(ctx);
    groups.push_back(*info);
    return int32_t{0};
  };
  const auto add_event = [](const nd_event* event, void* ctx) {
    static_cast<std::string*>(ctx)->append(
        "event " + std::to_string(event->kind) + " " + std::to_string(event->page_id) + " " +
        std::to_string(event->old_group_id) + " " + std::to_string(event->new_group_id) + "\n");
    return int32_t{0};
  };
  std::vector<nd_group_info> groups;
  EXPECT_EQ(nd_each_group(engine, add_group, &groups), ND_OK);
  for (const nd_group_info& group : groups) {
    out += "group " + std::to_string(group.group_id) + " " + std::to_string(group.representative_page_id) +
           " " + std::to_string(group.tombstone) + " " + std::to_string(group.page_count) + "\n";
    EXPECT_EQ(nd_each_page(engine, group.group_id, add_page, &out), ND_OK);
  }
  EXPECT_EQ(nd_each_event(engine, 0, add_event, &out), ND_OK);
  return out;
}

class ApplyOutcomeTest : public CapiStoreTest {
 protected:
  struct Entry {
    std::string features;
    nd_result outcome;
  };

  void SetUp() override {
    CapiStoreTest::SetUp();
    ASSERT_EQ(nd_open(nullptr, nullptr, &elsewhere_), ND_OK);
    open();
  }
  void TearDown() override {
    nd_close(elsewhere_);
    CapiStoreTest::TearDown();
  }

  // A page decided elsewhere, as a log has it.
  Entry decide_elsewhere(const std::string& at, const std::string& body, int64_t fetched_at_ms) {
    const nd_page page = page_of(at, body, fetched_at_ms);
    Buffer bytes;
    EXPECT_EQ(nd_features_compute(&page, nullptr, &bytes.raw), ND_OK);
    Entry entry{bytes.text(), ND_RESULT_INIT};
    EXPECT_EQ(nd_check_features(elsewhere_, bytes.raw.data, bytes.raw.size, &entry.outcome), ND_OK);
    nd_page_info info = ND_PAGE_INFO_INIT;
    EXPECT_EQ(nd_find_page(elsewhere_, at.data(), at.size(), &info), ND_OK);
    entry.outcome.verdict = info.verdict;
    entry.outcome.probability = info.probability;
    entry.outcome.related_group_id = info.related_group_id;
    const bool joined = info.verdict == ND_EXACT || info.verdict == ND_NEAR;
    entry.outcome.group_id = joined ? info.group_id : 0;
    return entry;
  }

  nd_status apply(const Entry& entry, nd_result& result) {
    return nd_apply_outcome(engine_, entry.features.data(), entry.features.size(), &entry.outcome, &result);
  }
  void apply(const Entry& entry) {
    nd_result result = ND_RESULT_INIT;
    ASSERT_EQ(apply(entry, result), ND_OK) << nd_last_error();
  }

  // Copies, edits, other pages and pages without text; half of them fetched again, some with another text.
  std::vector<Entry> decide_many() {
    std::vector<Entry> log;
    for (uint64_t i = 0; i < 90; ++i) {
      const uint64_t page = i % 60;
      const uint64_t seed = i >= 60 && i % 4 == 0 ? page + 1 : page;
      const std::string body = page % 17 == 16 ? "" : html(rewritten(article(seed % 12), seed / 12, seed));
      log.push_back(decide_elsewhere(url(page), body, static_cast<int64_t>(1000 + i)));
    }
    return log;
  }

  nd_engine* elsewhere_ = nullptr;
};

TEST_F(ApplyOutcomeTest, WhatIsToldIsListedAsWhereItWasDecided) {
  const std::vector<Entry> log = decide_many();
  for (const Entry& entry : log)
    apply(entry);
  const std::string expected = listed(elsewhere_);
  EXPECT_NE(expected.find("event 1 "), std::string::npos) << "a page moved";
  EXPECT_EQ(listed(engine_), expected);
  reopen();
  EXPECT_EQ(listed(engine_), expected) << "from the journal or a snapshot";
}

TEST_F(ApplyOutcomeTest, ALogThatComesTwiceChangesNothing) {
  std::vector<Entry> log;
  for (uint64_t i = 0; i < 30; ++i)
    log.push_back(decide_elsewhere(url(i), html(rewritten(article(i % 7), i / 7, i)), 1000));
  for (const Entry& entry : log)
    apply(entry);
  const std::string once = listed(engine_);
  for (const Entry& entry : log) {
    nd_result result = ND_RESULT_INIT;
    ASSERT_EQ(apply(entry, result), ND_OK) << nd_last_error();
    EXPECT_EQ(result.verdict, ND_UNCHANGED);
  }
  EXPECT_EQ(listed(engine_), once);
}

// Nothing here would find the two alike, nor does anything keep them apart but what was told.
TEST_F(ApplyOutcomeTest, NothingIsComparedHere) {
  const Entry founder = decide_elsewhere(url(1), article_html(1), 1000);
  Entry other = decide_elsewhere(url(2), article_html(2), 1000);
  const Entry copy = decide_elsewhere(url(3), article_html(1), 1000);
  nd_result result = ND_RESULT_INIT;
  ASSERT_EQ(apply(founder, result), ND_OK);
  const uint64_t group = result.group_id;
  other.outcome.verdict = ND_NEAR;
  other.outcome.group_id = group;
  other.outcome.resemblance = 0.25;
  other.outcome.probability = 0.75;
  ASSERT_EQ(apply(other, result), ND_OK) << nd_last_error();
  EXPECT_EQ(result.verdict, ND_NEAR);
  EXPECT_EQ(result.group_id, group);
  EXPECT_EQ(result.matched_page_id, group);
  EXPECT_EQ(result.resemblance, 0.25);
  EXPECT_EQ(result.probability, 0.75);
  Entry apart = copy;
  apart.outcome = ND_RESULT_INIT;
  apart.outcome.verdict = ND_NEW;
  apart.outcome.probability = 0.125;
  apart.outcome.related_group_id = group;
  ASSERT_EQ(apply(apart, result), ND_OK) << nd_last_error();
  EXPECT_EQ(result.group_id, result.page_id);
  EXPECT_EQ(result.related_group_id, group);
  EXPECT_EQ(result.probability, 0.125);
  // Decided again: it moves, although its text is what it was.
  const uint64_t before = result.page_id;
  ASSERT_EQ(apply(copy, result), ND_OK) << nd_last_error();
  EXPECT_EQ(result.group_id, group);
  EXPECT_NE(result.page_id, before);
  EXPECT_EQ(result.flags & ND_FLAG_REGROUPED, uint32_t{ND_FLAG_REGROUPED});
  // Equal to a page that is not named: not to the representative.
  Entry unnamed = decide_elsewhere(url(5), article_html(5), 1000);
  unnamed.outcome.verdict = ND_EXACT;
  unnamed.outcome.group_id = group;
  ASSERT_EQ(apply(unnamed, result), ND_OK) << nd_last_error();
  EXPECT_EQ(result.verdict, ND_EXACT);
  EXPECT_EQ(result.matched_page_id, 0U);
  ASSERT_EQ(nd_remove_page(engine_, url(5).data(), url(5).size()), ND_OK);
  // And the founder leaves its group, which keeps its text.
  Entry leaving = founder;
  leaving.outcome.verdict = ND_NEAR;
  ASSERT_EQ(apply(other, result), ND_OK);
  Entry third = decide_elsewhere(url(4), article_html(4), 1000);
  ASSERT_EQ(apply(third, result), ND_OK);
  leaving.outcome.group_id = result.group_id;
  ASSERT_EQ(apply(leaving, result), ND_OK) << nd_last_error();
  EXPECT_EQ(result.group_id, leaving.outcome.group_id);
  const std::string now = listed(engine_);
  EXPECT_NE(now.find("group " + std::to_string(group) + " 0 1 2"), std::string::npos) << now;
}

TEST_F(ApplyOutcomeTest, WhatWasToldIsExplainedAndPurged) {
  const std::vector<Entry> log = decide_many();
  for (const Entry& entry : log)
    apply(entry);
  Buffer here, there;
  nd_page_info info = ND_PAGE_INFO_INIT;
  ASSERT_EQ(nd_find_page(engine_, url(13).data(), url(13).size(), &info), ND_OK);
  ASSERT_NE(info.matched_page_id, 0U);
  ASSERT_EQ(nd_explain(engine_, info.matched_page_id, info.page_id, &here.raw), ND_OK) << nd_last_error();
  ASSERT_EQ(nd_explain(elsewhere_, info.matched_page_id, info.page_id, &there.raw), ND_OK);
  EXPECT_EQ(here.text(), there.text());
  nd_filter filter = ND_FILTER_INIT;
  filter.flags = ND_REMOVE_PURGE;
  filter.fetched_before_ms = 1040;
  for (nd_engine* engine : {engine_, elsewhere_}) {
    uint64_t removed = 0;
    ASSERT_EQ(nd_remove_matching(engine, &filter, &removed), ND_OK);
    EXPECT_GT(removed, 5U);
  }
  EXPECT_EQ(listed(engine_), listed(elsewhere_));
}

TEST_F(ApplyOutcomeTest, OutcomesThatCannotBeAreRefused) {
  const Entry good = decide_elsewhere(url(1), article_html(1), 1000);
  const Entry empty = decide_elsewhere(url(2), "", 1000);
  apply(good);
  const std::string before = listed(engine_);
  nd_result result = ND_RESULT_INIT;
  const auto refused = [&](Entry entry, const std::function<void(nd_result&)>& spoil) {
    spoil(entry.outcome);
    result = filled_with_garbage<nd_result>();
    const nd_status status = apply(entry, result);
    EXPECT_TRUE(is_empty(result));
    EXPECT_EQ(listed(engine_), before);
    return status;
  };
  for (const int32_t verdict : {0, int32_t{ND_UNCHANGED}, int32_t{ND_NO_TEXT}, int32_t{ND_NEAR}, 77, -1})
    EXPECT_EQ(refused(good, [&](nd_result& out) { out.verdict = verdict; }), ND_ERR_INVALID_ARGUMENT)
        << verdict;
  EXPECT_EQ(refused(empty, [](nd_result& out) { out.verdict = ND_NEW; }), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(refused(good, [](nd_result& out) { out.group_id = 1; }), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(refused(empty,
                    [](nd_result& out) {
                      out.verdict = ND_NEAR;
                      out.group_id = 1;
                    }),
            ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(refused(good,
                    [](nd_result& out) {
                      out.verdict = ND_NEAR;
                      out.group_id = 99;
                    }),
            ND_ERR_NOT_FOUND);
  for (const double share : {-0.5, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(refused(good, [&](nd_result& out) { out.probability = share; }), ND_ERR_INVALID_ARGUMENT);
    EXPECT_EQ(refused(good, [&](nd_result& out) { out.matched_coverage = share; }), ND_ERR_INVALID_ARGUMENT);
  }
  EXPECT_EQ(refused(good, [](nd_result& out) { out.struct_size = 8; }), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(refused(good, [](nd_result& out) { out.flags = 1 << 10; }), ND_ERR_UNSUPPORTED_VERSION);
  EXPECT_EQ(refused(good, [](nd_result& out) { out.reserved = 1; }), ND_ERR_UNSUPPORTED_VERSION);
  Entry damaged = good;
  damaged.features.back() ^= 1;
  EXPECT_EQ(refused(damaged, [](nd_result&) {}), ND_ERR_CORRUPT);
  reopen({{"read_only", "true"}});
  EXPECT_EQ(refused(good, [](nd_result&) {}), ND_ERR_READ_ONLY);
  EXPECT_EQ(nd_query_features(engine_, good.features.data(), good.features.size(), &result), ND_OK);
  EXPECT_EQ(result.verdict, ND_UNCHANGED) << "a reader answers";
}

}  // namespace
}  // namespace nd_test
