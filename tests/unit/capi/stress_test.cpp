// Eight threads on one store, by the C interface alone: every kind of call at once, and the store closed and
// opened again between. What holds whatever the order: no call fails that should not, no page of a thread's
// own is lost or comes back, every page stands in one group, and the store opens as it was closed.
#include <array>
#include <barrier>
#include <map>
#include <random>
#include <thread>

#include "unit/capi/store_calls_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::html;
using sample::rewritten;

constexpr size_t kThreads = 8;
constexpr int kRounds = 3;
constexpr int kCallsPerRound = 60;
const std::string kShared = "https://shared.example/";

class StressTest : public CapiStoreTest {
 protected:
  // The actions and the knowledge of one thread.
  struct Worker {
    explicit Worker(size_t number)
        : random(number + 1), prefix("https://own" + std::to_string(number) + ".example/") {}
    sample::Random random;
    std::string prefix;
    std::map<std::string, bool> own;  // pages of its own: whether they are there
    uint64_t checks = 0;              // since the engine was opened
  };

  void call_something(Worker& worker);
  void check_some_page(Worker& worker);
  void forget_some_page(Worker& worker);
  void look_around(Worker& worker);
  void work_without_engine(Worker& worker);
  void write_store(Worker& worker);
  void compare_pages(uint64_t page_a, uint64_t page_b);
  void similar_pages(uint64_t page_id);
  void use_another_engine(Worker& worker);
  void expect_consistent(const std::array<Worker*, kThreads>& workers);
  std::map<uint64_t, uint64_t> group_of_pages();

  StressTest() { EXPECT_EQ(nd_reader_new(nullptr, &reader_), ND_OK); }
  ~StressTest() override { nd_reader_free(reader_); }

  nd_reader* reader_ = nullptr;  // all threads use it

  static std::string some_body(sample::Random& random) {
    return html(rewritten(article(random() % 6, 3), random() % 3, random() % 6));
  }
  static void expect_ok_or(nd_status status, nd_status other) {
    EXPECT_TRUE(status == ND_OK || status == other) << status << ": " << nd_last_error();
  }
};

void StressTest::compare_pages(uint64_t page_a, uint64_t page_b) {
  nd_result result = ND_RESULT_INIT;
  const nd_status status = nd_compare_pages(engine_, page_a, page_b, &result);
  expect_ok_or(status, ND_ERR_NOT_FOUND);
  EXPECT_EQ(result.page_id, status == ND_OK ? page_b : 0);
  EXPECT_TRUE(result.matched_page_id == 0 || result.matched_page_id == page_a);
}

// Best first, the older first among equals, whoever checks or removes pages meanwhile.
void StressTest::similar_pages(uint64_t page_id) {
  struct Last {
    uint64_t asked;
    double score;
    uint64_t page_id;
  };
  Last last{page_id, 2, 0};
  const auto follow = [](const nd_similar_page* similar, const char*, size_t, void* ctx) {
    auto& before = *static_cast<Last*>(ctx);
    EXPECT_NE(similar->page_id, before.asked);
    EXPECT_TRUE(similar->score < before.score ||
                (similar->score == before.score && similar->page_id > before.page_id));
    before.score = similar->score;
    before.page_id = similar->page_id;
    return int32_t{0};
  };
  expect_ok_or(nd_similar_pages(engine_, page_id, 20, follow, &last), ND_ERR_NOT_FOUND);
}

void StressTest::call_something(Worker& worker) {
  const uint64_t kind = worker.random() % 27;
  if (kind < 10) return check_some_page(worker);
  if (kind < 14) return forget_some_page(worker);
  if (kind < 20) return look_around(worker);
  if (kind < 23) return write_store(worker);
  if (kind < 24) return use_another_engine(worker);
  work_without_engine(worker);
}

