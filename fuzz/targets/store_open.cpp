// A store directory of any bytes: it opens or it does not, and each call succeeds or says that the store is
// damaged. The input changes one of two stores in git, byte by byte or with right checksums.
#include <ndcapi.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/engine_log.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/input_reader.hpp"
#include "fuzz/scratch_folder.hpp"
#include "fuzz/store_checksums.hpp"
#include "fuzz/store_files.hpp"
#include "unit/page_sample.hpp"

namespace nd::fuzz {
namespace {

bool expect_one_of(nd_status status, std::initializer_list<nd_status> possible, const char* call) {
  bool is_possible = status == ND_OK;
  for (const nd_status one : possible)
    is_possible |= status == one;
  if (!is_possible) {
    std::fprintf(stderr, "%s: %s: %s\n", call, nd_status_string(status), nd_last_error());
    fail("a status that no bytes of a store should bring about");
  }
  expect(status == ND_OK || nd_last_error()[0] != '\0', "an error without a sentence");
  return status == ND_OK;
}

// What some bytes of a store can stand for at most: nothing that they name counts again and again.
constexpr uint64_t kPageBytes = 16;       // its entry in a run
constexpr uint64_t kElectionBytes = 128;  // a page in a run, or in a journal, that it elects

class Visit {
 public:
  Visit(nd_engine* engine, const std::string& path, bool read_only)
      : engine_(engine), path_(path), read_only_(read_only) {
    log_.follow(engine_);
  }

  void look_at_all() {
    std::vector<uint64_t> groups;
    const auto add_group = [](const nd_group_info* info, void* context) {
      static_cast<std::vector<uint64_t>*>(context)->push_back(info->group_id);
      return int32_t{0};
    };
    expect_one_of(nd_each_group(engine_, add_group, &groups), {ND_ERR_CORRUPT}, "nd_each_group");
    const uint64_t bytes = store_bytes(path_);
    for (const uint64_t group : groups) {
      const size_t before = urls_.size();
      expect_one_of(nd_each_page(engine_, group, add_page, this), {ND_ERR_CORRUPT, ND_ERR_NOT_FOUND},
                    "nd_each_page");
      expect((urls_.size() - before) * kPageBytes <= bytes,
             "a group has more pages than the store has room for");
    }
    const auto see_event = [](const nd_event* event, void* context) {
      *static_cast<uint64_t*>(context) += event->sequence;
      return int32_t{0};
    };
    uint64_t sum = 0;
    expect_one_of(nd_each_event(engine_, 0, see_event, &sum), {ND_ERR_CORRUPT}, "nd_each_event");
    for (const std::string& url : urls_) {
      nd_page_info info = ND_PAGE_INFO_INIT;
      expect_one_of(nd_find_page(engine_, url.data(), url.size(), &info), {ND_ERR_CORRUPT, ND_ERR_NOT_FOUND},
                    "nd_find_page");
    }
    look_at_texts();
    nd_stats stats = ND_STATS_INIT;
    expect_one_of(nd_get_stats(engine_, &stats), {}, "nd_get_stats");
    expect(stats.bytes_disk <= bytes, "a generation has more bytes than its files");
  }

  // The events of the journal: `since` is the last event of the snapshot.
  void count_elections(uint64_t since) const {
    const auto count = [](const nd_event* event, void* context) {
      *static_cast<uint64_t*>(context) += event->kind == ND_EVENT_REELECTED && event->page_id != 0;
      return int32_t{0};
    };
    uint64_t elections = 0;
    expect_one_of(nd_each_event(engine_, since, count, &elections), {ND_ERR_CORRUPT}, "nd_each_event");
    expect(elections * kElectionBytes <= store_bytes(path_), "more elections than pages to elect");
  }

  void check_pages() {
    for (uint64_t seed = 0; seed < 3; ++seed) {
      ask("https://new.example/" + std::to_string(seed), sample::article_html(seed));
      check("https://new.example/" + std::to_string(seed), sample::article_html(seed));
    }
    if (!urls_.empty()) {
      check(urls_.front(), sample::article_html(1));
      check(urls_.front(), "");
      check(urls_.back(), sample::article_html(0));
    }
  }

  void change() {
    const std::vector<nd_status> possible = read_only_
                                                ? std::vector<nd_status>{ND_ERR_READ_ONLY}
                                                : std::vector<nd_status>{ND_ERR_CORRUPT, ND_ERR_NOT_FOUND};
    const auto expect_possible = [&](nd_status status, const char* call) {
      expect(!read_only_ || status == possible.front(), "a reader changed a store");
      expect_one_of(status, {possible.front(), possible.back()}, call);
    };
    const std::string url = urls_.empty() ? "https://a.example/0" : urls_[urls_.size() / 2];
    expect_possible(nd_remove_page(engine_, url.data(), url.size()), "nd_remove_page");
    expect_possible(nd_set_bookmark(engine_, "here", url.data(), url.size()), "nd_set_bookmark");
    expect_possible(nd_snapshot(engine_), "nd_snapshot");
    nd_filter filter = ND_FILTER_INIT;
    filter.url_prefix = "https://a";
    filter.url_prefix_size = 9;
    filter.flags = ND_REMOVE_PURGE;
    expect_possible(nd_remove_matching(engine_, &filter, nullptr), "nd_remove_matching");
    // Nothing is in memory then, so that all that is written is merged from the runs that are there.
    expect_possible(nd_snapshot(engine_), "nd_snapshot");
    const uint64_t bytes = store_bytes(path_);
    expect_possible(nd_compact(engine_), "nd_compact");
    expect(store_bytes(path_) <= 3 * bytes + kSmallBytes, "a merge wrote more than it read");
    const nd_status refreshed = nd_refresh(engine_);
    expect_one_of(refreshed, {read_only_ ? ND_ERR_CORRUPT : ND_ERR_INVALID_ARGUMENT}, "nd_refresh");
  }

