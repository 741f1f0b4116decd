// Pages, groups, events, statistics, metrics, explanations; callbacks and the logger.
#include <unistd.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include <sys/wait.h>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

struct SeenPage {
  nd_page_info info;
  std::string url;
};

class CapiViewTest : public CapiTest {
 protected:
  std::vector<SeenPage> pages_of(uint64_t group) {
    std::vector<SeenPage> seen;
    EXPECT_EQ(nd_each_page(
                  engine_, group,
                  [](const nd_page_info* info, const char* text, size_t size, void* ctx) {
                    static_cast<std::vector<SeenPage>*>(ctx)->push_back({*info, std::string(text, size)});
                    return int32_t{0};
                  },
                  &seen),
              ND_OK);
    return seen;
  }
  std::vector<nd_group_info> groups() {
    std::vector<nd_group_info> seen;
    EXPECT_EQ(nd_each_group(
                  engine_,
                  [](const nd_group_info* info, void* ctx) {
                    static_cast<std::vector<nd_group_info>*>(ctx)->push_back(*info);
                    return int32_t{0};
                  },
                  &seen),
              ND_OK);
    return seen;
  }
  std::vector<nd_event> events(uint64_t after) {
    std::vector<nd_event> seen;
    EXPECT_EQ(nd_each_event(
                  engine_, after,
                  [](const nd_event* event, void* ctx) {
                    static_cast<std::vector<nd_event>*>(ctx)->push_back(*event);
                    return int32_t{0};
                  },
                  &seen),
              ND_OK);
    return seen;
  }
};

TEST_F(CapiViewTest, APageIsFoundByUrlAndById) {
  const nd_result first = check(url(1), article_html(1), 500);
  const nd_result second = check(url(2), html(rewritten(article(1), 1, 7)), 600);
  nd_page_info info = ND_PAGE_INFO_INIT;
  const std::string at = url(2);
  ASSERT_EQ(nd_find_page(engine_, at.data(), at.size(), &info), ND_OK);
  EXPECT_EQ(info.page_id, second.page_id);
  EXPECT_EQ(info.group_id, first.page_id);
  EXPECT_EQ(info.verdict, ND_NEAR);
  EXPECT_EQ(info.first_fetched_at_ms, 600);
  EXPECT_EQ(info.last_fetched_at_ms, 600);
  EXPECT_GT(info.text_width, 1000U);
  EXPECT_EQ(info.matched_page_id, first.page_id);
  EXPECT_EQ(info.resemblance, second.resemblance);
  EXPECT_EQ(info.containment, second.containment);
  nd_page_info by_id = ND_PAGE_INFO_INIT;
  char text[100];
  size_t size = sizeof text;
  ASSERT_EQ(nd_get_page(engine_, second.page_id, &by_id, text, &size), ND_OK);
  EXPECT_EQ(memcmp(&info, &by_id, sizeof info), 0);
  EXPECT_EQ(std::string(text, size), at);
  EXPECT_EQ(text[size], '\0');
  ASSERT_EQ(nd_get_page(engine_, second.page_id, &by_id, nullptr, nullptr), ND_OK);
  size = 0;
  ASSERT_EQ(nd_get_page(engine_, second.page_id, &by_id, nullptr, &size), ND_OK);
  EXPECT_EQ(size, at.size());
  size = at.size();
  text[0] = '#';
  EXPECT_EQ(nd_get_page(engine_, second.page_id, &by_id, text, &size), ND_ERR_LIMIT);
  EXPECT_EQ(size, at.size());
  EXPECT_EQ(text[0], '#');
  EXPECT_EQ(nd_get_page(engine_, second.page_id, &by_id, text, nullptr), ND_ERR_INVALID_ARGUMENT);
}