void StressTest::check_some_page(Worker& worker) {
  const bool is_own = worker.random() % 2 == 0;
  const std::string url = (is_own ? worker.prefix : kShared) + std::to_string(worker.random() % 8);
  const std::string body = some_body(worker.random);
  const nd_page page = page_of(url, body, static_cast<int64_t>(1000 + worker.random() % 1000));
  nd_result result = ND_RESULT_INIT;
  if (worker.random() % 4 == 0) {
    EXPECT_EQ(nd_query_page(engine_, &page, &result), ND_OK) << nd_last_error();
    const std::string features = features_of(url, body);
    EXPECT_EQ(nd_query_features(engine_, features.data(), features.size(), &result), ND_OK)
        << nd_last_error();
    return;
  }
  if (worker.random() % 4 == 0) {
    const std::string features = features_of(url, body);
    EXPECT_EQ(nd_check_features(engine_, features.data(), features.size(), &result), ND_OK)
        << nd_last_error();
    // Told once more, unless the group is gone by now.
    const nd_result told = result;
    if (told.verdict == ND_EXACT || told.verdict == ND_NEAR) {
      const nd_status status = nd_apply_outcome(engine_, features.data(), features.size(), &told, &result);
      EXPECT_TRUE(status == ND_OK || status == ND_ERR_NOT_FOUND) << nd_last_error();
      if (status != ND_OK) result = told;
    }
  } else if (worker.random() % 2 == 0) {
    Buffer text;
    EXPECT_EQ(nd_check_page_text(engine_, &page, &result, &text.raw), ND_OK) << nd_last_error();
    EXPECT_EQ(nd_own_text(engine_, &page, &text.raw), ND_OK) << nd_last_error();
  } else {
    EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_OK) << nd_last_error();
  }
  EXPECT_NE(result.page_id, 0U);
  EXPECT_NE(result.group_id, 0U);
  ++worker.checks;
  if (is_own) worker.own[url] = true;
}

void StressTest::forget_some_page(Worker& worker) {
  nd_filter filter = ND_FILTER_INIT;
  const std::string shared = kShared + std::to_string(worker.random() % 8);
  uint64_t removed = 0;
  switch (worker.random() % 4) {
    case 0:
      filter.flags = ND_REMOVE_PURGE;
      [[fallthrough]];
    case 1:
      filter.url_prefix = shared.data();
      filter.url_prefix_size = shared.size();
      EXPECT_EQ(nd_remove_matching(engine_, &filter, &removed), ND_OK) << nd_last_error();
      break;
    case 2:
      expect_ok_or(nd_remove_page(engine_, shared.data(), shared.size()), ND_ERR_NOT_FOUND);
      break;
    default:
      if (worker.own.empty()) return;
      auto& [url, is_there] = *worker.own.begin();
      EXPECT_EQ(nd_remove_page(engine_, url.data(), url.size()), is_there ? ND_OK : ND_ERR_NOT_FOUND);
      is_there = false;
  }
}

