// Pages in, results out.
#pragma once

#include "capi/boundary.hpp"
#include "engine/engine.hpp"

namespace nd::capi {

inline Result<engine::PageInput> read_page(const nd_page* page) {
  constexpr size_t kLeastSize = offsetof(nd_page, content_type);
  const auto given = read_struct(page, kLeastSize, "page");
  if (!given) return given.failure();
  if ((given->flags & ~uint32_t{ND_PAGE_TRUNCATED}) != 0)
    return error(Status::kUnsupportedVersion, "page.flags has an unknown bit");
  const auto url = read_string(given->url, given->url_size, "page.url");
  if (!url) return url.failure();
  if (url->size() > engine::kUrlBytesLimit) return invalid("page.url is longer than 1 MiB");
  const auto body = read_bytes(given->body, given->body_size, "page.body");
  if (!body) return body.failure();
  const auto content_type = read_string(given->content_type, given->content_type_size, "page.content_type");
  if (!content_type) return content_type.failure();
  if (given->fetched_at_ms < 0) return invalid("page.fetched_at_ms is negative");
  return engine::PageInput{*url, *body, *content_type, given->fetched_at_ms,
                           (given->flags & ND_PAGE_TRUNCATED) != 0};
}

inline nd_result result_of(const engine::Answer& answer) noexcept {
  return {0,
          answer.verdict,
          answer.flags,
          0,
          answer.page_id,
          answer.group_id,
          answer.matched_page_id,
          answer.resemblance,
          answer.containment,
          answer.page_coverage,
          answer.matched_coverage};
}

}  // namespace nd::capi
