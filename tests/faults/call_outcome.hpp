// The contents of a call's outputs, as text.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "faults/scenario.hpp"

namespace faults::calls {

inline constexpr int64_t kFetchedAtMs = 1'000'000;

inline nd_page page_of(const std::string& url, const std::string& body, const std::string& content_type) {
  nd_page page = ND_PAGE_INIT;
  page.url = url.data();
  page.url_size = url.size();
  page.body = body.data();
  page.body_size = body.size();
  page.content_type = content_type.data();
  page.content_type_size = content_type.size();
  page.fetched_at_ms = kFetchedAtMs;
  return page;
}

// All of a struct but its struct_size.
template <typename T>
bool is_empty(const T& value) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
  for (size_t i = sizeof(uint32_t); i < sizeof value; ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

inline std::string text_of(const nd_result& result) {
  char text[256];
  snprintf(text, sizeof text, "%d %u %llu %llu %llu %.9f %.9f %.9f %.9f %.9f %llu", result.verdict,
           result.flags, static_cast<unsigned long long>(result.page_id),
           static_cast<unsigned long long>(result.group_id),
           static_cast<unsigned long long>(result.matched_page_id), result.resemblance, result.containment,
           result.page_coverage, result.matched_coverage, result.probability,
           static_cast<unsigned long long>(result.related_group_id));
  return text;
}

inline std::string text_of(const nd_page_info& info) {
  char text[256];
  snprintf(text, sizeof text, "%d %u %llu %llu %llu %llu %.9f", info.verdict, info.flags,
           static_cast<unsigned long long>(info.page_id), static_cast<unsigned long long>(info.group_id),
           static_cast<unsigned long long>(info.matched_page_id),
           static_cast<unsigned long long>(info.text_width), info.resemblance);
  return text;
}

// The text of an output struct that a call has filled, or left empty because it failed.
template <typename T>
Outcome outcome_of(nd_status status, const T& value) {
  if (status == ND_OK) return {status, text_of(value)};
  return {status, is_empty(value) ? "" : "left: " + text_of(value)};
}

struct Buffer {
  nd_buffer raw = ND_BUFFER_INIT;
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { ND_CALL(nd_buffer_free, &raw); }
  std::string text() const { return raw.data == nullptr ? "" : std::string(raw.data, raw.size); }
};

inline Outcome outcome_of(nd_status status, const Buffer& buffer) {
  if (status == ND_OK) return {status, buffer.text()};
  return {status, buffer.raw.size == 0 ? "" : "left: " + buffer.text()};
}

inline Step step(std::string name, std::function<Outcome(World&)> run) {
  return {std::move(name), std::move(run)};
}

inline std::string numbers_text(const uint64_t* numbers, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += std::to_string(numbers[i]) + " ";
  return text;
}

}  // namespace faults::calls