void StressTest::look_around(Worker& worker) {
  Buffer buffer;
  switch (worker.random() % 7) {
    case 0:
      EXPECT_GE(stats().checks, worker.checks);
      break;
    case 1:
      EXPECT_EQ(nd_metrics(engine_, &buffer.raw), ND_OK);
      break;
    case 2: {
      std::vector<uint64_t> groups;
      const auto add = [](const nd_group_info* info, void* out) {
        static_cast<std::vector<uint64_t>*>(out)->push_back(info->group_id);
        return int32_t{0};
      };
      EXPECT_EQ(nd_each_group(engine_, add, &groups), ND_OK);
      const auto count = [](const nd_page_info* info, const char*, size_t, void* out) {
        EXPECT_EQ(info->group_id, *static_cast<uint64_t*>(out));
        return int32_t{0};
      };
      for (uint64_t group : groups) {
        expect_ok_or(nd_each_page(engine_, group, count, &group), ND_ERR_NOT_FOUND);
        nd_page_info kept = ND_PAGE_INFO_INIT;
        const int32_t rule = ND_KEEP_FIRST + static_cast<int32_t>(group % ND_KEEP_NEWEST);
        expect_ok_or(nd_kept_page(engine_, group, rule, &kept, nullptr, nullptr), ND_ERR_NOT_FOUND);
      }
      nd_copy copy = ND_COPY_INIT;
      size_t index = 1;
      EXPECT_EQ(nd_choose_copy(&copy, 1, ND_KEEP_CANONICAL, &index), ND_OK);
      EXPECT_EQ(index, 0U);
      break;
    }
    case 3:
      expect_ok_or(nd_explain(engine_, 1 + worker.random() % 60, 1 + worker.random() % 60, &buffer.raw),
                   ND_ERR_NOT_FOUND);
      compare_pages(1 + worker.random() % 60, 1 + worker.random() % 60);
      similar_pages(1 + worker.random() % 60);
      break;
    case 4: {
      nd_page_info info = ND_PAGE_INFO_INIT;
      const uint64_t page_id = 1 + worker.random() % 60;
      expect_ok_or(nd_get_page(engine_, page_id, &info, nullptr, nullptr), ND_ERR_NOT_FOUND);
      EXPECT_TRUE(info.page_id == 0 || info.page_id == page_id);
      break;
    }
    case 5:
      for (const auto& [url, is_there] : worker.own) {
        nd_page_info info = ND_PAGE_INFO_INIT;
        EXPECT_EQ(nd_find_page(engine_, url.data(), url.size(), &info), is_there ? ND_OK : ND_ERR_NOT_FOUND)
            << url;
      }
      break;
    default:
      events();
      EXPECT_EQ(nd_set_logger(
                    engine_, [](int32_t, const char*, size_t, void*) {}, nullptr),
                ND_OK);
  }
}