TEST_F(CapiViewTest, AGroupHasAPageThatIsKept) {
  const nd_result first = check(url(10), article_html(1), 500);
  sample::Paragraphs longer = article(1);
  longer.emplace_back("And one more sentence for the end.");
  const nd_result longest = check(url(11), html(longer), 400);
  const nd_result newest = check(url(12), article_html(1), 900);
  const std::pair<int32_t, nd_result> answers[] = {
      {ND_KEEP_FIRST, first}, {ND_KEEP_LONGEST, longest}, {ND_KEEP_NEWEST, newest}};
  for (const auto& [rule, expected] : answers) {
    ASSERT_EQ(expected.group_id, first.page_id);
    nd_page_info kept = ND_PAGE_INFO_INIT, known = ND_PAGE_INFO_INIT;
    char text[100], same[100];
    size_t size = sizeof text, same_size = sizeof same;
    ASSERT_EQ(nd_kept_page(engine_, first.group_id, rule, &kept, text, &size), ND_OK) << nd_last_error();
    ASSERT_EQ(nd_get_page(engine_, expected.page_id, &known, same, &same_size), ND_OK);
    EXPECT_EQ(memcmp(&kept, &known, sizeof kept), 0) << rule;
    EXPECT_EQ(std::string(text, size), std::string(same, same_size));
  }
  nd_page_info kept = ND_PAGE_INFO_INIT;
  size_t size = 3;
  char text[3];
  // An engine keeps no links.
  EXPECT_EQ(nd_kept_page(engine_, first.group_id, ND_KEEP_CANONICAL, &kept, text, &size),
            ND_ERR_INVALID_ARGUMENT);
  size = 3;
  EXPECT_EQ(nd_kept_page(engine_, first.group_id, ND_KEEP_FIRST, &kept, text, &size), ND_ERR_LIMIT);
  EXPECT_EQ(size, url(10).size());
  EXPECT_EQ(kept.page_id, 0U);
  EXPECT_EQ(nd_kept_page(engine_, 12345, ND_KEEP_FIRST, &kept, nullptr, nullptr), ND_ERR_NOT_FOUND);
}

TEST(CapiCopyTest, CopiesOfANewerCallerAreRead) {
  struct NewerCopy {
    nd_copy known = ND_COPY_INIT;
    uint64_t more = 0;
  };
  NewerCopy copies[3];
  for (NewerCopy& each : copies)
    each.known.struct_size = sizeof each;
  copies[1].known.text_width = 5;
  size_t index = 9;
  EXPECT_EQ(nd_choose_copy(&copies[0].known, 3, ND_KEEP_LONGEST, &index), ND_OK) << nd_last_error();
  EXPECT_EQ(index, 1U);
  copies[1].known.flags = ND_COPY_WITHOUT_CONTENT;
  EXPECT_EQ(nd_choose_copy(&copies[0].known, 3, ND_KEEP_LONGEST, &index), ND_OK);
  EXPECT_EQ(index, 0U);
  copies[2].more = 1;
  EXPECT_EQ(nd_choose_copy(&copies[0].known, 3, ND_KEEP_LONGEST, &index), ND_ERR_UNSUPPORTED_VERSION);
  copies[2] = copies[0];
  copies[2].known.flags = 2;
  EXPECT_EQ(nd_choose_copy(&copies[0].known, 3, ND_KEEP_LONGEST, &index), ND_ERR_UNSUPPORTED_VERSION);
  copies[2].known.struct_size = sizeof(nd_copy);
  EXPECT_EQ(nd_choose_copy(&copies[0].known, 3, ND_KEEP_LONGEST, &index), ND_ERR_INVALID_ARGUMENT);
}

// No lock is held while a callback runs: it may walk, check and remove, also what the walk is about.
TEST_F(CapiViewTest, ACallbackMayCallTheEngine) {
  constexpr uint64_t kGroups = 600;
  for (uint64_t number = 0; number < kGroups; ++number)
    check(url(number), number % 300 == 0 ? article_html(number) : "");
  uint64_t called = 0;
  std::function<void(const nd_group_info*)> call_back_in = [&](const nd_group_info* info) {
    EXPECT_EQ(pages_of(info->group_id).size(), 1U);
    // Each founds a group of its own, which the walk must not come to.
    check(url(10'000 + ++called), "");
    if (called % 100 != 0) return;
    EXPECT_GE(groups().size(), kGroups);
    const std::string at = url(called - 1);
    EXPECT_EQ(nd_remove_page(engine_, at.data(), at.size()), ND_OK);
    nd_stats stats = ND_STATS_INIT;
    EXPECT_EQ(nd_get_stats(engine_, &stats), ND_OK);
    EXPECT_EQ(stats.groups, kGroups + called - called / 100);
  };
  const auto forward = [](const nd_group_info* info, void* ctx) {
    (*static_cast<std::function<void(const nd_group_info*)>*>(ctx))(info);
    return int32_t{0};
  };
  ASSERT_EQ(nd_each_group(engine_, forward, &call_back_in), ND_OK) << nd_last_error();
  EXPECT_EQ(called, kGroups);
}

TEST_F(CapiViewTest, GroupsAndTheirPages) {
  const nd_result first = check(url(1), article_html(1));
  const nd_result other = check(url(2), article_html(2));
  const nd_result member = check(url(3), article_html(1));
  std::vector<nd_group_info> seen = groups();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].group_id, first.page_id);
  EXPECT_EQ(seen[0].struct_size, sizeof(nd_group_info));
  EXPECT_EQ(seen[0].representative_page_id, first.page_id);
  EXPECT_EQ(seen[0].page_count, 2U);
  EXPECT_EQ(seen[0].tombstone, 0U);
  EXPECT_EQ(seen[1].group_id, other.page_id);
  const std::vector<SeenPage> pages = pages_of(first.page_id);
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[0].info.page_id, first.page_id);
  EXPECT_EQ(pages[1].info.page_id, member.page_id);
  EXPECT_EQ(pages[1].url, url(3));
  EXPECT_EQ(nd_each_page(
                engine_, member.page_id,
                [](const nd_page_info*, const char*, size_t, void*) { return int32_t{0}; }, nullptr),
            ND_ERR_NOT_FOUND);
  const std::string founder = url(1);
  ASSERT_EQ(nd_remove_page(engine_, founder.data(), founder.size()), ND_OK);
  seen = groups();
  EXPECT_EQ(seen[0].tombstone, 1U);
  EXPECT_EQ(seen[0].representative_page_id, 0U);
}

