// Every function with NULL, nonsense, older and newer callers.
#include <cstring>
#include <functional>
#include <memory>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

struct Call {
  const char* name;
  nd_status expected;
  std::function<nd_status()> run;
};

void expect_all(const std::vector<Call>& calls) {
  for (const Call& call : calls) {
    EXPECT_EQ(call.run(), call.expected) << call.name << ": " << nd_last_error();
    if (call.expected == ND_OK) {
      EXPECT_STREQ(nd_last_error(), "") << call.name;
    } else {
      EXPECT_STRNE(nd_last_error(), "") << call.name;
      EXPECT_LE(strlen(nd_last_error()), 511U) << call.name;
    }
  }
}

int32_t ignore_page(const nd_page_info*, const char*, size_t, void*) {
  return 0;
}
int32_t ignore_group(const nd_group_info*, void*) {
  return 0;
}
int32_t ignore_similar(const nd_similar_page*, const char*, size_t, void*) {
  return 0;
}
int32_t ignore_event(const nd_event*, void*) {
  return 0;
}

TEST_F(CapiTest, NullIsRefusedEverywhere) {
  const std::string url = "https://a.example/", body = sample::article_html(1),
                    features = features_of(url, body);
  const nd_page page = page_of(url, body);
  nd_result result = ND_RESULT_INIT;
  nd_page_info info = ND_PAGE_INFO_INIT;
  nd_filter filter = ND_FILTER_INIT;
  filter.fetched_before_ms = 1;
  nd_options* options = nullptr;
  ASSERT_EQ(nd_options_new(&options), ND_OK);
  nd_join* join = nullptr;
  ASSERT_EQ(nd_join_new(nullptr, 500, &join), ND_OK);
  nd_reader* reader = nullptr;
  ASSERT_EQ(nd_reader_new(nullptr, &reader), ND_OK);
  Buffer buffer;
  Site site;
  size_t size = 0;
  double similarity = 0;
  nd_bytes bytes = {features.data(), features.size()};
  nd_copy copy = ND_COPY_INIT;
  const nd_status bad = ND_ERR_INVALID_ARGUMENT;
  expect_all({
      {"options_new", bad, [&] { return nd_options_new(nullptr); }},
      {"options_set options", bad, [&] { return nd_options_set(nullptr, "relaxed", "true"); }},
      {"options_set key", bad, [&] { return nd_options_set(options, nullptr, "true"); }},
      {"options_set value", bad, [&] { return nd_options_set(options, "x_relaxed", nullptr); }},
      {"options_get options", bad, [&] { return nd_options_get(nullptr, "relaxed", nullptr, &size); }},
      {"options_get key", bad, [&] { return nd_options_get(options, nullptr, nullptr, &size); }},
      {"options_get size", bad, [&] { return nd_options_get(options, "x_relaxed", nullptr, nullptr); }},
      {"options_describe", bad, [&] { return nd_options_describe(0, nullptr); }},
      {"open", bad, [&] { return nd_open(nullptr, nullptr, nullptr); }},
      {"check_page engine", bad, [&] { return nd_check_page(nullptr, &page, &result); }},
      {"check_page page", bad, [&] { return nd_check_page(engine_, nullptr, &result); }},
      {"check_page result", bad, [&] { return nd_check_page(engine_, &page, nullptr); }},
      {"own_text engine", bad, [&] { return nd_own_text(nullptr, &page, &buffer.raw); }},
      {"own_text page", bad, [&] { return nd_own_text(engine_, nullptr, &buffer.raw); }},
      {"own_text buffer", bad, [&] { return nd_own_text(engine_, &page, nullptr); }},
      {"check_page_text engine", bad,
       [&] { return nd_check_page_text(nullptr, &page, &result, &buffer.raw); }},
      {"check_page_text page", bad,
       [&] { return nd_check_page_text(engine_, nullptr, &result, &buffer.raw); }},
      {"check_page_text result", bad,
       [&] { return nd_check_page_text(engine_, &page, nullptr, &buffer.raw); }},
      {"check_page_text buffer", bad, [&] { return nd_check_page_text(engine_, &page, &result, nullptr); }},
      {"query_page engine", bad, [&] { return nd_query_page(nullptr, &page, &result); }},
      {"query_page page", bad, [&] { return nd_query_page(engine_, nullptr, &result); }},
      {"query_page result", bad, [&] { return nd_query_page(engine_, &page, nullptr); }},
      {"remove_page engine", bad, [&] { return nd_remove_page(nullptr, "u", 1); }},
      {"remove_page url", bad, [&] { return nd_remove_page(engine_, nullptr, 1); }},
      {"remove_matching engine", bad, [&] { return nd_remove_matching(nullptr, &filter, nullptr); }},
      {"remove_matching filter", bad, [&] { return nd_remove_matching(engine_, nullptr, nullptr); }},
      {"snapshot", bad, [&] { return nd_snapshot(nullptr); }},
      {"refresh", bad, [&] { return nd_refresh(nullptr); }},
      {"set_bookmark engine", bad, [&] { return nd_set_bookmark(nullptr, "name", "x", 1); }},
      {"set_bookmark name", bad, [&] { return nd_set_bookmark(engine_, nullptr, "x", 1); }},
      {"get_bookmark engine", bad, [&] { return nd_get_bookmark(nullptr, "name", &buffer.raw); }},
      {"get_bookmark name", bad, [&] { return nd_get_bookmark(engine_, nullptr, &buffer.raw); }},
      {"get_bookmark buffer", bad, [&] { return nd_get_bookmark(engine_, "name", nullptr); }},
      {"find_page engine", bad, [&] { return nd_find_page(nullptr, "u", 1, &info); }},
      {"find_page url", bad, [&] { return nd_find_page(engine_, nullptr, 1, &info); }},
      {"find_page info", bad, [&] { return nd_find_page(engine_, "u", 1, nullptr); }},
      {"get_page engine", bad, [&] { return nd_get_page(nullptr, 1, &info, nullptr, &size); }},
      {"get_page info", bad, [&] { return nd_get_page(engine_, 1, nullptr, nullptr, &size); }},
      {"each_page engine", bad, [&] { return nd_each_page(nullptr, 1, ignore_page, nullptr); }},
      {"each_page callback", bad, [&] { return nd_each_page(engine_, 1, nullptr, nullptr); }},
      {"kept_page engine", bad,
       [&] { return nd_kept_page(nullptr, 1, ND_KEEP_FIRST, &info, nullptr, nullptr); }},
      {"kept_page info", bad,
       [&] { return nd_kept_page(engine_, 1, ND_KEEP_FIRST, nullptr, nullptr, nullptr); }},
      {"kept_page rule", bad, [&] { return nd_kept_page(engine_, 1, 0, &info, nullptr, nullptr); }},
      {"kept_page rule", bad,
       [&] { return nd_kept_page(engine_, 1, ND_KEEP_CANONICAL + 1, &info, nullptr, nullptr); }},
      {"choose_copy copies", bad, [&] { return nd_choose_copy(nullptr, 1, ND_KEEP_FIRST, &size); }},
      {"choose_copy none", bad, [&] { return nd_choose_copy(&copy, 0, ND_KEEP_FIRST, &size); }},
      {"choose_copy rule", bad, [&] { return nd_choose_copy(&copy, 1, 9, &size); }},
      {"choose_copy index", bad, [&] { return nd_choose_copy(&copy, 1, ND_KEEP_FIRST, nullptr); }},
      {"each_group engine", bad, [&] { return nd_each_group(nullptr, ignore_group, nullptr); }},
      {"each_group callback", bad, [&] { return nd_each_group(engine_, nullptr, nullptr); }},
      {"each_event engine", bad, [&] { return nd_each_event(nullptr, 0, ignore_event, nullptr); }},
      {"each_event callback", bad, [&] { return nd_each_event(engine_, 0, nullptr, nullptr); }},
      {"similar_pages engine", bad,
       [&] { return nd_similar_pages(nullptr, 1, 10, ignore_similar, nullptr); }},
      {"similar_pages callback", bad, [&] { return nd_similar_pages(engine_, 1, 10, nullptr, nullptr); }},
      {"similar_pages none", bad, [&] { return nd_similar_pages(engine_, 1, 0, ignore_similar, nullptr); }},
      {"similar_pages many", bad,
       [&] { return nd_similar_pages(engine_, 1, ND_SIMILAR_PAGES_MAX + 1, ignore_similar, nullptr); }},
      {"describe_page page", bad, [&] { return nd_describe_page(nullptr, nullptr, &buffer.raw); }},
      {"describe_page buffer", bad, [&] { return nd_describe_page(&page, nullptr, nullptr); }},
      {"explain engine", bad, [&] { return nd_explain(nullptr, 1, 2, &buffer.raw); }},
      {"explain buffer", bad, [&] { return nd_explain(engine_, 1, 2, nullptr); }},
      {"get_stats engine", bad,
       [&] {
         nd_stats stats{};
         stats.struct_size = sizeof stats;
         return nd_get_stats(nullptr, &stats);
       }},
      {"get_stats stats", bad, [&] { return nd_get_stats(engine_, nullptr); }},
      {"metrics engine", bad, [&] { return nd_metrics(nullptr, &buffer.raw); }},
      {"metrics buffer", bad, [&] { return nd_metrics(engine_, nullptr); }},
      {"extract page", bad, [&] { return nd_extract(nullptr, nullptr, &buffer.raw); }},
      {"extract buffer", bad, [&] { return nd_extract(&page, nullptr, nullptr); }},
      {"features_compute page", bad, [&] { return nd_features_compute(nullptr, nullptr, &buffer.raw); }},
      {"features_compute buffer", bad, [&] { return nd_features_compute(&page, nullptr, nullptr); }},
      {"features_keys features", bad, [&] { return nd_features_keys(nullptr, 10, nullptr, &size); }},
      {"features_keys count", bad,
       [&] { return nd_features_keys(features.data(), features.size(), nullptr, nullptr); }},
      {"features_info features", bad,
       [&] {
         nd_record_info record = ND_RECORD_INFO_INIT;
         return nd_features_info(nullptr, 10, &record);
       }},
      {"features_info info", bad,
       [&] { return nd_features_info(features.data(), features.size(), nullptr); }},
      {"features_parts features", bad, [&] { return nd_features_parts(nullptr, 10, nullptr, &size); }},
      {"features_parts count", bad,
       [&] { return nd_features_parts(features.data(), features.size(), nullptr, nullptr); }},
      {"site_model_new model", bad, [&] { return nd_site_model_new(nullptr); }},
      {"site_model_learn model", bad, [&] { return nd_site_model_learn(nullptr, nullptr, 0); }},
      {"site_model_learn parts", bad, [&] { return nd_site_model_learn(site.model, nullptr, 1); }},
      {"site_model_forget model", bad, [&] { return nd_site_model_forget(nullptr, nullptr, 0); }},
      {"site_model_forget parts", bad, [&] { return nd_site_model_forget(site.model, nullptr, 1); }},
      {"site_model_merge model", bad, [&] { return nd_site_model_merge(nullptr, "", 0); }},
      {"site_model_merge saved", bad, [&] { return nd_site_model_merge(site.model, nullptr, 1); }},
      {"site_model_save model", bad, [&] { return nd_site_model_save(nullptr, nullptr, 0, &buffer.raw); }},
      {"site_model_save parts", bad, [&] { return nd_site_model_save(site.model, nullptr, 1, &buffer.raw); }},
      {"site_model_save buffer", bad, [&] { return nd_site_model_save(site.model, nullptr, 0, nullptr); }},
      {"site_model_weights model", bad,
       [&] { return nd_site_model_weights(nullptr, features.data(), features.size(), nullptr, &size); }},
      {"site_model_weights features", bad,
       [&] { return nd_site_model_weights(site.model, nullptr, 10, nullptr, &size); }},
      {"site_model_weights count", bad,
       [&] { return nd_site_model_weights(site.model, features.data(), features.size(), nullptr, nullptr); }},
      {"features_with_site features", bad,
       [&] { return nd_features_with_site(nullptr, 10, "", 0, &buffer.raw); }},
      {"features_with_site saved", bad,
       [&] { return nd_features_with_site(features.data(), features.size(), nullptr, 1, &buffer.raw); }},
      {"features_with_site buffer", bad,
       [&] { return nd_features_with_site(features.data(), features.size(), "", 0, nullptr); }},
      {"features_representative features", bad,
       [&] { return nd_features_representative(nullptr, 10, nullptr, 0, &buffer.raw); }},
      {"features_representative saved", bad,
       [&] { return nd_features_representative(features.data(), features.size(), nullptr, 1, &buffer.raw); }},
      {"features_representative buffer", bad,
       [&] { return nd_features_representative(features.data(), features.size(), nullptr, 0, nullptr); }},
      {"features_decide a", bad,
       [&] { return nd_features_decide(nullptr, 10, features.data(), features.size(), nullptr, &result); }},
      {"features_decide b", bad,
       [&] { return nd_features_decide(features.data(), features.size(), nullptr, 10, nullptr, &result); }},
      {"features_decide result", bad,
       [&] {
         return nd_features_decide(features.data(), features.size(), features.data(), features.size(),
                                   nullptr, nullptr);
       }},
      {"check_features engine", bad,
       [&] { return nd_check_features(nullptr, features.data(), features.size(), &result); }},
      {"check_features features", bad, [&] { return nd_check_features(engine_, nullptr, 10, &result); }},
      {"check_features result", bad,
       [&] { return nd_check_features(engine_, features.data(), features.size(), nullptr); }},
      {"query_features engine", bad,
       [&] { return nd_query_features(nullptr, features.data(), features.size(), &result); }},
      {"query_features features", bad, [&] { return nd_query_features(engine_, nullptr, 10, &result); }},
      {"query_features result", bad,
       [&] { return nd_query_features(engine_, features.data(), features.size(), nullptr); }},
      {"read_page engine", bad, [&] { return nd_read_page(nullptr, &page, &buffer.raw); }},
      {"read_page page", bad, [&] { return nd_read_page(engine_, nullptr, &buffer.raw); }},
      {"read_page features", bad, [&] { return nd_read_page(engine_, &page, nullptr); }},
      {"learn_features engine", bad,
       [&] { return nd_learn_features(nullptr, features.data(), features.size()); }},
      {"learn_features features", bad, [&] { return nd_learn_features(engine_, nullptr, 10); }},
      {"apply_outcome engine", bad,
       [&] { return nd_apply_outcome(nullptr, features.data(), features.size(), &result, &result); }},
      {"apply_outcome features", bad,
       [&] { return nd_apply_outcome(engine_, nullptr, 10, &result, &result); }},
      {"apply_outcome outcome", bad,
       [&] { return nd_apply_outcome(engine_, features.data(), features.size(), nullptr, &result); }},
      {"apply_outcome result", bad,
       [&] { return nd_apply_outcome(engine_, features.data(), features.size(), &result, nullptr); }},
      {"partition features", bad, [&] { return nd_partition_features(nullptr, 1, nullptr, &result); }},
      {"partition results", bad, [&] { return nd_partition_features(&bytes, 1, nullptr, nullptr); }},
      {"partition none", ND_OK, [&] { return nd_partition_features(nullptr, 0, nullptr, nullptr); }},
      {"join_new join", bad, [&] { return nd_join_new(nullptr, 500, nullptr); }},
      {"join_new threshold", bad,
       [&] {
         nd_join* made = join;
         const nd_status status = nd_join_new(nullptr, 1001, &made);
         EXPECT_EQ(made, nullptr);
         return status;
       }},
      {"join_add features", bad, [&] { return nd_join_add(join, nullptr, 10, nullptr); }},
      {"join_earlier page", bad, [&] { return nd_join_earlier(join, 0, &buffer.raw); }},
      {"join_find features", bad, [&] { return nd_join_find(join, nullptr, 10, &buffer.raw); }},
      {"join_add join", bad, [&] { return nd_join_add(nullptr, features.data(), features.size(), nullptr); }},
      {"join_earlier join", bad, [&] { return nd_join_earlier(nullptr, 0, &buffer.raw); }},
      {"join_earlier matches", bad, [&] { return nd_join_earlier(join, 0, nullptr); }},
      {"join_find join", bad,
       [&] { return nd_join_find(nullptr, features.data(), features.size(), &buffer.raw); }},
      {"reader_new reader", bad, [&] { return nd_reader_new(nullptr, nullptr); }},
      {"reader_extract reader", bad, [&] { return nd_reader_extract(nullptr, &page, &buffer.raw); }},
      {"reader_extract page", bad, [&] { return nd_reader_extract(reader, nullptr, &buffer.raw); }},
      {"reader_extract json", bad, [&] { return nd_reader_extract(reader, &page, nullptr); }},
      {"reader_describe reader", bad, [&] { return nd_reader_describe(nullptr, &page, &buffer.raw); }},
      {"reader_features reader", bad, [&] { return nd_reader_features(nullptr, &page, &buffer.raw); }},
      {"reader_features page", bad, [&] { return nd_reader_features(reader, nullptr, &buffer.raw); }},
      {"reader_features bytes", bad, [&] { return nd_reader_features(reader, &page, nullptr); }},
      {"reader_signature reader", bad, [&] { return nd_reader_signature(nullptr, &page, nullptr, &size); }},
      {"reader_signature page", bad, [&] { return nd_reader_signature(reader, nullptr, nullptr, &size); }},
      {"reader_signature size", bad, [&] { return nd_reader_signature(reader, &page, nullptr, nullptr); }},
      {"signature_compute page", bad, [&] { return nd_signature_compute(nullptr, nullptr, nullptr, &size); }},
      {"signature_compute size", bad, [&] { return nd_signature_compute(&page, nullptr, nullptr, nullptr); }},
      {"signature_keys signature", bad, [&] { return nd_signature_keys(nullptr, 127, nullptr, &size); }},
      {"signature_keys count", bad, [&] { return nd_signature_keys(nullptr, 0, nullptr, nullptr); }},
      {"signature_compare a", bad,
       [&] { return nd_signature_compare(nullptr, 127, nullptr, 0, &similarity); }},
      {"signature_compare b", bad,
       [&] { return nd_signature_compare(nullptr, 0, nullptr, 127, &similarity); }},
      {"signature_compare out", bad, [&] { return nd_signature_compare(nullptr, 0, nullptr, 0, nullptr); }},
      {"set_logger", bad, [&] { return nd_set_logger(nullptr, nullptr, nullptr); }},
      {"repair_store path", bad, [&] { return nd_repair_store(nullptr, "b", nullptr, nullptr, nullptr); }},
      {"repair_store new_path", bad, [&] { return nd_repair_store("a", "", nullptr, nullptr, nullptr); }},
      {"repair_store out", bad,
       [&] {
         nd_repair_counts repair{};
         return nd_repair_store("a", "b", nullptr, nullptr, &repair);
       }},
      {"options_set_logger", bad, [&] { return nd_options_set_logger(nullptr, nullptr, nullptr); }},
      {"close", ND_OK, [&] { return nd_close(nullptr); }},
      {"set_allocator", bad, [&] { return nd_set_allocator(nullptr); }},
  });
  nd_options_free(nullptr);
  nd_buffer_free(nullptr);
  nd_join_free(join);
  nd_reader_free(reader);
  nd_reader_free(nullptr);
  nd_options_free(options);
}

