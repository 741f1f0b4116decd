// Each call of the C interface that JavaScript makes, on plain values.
#include <bit>
#include <cstring>
#include <exception>

#include "request.hpp"

namespace ndc_node {
namespace {

constexpr size_t most_log_bytes = 1 << 17;  // until JavaScript takes them

void log(int32_t level, const char* message, size_t size, void* context) {
  auto& handle = *static_cast<Handle*>(context);
  const std::lock_guard lock(handle.mutex);
  if (handle.lines.size() < most_log_bytes)
    handle.lines.append(std::to_string(level)).append(message, size).append("\n");
  handle.has_lines = true;
}

// Calls a function with the request's options, or NULL if there are none.
template <typename Function>
nd_status with_options(const Request& request, Handle* logging, Function function) {
  const char* name = request.options.data;
  const char* const end = name + request.options.size;
  if (name == end && logging == nullptr) return function(nullptr);
  nd_options* options = nullptr;
  nd_status status = nd_options_new(&options);
  while (status == ND_OK && name != end) {
    const char* value = name + std::strlen(name) + 1;
    status = nd_options_set(options, name, value);
    name = value + std::strlen(value) + 1;
  }
  if (status == ND_OK && logging != nullptr) status = nd_options_set_logger(options, log, logging);
  if (status == ND_OK) status = function(options);
  nd_options_free(options);
  return status;
}

nd_page page_of(const Request& r) {
  const auto& [url, body, content_type] = r.bytes;
  const auto fetched_at_ms = static_cast<int64_t>(r.numbers[0]);
  return {sizeof(nd_page), r.flags,           url.data,          url.size,     body.data,
          body.size,       content_type.data, content_type.size, fetched_at_ms};
}

const uint8_t* octets(const Bytes& bytes) {
  return reinterpret_cast<const uint8_t*>(bytes.data);
}

template <typename... Numbers>
void add_row(void* request, Numbers... numbers) {
  (static_cast<Request*>(request)->rows.push_back(static_cast<double>(numbers)), ...);
}

int32_t add_page(const nd_page_info* info, const char* url, size_t url_size, void* request) {
  add_row(request, info->verdict, info->flags, info->page_id, info->group_id, info->first_fetched_at_ms,
          info->last_fetched_at_ms, info->text_width, std::bit_cast<double>(info->text_hash),
          info->matched_page_id, info->resemblance, info->containment, info->page_coverage,
          info->matched_coverage, info->probability, info->related_group_id);
  static_cast<Request*>(request)->texts.emplace_back(url, url_size);
  return 0;
}

int32_t add_group(const nd_group_info* info, void* request) {
  add_row(request, info->group_id, info->representative_page_id, info->page_count);
  return 0;
}

int32_t add_event(const nd_event* event, void* request) {
  add_row(request, event->kind, event->sequence, event->page_id, event->old_group_id, event->new_group_id,
          event->at_ms);
  return 0;
}

// What a record has of 64-bit numbers, as the bytes of an answer or of parts.
template <auto function>
nd_status numbers_of(Request& r) {
  const Bytes& record = r.bytes[1];
  size_t count = 0;
  const nd_status status = function(octets(record), record.size, nullptr, &count);
  std::string& out = r.texts.emplace_back(count * sizeof(uint64_t), '\0');
  if (status != ND_OK || count == 0) return status;
  return function(octets(record), record.size, reinterpret_cast<uint64_t*>(out.data()), &count);
}

template <auto function>
nd_status with_parts(Request& r) {
  const nd_status status = numbers_of<nd_features_parts>(r);
  const std::string parts = std::move(r.texts.back());
  r.texts.pop_back();
  if (status != ND_OK) return status;
  return function(r, reinterpret_cast<const uint64_t*>(parts.data()), parts.size() / sizeof(uint64_t));
}

nd_status site_save(Request& r, const uint64_t* parts, size_t count) {
  return nd_site_model_save(r.handle->site, parts, count, &r.buffer);
}

template <auto function>
nd_status site_change(Request& r, const uint64_t* parts, size_t count) {
  return function(r.handle->site, parts, count);
}

// What an engine tells of a page, in members of the request.
template <auto function, auto... answers>
nd_status ask_of_page(Request& r) {
  const nd_page page = page_of(r);
  return function(r.handle->engine, &page, &(r.*answers)...);
}

// What is read of a page without an engine.
template <auto function>
nd_status read_page(Request& r) {
  const nd_page page = page_of(r);
  return with_options(r, nullptr,
                      [&](const nd_options* options) { return function(&page, options, &r.buffer); });
}

nd_status open(Request& r) {
  return with_options(r, r.handle.get(), [&](const nd_options* options) {
    return nd_open(r.bytes[0].data, options, &r.handle->engine);
  });
}

nd_status check_features(Request& r) {
  return nd_check_features(r.handle->engine, r.bytes[1].data, r.bytes[1].size, &r.result);
}

nd_status remove_matching(Request& r) {
  const auto& [prefix, unused, site] = r.bytes;
  const nd_filter filter = {sizeof(nd_filter),
                            r.flags,
                            prefix.data,
                            prefix.size,
                            site.data,
                            site.size,
                            static_cast<int64_t>(r.numbers[0])};
  uint64_t removed = 0;
  const nd_status status = nd_remove_matching(r.handle->engine, &filter, &removed);
  add_row(&r, removed);
  return status;
}

nd_status find(Request& r) {
  nd_page_info info = ND_PAGE_INFO_INIT;
  const nd_status status = nd_find_page(r.handle->engine, r.bytes[0].data, r.bytes[0].size, &info);
  return status == ND_OK ? add_page(&info, r.bytes[0].data, r.bytes[0].size, &r) : status;
}

nd_status page(Request& r) {
  nd_page_info info = ND_PAGE_INFO_INIT;
  std::string url(2048, '\0');
  for (;;) {
    size_t size = url.size();
    const nd_status status = nd_get_page(r.handle->engine, r.whole(0), &info, url.data(), &size);
    if (status == ND_OK) return add_page(&info, url.data(), size, &r);
    if (status != ND_ERR_LIMIT || size < url.size()) return status;
    url.resize(size + 1);
  }
}

nd_status stats(Request& r) {
  nd_stats stats = ND_STATS_INIT;
  const nd_status status = nd_get_stats(r.handle->engine, &stats);
  // After two numbers of 32 bits all are of 64.
  uint64_t numbers[sizeof(stats) / sizeof(uint64_t)];
  std::memcpy(numbers, &stats, sizeof(stats));
  r.rows.assign(numbers + 1, std::end(numbers));
  return status;
}

nd_status signature(Request& r) {
  const nd_page page = page_of(r);
  uint8_t out[ND_SIGNATURE_MAX_SIZE];
  size_t size = sizeof(out);
  const nd_status status = with_options(r, nullptr, [&](const nd_options* options) {
    return nd_signature_compute(&page, options, out, &size);
  });
  r.texts.emplace_back(reinterpret_cast<const char*>(out), status == ND_OK ? size : 0);
  return status;
}

nd_status signature_compare(Request& r) {
  const auto& [unused, a, b] = r.bytes;
  return nd_signature_compare(octets(a), a.size, octets(b), b.size, &r.rows.emplace_back());
}

nd_status features_with_site(Request& r) {
  const auto& [unused, features, site] = r.bytes;
  return nd_features_with_site(features.data, features.size, site.data, site.size, &r.buffer);
}

nd_status site_merge(Request& r) {
  return nd_site_model_merge(r.handle->site, r.bytes[1].data, r.bytes[1].size);
}

nd_status features_decide(Request& r) {
  return with_options(r, nullptr, [&](const nd_options* options) {
    const auto& [unused, a, b] = r.bytes;
    return nd_features_decide(a.data, a.size, b.data, b.size, options, &r.result);
  });
}

}  // namespace

nd_status Handle::close() noexcept {
  nd_site_model_free(std::exchange(site, nullptr));
  return nd_close(std::exchange(engine, nullptr));
}

void Request::perform() noexcept {
  try {
    status = call->run(*this);
    if (status != ND_OK) sentence = nd_last_error();
  } catch (const std::exception&) {
    status = ND_ERR_NO_MEMORY;  // a string or a vector could not grow
  }
}

const std::vector<Call>& calls() {
  using enum Answer;
  using R = Request&;
  static const std::vector<Call> table = {
      {"open", nothing, open},
      {"close", nothing, [](R r) { return r.handle->close(); }},
      {"check", result, ask_of_page<nd_check_page, &Request::result>},
      {"query", result, ask_of_page<nd_query_page, &Request::result>},
      {"checkWithText", text_and_result, ask_of_page<nd_check_page_text, &Request::result, &Request::buffer>},
      {"ownText", text, ask_of_page<nd_own_text, &Request::buffer>},
      {"checkFeatures", result, check_features},
      {"remove", nothing,
       [](R r) { return nd_remove_page(r.handle->engine, r.bytes[0].data, r.bytes[0].size); }},
      {"removeMatching", rows, remove_matching},
      {"find", rows, find},
      {"page", rows, page},
      {"members", rows, [](R r) { return nd_each_page(r.handle->engine, r.whole(0), add_page, &r); }},
      {"groups", rows, [](R r) { return nd_each_group(r.handle->engine, add_group, &r); }},
      {"events", rows, [](R r) { return nd_each_event(r.handle->engine, r.whole(0), add_event, &r); }},
      {"compare", result,
       [](R r) { return nd_compare_pages(r.handle->engine, r.whole(0), r.whole(1), &r.result); }},
      {"explain", text, [](R r) { return nd_explain(r.handle->engine, r.whole(0), r.whole(1), &r.buffer); }},
      {"stats", rows, stats},
      {"metrics", text, [](R r) { return nd_metrics(r.handle->engine, &r.buffer); }},
      {"snapshot", nothing, [](R r) { return nd_snapshot(r.handle->engine); }},
      {"compact", nothing, [](R r) { return nd_compact(r.handle->engine); }},
      {"refresh", nothing, [](R r) { return nd_refresh(r.handle->engine); }},
      {"extract", text, read_page<nd_extract>},
      {"features", bytes, read_page<nd_features_compute>},
      {"featuresKeys", bytes, numbers_of<nd_features_keys>},
      {"featuresParts", bytes, numbers_of<nd_features_parts>},
      {"featuresWithSite", bytes, features_with_site},
      {"featuresDecide", result, features_decide},
      {"signature", bytes, signature},
      {"signatureKeys", bytes, numbers_of<nd_signature_keys>},
      {"signatureCompare", rows, signature_compare},
      {"siteNew", nothing, [](R r) { return nd_site_model_new(&r.handle->site); }},
      {"siteLearn", nothing, with_parts<site_change<nd_site_model_learn>>},
      {"siteForget", nothing, with_parts<site_change<nd_site_model_forget>>},
      {"siteMerge", nothing, site_merge},
      {"siteSave", bytes, [](R r) { return site_save(r, nullptr, 0); }},
      {"siteSaveFor", bytes, with_parts<site_save>},
  };
  return table;
}

}  // namespace ndc_node