TEST_F(CapiViewTest, EventsTellWhatMoved) {
  const nd_result first = check(url(1), article_html(1));
  check(url(2), article_html(1), 2000);
  const nd_result left = check(url(2), article_html(2), 3000);
  EXPECT_EQ(left.flags, uint32_t{ND_FLAG_RECRAWL | ND_FLAG_CHANGED | ND_FLAG_REGROUPED});
  uint64_t removed = 0;
  nd_filter filter = ND_FILTER_INIT;
  const std::string prefix = url(1);
  filter.url_prefix = prefix.data();
  filter.url_prefix_size = prefix.size();
  ASSERT_EQ(nd_remove_matching(engine_, &filter, &removed), ND_OK);
  EXPECT_EQ(removed, 1U);
  const std::vector<nd_event> seen = events(0);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].kind, ND_EVENT_REGROUPED);
  EXPECT_EQ(seen[0].sequence, 1U);
  EXPECT_EQ(seen[0].page_id, left.page_id);
  EXPECT_EQ(seen[0].old_group_id, first.page_id);
  EXPECT_EQ(seen[0].new_group_id, left.page_id);
  EXPECT_EQ(seen[0].at_ms, 3000);
  EXPECT_EQ(seen[1].kind, ND_EVENT_REMOVED);
  EXPECT_EQ(seen[1].page_id, first.page_id);
  EXPECT_EQ(events(1).size(), 1U);
  EXPECT_TRUE(events(2).empty());
}