TEST_F(CapiTest, NothingOfARefusedCallReachesTheEngine) {
  const std::string body = sample::article_html(1);
  const std::string url = "https://a.example/";
  nd_page page = page_of(url, body);
  page.flags = 2;
  nd_result result = ND_RESULT_INIT;
  EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_ERR_UNSUPPORTED_VERSION);
  EXPECT_EQ(stats().pages, 0U);
  EXPECT_EQ(stats().checks, 0U);
}

TEST_F(CapiTest, StringsMayBeNullWhereTheyAreEmpty) {
  nd_page page = ND_PAGE_INIT;
  nd_result result = ND_RESULT_INIT;
  EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_OK);
  EXPECT_EQ(result.verdict, ND_NO_TEXT);
  EXPECT_EQ(nd_remove_page(engine_, nullptr, 0), ND_ERR_NOT_FOUND);
  nd_page_info info = ND_PAGE_INFO_INIT;
  EXPECT_EQ(nd_find_page(engine_, nullptr, 0, &info), ND_ERR_NOT_FOUND);
}

TEST_F(CapiTest, ImpossiblePagesAreRefused) {
  const std::string body = "<p>x</p>", url = "https://a.example/", long_url((1U << 20) + 1, 'u');
  nd_result result = ND_RESULT_INIT;
  Buffer buffer;
  uint8_t signature[127];
  const auto expect = [&](const nd_page& page, nd_status status) {
    size_t size = sizeof signature;
    EXPECT_EQ(nd_check_page(engine_, &page, &result), status);
    EXPECT_EQ(nd_query_page(engine_, &page, &result), status);
    EXPECT_EQ(nd_own_text(engine_, &page, &buffer.raw), status);
    EXPECT_EQ(nd_check_page_text(engine_, &page, &result, &buffer.raw), status);
    EXPECT_EQ(nd_extract(&page, nullptr, &buffer.raw), status);
    EXPECT_EQ(nd_features_compute(&page, nullptr, &buffer.raw), status);
    EXPECT_EQ(nd_signature_compute(&page, nullptr, signature, &size), status);
    if (status != ND_OK) {
      EXPECT_TRUE(is_empty(result));
      EXPECT_EQ(buffer.raw.size, 0U);
      EXPECT_EQ(size, 0U);
    }
  };
  nd_page page = page_of(url, body);
  expect(page, ND_OK);
  page.fetched_at_ms = -1;
  expect(page, ND_ERR_INVALID_ARGUMENT);
  page = page_of(long_url, body);
  expect(page, ND_ERR_INVALID_ARGUMENT);
  page.url_size -= 1;
  expect(page, ND_OK);
  page = page_of(url, body);
  page.url = nullptr;
  expect(page, ND_ERR_INVALID_ARGUMENT);
  page = page_of(url, body);
  page.body = nullptr;
  expect(page, ND_ERR_INVALID_ARGUMENT);
  page = page_of(url, body);
  page.content_type_size = 5;
  expect(page, ND_ERR_INVALID_ARGUMENT);
  for (uint32_t bit = 1; bit < 32; ++bit) {
    page = page_of(url, body);
    page.flags = 1U << bit;
    expect(page, ND_ERR_UNSUPPORTED_VERSION);
  }
}