// Calls without an engine share what ICU and libxml2 keep for the whole process.
void StressTest::work_without_engine(Worker& worker) {
  const std::string url = worker.prefix, one = some_body(worker.random), two = some_body(worker.random);
  const std::string features[2] = {features_of(url, one), features_of(url + "2", two)};
  nd_result result = ND_RESULT_INIT;
  Buffer buffer;
  switch (worker.random() % 4) {
    case 0: {
      const nd_page page = page_of(url, one);
      EXPECT_EQ(nd_extract(&page, nullptr, &buffer.raw), ND_OK) << nd_last_error();
      EXPECT_NE(buffer.raw.size, 0U);
      const std::string alone = buffer.text();
      EXPECT_EQ(nd_reader_extract(reader_, &page, &buffer.raw), ND_OK) << nd_last_error();
      EXPECT_EQ(buffer.text(), alone);
      break;
    }
    case 1: {
      size_t keys = 0, count = 0;
      EXPECT_EQ(nd_features_keys(features[0].data(), features[0].size(), nullptr, &keys), ND_OK);
      EXPECT_EQ(nd_features_parts(features[0].data(), features[0].size(), nullptr, &count), ND_OK);
      std::vector<uint64_t> parts(count);
      EXPECT_EQ(nd_features_parts(features[0].data(), features[0].size(), parts.data(), &count), ND_OK);
      nd_site_model* model = nullptr;
      EXPECT_EQ(nd_site_model_new(&model), ND_OK);
      EXPECT_EQ(nd_site_model_learn(model, parts.data(), count), ND_OK);
      EXPECT_EQ(nd_site_model_save(model, nullptr, 0, &buffer.raw), ND_OK);
      nd_site_model_free(model);
      Buffer on_site;
      EXPECT_EQ(nd_features_with_site(features[0].data(), features[0].size(), buffer.raw.data,
                                      buffer.raw.size, &on_site.raw),
                ND_OK);
      EXPECT_GT(keys, 0U);
      Buffer kept;
      EXPECT_EQ(nd_features_representative(features[0].data(), features[0].size(), buffer.raw.data,
                                           buffer.raw.size, &kept.raw),
                ND_OK);
      nd_record_info info = ND_RECORD_INFO_INIT;
      EXPECT_EQ(nd_features_info(kept.raw.data, kept.raw.size, &info), ND_OK);
      EXPECT_EQ(info.site_pages, 1U);
      break;
    }
    case 2: {
      const nd_bytes both[2] = {{features[0].data(), features[0].size()},
                                {features[1].data(), features[1].size()}};
      nd_result results[2] = {ND_RESULT_INIT, ND_RESULT_INIT};
      EXPECT_EQ(nd_partition_features(both, 2, nullptr, results), ND_OK) << nd_last_error();
      EXPECT_EQ(nd_features_decide(both[0].data, both[0].size, both[1].data, both[1].size, nullptr, &result),
                ND_OK)
          << nd_last_error();
      EXPECT_EQ(results[0].group_id == results[1].group_id, result.verdict != ND_NEW);
      nd_join* join = nullptr;
      EXPECT_EQ(nd_join_new(nullptr, 1000, &join), ND_OK) << nd_last_error();
      EXPECT_EQ(nd_join_add(join, both[0].data, both[0].size, nullptr), ND_OK) << nd_last_error();
      EXPECT_EQ(nd_join_find(join, both[0].data, both[0].size, &buffer.raw), ND_OK) << nd_last_error();
      EXPECT_EQ(buffer.raw.size, sizeof(nd_join_match)) << "each text is equal to itself";
      nd_join_free(join);
      break;
    }
    default: {
      const nd_page page = page_of(url, one);
      uint8_t signature[ND_SIGNATURE_MAX_SIZE];
      size_t size = sizeof signature, keys = 0;
      double similarity = 0;
      EXPECT_EQ(nd_signature_compute(&page, nullptr, signature, &size), ND_OK) << nd_last_error();
      EXPECT_EQ(nd_signature_keys(signature, size, nullptr, &keys), ND_OK);
      EXPECT_EQ(nd_signature_compare(signature, size, signature, size, &similarity), ND_OK);
      EXPECT_EQ(similarity, 1);
      EXPECT_GT(keys, 0U);
    }
  }
}

void StressTest::write_store(Worker& worker) {
  switch (worker.random() % 4) {
    case 0:
      EXPECT_EQ(nd_snapshot(engine_), ND_OK) << nd_last_error();
      break;
    case 1:
      if (worker.random() % 4 == 0) {
        EXPECT_EQ(nd_compact(engine_), ND_OK) << nd_last_error();
      }
      break;
    default:
      EXPECT_EQ(set_bookmark(worker.prefix, std::to_string(worker.checks)), ND_OK) << nd_last_error();
      EXPECT_EQ(bookmark(worker.prefix), std::to_string(worker.checks));
  }
}

