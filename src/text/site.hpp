// Host and site of a URL. A site is the registrable domain by the public suffix list (libpsl's built-in
// copy).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/memory.hpp"

namespace nd::text {

// The host of an absolute http(s) or other hierarchical URL, lower case (ASCII), without user, port and a
// final dot; "" if there is none. IPv6 literals keep their brackets. At most 253 bytes are looked at.
String host_of(std::string_view url);
// The same into memory that is used again.
void assign_host(String& host, std::string_view url);

// The hash of host_of(url), a leading "www." left out; 0 if there is no host. Takes no memory.
uint64_t hash_of_host(std::string_view url) noexcept;

// The part of a link's target that decides its site: scheme, "//" and authority, or "//" and authority; "" if
// the target is relative or names no host (mailto:, javascript:).
std::string_view origin_of(std::string_view url) noexcept;

// "news.example.co.uk" → "example.co.uk"; an IP address, a single label or a public suffix itself is its own
// site. Non-ASCII hosts are taken as they stand. A part of `host`.
std::string_view site_of_host(std::string_view host) noexcept;

// The version of the list, for the text-pipeline id; static text.
std::string_view public_suffix_list_version() noexcept;

}  // namespace nd::text
