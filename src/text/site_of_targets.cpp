#include "text/site_of_targets.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "text/site.hpp"

namespace nd::text {

bool SiteOfTargets::is_own(std::string_view url) {
  // From its "//" on: another scheme makes no other host.
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
  // A host's site is the end of its name, so the list need not be asked about most.
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
