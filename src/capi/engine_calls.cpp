// The calls of ndcapi.h on an engine: opening and closing it, checking pages, and its store.
#include "capi/engine_use.hpp"
#include "capi/handles.hpp"
#include "engine/store_merge.hpp"
#include "engine/store_repair.hpp"

using namespace nd::capi;

namespace {

static_assert(int{ND_NEW} == int{nd::engine::kNew} && int{ND_UNCHANGED} == int{nd::engine::kUnchanged} &&
              int{ND_EXACT} == int{nd::engine::kExactDuplicate} &&
              int{ND_NEAR} == int{nd::engine::kNearDuplicate} && int{ND_NO_TEXT} == int{nd::engine::kNoText});
static_assert(uint32_t{ND_FLAG_RECRAWL} == nd::engine::kRecrawl &&
              uint32_t{ND_FLAG_CHANGED} == nd::engine::kChanged &&
              uint32_t{ND_FLAG_REGROUPED} == nd::engine::kRegrouped &&
              uint32_t{ND_FLAG_TRUNCATED} == nd::engine::kTruncated &&
              uint32_t{ND_FLAG_LIMIT} == nd::engine::kLimit &&
              uint32_t{ND_FLAG_SHORT} == nd::engine::kShortPage &&
              uint32_t{ND_FLAG_CONTAINS} == nd::engine::kContains &&
              uint32_t{ND_FLAG_CONTAINED} == nd::engine::kContained &&
              uint32_t{ND_FLAG_UNVERIFIED} == nd::engine::kUnverified &&
              uint32_t{ND_FLAG_UNCERTAIN} == nd::engine::kUncertain);

static_assert(int{ND_MERGED_ADDED} == int{nd::engine::kAdded} &&
              int{ND_MERGED_NEWER} == int{nd::engine::kNewer} &&
              int{ND_MERGED_OLDER} == int{nd::engine::kOlder} &&
              int{ND_MERGED_WITHHELD} == int{nd::engine::kWithheld});

// The two calls that take a page and return an answer.
template <typename Call>
nd_status answer_page(nd_engine* engine, const nd_page* page, nd_result* result_out, Call call) {
  return write_answer(result_out, [&] {
    return with_engine(engine, [&](Engine& opened) -> nd::Result<nd::engine::Answer> {
      const auto input = read_page(page);
      if (!input) return input.failure();
      return (opened.*call)(*input);
    });
  });
}

}  // namespace

nd_status nd_open(const char* path, const nd_options* options, nd_engine** engine_out) {
  return guarded([&]() -> nd::Result<void> {
    if (engine_out == nullptr) return invalid("engine_out is NULL");
    *engine_out = nullptr;
    if (path != nullptr && *path == '\0') return invalid("path is empty; NULL is for an engine in memory");
    auto engine = path == nullptr ? Engine::open(parameters_of(options))
                                  : Engine::open(path, options_of(options), store_files());
    if (!engine) return engine.failure();
    if (path == nullptr && options != nullptr) (*engine)->set_logger(options->options.logger());
    *engine_out = nd::make_owned<nd_engine>(*std::move(engine), process_number()).release();
    return {};
  });
}

nd_status nd_close(nd_engine* engine) {
  return guarded([&]() -> nd::Result<void> {
    if (engine == nullptr) return {};
    if (auto closable = check_closable(*engine); !closable) return closable;
    const nd::Owned<nd_engine> owned{engine};
    return owned->engine->close();
  });
}

nd_status nd_check_page(nd_engine* engine, const nd_page* page, nd_result* result_out) {
  return answer_page(engine, page, result_out, &Engine::check);
}

nd_status nd_own_text(nd_engine* engine, const nd_page* page, nd_buffer* text_out) {
  return write_text(text_out, [&](nd::String& text) {
    return with_engine(engine, [&](Engine& opened) -> nd::Result<void> {
      const auto input = read_page(page);
      if (!input) return input.failure();
      return opened.own_text(*input, text);
    });
  });
}

