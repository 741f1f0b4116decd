// What is known about sites: how many of a site's pages have each of its blocks, and each word of its titles.
// From this a comparison knows how much of a page is its own (site_counts.hpp).
//
// A page counts once, however often it is fetched; the old counts of a page that has changed, or
// was removed, are subtracted. A *site* is the unit that learns: a host, since the hosts of one domain may
// belong to strangers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/use_order.hpp"
#include "page/features.hpp"
#include "page/site_counts.hpp"
#include "page/site_model.hpp"
#include "store/layered_records.hpp"

namespace nd::engine {

struct SiteKnowledgeLimits {
  uint32_t parts_per_site = SiteModel::kPartsLimit;
  // Limit of SiteKnowledge::content_bytes(); beyond it the sites not seen for longest are forgotten, a few
  // after each page.
  uint64_t bytes = 256 * 1024 * 1024;
};

// The sites are in a layered table, by the hash of the site. Threads: any number of readers, or one writer;
// LayeredTable says what may run alongside.
class SiteKnowledge {
 public:
  // The state besides the sites.
  struct State {
    uint64_t content_bytes = 0;
    uint64_t clock = 0;  // changes of sites
  };

  SiteKnowledge(uint64_t secret, const SiteKnowledgeLimits& limits) noexcept;

  // [6], [8] The counts of a page's parts. Cost: a look-up per part and page left out.
  void count(uint64_t site, std::span<const FeatureBlock> blocks, std::span<const Symbol> title,
             LeftOut without, CountedPage& out) const;

  // [8] See count_without_each_other(). Cost: a few look-ups per part.
  PairCounts count_pair(const Features& representative, Contribution& of_representative, const Features& page,
                        Contribution& of_page, CountedPair& out) const;

  // [7] How many of the site's pages are counted, as a number that grows by 1 each time that they double; 0:
  // none.
  uint64_t magnitude(uint64_t site) const noexcept;

  // [9] The page is new. `parts`: its counted_parts(). Lack of memory drops what does not fit rather than the
  // page.
  void learn(uint64_t site, std::span<const uint64_t> parts) noexcept;
  void learn(uint64_t site, const Features& page) noexcept;
  // Prefetches the memory that learn() changes.
  void prefetch_for_change(uint64_t site, std::span<const uint64_t> parts) const noexcept;
  // The page was removed, or has other text, which is learned first: what both texts have keeps the moment
  // when it was first seen.
  void forget(uint64_t site, const Features& page) noexcept;

  // Takes over all sites of another one.
  void take_all(const SiteKnowledge& other);

  uint64_t probe_count() const noexcept { return probe_count_; }
  uint64_t content_bytes() const noexcept { return content_bytes_; }
  uint64_t memory_bytes() const noexcept { return sites_.memory_bytes() + order_.memory_bytes(); }
  uint64_t order_bytes() const noexcept { return order_.memory_bytes(); }
  // Parts and sites that were dropped to keep the limits, since this was created.
  uint64_t dropped_count() const noexcept { return dropped_count_; }

  State state() const noexcept { return {content_bytes_, clock_}; }
  // Empties it, except for the sites of the same moment that were attached to its table.
  void restore(const State& state) noexcept;
  store::LayeredTable& table() noexcept { return sites_; }

 private:
  class Charge;
  SiteModel& find_or_add(uint64_t site);
  void note(const SiteModel::Change& change) noexcept;
  void use(uint64_t site, SiteModel& record);
  void forget_oldest();
  void put_in_order();

  uint64_t secret_;
  SiteKnowledgeLimits limits_;
  store::LayeredRecords<SiteModel> sites_;
  UseOrder order_;          // the sites by last_use, if is_ordered_
  bool is_ordered_ = true;  // false in an opened store until the order is first needed
  uint64_t clock_ = 0;
  uint64_t content_bytes_ = 0;
  uint64_t probe_count_ = 0;
  uint64_t dropped_count_ = 0;
};

}  // namespace nd::engine