TEST_F(CapiViewTest, AnEmptyFilterAndImpossibleOnesAreRefused) {
  check(url(1), article_html(1));
  nd_filter filter = ND_FILTER_INIT;
  EXPECT_EQ(nd_remove_matching(engine_, &filter, nullptr), ND_ERR_INVALID_ARGUMENT);
  filter.fetched_before_ms = -1;
  EXPECT_EQ(nd_remove_matching(engine_, &filter, nullptr), ND_ERR_INVALID_ARGUMENT);
  filter = ND_FILTER_INIT;
  filter.site_size = 3;
  EXPECT_EQ(nd_remove_matching(engine_, &filter, nullptr), ND_ERR_INVALID_ARGUMENT);
  filter = ND_FILTER_INIT;
  filter.url_prefix_size = 3;
  EXPECT_EQ(nd_remove_matching(engine_, &filter, nullptr), ND_ERR_INVALID_ARGUMENT);
  filter.struct_size = 8;
  EXPECT_EQ(nd_remove_matching(engine_, &filter, nullptr), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(stats().pages, 1U);
  filter = ND_FILTER_INIT;
  const std::string site = "site1.example";
  filter.site = site.data();
  filter.site_size = site.size();
  EXPECT_EQ(nd_remove_matching(engine_, &filter, nullptr), ND_OK);
  EXPECT_EQ(stats().pages, 0U);
}

TEST_F(CapiViewTest, ACallbackStopsTheIteration) {
  for (uint64_t i = 0; i < 4; ++i)
    check(url(i), article_html(1));
  check(url(9), article_html(9));
  int calls = 0;
  const auto stop_group = [](const nd_group_info*, void* ctx) { return int32_t{++*static_cast<int*>(ctx)}; };
  EXPECT_EQ(nd_each_group(engine_, stop_group, &calls), ND_OK);
  EXPECT_EQ(calls, 1);
  calls = 0;
  const auto stop_page = [](const nd_page_info*, const char*, size_t, void* ctx) {
    return ++*static_cast<int*>(ctx) == 2 ? -7 : 0;
  };
  EXPECT_EQ(nd_each_page(engine_, 1, stop_page, &calls), ND_OK);
  EXPECT_EQ(calls, 2);
  for (uint64_t i = 0; i < 4; ++i) {
    const std::string at = url(i);
    ASSERT_EQ(nd_remove_page(engine_, at.data(), at.size()), ND_OK);
  }
  calls = 0;
  EXPECT_EQ(
      nd_each_event(
          engine_, 0, [](const nd_event*, void* ctx) { return int32_t{++*static_cast<int*>(ctx)}; }, &calls),
      ND_OK);
  EXPECT_EQ(calls, 1);
}

TEST_F(CapiViewTest, CallbacksMayCallEverythingAndSeeTheViewOfTheStart) {
  for (uint64_t i = 0; i < 3; ++i)
    check(url(i), article_html(1));
  struct Context {
    nd_engine* engine;
    int pages = 0;
  } context{engine_};
  EXPECT_EQ(nd_each_page(
                engine_, 1,
                [](const nd_page_info* info, const char* at, size_t size, void* ctx) {
                  auto* self = static_cast<Context*>(ctx);
                  ++self->pages;
                  EXPECT_STREQ(nd_last_error(), "");
                  EXPECT_EQ(nd_remove_page(self->engine, at, size), ND_OK);
                  EXPECT_EQ(nd_remove_page(self->engine, at, size), ND_ERR_NOT_FOUND);
                  EXPECT_STRNE(nd_last_error(), "");
                  EXPECT_NE(info->page_id, 0U);
                  return int32_t{0};
                },
                &context),
            ND_OK);
  EXPECT_EQ(context.pages, 3);
  EXPECT_STREQ(nd_last_error(), "") << "the iteration succeeded, whatever failed inside";
  EXPECT_EQ(stats().pages, 0U);
}

TEST_F(CapiViewTest, TheLoggerMayCallTheLibraryAndLeavesNoError) {
  reopen({{"memory_budget_bytes", "1"}});
  struct Context {
    nd_engine* engine;
    std::vector<std::string> lines;
  } context{engine_, {}};
  ASSERT_EQ(nd_set_logger(
                engine_,
                [](int32_t level, const char* message, size_t size, void* ctx) {
                  auto* self = static_cast<Context*>(ctx);
                  EXPECT_EQ(level, int32_t{ND_LOG_WARNING});
                  self->lines.emplace_back(message, size);
                  EXPECT_EQ(nd_remove_page(self->engine, "nowhere", 7), ND_ERR_NOT_FOUND);
                },
                &context),
            ND_OK);
  for (uint64_t i = 0; i < 4; ++i) {
    check(url(i), article_html(i));
    EXPECT_STREQ(nd_last_error(), "");
  }
  ASSERT_EQ(context.lines.size(), 1U);
  EXPECT_NE(context.lines[0].find("memory budget"), std::string::npos);
  EXPECT_EQ(nd_set_logger(engine_, nullptr, nullptr), ND_OK);
  EXPECT_EQ(stats().limit_memory, 3U);
}

TEST_F(CapiViewTest, StatisticsAddUp) {
  check(url(1), article_html(1));
  check(url(2), article_html(1));
  check(url(3), html(rewritten(article(1), 1, 7)));
  check(url(4), "");
  check(url(1), article_html(1));
  const nd_stats seen = stats();
  EXPECT_EQ(seen.pages, 4U);
  EXPECT_EQ(seen.groups, 2U);
  EXPECT_EQ(seen.checks, 5U);
  EXPECT_EQ(seen.verdict_new + seen.verdict_unchanged + seen.verdict_exact + seen.verdict_near +
                seen.verdict_no_text,
            seen.checks);
  EXPECT_EQ(seen.verdict_new, 1U);
  EXPECT_EQ(seen.recrawls, 1U);
  EXPECT_EQ(seen.bytes_total, seen.bytes_index + seen.bytes_features + seen.bytes_pages + seen.bytes_events +
                                  seen.bytes_scratch);
  EXPECT_GT(seen.bytes_index, 0U);
  EXPECT_GT(seen.bytes_features, 0U);
  EXPECT_GT(seen.bytes_pages, 0U);
  EXPECT_GT(seen.bytes_scratch, 0U);
  EXPECT_GT(seen.keys, 0U);
  EXPECT_GT(seen.body_bytes, 4000U);
}

TEST_F(CapiViewTest, APageWhoseSiteIsKnownBetterByNowIsVerifiedAgain) {
  // One article in the boilerplate of two sites, which outweigh it until they are known.
  const auto framed = [](uint64_t boilerplate, uint64_t text) {
    sample::Paragraphs page = article(boilerplate, 12);
    const sample::Paragraphs own = article(text, 4);
    page.insert(page.end(), own.begin(), own.end());
    return html(page);
  };
  const std::string first_url = "https://www.first.example/1", second_url = "https://www.second.example/1";
  const nd_result first = check(first_url, framed(901, 1));
  const nd_result second = check(second_url, framed(902, 1));
  ASSERT_EQ(second.verdict, ND_NEW);
  for (uint64_t i = 0; i < 12; ++i) {
    check("https://www.first.example/" + std::to_string(100 + i), framed(901, 20 + i));
    check("https://www.second.example/" + std::to_string(100 + i), framed(902, 40 + i));
  }
  const nd_result moved = check(second_url, framed(902, 1));
  EXPECT_EQ(moved.verdict, ND_UNCHANGED);
  EXPECT_EQ(moved.flags, uint32_t{ND_FLAG_RECRAWL | ND_FLAG_REGROUPED});
  EXPECT_EQ(moved.group_id, first.page_id);
  EXPECT_EQ(moved.matched_page_id, first.page_id);
  EXPECT_NE(moved.page_id, second.page_id);
  std::vector<nd_event> events;
  EXPECT_EQ(nd_each_event(
                engine_, 0,
                [](const nd_event* event, void* ctx) {
                  static_cast<std::vector<nd_event>*>(ctx)->push_back(*event);
                  return int32_t{0};
                },
                &events),
            ND_OK);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, ND_EVENT_REGROUPED);
  EXPECT_EQ(events[0].page_id, moved.page_id);
  EXPECT_EQ(events[0].old_group_id, second.group_id);
  EXPECT_EQ(events[0].new_group_id, first.group_id);
  const nd_result again = check(second_url, framed(902, 1));
  EXPECT_EQ(again.flags, uint32_t{ND_FLAG_RECRAWL});
  EXPECT_EQ(again.page_id, moved.page_id);
  EXPECT_EQ(stats().reverified, 1U);
  EXPECT_EQ(stats().verdict_unchanged, 2U);
}

