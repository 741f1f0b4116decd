// Host and site of a URL, and the page's name. A site is the registrable domain by the public suffix list
// (libpsl's built-in copy).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/memory.hpp"

namespace nd::text {

// The host of an absolute http(s) or other hierarchical URL, lower case (ASCII), without user, port and a
// final dot; "" if there is none. IPv6 literals keep their brackets. At most 253 bytes are looked at.
String host_of(std::string_view url);
// The same, into memory that is reused.
void assign_host(String& host, std::string_view url);

// The hash of host_of(url), a leading "www." left out; 0 if there is no host. Takes no memory.
uint64_t hash_of_host(std::string_view url) noexcept;

// What a site calls a page: the last part of its URL's path without the extension, and the query. Hashes; 0
// if there is none. A trailing slash does not count. Takes no memory.
struct PageName {
  uint64_t name = 0, query = 0;
  bool is_number = false;  // the name has no letter
};
PageName page_name_of(std::string_view url) noexcept;

// The part of a link's target that decides its site: scheme, "//" and authority, or "//" and authority; "" if
// the target is relative or names no host (mailto:, javascript:).
std::string_view origin_of(std::string_view url) noexcept;

// "news.example.co.uk" → "example.co.uk"; an IP address, a single label or a public suffix itself is its own
// site. Non-ASCII hosts are taken as they stand. A part of `host`.
std::string_view site_of_host(std::string_view host) noexcept;

// The version of the list, for the text-pipeline id; static text.
std::string_view public_suffix_list_version() noexcept;

// Whether the targets of links are on the page's own site. Remembers the hosts of targets from page to page,
// so the public suffix list is seldom consulted: the pages of a site link to the same hosts.
class SiteOfTargets {
 public:
  // `site`: the page's registrable domain, "" if unknown; must outlive the use.
  void start(std::string_view site) noexcept { site_ = site; }
  uint64_t memory_bytes() const noexcept;
  // Relative targets are on the page's own site.
  bool is_own(std::string_view url);

 private:
  // Longer origins are not remembered: a host has 253 bytes at most (RFC 1035, 2.3.4).
  static constexpr size_t kRememberedBytes = 280;
  // By 128 hashes, four of each: a portal links to a hundred hosts of its own.
  static constexpr size_t kSets = 128;
  static constexpr size_t kWays = 4;

  struct Host {
    String name;
    size_t site_bytes = 0;  // at its end; 0 before it was asked for
  };
  struct Target {
    String origin;
    Host host;
  };
  struct Set {
    std::array<uint32_t, kWays> tags{};  // of the origins' hashes, to find the one to compare
    uint32_t next = 0;                   // to be replaced
    std::array<Target, kWays> targets;
  };
  Host& host_of_origin(std::string_view origin);
  bool is_own(Host& host) const noexcept;

  std::string_view site_;
  std::array<Set, kSets> sets_;
  Host host_;  // of an origin that is not remembered
};

}  // namespace nd::text
