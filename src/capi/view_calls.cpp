// What an engine knows: pages, groups and which of their pages to keep, events, explanations, statistics.
#include <cstddef>
#include <optional>

#include "capi/engine_use.hpp"
#include "capi/handles.hpp"
#include "engine/kept_copy.hpp"
#include "engine/metrics.hpp"

using namespace nd::capi;

namespace {

nd_page_info info_of(const nd::engine::PageView& page) noexcept {
  return {sizeof(nd_page_info),
          page.answer.verdict,
          page.answer.flags,
          0,
          page.answer.page_id,
          page.answer.group_id,
          page.first_fetched_at_ms,
          page.last_fetched_at_ms,
          page.width,
          page.text_hash,
          page.answer.matched_page_id,
          page.answer.resemblance,
          page.answer.containment,
          page.answer.page_coverage,
          page.answer.matched_coverage,
          page.answer.probability,
          page.answer.related_group_id};
}

// A page and, as a sized output, its URL.
class PageOutput {
 public:
  // Empties both before anything can fail, except for an output that cannot be written. If url_out and
  // url_size are both null, the URL is not wanted.
  static nd::Result<PageOutput> open(nd_page_info* info_out, char* url_out, size_t* url_size) {
    const bool url_wanted = url_out != nullptr || url_size != nullptr;
    const auto url = SizedOutput<char>::open(url_out, url_size);
    if (auto cleared = clear_struct(info_out, "info_out"); !cleared) return cleared.failure();
    if (!url_wanted) return PageOutput(info_out, std::nullopt);
    if (!url) return url.failure();
    return PageOutput(info_out, *url);
  }

  nd::Result<void> write(const nd::engine::PageView& page) {
    if (url_) {
      if (auto written = url_->write_text(page.url); !written) return written;
    }
    write_struct(info_of(page), info_);
    return {};
  }

 private:
  PageOutput(nd_page_info* info, std::optional<SizedOutput<char>> url) noexcept : info_(info), url_(url) {}
  nd_page_info* info_;
  std::optional<SizedOutput<char>> url_;
};

static_assert(ND_KEEP_FIRST == static_cast<int32_t>(nd::engine::KeepRule::kFirst));
static_assert(ND_KEEP_LONGEST == static_cast<int32_t>(nd::engine::KeepRule::kLongest));
static_assert(ND_KEEP_NEWEST == static_cast<int32_t>(nd::engine::KeepRule::kNewest));
static_assert(ND_KEEP_CANONICAL == static_cast<int32_t>(nd::engine::KeepRule::kCanonical));

nd::Result<nd::engine::KeepRule> read_rule(int32_t rule) {
  if (rule < ND_KEEP_FIRST || rule > ND_KEEP_CANONICAL) return invalid("rule is none of ND_KEEP_...");
  return static_cast<nd::engine::KeepRule>(rule);
}

nd::Result<nd::engine::Copy> read_copy(const nd_copy* copy) {
  const auto given = read_struct(copy, "copies");
  if (!given) return given.failure();
  if ((given->flags & ~uint32_t{ND_COPY_WITHOUT_CONTENT}) != 0)
    return nd::error(nd::Status::kUnsupportedVersion, "copies: flags has an unknown bit");
  const auto url = read_string(given->url, given->url_size, "copies: url");
  if (!url) return url.failure();
  const auto canonical =
      read_string(given->canonical_url, given->canonical_url_size, "copies: canonical_url");
  if (!canonical) return canonical.failure();
  return nd::engine::Copy{*url, *canonical, given->fetched_at_ms, given->text_width,
                          (given->flags & ND_COPY_WITHOUT_CONTENT) == 0};
}

}  // namespace

static_assert(ND_SIMILAR_PAGES_MAX == nd::engine::kSimilarPagesLimit);

nd_status nd_find_page(nd_engine* engine, const char* url, size_t url_size, nd_page_info* info_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_struct(info_out, "info_out"); !cleared) return cleared;
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    const auto text = read_string(url, url_size, "url");
    if (!text) return text.failure();
    const auto page = engine->engine->find_page(*text);
    if (!page) return page.failure();
    write_struct(info_of(*page), info_out);
    return {};
  });
}

nd_status nd_get_page(nd_engine* engine, uint64_t page_id, nd_page_info* info_out, char* url_out,
                      size_t* url_size) {
  return guarded([&]() -> nd::Result<void> {
    auto output = PageOutput::open(info_out, url_out, url_size);
    if (!output) return output.failure();
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    const auto page = engine->engine->get_page(page_id);
    if (!page) return page.failure();
    return output->write(*page);
  });
}

