// Within the model of sites: what its records count in content_bytes().
#pragma once

#include "engine/site_templates.hpp"

namespace nd::engine {

// What a site and a block of it count. A slot of the table of blocks has 40 bytes, and half of the slots are
// in use; numbers of their own, because they lie in stores as a sum.
inline constexpr uint64_t kSiteBytes = 232;
inline constexpr uint64_t kBlockBytes = 80;

inline uint64_t content_of(const SiteView& site) noexcept {
  return kSiteBytes + site.block_count() * kBlockBytes;
}

// What is done to a site or a shelf while this lives is counted when it goes.
class SiteTemplates::Change {
 public:
  Change(SiteTemplates& model, SiteRecord& site) noexcept
      : model_(model),
        site_(site),
        content_before_(content_of(site.view())),
        memory_before_(site.memory_bytes()) {}
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change() {
    model_.content_bytes_ += content_of(site_.view()) - content_before_;
    model_.sites_.changed(memory_before_, site_.memory_bytes());
  }

 private:
  SiteTemplates& model_;
  const SiteRecord& site_;
  const uint64_t content_before_;
  const uint64_t memory_before_;
};

}  // namespace nd::engine
