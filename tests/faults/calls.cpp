// One function for each call of the C interface, so that each of its allocations and file calls can be made
// to fail.
#include "faults/calls.hpp"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <utility>

#include "faults/call_outcome.hpp"

namespace faults::calls {
namespace {

// The iterations' callbacks are the test's.
int32_t add_page(const nd_page_info* info, const char* url, size_t url_size, void* out) {
  const LibraryCall outside(false);
  static_cast<std::string*>(out)->append(text_of(*info)).append(" ").append(url, url_size).append("\n");
  return 0;
}

int32_t add_group(const nd_group_info* info, void* out) {
  const LibraryCall outside(false);
  *static_cast<std::string*>(out) +=
      std::to_string(info->group_id) + " " + std::to_string(info->page_count) + "\n";
  return 0;
}

int32_t add_settled(const nd_result* result, const char* /*url*/, size_t /*url_size*/, void* out) {
  const LibraryCall outside(false);
  *static_cast<std::string*>(out) +=
      std::to_string(result->page_id) + " " + std::to_string(result->group_id) + "\n";
  return 0;
}

int32_t add_event(const nd_event* event, void* out) {
  const LibraryCall outside(false);
  *static_cast<std::string*>(out) +=
      std::to_string(event->kind) + " " + std::to_string(event->page_id) + "\n";
  return 0;
}

int32_t add_similar(const nd_similar_page* similar, const char* url, size_t url_size, void* out) {
  const LibraryCall outside(false);
  *static_cast<std::string*>(out) += std::string(url, url_size) + " " + std::to_string(similar->score) + "\n";
  return 0;
}

int32_t add_fault(const nd_store_fault* fault, void* out) {
  const LibraryCall outside(false);
  *static_cast<std::string*>(out) += std::string(fault->file) + ": " + fault->sentence + "\n";
  return 0;
}

}  // namespace

Step set_allocator() {
  return step("set_allocator", [](World&) -> Outcome {
    nd_allocator allocator = ND_ALLOCATOR_INIT;
    allocator.malloc_fn = [](size_t size, void*) { return std::malloc(size); };
    allocator.realloc_fn = [](void* memory, size_t size, void*) { return std::realloc(memory, size); };
    allocator.free_fn = [](void* memory, void*) { std::free(memory); };
    return {ND_CALL(nd_set_allocator, &allocator), ""};
  });
}

Step read_names() {
  return step("read_names", [](World&) -> Outcome {
    std::string text = std::to_string(ND_CALL(nd_version)) + ND_CALL(nd_version_string);
    for (nd_status status = ND_ERR_INTERNAL - 1; status <= ND_OK + 1; ++status)
      text += ND_CALL(nd_status_string, status);
    return {ND_OK, text + (ND_CALL(nd_last_error) == nullptr ? "null" : "")};
  });
}

Step new_options() {
  return step("new_options", [](World& world) -> Outcome {
    const nd_status status = ND_CALL(nd_options_new, &world.options);
    return {status, (world.options != nullptr) == (status == ND_OK) ? "" : "left: a handle"};
  });
}

Step set_option(const char* key, const char* value) {
  return step(std::string("set_option ") + key, [=](World& world) -> Outcome {
    return {ND_CALL(nd_options_set, world.options, key, value), ""};
  });
}

Step get_option(const char* key) {
  return step(std::string("get_option ") + key, [=](World& world) -> Outcome {
    char value[64] = "";
    size_t size = sizeof value;
    const nd_status status = ND_CALL(nd_options_get, world.options, key, value, &size);
    return {status, status == ND_OK ? value : size == 0 ? "" : "left: a size"};
  });
}

Step describe_option(size_t index) {
  return step("describe_option", [=](World&) -> Outcome {
    nd_option_info info = ND_OPTION_INFO_INIT;
    const nd_status status = ND_CALL(nd_options_describe, index, &info);
    return {status, status == ND_OK ? info.help : is_empty(info) ? "" : "left: an option"};
  });
}

Step free_options() {
  return step("free_options", [](World& world) -> Outcome {
    ND_CALL(nd_options_free, std::exchange(world.options, nullptr));
    return {};
  });
}

namespace {

// Which one the call names, or the default.
void note_detector(const nd_options* options) {
  nd_options* defaults = nullptr;
  if (options == nullptr) nd_options_new(&defaults);
  char value[32] = "";
  size_t size = sizeof value;
  nd_options_get(options == nullptr ? defaults : options, "detector", value, &size);
  nd_options_free(defaults);
  opened_detectors().insert(value);
}

Outcome open_at(const char* path, const nd_options* options, nd_engine*& engine) {
  const nd_status status = ND_CALL(nd_open, path, options, &engine);
  if (status == ND_OK) note_detector(options);
  return {status, (engine != nullptr) == (status == ND_OK) ? "" : "left: a handle"};
}

}  // namespace

Step open() {
  return step("open", [](World& world) { return open_at(nullptr, world.options, world.engine); });
}

Step open_store() {
  return step("open_store",
              [](World& world) { return open_at(world.path().c_str(), world.options, world.engine); });
}

Step open_again() {
  return step("open_again", [](World& world) {
    nd_engine* second = nullptr;
    const Outcome outcome = open_at(world.path().c_str(), nullptr, second);
    if (second != nullptr) nd_close(second);  // which would clear the message
    return outcome;
  });
}

Step close() {
  return step("close", [](World& world) -> Outcome {
    return {ND_CALL(nd_close, std::exchange(world.engine, nullptr)), ""};
  });
}

Step open_reader() {
  return step("open_reader", [](World& world) {
    nd_options* options = nullptr;
    nd_options_new(&options);
    nd_options_set(options, "read_only", "true");
    const Outcome outcome = open_at(world.path().c_str(), options, world.reader);
    nd_options_free(options);
    return outcome;
  });
}

Step refresh() {
  return step("refresh", [](World& world) -> Outcome { return {ND_CALL(nd_refresh, world.reader), ""}; });
}

Step find_by_reader(std::string url) {
  return step("find_by_reader", [=](World& world) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    const nd_status status = ND_CALL(nd_find_page, world.reader, url.data(), url.size(), &info);
    return outcome_of(status, info);
  });
}