// A line of the Prometheus text exposition format: name{label="value"} number.
struct MetricSample {
  std::string name, label;  // label with its braces, or empty
  double value = 0;
};

// Takes a metric name off the front of the line.
std::string take_name(std::string_view& line) {
  size_t size = 0;
  const auto belongs = [&](char c) { return isalpha(c) || c == '_' || c == ':' || (size > 0 && isdigit(c)); };
  while (size < line.size() && belongs(line[size]))
    ++size;
  const std::string name(line.substr(0, size));
  line.remove_prefix(size);
  return name;
}

bool parse(std::string_view line, MetricSample& out) {
  out.name = take_name(line);
  if (out.name.empty()) return false;
  out.label.clear();
  if (line.starts_with('{')) {
    std::string_view rest = line.substr(1);
    if (take_name(rest).empty() || !rest.starts_with("=\"")) return false;
    const size_t end = rest.find_first_of("\"\\\n", 2);
    if (end == rest.npos || rest.substr(end, 2) != "\"}") return false;
    rest.remove_prefix(end + 2);
    out.label = line.substr(0, line.size() - rest.size());
    line = rest;
  }
  if (!line.starts_with(' ') || line.size() < 2 || line[1] == ' ') return false;
  const std::string number(line.substr(1));
  char* end = nullptr;
  out.value = strtod(number.c_str(), &end);
  return *end == '\0';
}