  void close() {
    expect_one_of(nd_close(engine_), {ND_ERR_CORRUPT}, "nd_close");
    log_.engine_closed();
  }

 private:
  static int32_t add_page(const nd_page_info* info, const char* url, size_t url_size, void* context) {
    auto& visit = *static_cast<Visit*>(context);
    visit.urls_.emplace_back(url, url_size);
    visit.ids_.push_back(info->page_id);
    return 0;
  }

  void look_at_texts() const {
    nd_buffer json = ND_BUFFER_INIT;
    const uint64_t first = ids_.empty() ? 1 : ids_.front();
    const size_t step = ids_.size() / kTexts + 1;
    for (size_t i = 0; i < ids_.size(); i += step) {
      const uint64_t id = ids_[i];
      nd_page_info info = ND_PAGE_INFO_INIT;
      expect_one_of(nd_get_page(engine_, id, &info, nullptr, nullptr), {ND_ERR_CORRUPT, ND_ERR_NOT_FOUND},
                    "nd_get_page");
      expect_one_of(nd_explain(engine_, first, id, &json), {ND_ERR_CORRUPT, ND_ERR_NOT_FOUND}, "nd_explain");
    }
    nd_buffer_free(&json);
  }

  static nd_page page_of(const std::string& url, const std::string& body) {
    nd_page page = ND_PAGE_INIT;
    page.url = url.data();
    page.url_size = url.size();
    page.body = body.data();
    page.body_size = body.size();
    page.fetched_at_ms = 1000;
    return page;
  }
  void ask(const std::string& url, const std::string& body) const {
    const nd_page page = page_of(url, body);
    nd_result result = ND_RESULT_INIT;
    expect_one_of(nd_query_page(engine_, &page, &result), {ND_ERR_CORRUPT}, "nd_query_page");
  }
  void check(const std::string& url, const std::string& body) const {
    const nd_page page = page_of(url, body);
    nd_result result = ND_RESULT_INIT;
    const nd_status status = nd_check_page(engine_, &page, &result);
    if (read_only_) {
      expect(status == ND_ERR_READ_ONLY, "a reader took a page");
      return;
    }
    const bool taken = expect_one_of(status, {ND_ERR_CORRUPT}, "nd_check_page");
    expect(taken == (result.page_id != 0) && taken == (result.group_id != 0),
           "an id of 0 for a page that was taken");
  }

  static constexpr uint64_t kSmallBytes = 64 << 10;  // heads and trailers
  static constexpr size_t kTexts = 32;               // that are looked at, or some more