Step close_reader() {
  return step("close_reader", [](World& world) -> Outcome {
    return {ND_CALL(nd_close, std::exchange(world.reader, nullptr)), ""};
  });
}

Step check(std::string url, std::string body, std::string content_type) {
  return step("check " + url, [=](World& world) {
    const nd_page page = page_of(url, body, content_type);
    nd_result result = ND_RESULT_INIT;
    const nd_status status = ND_CALL(nd_check_page, world.engine, &page, &result);
    return outcome_of(status, result);
  });
}

Step query(std::string url, std::string body) {
  return step("query " + url, [=](World& world) {
    const nd_page page = page_of(url, body, "");
    nd_result result = ND_RESULT_INIT;
    const nd_status status = ND_CALL(nd_query_page, world.engine, &page, &result);
    return outcome_of(status, result);
  });
}

Step own_text(std::string url, std::string body) {
  return step("own_text " + url, [=](World& world) {
    const nd_page page = page_of(url, body, "");
    Buffer text;
    const nd_status status = ND_CALL(nd_own_text, world.engine, &page, &text.raw);
    return outcome_of(status, text);
  });
}

Step check_with_text(std::string url, std::string body) {
  return step("check_with_text " + url, [=](World& world) -> Outcome {
    const nd_page page = page_of(url, body, "");
    nd_result result = ND_RESULT_INIT;
    Buffer text;
    const nd_status status = ND_CALL(nd_check_page_text, world.engine, &page, &result, &text.raw);
    const Outcome answer = outcome_of(status, result);
    return {status, answer.answer + outcome_of(status, text).answer};
  });
}

Step remove(std::string url) {
  return step("remove " + url, [=](World& world) -> Outcome {
    return {ND_CALL(nd_remove_page, world.engine, url.data(), url.size()), ""};
  });
}