TEST_F(CapiViewTest, MetricsArePrometheusText) {
  check(url(1), article_html(1));
  check(url(2), article_html(1));
  Buffer buffer;
  ASSERT_EQ(nd_metrics(engine_, &buffer.raw), ND_OK);
  EXPECT_TRUE(buffer.text().ends_with("\n"));
  std::istringstream lines(buffer.text());
  std::set<std::string> families;
  std::map<std::string, double> values;
  std::vector<MetricSample> buckets;
  std::string line, family;
  while (std::getline(lines, line)) {
    std::string_view rest = line;
    if (line.starts_with("# HELP ")) {
      rest.remove_prefix(7);
      family = take_name(rest);
      EXPECT_TRUE(families.insert(family).second) << line;
      EXPECT_GT(rest.size(), 2U) << line;
    } else if (line.starts_with("# TYPE ")) {
      rest.remove_prefix(7);
      EXPECT_EQ(take_name(rest), family) << line;
      EXPECT_TRUE(rest == " counter" || rest == " gauge" || rest == " histogram") << line;
      EXPECT_EQ(rest == " counter", family.ends_with("_total")) << line;
    } else {
      MetricSample sample;
      ASSERT_TRUE(parse(line, sample)) << line;
      EXPECT_TRUE(sample.name.starts_with(family)) << line;
      EXPECT_TRUE(values.emplace(sample.name + sample.label, sample.value).second) << "twice: " << line;
      if (sample.name == "ndc_check_seconds_bucket") buckets.push_back(sample);
    }
  }
  EXPECT_EQ(values["ndc_checks_total{verdict=\"new\"}"], 1);
  EXPECT_EQ(values["ndc_checks_total{verdict=\"exact\"}"], 1);
  EXPECT_EQ(values.count("ndc_pages_read_again_total"), 1U);
  EXPECT_EQ(values.count("ndc_pages_left_to_libxml2_total{reason=\"unclosed-tag\"}"), 1U);
  EXPECT_EQ(values["ndc_pages"], 2);
  EXPECT_EQ(values["ndc_check_seconds_count"], 2);
  EXPECT_GT(values["ndc_check_seconds_sum"], 0);
  ASSERT_GT(buckets.size(), 5U);
  double last_bound = 0, last_count = 0;
  for (const MetricSample& bucket : buckets) {
    ASSERT_TRUE(bucket.label.starts_with("{le=\""));
    const double bound = strtod(bucket.label.c_str() + 5, nullptr);
    EXPECT_GT(bound, last_bound) << bucket.label;
    EXPECT_GE(bucket.value, last_count) << bucket.label;
    last_bound = bound;
    last_count = bucket.value;
  }
  EXPECT_EQ(buckets.back().label, "{le=\"+Inf\"}");
  EXPECT_EQ(buckets.back().value, 2);
}

TEST_F(CapiViewTest, ExplanationsAreJsonOfTheDocumentedForm) {
  reopen({{"keep_text", "true"}});
  const nd_result a = check(url(1), article_html(1));
  const nd_result b = check(url(2), html(rewritten(article(1), 1, 7)));
  const nd_result c = check(url(3), article_html(3));
  Buffer buffer;
  ASSERT_EQ(nd_explain(engine_, a.page_id, b.page_id, &buffer.raw), ND_OK) << nd_last_error();
  const auto json = nlohmann::json::parse(buffer.text());
  EXPECT_EQ(json["a"]["page_id"], a.page_id);
  EXPECT_EQ(json["b"]["url"], url(2));
  EXPECT_EQ(json["a"]["site"], "site1.example");
  EXPECT_GT(json["a"]["width"], 1000);
  EXPECT_GT(json["a"]["content_width"], 0);
  EXPECT_EQ(json["verdict"], "near");
  EXPECT_EQ(json["rule"], "probability");
  EXPECT_NEAR(json["resemblance"].get<double>(), b.resemblance, 1e-6);
  EXPECT_NEAR(json["containment"].get<double>(), b.containment, 1e-6);
  EXPECT_NEAR(json["page_coverage"].get<double>(), b.page_coverage, 1e-6);
  EXPECT_NEAR(json["matched_coverage"].get<double>(), b.matched_coverage, 1e-6);
  EXPECT_GT(json["matched_width"], 0);
  EXPECT_GT(json["shared_keys"], 0);
  EXPECT_EQ(json["version"], nd_version_string());
  EXPECT_EQ(json["reasons"][0]["name"], "shared");
  EXPECT_EQ(json["reasons"][0]["values"][0], json["matched_coverage"]);
  EXPECT_EQ(json["reasons"][0]["values"][1], json["page_coverage"]);
  EXPECT_EQ(json["reasons"].back()["name"], "probable");
  EXPECT_EQ(json["reasons"].back()["values"][0], json["decided_by"]["found"]);
  EXPECT_TRUE(json["reasons"].back()["sentence"].get<std::string>().starts_with("That makes it "));
  // The segments cover every token of both pages once.
  std::set<uint64_t> tokens_a, tokens_b;
  uint64_t last_b = 0;
  for (const auto& segment : json["segments"]) {
    const std::string kind = segment["kind"];
    EXPECT_TRUE(kind == "both" || kind == "a" || kind == "b");
    const uint64_t begin_a = segment["a"][0], end_a = segment["a"][1], begin_b = segment["b"][0],
                   end_b = segment["b"][1];
    for (uint64_t i = begin_a; i < end_a; ++i)
      EXPECT_TRUE(tokens_a.insert(i).second);
    for (uint64_t i = begin_b; i < end_b; ++i)
      EXPECT_TRUE(tokens_b.insert(i).second);
    if (kind != "a") {
      EXPECT_GE(begin_b, last_b);
      last_b = end_b;
    }
    if (kind == "both") {
      EXPECT_EQ(end_a - begin_a, end_b - begin_b);
    }
    EXPECT_FALSE(segment["text"].get<std::string>().empty());
  }
  EXPECT_EQ(tokens_a.size(), *tokens_a.rbegin() + 1);
  EXPECT_EQ(tokens_b.size(), *tokens_b.rbegin() + 1);
  EXPECT_EQ(tokens_a.size(), 6U * 4 * 12);

  ASSERT_EQ(nd_explain(engine_, a.page_id, c.page_id, &buffer.raw), ND_OK);
  EXPECT_EQ(nlohmann::json::parse(buffer.text())["verdict"], "different");
  EXPECT_EQ(nlohmann::json::parse(buffer.text())["rule"], "none");
  ASSERT_EQ(nd_explain(engine_, a.page_id, a.page_id, &buffer.raw), ND_OK);
  EXPECT_EQ(nlohmann::json::parse(buffer.text())["verdict"], "exact");
  EXPECT_EQ(nlohmann::json::parse(buffer.text())["reasons"][0]["name"], "equal");
  EXPECT_EQ(nd_explain(engine_, a.page_id, 999, &buffer.raw), ND_ERR_NOT_FOUND);
  EXPECT_EQ(nd_explain(engine_, 0, a.page_id, &buffer.raw), ND_ERR_NOT_FOUND);
}