TEST_F(CapiTest, TheFetchersCutIsFlagged) {
  const std::string url = "https://a.example/", body = sample::article_html(1);
  nd_page page = page_of(url, body);
  page.flags = ND_PAGE_TRUNCATED;
  nd_result result = ND_RESULT_INIT;
  EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_OK);
  EXPECT_EQ(result.flags, uint32_t{ND_FLAG_TRUNCATED});
}

TEST_F(CapiTest, AResultThatIsTooSmallOrWasNeverSetIsRefused) {
  const std::string url = "https://a.example/", body = sample::article_html(1);
  const nd_page page = page_of(url, body);
  const auto least = static_cast<uint32_t>(sizeof(nd_result));
  for (const uint32_t size : {0U, 56U, least - 1, 0xa5a5a5a5U}) {
    nd_result result = filled_with_garbage<nd_result>();
    result.struct_size = size;
    EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_ERR_INVALID_ARGUMENT) << size;
    EXPECT_EQ(result.struct_size, size);
    EXPECT_EQ(result.related_group_id, filled_with_garbage<nd_result>().related_group_id) << "untouched";
  }
}

TEST_F(CapiTest, ANewerCallersOutputsAreZeroedBehindWhatIsKnown) {
  struct {
    nd_result result;
    unsigned char newer[24];
  } memory;
  memset(&memory, 0xa5, sizeof memory);
  memory.result.struct_size = sizeof memory;
  const std::string url = "https://a.example/", body = sample::article_html(1);
  const nd_page page = page_of(url, body);
  EXPECT_EQ(nd_check_page(engine_, &page, &memory.result), ND_OK);
  EXPECT_EQ(memory.result.struct_size, sizeof memory) << "never written back";
  EXPECT_EQ(memory.result.verdict, ND_NEW);
  EXPECT_TRUE(is_zero(memory.newer, sizeof memory.newer));
  struct {
    nd_stats stats;
    unsigned char newer[64];
  } statistics;
  memset(&statistics, 0xa5, sizeof statistics);
  statistics.stats.struct_size = sizeof statistics;
  EXPECT_EQ(nd_get_stats(engine_, &statistics.stats), ND_OK);
  EXPECT_EQ(statistics.stats.pages, 1U);
  EXPECT_TRUE(is_zero(statistics.newer, sizeof statistics.newer));
}