nd_status nd_each_page(nd_engine* engine, uint64_t group_id, nd_page_callback callback, void* ctx) {
  return on_engine(engine, [&](Engine& opened) -> nd::Result<void> {
    if (callback == nullptr) return invalid("callback is NULL");
    const auto pages = opened.pages_of_group(group_id);
    if (!pages) return pages.failure();
    for (const nd::engine::PageView& page : *pages) {
      const nd_page_info info = info_of(page);
      if (call_back([&] { return callback(&info, page.url.data(), page.url.size(), ctx); }) != 0) break;
    }
    return {};
  });
}

nd_status nd_choose_copy(const nd_copy* copies, size_t count, int32_t rule, size_t* index_out) {
  return guarded([&]() -> nd::Result<void> {
    if (index_out == nullptr) return invalid("index_out is NULL");
    *index_out = 0;
    const auto by = read_rule(rule);
    if (!by) return by.failure();
    if (copies == nullptr || count == 0) return invalid("there are no copies");
    // The caller's copies form an array of its own struct size.
    const size_t stride = copies->struct_size;
    if (auto checked = check_struct_size(stride, kFirstSize<nd_copy>, "copies"); !checked) return checked;
    if (stride % alignof(nd_copy) != 0) return invalid("copies: struct_size is not the size of a struct");
    nd::Vector<nd::engine::Copy> read;
    read.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      const auto* each =
          reinterpret_cast<const nd_copy*>(reinterpret_cast<const unsigned char*>(copies) + i * stride);
      if (each->struct_size != stride)
        return invalid("copies: every struct_size must be set, and all must be equal");
      const auto copy = read_copy(each);
      if (!copy) return copy.failure();
      read.push_back(*copy);
    }
    *index_out = nd::engine::choose_copy(read, *by);
    return {};
  });
}

nd_status nd_kept_page(nd_engine* engine, uint64_t group_id, int32_t rule, nd_page_info* info_out,
                       char* url_out, size_t* url_size) {
  return guarded([&]() -> nd::Result<void> {
    auto output = PageOutput::open(info_out, url_out, url_size);
    if (!output) return output.failure();
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    const auto by = read_rule(rule);
    if (!by) return by.failure();
    if (rule == ND_KEEP_CANONICAL)
      return invalid("an engine keeps no links: nd_choose_copy takes them, for ND_KEEP_CANONICAL");
    const auto pages = engine->engine->pages_of_group(group_id);
    if (!pages) return pages.failure();
    nd::Vector<nd::engine::Copy> copies;
    copies.reserve(pages->size());
    for (const nd::engine::PageView& page : *pages)
      copies.push_back({page.url, {}, page.last_fetched_at_ms, page.width, true});
    if (copies.empty()) return nd::error(nd::Status::kNotFound, "no page of this group is known");
    return output->write((*pages)[nd::engine::choose_copy(copies, *by)]);
  });
}

nd_status nd_each_group(nd_engine* engine, nd_group_callback callback, void* ctx) {
  return on_engine(engine, [&](Engine& opened) -> nd::Result<void> {
    if (callback == nullptr) return invalid("callback is NULL");
    const auto groups = opened.groups();
    if (!groups) return groups.failure();
    for (const nd::engine::GroupView& group : *groups) {
      const nd_group_info info = {sizeof(nd_group_info), group.representative_page_id == 0 ? 1U : 0U,
                                  group.id, group.representative_page_id, group.page_count};
      if (call_back([&] { return callback(&info, ctx); }) != 0) break;
    }
    return {};
  });
}

nd_status nd_each_event(nd_engine* engine, uint64_t after, nd_event_callback callback, void* ctx) {
  return on_engine(engine, [&](Engine& opened) -> nd::Result<void> {
    if (callback == nullptr) return invalid("callback is NULL");
    const auto events = opened.events_after(after);
    if (!events) return events.failure();
    for (const nd::engine::Event& event : *events) {
      const nd_event out = {sizeof(nd_event),   static_cast<int32_t>(event.kind),
                            event.sequence,     event.page_id,
                            event.old_group_id, event.new_group_id,
                            event.at_ms};
      if (call_back([&] { return callback(&out, ctx); }) != 0) break;
    }
    return {};
  });
}

nd_status nd_compare_pages(nd_engine* engine, uint64_t page_a, uint64_t page_b, nd_result* result_out) {
  return write_answer(result_out, [&] {
    return with_engine(engine, [&](Engine& opened) { return opened.compare(page_a, page_b); });
  });
}