  nd_engine* engine_;
  std::string path_;
  bool read_only_;
  EngineLog log_;
  std::vector<std::string> urls_;
  std::vector<uint64_t> ids_;
};

struct Opening {
  const char* verify;
  bool mmap;
  bool read_only;
};

Opening read_opening(InputReader& input) {
  constexpr const char* kVerifies[] = {"lazy", "full", "off", "lazy"};
  const uint8_t bits = input.take_byte();
  return {kVerifies[bits % 4], (bits & 4) != 0, (bits & 8) != 0};
}

// Null if it cannot be opened.
nd_engine* open_store(const std::string& path, const Opening& opening) {
  nd_options* options = nullptr;
  nd_options_new(&options);
  nd_options_set(options, "verify", opening.verify);
  nd_options_set(options, "mmap", opening.mmap ? "true" : "false");
  nd_options_set(options, "read_only", opening.read_only ? "true" : "false");
  nd_engine* engine = nullptr;
  const nd_status status = nd_open(path.c_str(), options, &engine);
  const nd_status none = opening.read_only ? ND_ERR_NOT_FOUND : ND_ERR_CORRUPT;
  expect_one_of(status, {ND_ERR_CORRUPT, ND_ERR_INVALID_ARGUMENT, ND_ERR_UNSUPPORTED_VERSION, none},
                "nd_open");
  expect((status == ND_OK) == (engine != nullptr), "an engine that was not opened");
  nd_options_free(options);
  return engine;
}

// What a reader sees, for whom no journal is replayed. Nothing if it cannot be read.
std::optional<uint64_t> last_event_of_snapshot(const std::string& path, Opening opening) {
  opening.read_only = true;
  nd_engine* const engine = open_store(path, opening);
  if (engine == nullptr) return {};
  uint64_t last = 0;
  const auto see = [](const nd_event* event, void* context) {
    *static_cast<uint64_t*>(context) = event->sequence;
    return int32_t{0};
  };
  const bool is_whole = nd_each_event(engine, 0, see, &last) == ND_OK;
  nd_close(engine);
  return is_whole ? std::optional(last) : std::nullopt;
}

void visit_store(const std::string& path, const Opening& opening) {
  const std::optional<uint64_t> last_event =
      opening.read_only ? std::nullopt : last_event_of_snapshot(path, opening);
  nd_engine* const engine = open_store(path, opening);
  if (engine == nullptr) return;
  Visit visit(engine, path, opening.read_only);
  if (last_event) visit.count_elections(*last_event);
  visit.look_at_all();
  visit.check_pages();
  visit.change();
  visit.look_at_all();
  visit.close();
}

// A store that inputs change. It is whole, and its checksums are those that repair_checksums() makes:
// nd_open may call any other store damaged, and nothing more would be reached.
StoreFiles whole_store(const char* folder) {
  StoreFiles files = read_store_files(folder);
  expect_checksums_known(files);
  const std::string path = empty_scratch_folder() + "store";
  write_store_files(files, path);
  expect_one_of(nd_verify_store(path.c_str(), nullptr, nullptr), {}, "nd_verify_store");
  nd_engine* const engine = open_store(path, {"full", true, false});
  expect(engine != nullptr, "a store in git is not whole");
  nd_stats stats = ND_STATS_INIT;
  expect_one_of(nd_get_stats(engine, &stats), {}, "nd_get_stats");
  expect(stats.pages > 0, "there is no page in the store");
  expect_one_of(nd_close(engine), {}, "nd_close");
  return files;
}

// Whatever is damaged: what is saved is a store without faults.
void repair_store(const std::string& path) {
  const std::string saved = path + "_saved";
  std::filesystem::remove_all(saved);
  nd_repair_counts repair = ND_REPAIR_COUNTS_INIT;
  const nd_status status = nd_repair_store(path.c_str(), saved.c_str(), nullptr, nullptr, &repair);
  expect_one_of(status,
                {ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION, ND_ERR_NOT_FOUND, ND_ERR_INVALID_ARGUMENT},
                "nd_repair_store");
  if (status != ND_OK) return;
  expect_one_of(nd_verify_store(saved.c_str(), nullptr, nullptr), {}, "nd_verify_store of what was saved");
  nd_engine* engine = nullptr;
  expect_one_of(nd_open(saved.c_str(), nullptr, &engine), {}, "nd_open of what was saved");
  nd_stats stats = ND_STATS_INIT;
  expect_one_of(nd_get_stats(engine, &stats), {}, "nd_get_stats");
  expect(stats.pages == repair.pages && stats.groups == repair.groups, "another number of pages was saved");
  expect_one_of(nd_close(engine), {}, "nd_close");
}

// Into a whole store: what is made is a store without faults, or nothing is there.
void merge_store(const std::string& path, const StoreFiles& whole) {
  const std::string first = path + "_first", merged = path + "_merged";
  std::filesystem::remove_all(merged);
  write_store_files(whole, first);
  nd_merge_counts merge = ND_MERGE_COUNTS_INIT;
  const nd_status status =
      nd_merge_stores(first.c_str(), path.c_str(), merged.c_str(), nullptr, nullptr, nullptr, &merge);
  expect_one_of(status,
                {ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION, ND_ERR_NOT_FOUND, ND_ERR_INVALID_ARGUMENT},
                "nd_merge_stores");
  expect(std::filesystem::exists(merged) == (status == ND_OK), "a merge that failed left a store");
  if (status != ND_OK) return;
  expect_one_of(nd_verify_store(merged.c_str(), nullptr, nullptr), {}, "nd_verify_store of what was merged");
}

}  // namespace
}  // namespace nd::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nd::fuzz;
  InputReader input(data, size);
  const uint8_t repairs = input.take_byte();
  const Opening first = read_opening(input), second = read_opening(input);
  static const std::array<StoreFiles, 2> kWhole = {whole_store(NDC_SMALL_STORE),
                                                   whole_store(NDC_CROWDED_STORE)};
  StoreFiles files = kWhole[repairs >> 7];
  edit_store_files(input, files);
  if ((repairs & 1) != 0) repair_checksums(files, (repairs & 2) != 0);
  const std::string path = empty_scratch_folder() + "store";
  write_store_files(files, path);
  // Reading it all takes longer than all else.
  if ((repairs & 4) != 0)
    expect_one_of(nd_verify_store(path.c_str(), nullptr, nullptr),
                  {ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION, ND_ERR_NOT_FOUND}, "nd_verify_store");
  if ((repairs & 8) != 0) repair_store(path);
  if ((repairs & 16) != 0) merge_store(path, kWhole[repairs >> 7]);
  visit_store(path, first);
  visit_store(path, second);
  return 0;
}