// What TR2007012 keeps of two texts that share their middle: sections 4.3 and 4.4.
TEST_F(CapiViewTest, TheReportsDecisionExplainsItsSteps) {
  const auto framed = [](uint64_t begin, uint64_t end) {
    sample::Paragraphs text = article(begin, 2);
    for (const std::string& shared : article(1, 6))
      text.push_back(shared);
    text.push_back(article(end, 1).front());
    return html(text);
  };
  using Json = nlohmann::json;
  const auto explained = [&](const char* decision, const char* trustable) {
    reopen({{"decision", decision}, {"x_trustable", trustable}, {"keep_text", "true"}});
    const nd_result a = check(url(1), framed(11, 12)), b = check(url(2), framed(13, 14));
    Buffer buffer;
    EXPECT_EQ(nd_explain(engine_, a.page_id, b.page_id, &buffer.raw), ND_OK) << nd_last_error();
    return Json::parse(buffer.text());
  };
  const auto tokens = [](const Json& ranges) {
    std::set<uint64_t> inside;
    for (const Json& range : ranges) {
      EXPECT_FALSE(range["text"].get<std::string>().empty());
      for (uint64_t token = range["tokens"][0]; token < range["tokens"][1]; ++token)
        EXPECT_TRUE(inside.insert(token).second);
    }
    return inside;
  };
  const Json report = explained("report", "true");
  EXPECT_EQ(report["rule"], "report");
  const std::set<uint64_t> sketch = tokens(report["sketch"]["a"]), trusted = tokens(report["trustable"]);
  EXPECT_EQ(sketch, tokens(report["sketch"]["b"])) << "the shared part begins at the same place";
  EXPECT_EQ(sketch.size(), 6U * 4 * 12);
  EXPECT_EQ(*sketch.begin(), 2U * 4 * 12);
  ASSERT_EQ(report["trustable"].size(), 1U);
  size_t matched = 0;
  for (const Json& segment : report["segments"]) {
    if (segment["kind"] != "both") continue;
    for (uint64_t token = segment["a"][0]; token < segment["a"][1]; ++token, ++matched)
      EXPECT_TRUE(trusted.contains(token) && sketch.contains(token)) << token;
  }
  EXPECT_GT(matched, 5U * 4 * 12);
  EXPECT_LT(trusted.size(), 9U * 4 * 12) << "the frame is not trusted";

  const Json plain = explained("report", "false");
  EXPECT_EQ(plain["sketch"], report["sketch"]);
  EXPECT_FALSE(plain.contains("trustable"));
  const Json document = explained("document", "true");
  EXPECT_FALSE(document.contains("sketch") || document.contains("trustable"));
}