TEST_F(CapiTest, ANewerCallersPageIsTakenIfItAsksNothingNew) {
  struct {
    nd_page page;
    unsigned char newer[32];
  } memory{};
  const std::string url = "https://a.example/", body = sample::article_html(1);
  memory.page = page_of(url, body);
  memory.page.struct_size = sizeof memory;
  nd_result result = ND_RESULT_INIT;
  EXPECT_EQ(nd_check_page(engine_, &memory.page, &result), ND_OK);
  for (size_t i : {size_t{0}, sizeof memory.newer - 1}) {
    memory.newer[i] = 1;
    EXPECT_EQ(nd_check_page(engine_, &memory.page, &result), ND_ERR_UNSUPPORTED_VERSION) << i;
    EXPECT_TRUE(is_empty(result));
    memory.newer[i] = 0;
  }
  struct {
    nd_filter filter;
    uint64_t newer;
  } filter{};
  filter.filter.struct_size = sizeof filter;
  filter.filter.fetched_before_ms = 1;
  EXPECT_EQ(nd_remove_matching(engine_, &filter.filter, nullptr), ND_OK);
  filter.newer = 1;
  EXPECT_EQ(nd_remove_matching(engine_, &filter.filter, nullptr), ND_ERR_UNSUPPORTED_VERSION);
  filter.newer = 0;
  filter.filter.flags = 2;
  EXPECT_EQ(nd_remove_matching(engine_, &filter.filter, nullptr), ND_ERR_UNSUPPORTED_VERSION);
}