Step remove_matching(std::string url_prefix, bool purge) {
  return step("remove_matching " + url_prefix, [=](World& world) -> Outcome {
    nd_filter filter = ND_FILTER_INIT;
    filter.flags = purge ? uint32_t{ND_REMOVE_PURGE} : 0;
    filter.url_prefix = url_prefix.data();
    filter.url_prefix_size = url_prefix.size();
    uint64_t removed = 0;
    const nd_status status = ND_CALL(nd_remove_matching, world.engine, &filter, &removed);
    return {status, status == ND_OK ? std::to_string(removed) : removed == 0 ? "" : "left: a count"};
  });
}

Step snapshot() {
  return step("snapshot", [](World& world) -> Outcome { return {ND_CALL(nd_snapshot, world.engine), ""}; });
}

Step compact() {
  return step("compact", [](World& world) -> Outcome { return {ND_CALL(nd_compact, world.engine), ""}; });
}

Step set_bookmark(const char* name, std::string data) {
  return step("set_bookmark", [=](World& world) -> Outcome {
    return {ND_CALL(nd_set_bookmark, world.engine, name, data.data(), data.size()), ""};
  });
}

Step get_bookmark(const char* name) {
  return step("get_bookmark", [=](World& world) {
    Buffer data;
    const nd_status status = ND_CALL(nd_get_bookmark, world.engine, name, &data.raw);
    return outcome_of(status, data);
  });
}

Step verify_store() {
  return step("verify_store", [](World& world) -> Outcome {
    std::string faults;
    const nd_status status = ND_CALL(nd_verify_store, world.path().c_str(), add_fault, &faults);
    return {status, status == ND_OK ? faults : ""};  // what was reported before a failure counts
  });
}

// Each time into a folder of its own: after a failure what is there is of no use.
Step repair_store() {
  return step("repair_store", [](World& world) -> Outcome {
    static int number = 0;
    const std::string saved = world.path() + "_saved" + std::to_string(++number);
    nd_repair_counts repair = ND_REPAIR_COUNTS_INIT;
    std::string losses;
    const nd_status status =
        ND_CALL(nd_repair_store, world.path().c_str(), saved.c_str(), add_fault, &losses, &repair);
    if (status != ND_OK) return {status, ""};
    return {status, losses + std::to_string(repair.pages) + " " + std::to_string(repair.groups)};
  });
}

// With a copy of it, each time into a folder of its own.
Step merge_stores() {
  return step("merge_stores", [](World& world) -> Outcome {
    static int number = 0;
    const std::string other = world.path() + "_other" + std::to_string(++number);
    const std::string merged = world.path() + "_merged" + std::to_string(number);
    std::filesystem::copy(world.path(), other, std::filesystem::copy_options::recursive);
    std::string rows;
    const auto add = [](const nd_merged_page* page, const char*, size_t, void* ctx) {
      static_cast<std::string*>(ctx)->append(std::to_string(page->kind) + " " +
                                             std::to_string(page->page_id) + "\n");
      return int32_t{0};
    };
    nd_merge_counts merge = ND_MERGE_COUNTS_INIT;
    const nd_status status = ND_CALL(nd_merge_stores, world.path().c_str(), other.c_str(), merged.c_str(),
                                     nullptr, add, &rows, &merge);
    if (status != ND_OK) return {status, ""};
    return {status, rows + std::to_string(merge.pages) + " " + std::to_string(merge.groups)};
  });
}

Step find_page(std::string url) {
  return step("find_page", [=](World& world) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    const nd_status status = ND_CALL(nd_find_page, world.engine, url.data(), url.size(), &info);
    return outcome_of(status, info);
  });
}

Step get_page(uint64_t page_id) {
  return step("get_page", [=](World& world) -> Outcome {
    nd_page_info info = ND_PAGE_INFO_INIT;
    char url[256] = "";
    size_t size = sizeof url;
    const nd_status status = ND_CALL(nd_get_page, world.engine, page_id, &info, url, &size);
    if (status == ND_OK) return {status, text_of(info) + url};
    return {status, is_empty(info) && size == 0 ? "" : "left: a page"};
  });
}

Step each_page(uint64_t group_id) {
  return step("each_page", [=](World& world) -> Outcome {
    std::string pages;
    return {ND_CALL(nd_each_page, world.engine, group_id, add_page, &pages), pages};
  });
}

