// Takes URLs apart by hand, as pages write them, and asks libpsl for the registrable domain.
#include "reading/site.hpp"

#include <libpsl.h>

#include <algorithm>
#include <array>

#include "core/hash.hpp"
#include "reading/ascii.hpp"

namespace nd::text {

namespace {

constexpr size_t kMaxHostBytes = 253;  // RFC 1035, 2.3.4, less the root label

constexpr bool is_alpha(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
constexpr bool is_slash(char c) noexcept {
  return c == '/' || c == '\\';
}
std::string_view without_leading_blanks(std::string_view url) noexcept {
  while (!url.empty() && static_cast<unsigned char>(url.front()) <= ' ')
    url.remove_prefix(1);
  return url;
}

// The length of "scheme:" (RFC 3986, 3.1), 0 if there is none.
size_t scheme_length(std::string_view url) noexcept {
  if (url.empty() || !is_alpha(url.front())) return 0;
  for (size_t i = 1; i < url.size(); ++i) {
    const char c = url[i];
    if (c == ':') return i + 1;
    if (!is_alpha(c) && !is_digit(c) && c != '+' && c != '-' && c != '.') return 0;
  }
  return 0;
}

std::string_view authority_of(std::string_view origin) noexcept {
  origin.remove_prefix(scheme_length(origin));
  return origin.substr(origin.size() < 2 ? origin.size() : 2);
}

bool is_ip_address(std::string_view host) noexcept {
  if (host.front() == '[') return true;
  for (const char c : host) {
    if (!is_digit(c) && c != '.') return false;
  }
  return true;
}

}  // namespace

std::string_view origin_of(std::string_view url) noexcept {
  url = without_leading_blanks(url);
  const size_t scheme = scheme_length(url);
  if (url.size() < scheme + 2 || !is_slash(url[scheme]) || !is_slash(url[scheme + 1])) return {};
  size_t end = scheme + 2;
  while (end < url.size() && !is_slash(url[end]) && url[end] != '?' && url[end] != '#')
    ++end;
  return url.substr(0, end);
}

namespace {

std::string_view host_as_written(std::string_view url) noexcept {
  std::string_view authority = authority_of(origin_of(url));
  if (const size_t at = authority.rfind('@'); at != std::string_view::npos) authority.remove_prefix(at + 1);
  if (!authority.empty() && authority.front() == '[') {
    const size_t close = authority.find(']');
    if (close == std::string_view::npos) return {};
    authority = authority.substr(0, close + 1);
  } else {
    authority = authority.substr(0, authority.find(':'));
  }
  while (!authority.empty() && static_cast<unsigned char>(authority.back()) <= ' ')
    authority.remove_suffix(1);
  if (!authority.empty() && authority.back() == '.') authority.remove_suffix(1);
  return authority.substr(0, kMaxHostBytes);
}

}  // namespace

void assign_host(String& host, std::string_view url) {
  host = host_as_written(url);
  for (char& c : host)
    c = ascii_lower(c);
}

uint64_t hash_of_host(std::string_view url) noexcept {
  const std::string_view written = host_as_written(url);
  std::array<char, kMaxHostBytes> folded;
  std::ranges::transform(written, folded.begin(), ascii_lower);
  std::string_view host(folded.data(), written.size());
  if (constexpr std::string_view kUsual = "www."; host.size() > kUsual.size() && host.starts_with(kUsual))
    host.remove_prefix(kUsual.size());
  return host.empty() ? 0 : stable_hash(host);
}

PageName page_name_of(std::string_view url) noexcept {
  url = without_leading_blanks(url);
  url.remove_prefix(origin_of(url).size());
  url = url.substr(0, url.find('#'));
  const std::string_view path = url.substr(0, url.find('?'));
  const std::string_view query = url.substr(std::min(path.size() + 1, url.size()));
  const size_t end = path.find_last_not_of('/') + 1;  // 0 if there is nothing else
  std::string_view name = path.substr(0, end);
  if (const size_t slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  if (const size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0)
    name = name.substr(0, dot);
  const auto is_letter = [](char c) { return is_alpha(c) || static_cast<unsigned char>(c) >= 0x80; };
  return {name.empty() ? 0 : stable_hash(name), query.empty() ? 0 : stable_hash(query),
          std::ranges::none_of(name, is_letter)};
}

String host_of(std::string_view url) {
  String host;
  assign_host(host, url);
  return host;
}

std::string_view site_of_host(std::string_view host) noexcept {
  if (host.empty()) return {};
  host = host.substr(0, kMaxHostBytes);
  if (is_ip_address(host)) return host;
  std::array<char, kMaxHostBytes + 1> name;
  host.copy(name.data(), host.size());
  name[host.size()] = '\0';
  const char* const site = psl_registrable_domain(psl_builtin(), name.data());
  return site == nullptr
             ? host
             : host.substr(static_cast<size_t>(site - name.data()), std::string_view(site).size());
}

std::string_view public_suffix_list_version() noexcept {
  // libpsl does not report the version of the list itself: its digest and the time at which it was compiled
  // in identify it.
  return psl_builtin_sha1sum();
}

bool SiteOfTargets::is_own(std::string_view url) {
  // From its "//" on, since the scheme does not change the host.
  std::string_view origin = origin_of(url);
  origin.remove_prefix(std::min(origin.find_first_of("/\\"), origin.size()));
  return origin.empty() || is_own(host_of_origin(origin));
}

SiteOfTargets::Host& SiteOfTargets::host_of_origin(std::string_view origin) {
  if (origin.size() > kRememberedBytes) {
    assign_host(host_.name, origin);
    host_.site_bytes = 0;
    return host_;
  }
  const uint64_t hash = stable_hash(origin);
  const auto tag = static_cast<uint32_t>(hash >> 32);
  Set& set = sets_[hash % kSets];
  for (size_t i = 0; i < kWays; ++i) {
    if (set.tags[i] == tag && set.targets[i].origin == origin) return set.targets[i].host;
  }
  const size_t way = set.next++ % kWays;
  Target& target = set.targets[way];
  target.origin.clear();  // the old one, in case there is no memory for the new one's host
  assign_host(target.host.name, origin);
  target.host.site_bytes = 0;
  target.origin = origin;
  set.tags[way] = tag;
  return target.host;
}

bool SiteOfTargets::is_own(Host& host) const noexcept {
  const std::string_view name = host.name;
  if (name.empty()) return true;
  // A host's site is the end of its name, so for most hosts the list need not be consulted.
  if (site_.empty() || !name.ends_with(site_)) return false;
  if (host.site_bytes == 0) host.site_bytes = site_of_host(name).size();
  return host.site_bytes == site_.size();
}

uint64_t SiteOfTargets::memory_bytes() const noexcept {
  uint64_t bytes = host_.name.capacity();
  for (const Set& set : sets_) {
    for (const Target& target : set.targets)
      bytes += target.origin.capacity() + target.host.name.capacity();
  }
  return bytes;
}

}  // namespace nd::text
