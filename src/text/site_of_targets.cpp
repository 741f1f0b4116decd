#include "text/site_of_targets.hpp"

#include <utility>

#include "text/site.hpp"

namespace nd::text {

void SiteOfTargets::start(std::string_view site) {
  site_ = site;
  for (Known& known : known_)
    known.origin.clear();
  next_ = 0;
}

bool SiteOfTargets::is_own(std::string_view url) {
  const std::string_view origin = origin_of(url);
  if (origin.empty()) return true;
  for (const Known& known : known_) {
    if (known.origin == origin) return known.own;
  }
  assign_host(host_, origin);
  Known& known = known_[next_++ % kRememberedOrigins];
  known.origin = origin;
  known.own = host_.empty() || is_of_site(host_, site_);
  return known.own;
}

uint64_t SiteOfTargets::memory_bytes() const noexcept {
  uint64_t bytes = host_.capacity();
  for (const Known& known : known_)
    bytes += known.origin.capacity();
  return bytes;
}

void SiteOfTargets::release() noexcept {
  static_cast<void>(std::exchange(*this, SiteOfTargets{}));  // assigning would keep the memory of strings
}

}  // namespace nd::text
