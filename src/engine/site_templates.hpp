// The boilerplate of a host, learned from its pages as they arrive: a block of text on pages of different
// groups belongs to the site, not to an article. Applies the rule of TR2007012 section 4.2 (fingerprints that
// occur often and on few sites are deleted) to blocks, from the second occurrence on. Groups are counted, not
// pages: copies of one article on one site never teach that the article is boilerplate. In these files a
// *site* is the unit that learns: a host, since the hosts of one domain may belong to strangers.
//
// A block that is boilerplate on hosts of several domains is a publisher's or a vendor's, and counts as
// boilerplate on a host that is not known yet. learn_shared() says which blocks of a domain count.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/use_order.hpp"
#include "engine/features.hpp"
#include "engine/site_record.hpp"
#include "store/layered_records.hpp"

namespace nd::engine {

struct TemplateParameters {
  bool enabled = true;
  uint32_t blocks_per_site = 8192;
  // Limit of SiteTemplates::content_bytes(); beyond it the sites not seen for longest are forgotten, a few
  // after each page.
  uint64_t bytes = 256 * 1024 * 1024;
  uint32_t young_pages = 8;         // with fewer pages seen, a site's boilerplate is not known yet
  uint32_t shared_blocks = 262144;  // that are boilerplate somewhere and are remembered; 0: none
  uint32_t shared_sites =
      3;  // a block that is boilerplate on this many domains is boilerplate on a young site too
};

// The site of a page, as hashes.
struct SiteKey {
  uint64_t own = 0;       // of the unit that learns; 0: the page has no site
  uint64_t domain = own;  // the registrable domain, which costs its owner money; hosts below it cost nothing
};

// The verdict of a site's model on a block.
enum BoilerplateMark : uint8_t {
  kOwnText = 0,
  kBoilerplate = 1,  // on pages of other groups too: the site's, not the article's
  kEverywhere = 2,   // on so many pages of the site that it does not count even on a page of a few words
};

// The sites are in a layered table, by the hash of the site. The same calls give the same answers and the
// same state, whatever layers the sites are in and whatever the history of their tables; only lack of memory
// makes a difference.
//
// Threads: any number of readers, or one writer; LayeredTable says what may run alongside.
class SiteTemplates {
 public:
  // The state of the model besides its sites.
  struct State {
    uint64_t content_bytes = 0;
    uint64_t clock = 0;  // changes of sites and of shelves
    uint64_t last_version = 0;
  };

  SiteTemplates(uint64_t secret, const TemplateParameters& parameters) noexcept;

  // The host (without a leading "www.") to which a page contributes and by which it is judged; its
  // registrable domain `site` if the URL has no host.
  SiteKey key_of(std::string_view url, std::string_view site) const noexcept;

  // boilerplate[i], a BoilerplateMark: kBoilerplate if block i is known on this site from a group other than
  // `group_id` (0: from two groups at least), kEverywhere if it also was on half of the pages since it was
  // first seen. On a site that is young to the group, kBoilerplate also if it is boilerplate on
  // `shared_sites` other domains. The contribution of `without_group` does not count (0: all count): a page
  // that is decided again must not be compared with its own contribution. Nor does that of `joining_group`
  // (0: none), which is becoming part of the group. `boilerplate` [blocks.size()]. Cost: a look-up per block.
  void mark_boilerplate(SiteKey site, std::span<const FeatureBlock> blocks, uint64_t group_id,
                        std::span<uint8_t> boilerplate, uint64_t without_group = 0,
                        uint64_t joining_group = 0) const noexcept;

  // After mark_boilerplate(): also marks as kBoilerplate the blocks on pages of two groups other than these,
  // even if those are suspected copies: what three or four possible copies share is rather a template.
  // mark_boilerplate() does not yet count as boilerplate a template block that all pages of a young site
  // have. Cost: a look-up per block.
  void mark_suspected(uint64_t site, std::span<const FeatureBlock> blocks, uint64_t group_a, uint64_t group_b,
                      std::span<uint8_t> boilerplate) const noexcept;

  // Changes whenever a block of the site becomes boilerplate (a second group has it) or ceases to be, or the
  // site stops being young for a group. 0: nothing is known about the site. A site that was forgotten and
  // learned again never gets an earlier number again.
  uint64_t version(uint64_t site) const noexcept;

  // Whether fewer than young_pages new pages of the site with text have been seen outside the group (0: in
  // all): text that its pages share with the group's may then be boilerplate that is not known yet.
  bool is_young(uint64_t site, uint64_t group_id) const noexcept;
  // The same for two hosts of one domain together, or for one host: pages of either show that a common page
  // template is boilerplate.
  bool are_young(uint64_t site_a, uint64_t site_b, uint64_t group_id) const noexcept;