// Beside the writer: an engine in memory, a reader of the same store, and who comes too late to write.
void StressTest::use_another_engine(Worker& worker) {
  nd_engine* other = nullptr;
  const std::string url = kShared, body = some_body(worker.random);
  const nd_page page = page_of(url, body);
  nd_result result = ND_RESULT_INIT;
  nd_page_info info = ND_PAGE_INFO_INIT;
  switch (worker.random() % 4) {
    case 0:
      EXPECT_EQ(nd_open(nullptr, nullptr, &other), ND_OK);
      EXPECT_EQ(nd_check_page(other, &page, &result), ND_OK);
      break;
    case 1: {
      const OptionSet options{{"read_only", "true"}};
      EXPECT_EQ(nd_options_set_logger(
                    options, [](int32_t, const char*, size_t, void*) {}, nullptr),
                ND_OK);
      expect_ok_or(nd_open(path_.c_str(), options, &other), ND_ERR_NOT_FOUND);
      if (other == nullptr) return;
      expect_ok_or(nd_find_page(other, url.data(), url.size(), &info), ND_ERR_NOT_FOUND);
      EXPECT_EQ(nd_refresh(other), ND_OK) << nd_last_error();
      break;
    }
    case 2: {
      const OptionSet options{{"overlay", "true"}};
      expect_ok_or(nd_open(path_.c_str(), options, &other), ND_ERR_NOT_FOUND);
      if (other == nullptr) return;
      EXPECT_EQ(nd_check_page(other, &page, &result), ND_OK) << nd_last_error();
      break;
    }
    default:
      EXPECT_EQ(nd_open(path_.c_str(), nullptr, &other), ND_ERR_LOCKED);
      EXPECT_EQ(nd_repair_store(path_.c_str(), (folder_ + "/saved").c_str(), nullptr, nullptr, nullptr),
                ND_ERR_LOCKED);
      EXPECT_EQ(nd_merge_stores(path_.c_str(), path_.c_str(), (folder_ + "/merged").c_str(), nullptr, nullptr,
                                nullptr, nullptr),
                ND_ERR_LOCKED);
  }
  EXPECT_EQ(nd_close(other), ND_OK) << nd_last_error();
}

std::map<uint64_t, uint64_t> StressTest::group_of_pages() {
  std::vector<nd_group_info> groups;
  const auto add_group = [](const nd_group_info* info, void* out) {
    static_cast<std::vector<nd_group_info>*>(out)->push_back(*info);
    return int32_t{0};
  };
  const auto add_page = [](const nd_page_info* info, const char*, size_t, void* out) {
    auto& pages = *static_cast<std::map<uint64_t, uint64_t>*>(out);
    EXPECT_TRUE(pages.emplace(info->page_id, info->group_id).second) << "a page of two groups";
    return int32_t{0};
  };
  std::map<uint64_t, uint64_t> pages;
  EXPECT_EQ(nd_each_group(engine_, add_group, &groups), ND_OK);
  uint64_t count = 0;
  for (const nd_group_info& group : groups) {
    EXPECT_EQ(nd_each_page(engine_, group.group_id, add_page, &pages), ND_OK);
    count += group.page_count;
  }
  EXPECT_EQ(pages.size(), count);
  EXPECT_EQ(stats().pages, count);
  return pages;
}

// While all threads wait.
void StressTest::expect_consistent(const std::array<Worker*, kThreads>& workers) {
  const std::map<uint64_t, uint64_t> pages = group_of_pages();
  reopen({{"journal_bytes", "65536"}});
  EXPECT_EQ(group_of_pages(), pages);
  for (const Worker* worker : workers) {
    for (const auto& [url, is_there] : worker->own) {
      nd_page_info info = ND_PAGE_INFO_INIT;
      EXPECT_EQ(nd_find_page(engine_, url.data(), url.size(), &info), is_there ? ND_OK : ND_ERR_NOT_FOUND)
          << url;
    }
  }
  EXPECT_EQ(nd_verify_store(path_.c_str(), nullptr, nullptr), ND_OK) << nd_last_error();
}

TEST_F(StressTest, EveryCallAtOnceFromEightThreads) {
  open({{"journal_bytes", "65536"}});
  std::array<Worker*, kThreads> workers{};
  std::barrier turn(kThreads);
  const auto work = [&](size_t number) {
    Worker worker(number);
    workers[number] = &worker;
    for (int round = 0; round < kRounds; ++round) {
      turn.arrive_and_wait();
      worker.checks = 0;
      for (int call = 0; call < kCallsPerRound; ++call)
        call_something(worker);
      turn.arrive_and_wait();
      if (number == 0) expect_consistent(workers);
    }
    turn.arrive_and_wait();
  };
  std::vector<std::thread> threads;
  for (size_t number = 0; number < kThreads; ++number)
    threads.emplace_back(work, number);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_GT(stats().pages, 20U);
}

}  // namespace
}  // namespace nd_test