nd_status nd_check_page_text(nd_engine* engine, const nd_page* page, nd_result* result_out,
                             nd_buffer* text_out) {
  return guarded([&]() -> nd::Result<void> {
    // Both, before the fault of one of them is returned.
    const auto text_cleared = clear_buffer(text_out);
    if (auto cleared = clear_struct(result_out, "result_out"); !cleared) return cleared;
    if (!text_cleared) return text_cleared.failure();
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    const auto input = read_page(page);
    if (!input) return input.failure();
    // Filled before the page is committed: after that, memory must not run out. But a check that fails later
    // leaves nothing in it.
    struct EmptyOnFailure {
      nd_buffer* buffer;
      bool failed = true;
      ~EmptyOnFailure() {
        if (failed) static_cast<void>(clear_buffer(buffer));
      }
    };
    EmptyOnFailure guard{text_out};
    const auto answer = engine->engine->check_and_take_text(
        *input, [&](std::string_view text) { fill_buffer(text, text_out); });
    if (!answer) return answer.failure();
    guard.failed = false;
    write_struct(result_of(*answer), result_out);
    return {};
  });
}

nd_status nd_query_page(nd_engine* engine, const nd_page* page, nd_result* result_out) {
  return answer_page(engine, page, result_out, &Engine::query);
}

nd_status nd_settle(nd_engine* engine, nd_settled_callback callback, void* ctx) {
  return on_engine(engine, [&](Engine& opened) {
    if (callback == nullptr) return opened.settle(nullptr);
    return opened.settle([&](const nd::engine::Answer& answer, std::string_view url) {
      const nd_result result = result_of(answer);
      return call_back([&] { return callback(&result, url.data(), url.size(), ctx); }) == 0;
    });
  });
}

nd_status nd_remove_page(nd_engine* engine, const char* url, size_t url_size) {
  return on_engine(engine, [&](Engine& opened) -> nd::Result<void> {
    const auto text = read_string(url, url_size, "url");
    if (!text) return text.failure();
    return opened.remove(*text);
  });
}

nd_status nd_remove_matching(nd_engine* engine, const nd_filter* filter, uint64_t* removed_out) {
  return guarded([&]() -> nd::Result<void> {
    if (removed_out != nullptr) *removed_out = 0;
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    const auto given = read_struct(filter, "filter");
    if (!given) return given.failure();
    if ((given->flags & ~uint32_t{ND_REMOVE_PURGE}) != 0)
      return nd::error(nd::Status::kUnsupportedVersion, "filter.flags has an unknown bit");
    const auto url_prefix = read_string(given->url_prefix, given->url_prefix_size, "filter.url_prefix");
    if (!url_prefix) return url_prefix.failure();
    const auto site = read_string(given->site, given->site_size, "filter.site");
    if (!site) return site.failure();
    if (given->fetched_before_ms < 0) return invalid("filter.fetched_before_ms is negative");
    if (url_prefix->empty() && site->empty() && given->fetched_before_ms == 0)
      return invalid("an empty filter would remove every page");
    const auto removed = engine->engine->remove_matching(
        {*url_prefix, *site, given->fetched_before_ms, (given->flags & ND_REMOVE_PURGE) != 0});
    if (!removed) return removed.failure();
    if (removed_out != nullptr) *removed_out = *removed;
    return {};
  });
}

nd_status nd_set_logger(nd_engine* engine, nd_log_callback callback, void* ctx) {
  return on_engine(engine, [&](Engine& opened) {
    opened.set_logger({callback, ctx});
    return nd::Result<void>();
  });
}

namespace {

// Passes each fault to the caller's function until it asks to stop.
class FaultCallback {
 public:
  FaultCallback(nd_store_fault_callback callback, void* ctx) noexcept : callback_(callback), ctx_(ctx) {}

  void operator()(const nd::store::StoreFault& fault) {
    if (callback_ == nullptr || stopped_) return;
    const nd::String file(fault.file);
    const nd::String sentence(fault.sentence);
    const nd_store_fault out = {sizeof(nd_store_fault), 0, file.c_str(), fault.offset, sentence.c_str()};
    stopped_ = call_back([&] { return callback_(&out, ctx_); }) != 0;
  }