  // A page of the site has joined or founded the group; `is_new`: its URL was not known and it has text.
  // Dropping what does not fit in memory is better than failing the page.
  void learn(SiteKey site, std::span<const FeatureBlock> blocks, uint64_t group_id, bool is_new) noexcept;

  // `old_group` is becoming part of `group_id`: its contribution of these blocks becomes that of `group_id`,
  // whichever pages it came from.
  void rename(SiteKey site, std::span<const FeatureBlock> blocks, uint64_t old_group,
              uint64_t group_id) noexcept;

  // Called for two groups of one site whose pages resemble each other like copies, but were kept apart
  // because the site is young and what they share may be boilerplate. Until that is known they count as one
  // group: copies that the rule has split must not make their article boilerplate. Real boilerplate appears
  // on pages of a third group.
  void note_suspected_copies(uint64_t site, uint64_t group_a, uint64_t group_b) noexcept;

  // The last page of the group on this site has been removed. Without this call, a page that is removed and
  // comes back, or that moves to another group, would be in two groups and so be boilerplate. A block of more
  // groups than are remembered remains boilerplate until it ages.
  void unlearn(SiteKey site, std::span<const FeatureBlock> blocks, uint64_t group_id) noexcept;

  // The last page of `old_group` on this site has another text now, or has moved to `group_id`: learns the
  // new blocks and drops what only the old text taught. A block that it still has does not cease to be
  // boilerplate meanwhile, so the version changes only if the outcome differs.
  void relearn(SiteKey site, std::span<const FeatureBlock> old_blocks, uint64_t old_group,
               std::span<const FeatureBlock> blocks, uint64_t group_id) noexcept;

  // Cost: a look-up for each of a fixed number of shelves.
  uint64_t site_count() const noexcept;
  // Prefetches the memory that learning the blocks of a page of the site changes first.
  void prefetch_for_change(SiteKey site, std::span<const FeatureBlock> blocks) const noexcept;

  // Blocks learned, unlearned and examined to make room, and sites examined to forget some, since the model
  // was created.
  uint64_t probe_count() const noexcept { return probe_count_; }
  // What the sites hold, in bytes, as in memory when tables are half full: a fixed amount per site and per
  // block, so that the moment at which sites are forgotten depends on nothing else.
  uint64_t content_bytes() const noexcept { return content_bytes_; }
  // The size of the layers in memory, and of the order of use, which no snapshot frees.
  uint64_t memory_bytes() const noexcept { return sites_.memory_bytes() + order_.memory_bytes(); }
  uint64_t order_bytes() const noexcept { return order_.memory_bytes(); }

  State state() const noexcept { return {content_bytes_, clock_, last_version_}; }
  // Empties the model, except for the sites of the same moment that were attached to its table.
  void restore(const State& state) noexcept;
  store::LayeredTable& table() noexcept { return sites_; }

 private:
  class Change;
  // A block that has become boilerplate on a site, or has ceased to be.
  struct Turn {
    uint64_t hash;
    bool is_boilerplate;
  };
  using Turns = Vector<Turn>;

  uint32_t new_pages_outside(uint64_t site, uint64_t group_id) const noexcept;
  SiteRecord& find_or_add(uint64_t site);
  void use(uint64_t site, SiteRecord& record);
  bool has_just_matured(const SiteHeader& site, uint32_t group) const noexcept;
  // In both calls, blocks of the group `replaced` become those of `group` (0: none is replaced).
  void learn_page(SiteKey site, std::span<const FeatureBlock> blocks, uint32_t group, bool is_new,
                  uint32_t replaced) noexcept;
  void learn_blocks(SiteRecord& site, std::span<const FeatureBlock> blocks, uint32_t group, uint32_t replaced,
                    Turns& turns);
  // `kept_page`: the blocks of the site's page of this number stay (0: none).
  void unlearn_blocks(SiteKey site, std::span<const FeatureBlock> blocks, uint32_t group,
                      uint32_t kept_page) noexcept;
  void make_room(SiteRecord& site);
  void forget_oldest();
  void put_in_order();
  void mark_shared(uint64_t domain, std::span<const FeatureBlock> blocks,
                   std::span<uint8_t> boilerplate) const noexcept;
  void learn_shared(uint64_t domain, const Turns& turns);
  void put_on_shelf(uint64_t hash, uint32_t domain);
  void take_off_shelf(uint64_t hash, uint32_t domain);

  uint64_t secret_;
  TemplateParameters parameters_;
  store::LayeredRecords<SiteRecord> sites_;
  UseOrder order_;          // of the sites, by last_use; empty until
  bool is_ordered_ = true;  // for a store it is built when first needed
  uint64_t clock_ = 0;
  uint64_t last_version_ = 0;  // of all sites
  uint64_t content_bytes_ = 0;
  uint64_t probe_count_ = 0;
};

}  // namespace nd::engine
