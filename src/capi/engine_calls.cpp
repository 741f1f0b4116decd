// Opening, closing, checking, removing.
#include "capi/boundary.hpp"
#include "capi/engine_use.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/page_input.hpp"

using namespace nd::capi;

namespace {

static_assert(offsetof(nd_result, page_coverage) == ND_RESULT_MIN_SIZE);
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
              uint32_t{ND_FLAG_CONTAINED} == nd::engine::kContained);

// The two calls that take a page and give an answer.
template <typename Call>
nd_status answer_page(nd_engine* engine, const nd_page* page, nd_result* result_out, Call call) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_struct(result_out, ND_RESULT_MIN_SIZE, "result_out"); !cleared) return cleared;
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    const auto input = read_page(page);
    if (!input) return input.failure();
    const auto answer = ((*engine->engine).*call)(*input);
    if (!answer) return answer.failure();
    write_struct(result_of(*answer), result_out);
    return {};
  });
}

}  // namespace

nd_status nd_open(const char* path, const nd_options* options, nd_engine** engine_out) {
  return guarded([&]() -> nd::Result<void> {
    if (engine_out == nullptr) return invalid("engine_out is NULL");
    *engine_out = nullptr;
    if (path != nullptr && *path == '\0') return invalid("path is empty; NULL is for an engine in memory");
    auto engine = path == nullptr ? nd::engine::Engine::open(parameters_of(options))
                                  : nd::engine::Engine::open(path, options_of(options), store_files());
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
  return answer_page(engine, page, result_out, &nd::engine::Engine::check);
}

nd_status nd_query_page(nd_engine* engine, const nd_page* page, nd_result* result_out) {
  return answer_page(engine, page, result_out, &nd::engine::Engine::query);
}

nd_status nd_remove_page(nd_engine* engine, const char* url, size_t url_size) {
  return guarded([&]() -> nd::Result<void> {
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    const auto text = read_string(url, url_size, "url");
    if (!text) return text.failure();
    return engine->engine->remove(*text);
  });
}

nd_status nd_remove_matching(nd_engine* engine, const nd_filter* filter, uint64_t* removed_out) {
  return guarded([&]() -> nd::Result<void> {
    if (removed_out != nullptr) *removed_out = 0;
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    const auto given = read_struct(filter, sizeof(nd_filter), "filter");
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
  return guarded([&]() -> nd::Result<void> {
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    engine->engine->set_logger({callback, ctx});
    return {};
  });
}