 private:
  nd_store_fault_callback callback_;
  void* ctx_;
  bool stopped_ = false;
};

}  // namespace

nd_status nd_snapshot(nd_engine* engine) {
  return on_engine(engine, [](Engine& opened) { return opened.snapshot(); });
}

nd_status nd_compact(nd_engine* engine) {
  return on_engine(engine, [](Engine& opened) { return opened.compact(); });
}

nd_status nd_refresh(nd_engine* engine) {
  return on_engine(engine, [](Engine& opened) { return opened.refresh(); });
}

nd_status nd_set_bookmark(nd_engine* engine, const char* name, const void* data, size_t size) {
  return on_engine(engine, [&](Engine& opened) -> nd::Result<void> {
    if (name == nullptr) return invalid("name is NULL");
    const auto bytes = read_bytes(data, size, "data");
    if (!bytes) return bytes.failure();
    return opened.set_bookmark(name, *bytes);
  });
}

nd_status nd_get_bookmark(nd_engine* engine, const char* name, nd_buffer* data_out) {
  return write_text(data_out, [&](nd::String& bytes) {
    return with_engine(engine, [&](Engine& opened) -> nd::Result<void> {
      if (name == nullptr) return invalid("name is NULL");
      const auto data = opened.bookmark(name);
      if (!data) return data.failure();
      bytes.assign(data->begin(), data->end());
      return {};
    });
  });
}

nd_status nd_verify_store(const char* path, nd_store_fault_callback callback, void* ctx) {
  return guarded([&]() -> nd::Result<void> {
    if (path == nullptr) return invalid("path is NULL");
    return nd::store::verify_store(path, FaultCallback(callback, ctx), store_files());
  });
}

nd_status nd_repair_store(const char* path, const char* new_path, nd_store_fault_callback callback, void* ctx,
                          nd_repair_counts* repair_out) {
  return guarded([&]() -> nd::Result<void> {
    if (repair_out != nullptr) {
      if (auto cleared = clear_struct(repair_out, "repair_out"); !cleared) return cleared;
    }
    if (path == nullptr || new_path == nullptr) return invalid("path and new_path must not be NULL");
    if (*path == '\0' || *new_path == '\0') return invalid("path and new_path must not be empty");
    const auto repaired =
        nd::engine::repair_store(path, new_path, FaultCallback(callback, ctx), store_files());
    if (!repaired) return repaired.failure();
    if (repair_out == nullptr) return {};
    write_struct(
        nd_repair_counts{0, 0, repaired->pages, repaired->groups, repaired->pages_lost, repaired->losses},
        repair_out);
    return {};
  });
}

nd_status nd_merge_stores(const char* path, const char* other_path, const char* new_path,
                          const nd_options* options, nd_merge_callback callback, void* ctx,
                          nd_merge_counts* merge_out) {
  return guarded([&]() -> nd::Result<void> {
    if (merge_out != nullptr) {
      if (auto cleared = clear_struct(merge_out, "merge_out"); !cleared) return cleared;
    }
    for (const char* each : {path, other_path, new_path}) {
      if (each == nullptr || *each == '\0') return invalid("a path is NULL or empty");
    }
    nd::engine::MergeVisitor visit;
    if (callback != nullptr) {
      visit = [&](const nd::engine::MergedPage& page, std::string_view url) {
        const nd_merged_page out = {sizeof(nd_merged_page), page.kind,    page.old_page_id,
                                    page.old_group_id,      page.page_id, page.group_id};
        return call_back([&] { return callback(&out, url.data(), url.size(), ctx); }) == 0;
      };
    }
    const auto merged =
        nd::engine::merge_stores(path, other_path, new_path, options_of(options), visit, store_files());
    if (!merged) return merged.failure();
    if (merge_out == nullptr) return {};
    write_struct(nd_merge_counts{0, 0, merged->pages, merged->groups, merged->added, merged->newer,
                                 merged->older, merged->withheld, merged->joined},
                 merge_out);
    return {};
  });
}
