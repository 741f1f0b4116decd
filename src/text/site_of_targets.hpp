// Whether the targets of links are on the page's own site.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/memory.hpp"

namespace nd::text {

// Remembers the last few origins, so the list of public suffixes is seldom asked.
class SiteOfTargets {
 public:
  // `site`: the page's registrable domain, "" if unknown; must outlive the use.
  void start(std::string_view site);
  uint64_t memory_bytes() const noexcept;
  // Gives back what long origins took.
  void release() noexcept;
  // Relative targets are on the page's own site.
  bool is_own(std::string_view url);

 private:
  static constexpr size_t kRememberedOrigins = 8;
  struct Known {
    String origin;
    bool own = false;
  };

  std::string_view site_;
  std::array<Known, kRememberedOrigins> known_;
  size_t next_ = 0;
  String host_;
};

}  // namespace nd::text
