#include "text/site_of_targets.hpp"

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
  const String host = host_of(origin);
  Known& known = known_[next_++ % kRememberedOrigins];
  known.origin = origin;
  known.own = host.empty() || is_own_host(host);
  return known.own;
}

// A host's site is the end of its name, so the list need not be asked about most.
bool SiteOfTargets::is_own_host(std::string_view host) const {
  return !site_.empty() && host.ends_with(site_) && (host == site_ || site_of_host(host) == site_);
}

}  // namespace nd::text