Step kept_page(uint64_t group_id, int32_t rule) {
  return step("kept_page", [=](World& world) -> Outcome {
    nd_page_info info = ND_PAGE_INFO_INIT;
    char url[256] = "";
    size_t size = sizeof url;
    const nd_status status = ND_CALL(nd_kept_page, world.engine, group_id, rule, &info, url, &size);
    if (status == ND_OK) return {status, text_of(info) + url};
    return {status, is_empty(info) && size == 0 ? "" : "left: a page"};
  });
}

Step settle() {
  return step("settle", [](World& world) -> Outcome {
    std::string answers;
    const nd_status status = ND_CALL(nd_settle, world.engine, add_settled, &answers);
    return {status, status == ND_OK ? answers : ""};  // what came before a failure is void
  });
}

Step each_group() {
  return step("each_group", [](World& world) -> Outcome {
    std::string groups;
    return {ND_CALL(nd_each_group, world.engine, add_group, &groups), groups};
  });
}

Step each_event() {
  return step("each_event", [](World& world) -> Outcome {
    std::string events;
    return {ND_CALL(nd_each_event, world.engine, 0, add_event, &events), events};
  });
}

Step explain(uint64_t page_a, uint64_t page_b) {
  return step("explain", [=](World& world) {
    Buffer json;
    const nd_status status = ND_CALL(nd_explain, world.engine, page_a, page_b, &json.raw);
    return outcome_of(status, json);
  });
}

Step compare_pages(uint64_t page_a, uint64_t page_b) {
  return step("compare_pages", [=](World& world) {
    nd_result result = ND_RESULT_INIT;
    const nd_status status = ND_CALL(nd_compare_pages, world.engine, page_a, page_b, &result);
    return outcome_of(status, result);
  });
}

Step similar_pages(uint64_t page_id) {
  return step("similar_pages", [=](World& world) -> Outcome {
    std::string pages;
    return {ND_CALL(nd_similar_pages, world.engine, page_id, 10, add_similar, &pages), pages};
  });
}

Step get_stats() {
  return step("get_stats", [](World& world) -> Outcome {
    nd_stats stats = ND_STATS_INIT;
    const nd_status status = ND_CALL(nd_get_stats, world.engine, &stats);
    if (status != ND_OK) return {status, is_empty(stats) ? "" : "left: statistics"};
    const uint64_t numbers[] = {stats.pages,
                                stats.groups,
                                stats.checks,
                                stats.verdict_new,
                                stats.verdict_unchanged,
                                stats.verdict_exact,
                                stats.verdict_near,
                                stats.verdict_no_text,
                                stats.recrawls,
                                stats.changed,
                                stats.regrouped,
                                stats.removed,
                                stats.body_bytes,
                                stats.keys};
    return {status, numbers_text(numbers, std::size(numbers))};
  });
}

// Its numbers are those of the statistics, and times.
Step metrics() {
  return step("metrics", [](World& world) {
    Buffer text;
    const nd_status status = ND_CALL(nd_metrics, world.engine, &text.raw);
    Outcome outcome = outcome_of(status, text);
    if (status == ND_OK) outcome.answer = outcome.answer.size() > 1000 ? "metrics" : "no metrics";
    return outcome;
  });
}

Step set_logger() {
  return step("set_logger", [](World& world) -> Outcome {
    const auto ignore = [](int32_t, const char*, size_t, void*) {};
    return {ND_CALL(nd_set_logger, world.engine, ignore, nullptr), ""};
  });
}

Step set_options_logger() {
  return step("set_options_logger", [](World& world) -> Outcome {
    const auto ignore = [](int32_t, const char*, size_t, void*) {};
    return {ND_CALL(nd_options_set_logger, world.options, ignore, nullptr), ""};
  });
}

std::vector<Step> opened(const Settings& settings, bool store) {
  std::vector<Step> steps{new_options(), set_options_logger()};
  for (const auto& [key, value] : settings)
    steps.push_back(set_option(key, value));
  steps.push_back(store ? open_store() : open());
  steps.push_back(free_options());
  return steps;
}

}  // namespace faults::calls