TEST_F(CapiViewTest, ExplanationsStayValidWhateverTheUrl) {
  const nd_result a = check("\xff\xfe\"\\\n", article_html(1));
  const nd_result b = check("", "");
  Buffer buffer;
  ASSERT_EQ(nd_explain(engine_, a.page_id, b.page_id, &buffer.raw), ND_OK);
  const auto json = nlohmann::json::parse(buffer.text(), nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["verdict"], "different");
  for (const auto& segment : json["segments"])
    EXPECT_FALSE(segment.contains("text")) << "the text was not kept";
}

// A page of a host whose pages all begin with the same 6 words and end with other 6.
std::string page_of_host(const std::string& host, const sample::Paragraphs& text) {
  std::string page = "<!DOCTYPE html><html><head><title>Sample</title></head><body>";
  page += "<p>" + host + " daily news of the coast</p>";
  for (const std::string& each : text)
    page += "<p>" + each + "</p>";
  return page + "<p>imprint and contact of " + host + " newsroom</p></body></html>";
}

TEST_F(CapiViewTest, AnExplanationTellsTheBoilerplateThatWasLearnedOfEachSite) {
  reopen({});
  using Json = nlohmann::json;
  const auto at = [](const std::string& host, uint64_t number) {
    return "https://" + host + ".example/" + std::to_string(number);
  };
  const auto boilerplate = [&](uint64_t a, uint64_t b) {
    Buffer buffer;
    EXPECT_EQ(nd_explain(engine_, a, b, &buffer.raw), ND_OK) << nd_last_error();
    return Json::parse(buffer.text())["boilerplate"];
  };
  const nd_result first = check(at("one", 1), page_of_host("one", article(1)));
  const nd_result copy = check(at("two", 1), page_of_host("two", article(1)));
  ASSERT_EQ(copy.group_id, first.group_id);
  EXPECT_EQ(boilerplate(first.page_id, copy.page_id), Json::parse(R"({"a":[],"b":[]})"));
  // What pages of other groups show about either host also applies to pages that came before them.
  nd_result other{};
  for (uint64_t number = 2; number < 12; ++number)
    other = check(at("one", number), page_of_host("one", article(number)));
  const Json of_article = Json::parse("[[0,6],[294,300]]");  // 6 paragraphs of 48 words lie between
  EXPECT_EQ(boilerplate(first.page_id, copy.page_id), Json({{"a", of_article}, {"b", Json::array()}}));
  EXPECT_EQ(boilerplate(copy.page_id, first.page_id), Json({{"a", Json::array()}, {"b", of_article}}));
  EXPECT_EQ(boilerplate(first.page_id, other.page_id), Json({{"a", of_article}, {"b", of_article}}));
  for (uint64_t number = 22; number < 32; ++number)
    check(at("two", number), page_of_host("two", article(number)));
  EXPECT_EQ(boilerplate(first.page_id, copy.page_id), Json({{"a", of_article}, {"b", of_article}}));
  // A copy on the same host has what its original has; so that it is one, it keeps the name.
  const nd_result again =
      check("https://one.example/copy/1", page_of_host("one", rewritten(article(1), 1, 7)));
  ASSERT_EQ(again.group_id, first.group_id);
  EXPECT_EQ(boilerplate(first.page_id, again.page_id), Json({{"a", of_article}, {"b", of_article}}));
}

TEST_F(CapiViewTest, AnotherDecisionLearnsNothing) {
  reopen({{"decision", "report"}});
  for (uint64_t number = 1; number < 12; ++number)
    check("https://one.example/" + std::to_string(number), page_of_host("one", article(number)));
  Buffer buffer;
  ASSERT_EQ(nd_explain(engine_, 1, 2, &buffer.raw), ND_OK);
  EXPECT_EQ(nlohmann::json::parse(buffer.text())["boilerplate"], nlohmann::json::parse(R"({"a":[],"b":[]})"));
}

TEST_F(CapiViewTest, AForkedChildOpensItsOwnEngine) {
  check(url(1), article_html(1));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    nd_engine* engine = nullptr;
    if (nd_open(nullptr, nullptr, &engine) != ND_OK) _exit(1);
    const std::string at = url(1), body = article_html(1);
    const nd_page page = page_of(at, body);
    nd_result result = ND_RESULT_INIT;
    if (nd_check_page(engine, &page, &result) != ND_OK || result.verdict != ND_NEW) _exit(2);
    if (nd_close(engine) != ND_OK) _exit(3);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(check(url(1), article_html(1)).verdict, ND_UNCHANGED);
}

}  // namespace
}  // namespace nd_test