nd_status nd_explain(nd_engine* engine, uint64_t page_a, uint64_t page_b, nd_buffer* json_out) {
  return write_text(json_out, [&](nd::String& json) {
    return with_engine(engine, [&](Engine& opened) { return opened.explain(page_a, page_b, json); });
  });
}

nd_status nd_similar_pages(nd_engine* engine, uint64_t page_id, uint32_t limit, nd_similar_callback callback,
                           void* ctx) {
  return on_engine(engine, [&](Engine& opened) -> nd::Result<void> {
    if (callback == nullptr) return invalid("callback is NULL");
    if (limit == 0 || limit > ND_SIMILAR_PAGES_MAX) return invalid("limit is not in 1..1000");
    const auto similar = opened.similar_pages(page_id, limit);
    if (!similar) return similar.failure();
    const uint32_t flags = similar->limited ? uint32_t{ND_FLAG_LIMIT} : 0;
    for (const nd::engine::SimilarPage& found : similar->pages) {
      const nd_similar_page out = {sizeof(nd_similar_page), flags, found.page.answer.page_id,
                                   found.page.answer.group_id, found.score};
      const nd::String& url = found.page.url;
      if (call_back([&] { return callback(&out, url.data(), url.size(), ctx); }) != 0) break;
    }
    return {};
  });
}

static_assert(sizeof(nd_stats) == offsetof(nd_stats, bytes_journal) + sizeof(uint64_t),
              "nd_get_stats() fills each field: fill the new one, and name it here if it is the last");

nd_status nd_get_stats(nd_engine* engine, nd_stats* stats_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_struct(stats_out, "stats_out"); !cleared) return cleared;
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    const nd::engine::Counters& counters = engine->engine->counters();
    const nd::engine::Sizes sizes = engine->engine->sizes();
    nd_stats stats{};
    stats.pages = sizes.pages;
    stats.groups = sizes.groups;
    stats.checks = counters.checks;
    stats.queries = counters.queries;
    stats.verdict_new = counters.verdicts[ND_NEW];
    stats.verdict_unchanged = counters.verdicts[ND_UNCHANGED];
    stats.verdict_exact = counters.verdicts[ND_EXACT];
    stats.verdict_near = counters.verdicts[ND_NEAR];
    stats.verdict_no_text = counters.verdicts[ND_NO_TEXT];
    stats.recrawls = counters.recrawls;
    stats.changed = counters.changed;
    stats.regrouped = counters.regrouped;
    stats.removed = counters.removed;
    stats.body_bytes = counters.body_bytes;
    stats.candidates = counters.candidates;
    stats.verifications = counters.verifications;
    stats.rejected_by_sketch = counters.rejected_by_sketch;
    stats.retried_commits = counters.retried_commits;
    stats.limit_page_bytes = counters.limit_page_bytes;
    stats.limit_markup = counters.limit_markup;
    stats.limit_tokens = counters.limit_tokens;
    stats.limit_candidates = counters.limit_candidates;
    stats.limit_verifications = counters.limit_verifications;
    stats.limit_work = counters.limit_work;
    stats.limit_memory = counters.limit_memory;
    stats.hot_keys_deleted = sizes.hot_keys;
    stats.keys = sizes.keys;
    stats.bytes_index = sizes.bytes_index;
    stats.bytes_features = sizes.bytes_features;
    stats.bytes_pages = sizes.bytes_pages;
    stats.bytes_events = sizes.bytes_events;
    stats.bytes_scratch = sizes.bytes_scratch;
    stats.reverified = counters.reverified;
    stats.limit_index = counters.limit_index + sizes.spots_dropped + sizes.method_dropped;
    stats.bytes_spots = sizes.bytes_spots;
    stats.limit_spots = counters.limit_spots;
    stats.generation = sizes.generation;
    stats.snapshots = sizes.snapshots;
    stats.bytes_disk = sizes.bytes_disk;
    stats.bytes_journal = sizes.bytes_journal;
    stats.expired = counters.expired;
    stats.limit_sites = sizes.sites_dropped;
    stats.without_own_text = counters.without_own_text;
    stats.bytes_total = sizes.bytes_index + sizes.bytes_features + sizes.bytes_pages + sizes.bytes_events +
                        sizes.bytes_scratch;
    write_struct(stats, stats_out);
    return {};
  });
}

nd_status nd_metrics(nd_engine* engine, nd_buffer* text_out) {
  return write_text(text_out, [&](nd::String& text) {
    return with_engine(engine, [&](Engine& opened) {
      nd::engine::write_metrics(opened, text);
      return nd::Result<void>();
    });
  });
}
