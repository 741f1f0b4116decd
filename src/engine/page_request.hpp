// What callers ask an engine with.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace nd::engine {

struct PageInput {
  std::string_view url;
  std::span<const uint8_t> body;
  std::string_view content_type;
  int64_t fetched_at_ms = 0;  // 0: now
  bool truncated = false;
};

struct RemovalFilter {
  std::string_view url_prefix;
  std::string_view site;
  int64_t fetched_before_ms = 0;
  bool purge = false;  // texts of removed pages represent no group
};

}  // namespace nd::engine