// Nobody was compiled with less than the page of 2.0.0.
TEST_F(CapiTest, APageIsAtLeastThatOfTheFirstVersion) {
  const std::string url = "https://a.example/", body = sample::article_html(1);
  nd_page page = page_of(url, body);
  nd_result result = ND_RESULT_INIT;
  page.struct_size = 64;
  EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_OK);
  EXPECT_EQ(result.verdict, ND_NEW);
  page.struct_size = 63;
  EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_ERR_INVALID_ARGUMENT);
}

TEST_F(CapiTest, OutputsAreEmptyAfterFailure) {
  const std::string garbage = "this is no record", url = "https://a.example/";
  nd_result result = filled_with_garbage<nd_result>();
  const nd_page page = page_of(url, garbage);
  EXPECT_EQ(nd_check_page_text(engine_, &page, &result, nullptr), ND_ERR_INVALID_ARGUMENT);
  EXPECT_TRUE(is_empty(result));
  result = filled_with_garbage<nd_result>();
  EXPECT_EQ(nd_check_page(engine_, nullptr, &result), ND_ERR_INVALID_ARGUMENT);
  EXPECT_TRUE(is_empty(result));
  result = filled_with_garbage<nd_result>();
  EXPECT_EQ(
      nd_features_decide(garbage.data(), garbage.size(), garbage.data(), garbage.size(), nullptr, &result),
      ND_ERR_CORRUPT);
  EXPECT_TRUE(is_empty(result));
  result = filled_with_garbage<nd_result>();
  EXPECT_EQ(nd_check_features(engine_, garbage.data(), garbage.size(), &result), ND_ERR_CORRUPT);
  EXPECT_TRUE(is_empty(result));
  nd_page_info info = filled_with_garbage<nd_page_info>();
  EXPECT_EQ(nd_find_page(engine_, "nowhere", 7, &info), ND_ERR_NOT_FOUND);
  EXPECT_TRUE(is_empty(info));
  info = filled_with_garbage<nd_page_info>();
  size_t size = 100;
  char text[100];
  EXPECT_EQ(nd_get_page(engine_, 77, &info, text, &size), ND_ERR_NOT_FOUND);
  EXPECT_TRUE(is_empty(info));
  EXPECT_EQ(size, 0U);
  nd_stats stats = filled_with_garbage<nd_stats>();
  EXPECT_EQ(nd_get_stats(nullptr, &stats), ND_ERR_INVALID_ARGUMENT);
  EXPECT_TRUE(is_empty(stats));
  nd_option_info option = filled_with_garbage<nd_option_info>();
  EXPECT_EQ(nd_options_describe(100000, &option), ND_ERR_NOT_FOUND);
  EXPECT_TRUE(is_empty(option));
  uint64_t removed = 99;
  EXPECT_EQ(nd_remove_matching(engine_, nullptr, &removed), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(removed, 0U);
  uint64_t keys[100];
  size = 100;
  EXPECT_EQ(nd_features_keys(garbage.data(), garbage.size(), keys, &size), ND_ERR_CORRUPT);
  EXPECT_EQ(size, 0U);
  size = 100;
  EXPECT_EQ(nd_features_parts(garbage.data(), garbage.size(), keys, &size), ND_ERR_CORRUPT);
  EXPECT_EQ(size, 0U);
  size = 100;
  EXPECT_EQ(nd_signature_keys(reinterpret_cast<const uint8_t*>(garbage.data()), garbage.size(), keys, &size),
            ND_ERR_CORRUPT);
  EXPECT_EQ(size, 0U);
  double similarity = 5;
  EXPECT_EQ(nd_signature_compare(reinterpret_cast<const uint8_t*>(garbage.data()), garbage.size(), nullptr, 1,
                                 &similarity),
            ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(similarity, 0);
  nd_options* options = nullptr;
  ASSERT_EQ(nd_options_new(&options), ND_OK);
  size = 100;
  EXPECT_EQ(nd_options_get(options, "no such", text, &size), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(size, 0U);
  nd_options_free(options);
  auto* engine = reinterpret_cast<nd_engine*>(&size);
  EXPECT_EQ(nd_open("/nowhere/store", nullptr, &engine), ND_ERR_IO) << "its parents are not made";
  EXPECT_EQ(engine, nullptr);
  Buffer buffer;
  ASSERT_EQ(nd_metrics(engine_, &buffer.raw), ND_OK);
  ASSERT_GT(buffer.raw.size, 0U);
  const size_t capacity = buffer.raw.capacity;
  EXPECT_EQ(nd_explain(engine_, 1, 2, &buffer.raw), ND_ERR_NOT_FOUND);
  EXPECT_EQ(buffer.raw.size, 0U);
  EXPECT_EQ(buffer.raw.capacity, capacity) << "kept for the next call";
  EXPECT_STREQ(buffer.raw.data, "");
}

TEST_F(CapiTest, BuffersAreReusedAndFreed) {
  Buffer buffer;
  ASSERT_EQ(nd_metrics(engine_, &buffer.raw), ND_OK);
  EXPECT_EQ(strlen(buffer.raw.data), buffer.raw.size);
  EXPECT_GT(buffer.raw.capacity, buffer.raw.size);
  const char* data = buffer.raw.data;
  ASSERT_EQ(nd_metrics(engine_, &buffer.raw), ND_OK);
  EXPECT_EQ(buffer.raw.data, data);
  nd_buffer_free(&buffer.raw);
  EXPECT_TRUE(is_empty(buffer.raw));
  EXPECT_EQ(buffer.raw.struct_size, sizeof(nd_buffer));
  nd_buffer_free(&buffer.raw);
  ASSERT_EQ(nd_metrics(engine_, &buffer.raw), ND_OK);

  nd_buffer wrong = ND_BUFFER_INIT;
  wrong.struct_size = 0;
  EXPECT_EQ(nd_metrics(engine_, &wrong), ND_ERR_INVALID_ARGUMENT);
  wrong = ND_BUFFER_INIT;
  wrong.capacity = 100;
  EXPECT_EQ(nd_metrics(engine_, &wrong), ND_ERR_INVALID_ARGUMENT);
  wrong = ND_BUFFER_INIT;
  wrong.reserved = 1;
  EXPECT_EQ(nd_metrics(engine_, &wrong), ND_ERR_UNSUPPORTED_VERSION);
  char not_ours[4];
  wrong = ND_BUFFER_INIT;
  wrong.data = not_ours;
  EXPECT_EQ(nd_metrics(engine_, &wrong), ND_ERR_INVALID_ARGUMENT);
}

TEST_F(CapiTest, TheLastErrorIsOfTheLastCallOfThisThread) {
  EXPECT_STREQ(nd_last_error(), "");
  EXPECT_EQ(nd_remove_page(engine_, "nowhere", 7), ND_ERR_NOT_FOUND);
  EXPECT_STRNE(nd_last_error(), "");
  nd_version();
  nd_version_string();
  nd_status_string(ND_ERR_IO);
  nd_buffer_free(nullptr);
  EXPECT_STRNE(nd_last_error(), "") << "calls that cannot fail leave it";
  stats();
  EXPECT_STREQ(nd_last_error(), "");
}

TEST_F(CapiTest, StoresAreRefusedWithAWord) {
  nd_engine* engine = nullptr;
  EXPECT_EQ(nd_open("", nullptr, &engine), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nd_last_error()).find("path"), std::string::npos) << nd_last_error();
  Buffer buffer;
  for (const nd_status status :
       {nd_snapshot(engine_), nd_refresh(engine_), nd_set_bookmark(engine_, "name", "data", 4),
        nd_set_bookmark(engine_, "name", nullptr, 0), nd_get_bookmark(engine_, "name", &buffer.raw)}) {
    EXPECT_EQ(status, ND_ERR_INVALID_ARGUMENT);
    EXPECT_NE(std::string(nd_last_error()).find("in memory"), std::string::npos) << nd_last_error();
  }
  EXPECT_EQ(nd_set_bookmark(engine_, "name", nullptr, 3), ND_ERR_INVALID_ARGUMENT);
}

TEST_F(CapiTest, TheAllocatorIsRefusedAfterAnyCall) {
  nd_allocator allocator = ND_ALLOCATOR_INIT;
  allocator.malloc_fn = [](size_t, void*) -> void* { return nullptr; };
  allocator.realloc_fn = [](void*, size_t, void*) -> void* { return nullptr; };
  allocator.free_fn = [](void*, void*) {};
  EXPECT_EQ(nd_set_allocator(&allocator), ND_ERR_INVALID_ARGUMENT);
  EXPECT_STRNE(nd_last_error(), "");
  check("https://a.example/", sample::article_html(1));
}

TEST(CapiVersionTest, NumbersAndTextAgree) {
  EXPECT_EQ(nd_version(), uint32_t{(ND_VERSION_MAJOR << 16) | (ND_VERSION_MINOR << 8) | ND_VERSION_PATCH});
  EXPECT_EQ(nd_version_string(), std::to_string(ND_VERSION_MAJOR) + "." + std::to_string(ND_VERSION_MINOR) +
                                     "." + std::to_string(ND_VERSION_PATCH));
}

TEST(CapiVersionTest, EveryStatusHasAName) {
  std::vector<std::string> names;
  for (nd_status status = 0; status >= ND_ERR_INTERNAL; --status)
    names.emplace_back(nd_status_string(status));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
  for (nd_status status : {1, -11, INT32_MIN, INT32_MAX})
    EXPECT_STREQ(nd_status_string(status), "unknown status");
}

}  // namespace
}  // namespace nd_test
