#include "engine/site_templates.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <optional>

#include "text/site.hpp"

namespace nd::engine {
namespace {

// The sizes charged for a site and for each of its blocks. A slot of the table of blocks has 40 bytes, and
// half of the slots are in use; the numbers are fixed because their sum is stored.
constexpr uint64_t kSiteBytes = 232;
constexpr uint64_t kBlockBytes = 80;

uint64_t content_of(const SiteView& site) noexcept {
  return kSiteBytes + site.block_count() * kBlockBytes;
}

// A group or a domain in the four bytes that a block has for each; never 0.
uint32_t shortened(uint64_t key) noexcept {
  const uint32_t mixed = static_cast<uint32_t>(mix(key));
  return mixed == 0 ? 1 : mixed;
}

uint32_t shortened_or_none(uint64_t group_id) noexcept {
  return group_id == 0 ? 0 : shortened(group_id);
}

constexpr uint64_t kShelves = 64;

uint64_t shelf_of(uint64_t hash) noexcept {
  return mix(hash) % kShelves;
}

// The key of a shelf, among those of sites, which are hashes.
uint64_t key_of_shelf(uint64_t shelf) noexcept {
  return mix(0x9d8f3ac21b6e5074 + shelf);
}

// Whether it is boilerplate on that many domains besides this one.
bool is_shared(const BlockEntry& block, uint32_t domain, uint32_t least) noexcept {
  if (block.has_more()) return true;
  return std::ranges::count_if(block.groups, [domain](uint32_t known) {
           return known != 0 && known != domain;
         }) >= static_cast<ptrdiff_t>(least);
}

}  // namespace

// Counts, on destruction, what was done to a site or a shelf during its lifetime.
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

SiteTemplates::SiteTemplates(uint64_t secret, const TemplateParameters& parameters) noexcept
    : secret_(secret), parameters_(parameters), sites_(secret), order_(secret ^ 1) {}

void SiteTemplates::restore(const State& state) noexcept {
  content_bytes_ = state.content_bytes;
  clock_ = state.clock;
  last_version_ = state.last_version;
  is_ordered_ = false;
}

SiteKey SiteTemplates::key_of(std::string_view url, std::string_view site) const noexcept {
  if (site.empty()) return {};
  const uint64_t host = text::hash_of_host(url);
  const uint64_t domain = stable_hash(site);
  return {host == 0 ? domain : host, domain};
}

// [6] and [8]: which blocks are boilerplate.
void SiteTemplates::mark_boilerplate(SiteKey site_key, std::span<const FeatureBlock> blocks,
                                     uint64_t group_id, std::span<uint8_t> boilerplate,
                                     uint64_t without_group, uint64_t joining_group) const noexcept {
  std::fill(boilerplate.begin(), boilerplate.end(), uint8_t{0});
  if (site_key.own != 0 && is_young(site_key.own, group_id))
    mark_shared(site_key.domain, blocks, boilerplate);
  const std::optional<SiteView> site = sites_.find(site_key.own);
  if (!site) return;
  const uint32_t own = shortened_or_none(group_id);
  const uint32_t without = shortened_or_none(without_group);
  const uint32_t joining = shortened_or_none(joining_group);
  for (const FeatureBlock& block : blocks)
    site->prefetch(block.hash);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const BlockEntry* entry = site->find(blocks[i].hash);
    if (entry == nullptr || !site->header().is_boilerplate(*entry, own, without, joining)) continue;
    boilerplate[i] = site->header().is_everywhere(*entry) ? kEverywhere : kBoilerplate;
  }
}

void SiteTemplates::prefetch_for_change(SiteKey site_key,
                                        std::span<const FeatureBlock> blocks) const noexcept {
  const std::optional<SiteView> site = sites_.find(site_key.own);
  if (!site) return;
  for (const FeatureBlock& block : blocks)
    site->prefetch_for_change(block.hash);
}

void SiteTemplates::mark_suspected(uint64_t site_key, std::span<const FeatureBlock> blocks, uint64_t group_a,
                                   uint64_t group_b, std::span<uint8_t> boilerplate) const noexcept {
  const std::optional<SiteView> site = sites_.find(site_key);
  if (!site) return;
  const uint32_t a = shortened_or_none(group_a);
  const uint32_t b = shortened_or_none(group_b);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const BlockEntry* entry = boilerplate[i] == kOwnText ? site->find(blocks[i].hash) : nullptr;
    if (entry == nullptr) continue;
    const auto others = std::ranges::count_if(
        entry->groups, [&](uint32_t group) { return group != 0 && group != a && group != b; });
    if (others >= 2) boilerplate[i] = kBoilerplate;
  }
}

uint64_t SiteTemplates::version(uint64_t site_key) const noexcept {
  const std::optional<SiteView> site = sites_.find(site_key);
  return site ? site->header().version : 0;
}

uint32_t SiteTemplates::new_pages_outside(uint64_t site_key, uint64_t group_id) const noexcept {
  const std::optional<SiteView> site = sites_.find(site_key);
  if (!site) return 0;
  const SiteHeader& header = site->header();
  uint32_t inside = group_id == 0 ? 0 : header.uncounted;
  for (const GroupCount& counted : header.counted) {
    if (group_id != 0 && counted.group == shortened(group_id)) inside += counted.pages;
  }
  return header.new_pages - std::min(inside, header.new_pages);
}

bool SiteTemplates::is_young(uint64_t site, uint64_t group_id) const noexcept {
  return new_pages_outside(site, group_id) < parameters_.young_pages;
}

bool SiteTemplates::are_young(uint64_t site_a, uint64_t site_b, uint64_t group_id) const noexcept {
  const uint64_t pages = new_pages_outside(site_a, group_id);
  return pages + (site_a == site_b ? 0 : new_pages_outside(site_b, group_id)) < parameters_.young_pages;
}

// Whether, with the page just counted, the site has stopped being young to one of the other groups, as far as
// these are counted.
bool SiteTemplates::has_just_matured(const SiteHeader& site, uint32_t group) const noexcept {
  if (parameters_.young_pages == 0) return false;
  const auto matures = [&](uint32_t inside) { return site.new_pages - inside == parameters_.young_pages; };
  return matures(site.uncounted) || std::ranges::any_of(site.counted, [&](const GroupCount& counted) {
           return counted.pages != 0 && counted.group != group && matures(counted.pages + site.uncounted);
         });
}

void SiteTemplates::note_suspected_copies(uint64_t site_key, uint64_t group_a, uint64_t group_b) noexcept {
  if (!parameters_.enabled) return;
  const SuspectedGroups pair{shortened(group_a), shortened(group_b)};
  const std::optional<SiteView> known = sites_.find(site_key);
  if (!known || pair.a == pair.b || known->header().are_suspected_copies(pair.a, pair.b)) return;
  try {
    SiteRecord* site = sites_.change(site_key);
    if (site == nullptr) return;
    site->header.suspected_copies[site->header.next_suspected++ % SiteHeader::kSuspectedPairs] = pair;
    // Blocks that only these two groups contributed may no longer be boilerplate, and those of the pair that
    // was replaced may be again.
    site->header.version = ++last_version_;
  } catch (const std::bad_alloc&) {
    return;
  }
}

// [9] Learns which blocks the page has.
void SiteTemplates::learn(SiteKey site_key, std::span<const FeatureBlock> blocks, uint64_t group_id,
                          bool is_new) noexcept {
  learn_page(site_key, blocks, shortened(group_id), is_new, 0);
}

void SiteTemplates::relearn(SiteKey site_key, std::span<const FeatureBlock> old_blocks, uint64_t old_group,
                            std::span<const FeatureBlock> blocks, uint64_t group_id) noexcept {
  learn_page(site_key, blocks, shortened(group_id), false, shortened(old_group));
  if (const std::optional<SiteView> site = sites_.find(site_key.own))
    unlearn_blocks(site_key, old_blocks, shortened(old_group), site->header().pages);
}

void SiteTemplates::learn_page(SiteKey site_key, std::span<const FeatureBlock> blocks, uint32_t group,
                               bool is_new, uint32_t replaced) noexcept {
  if (!parameters_.enabled) return;
  try {
    Turns turns;
    {
      SiteRecord& site = find_or_add(site_key.own);
      const Change change(*this, site);
      use(site_key.own, site);
      ++site.header.pages;
      if (is_new) site.header.count_new_page(group);
      const bool matured = is_new && has_just_matured(site.header, group);
      try {
        learn_blocks(site, blocks, group, replaced, turns);
      } catch (const std::bad_alloc&) {
        // What was learned so far remains, and is counted.
      }
      if (matured || !turns.empty()) site.header.version = ++last_version_;
    }
    learn_shared(site_key.domain, turns);
    if (content_bytes_ > parameters_.bytes) forget_oldest();
  } catch (const std::bad_alloc&) {
    return;
  }
}

void SiteTemplates::rename(SiteKey site_key, std::span<const FeatureBlock> blocks, uint64_t old_group,
                           uint64_t group_id) noexcept {
  const uint32_t replaced = shortened(old_group);
  try {
    SiteRecord* site = sites_.change(site_key.own);
    if (site == nullptr) return;
    Turns turns;
    probe_count_ += blocks.size();
    for (const FeatureBlock& block : blocks) {
      BlockEntry* entry = site->blocks.find(block.hash);
      if (entry == nullptr || std::ranges::find(entry->groups, replaced) == entry->groups.end()) continue;
      const bool was_boilerplate = site->header.is_boilerplate(*entry, 0, 0);
      entry->drop(replaced);
      entry->add(shortened(group_id));
      const bool is_boilerplate = site->header.is_boilerplate(*entry, 0, 0);
      if (was_boilerplate != is_boilerplate) turns.push_back({block.hash, is_boilerplate});
    }
    if (!turns.empty()) site->header.version = ++last_version_;
    learn_shared(site_key.domain, turns);
  } catch (const std::bad_alloc&) {
    return;
  }
}

void SiteTemplates::unlearn(SiteKey site_key, std::span<const FeatureBlock> blocks,
                            uint64_t group_id) noexcept {
  unlearn_blocks(site_key, blocks, shortened(group_id), 0);
}

void SiteTemplates::unlearn_blocks(SiteKey site_key, std::span<const FeatureBlock> blocks, uint32_t group,
                                   uint32_t kept_page) noexcept {
  try {
    SiteRecord* site = sites_.change(site_key.own);
    if (site == nullptr) return;
    Turns turns;
    probe_count_ += blocks.size();
    {
      const Change change(*this, *site);
      for (const FeatureBlock& block : blocks) {
        BlockEntry* entry = site->blocks.find(block.hash);
        if (entry == nullptr || entry->has_more() || (kept_page != 0 && entry->last_page == kept_page))
          continue;
        const bool was_boilerplate = site->header.is_boilerplate(*entry, 0, 0);
        entry->drop(group);
        const bool is_boilerplate = site->header.is_boilerplate(*entry, 0, 0);
        if (was_boilerplate != is_boilerplate) turns.push_back({block.hash, is_boilerplate});
        if (entry->groups[0] == 0) site->blocks.erase(block.hash);
      }
      if (!turns.empty()) site->header.version = ++last_version_;
    }
    learn_shared(site_key.domain, turns);
  } catch (const std::bad_alloc&) {
    return;
  }
}

void SiteTemplates::learn_blocks(SiteRecord& site, std::span<const FeatureBlock> blocks, uint32_t group,
                                 uint32_t replaced, Turns& turns) {
  const uint32_t page = site.header.pages;
  probe_count_ += blocks.size();
  for (const FeatureBlock& block : blocks) {
    BlockEntry* entry = site.blocks.find(block.hash);
    if (entry == nullptr) {
      if (site.blocks.size() >= parameters_.blocks_per_site) make_room(site);
      if (site.blocks.size() >= parameters_.blocks_per_site) continue;
      entry = &site.blocks[block.hash];
      entry->first_page = page;
    }
    if (entry->last_page != page) entry->count_page();  // once per page
    entry->last_page = page;
    // A block that the group already contributed makes no difference.
    if ((replaced == 0 || replaced == group) &&
        std::ranges::find(entry->groups, group) != entry->groups.end())
      continue;
    const bool was_boilerplate = site.header.is_boilerplate(*entry, 0, 0);
    if (replaced != 0 && replaced != group) entry->drop(replaced);
    entry->add(group);
    const bool is_boilerplate = site.header.is_boilerplate(*entry, 0, 0);
    if (was_boilerplate != is_boilerplate) turns.push_back({block.hash, is_boilerplate});
  }
}

SiteRecord& SiteTemplates::find_or_add(uint64_t site_key) {
  if (SiteRecord* known = sites_.change(site_key)) return *known;
  SiteRecord site(mix(secret_ ^ site_key));
  site.header.version = ++last_version_;
  SiteRecord& added = sites_.insert(site_key, std::move(site));
  content_bytes_ += content_of(added.view());
  return added;
}

// Decay: removes blocks that only one group has and that were not seen lately. Current boilerplate is on
// nearly every page; what a site dropped in its last redesign is not seen again.
void SiteTemplates::make_room(SiteRecord& site) {
  Vector<std::pair<uint32_t, uint64_t>> by_age;  // last page, hash
  by_age.reserve(site.blocks.size());
  site.blocks.for_each([&](uint64_t hash, const BlockEntry& entry) {
    const bool boilerplate = entry.groups[1] != 0;
    // Boilerplate counts as if seen later, by half of the site's pages.
    by_age.emplace_back(entry.last_page + (boilerplate ? site.header.pages / 2 : 0), hash);
  });
  probe_count_ += by_age.size();
  const size_t drop = by_age.size() / 4 + 1;
  std::nth_element(by_age.begin(), by_age.begin() + static_cast<ptrdiff_t>(drop - 1), by_age.end());
  bool moved = false;
  for (size_t i = 0; i < drop; ++i) {
    moved |= site.header.is_boilerplate(*site.blocks.find(by_age[i].second), 0, 0);
    site.blocks.erase(by_age[i].second);
  }
  if (moved) site.header.version = ++last_version_;
}

void SiteTemplates::use(uint64_t site_key, SiteRecord& record) {
  if (is_ordered_) order_.use(site_key);
  record.header.last_use = ++clock_;
}

// A few at a time, so that no page waits long; the rest is left to later pages.
void SiteTemplates::forget_oldest() {
  constexpr size_t kForgottenAtOnce = 64;
  if (!is_ordered_) put_in_order();
  for (size_t i = 0; i < kForgottenAtOnce && content_bytes_ > parameters_.bytes; ++i) {
    const std::optional<uint64_t> oldest = order_.oldest();
    if (!oldest) return;
    const std::optional<SiteView> site = sites_.find(*oldest);
    if (site && site->header().last_use == clock_) return;
    sites_.reserve_more(1);
    ++probe_count_;
    if (site)
      content_bytes_ -=
          std::min(content_of(*site), content_bytes_);  // a damaged store must not make it wrap around
    order_.forget(*oldest);
    sites_.erase(*oldest);
  }
}

// Restores the content of a store. Cost: examines each site once.
void SiteTemplates::put_in_order() {
  Vector<std::pair<uint64_t, uint64_t>> by_age;  // last use, key
  uint64_t content_bytes = 0;
  by_age.reserve(sites_.size());
  sites_.for_each(0, [&](uint64_t key, const SiteView& site) {
    content_bytes += content_of(site);
    by_age.emplace_back(site.header().last_use, key);
    return true;
  });
  probe_count_ += by_age.size();
  std::ranges::sort(by_age);
  UseOrder order(secret_ ^ 1);
  for (const auto& [last_use, key] : by_age)
    order.use(key);
  order_.swap(order);
  is_ordered_ = true;
  // A store that claims more than it holds must not cause sites to be forgotten.
  content_bytes_ = std::min(content_bytes_, content_bytes);
}

// Boilerplate of several domains: a publisher's page template, a vendor's notice, a theme.
//
// The blocks are kept on shelves, chosen by part of their hash. A shelf is a record of the same table and
// kind as a site, with domains in place of groups; so it ages, is bounded, forgotten and stored just like a
// site. Domains are counted, whatever the unit that learns: with hosts, the owner of one domain could have as
// many votes as they like and have a stranger's article taken for boilerplate.

uint64_t SiteTemplates::site_count() const noexcept {
  uint64_t shelves = 0;
  for (uint64_t shelf = 0; shelf < kShelves; ++shelf)
    shelves += sites_.find(key_of_shelf(shelf)).has_value();
  return sites_.size() - shelves;
}

void SiteTemplates::mark_shared(uint64_t domain_key, std::span<const FeatureBlock> blocks,
                                std::span<uint8_t> boilerplate) const noexcept {
  if (parameters_.shared_blocks == 0) return;
  const uint32_t domain = shortened(domain_key);
  std::array<std::optional<SiteView>, kShelves> shelves;
  std::bitset<kShelves> looked_up;
  for (const FeatureBlock& block : blocks) {
    const uint64_t shelf = shelf_of(block.hash);
    if (!looked_up[shelf]) shelves[shelf] = sites_.find(key_of_shelf(shelf));
    looked_up.set(shelf);
    if (shelves[shelf]) shelves[shelf]->prefetch(block.hash);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    const std::optional<SiteView>& shelf = shelves[shelf_of(blocks[i].hash)];
    const BlockEntry* entry = shelf ? shelf->find(blocks[i].hash) : nullptr;
    if (entry != nullptr && is_shared(*entry, domain, parameters_.shared_sites))
      boilerplate[i] = kBoilerplate;
  }
}

// Only what has become boilerplate on a site through its own pages is shared with other sites: an article
// that many sites copy, or that was split into groups by mistake, is on each of them once and contributes
// nothing here.
void SiteTemplates::learn_shared(uint64_t domain_key, const Turns& turns) {
  if (parameters_.shared_blocks == 0) return;
  probe_count_ += turns.size();
  for (const Turn& turn : turns) {
    if (turn.is_boilerplate) {
      put_on_shelf(turn.hash, shortened(domain_key));
    } else {
      take_off_shelf(turn.hash, shortened(domain_key));
    }
  }
}

void SiteTemplates::put_on_shelf(uint64_t hash, uint32_t domain) {
  const uint64_t key = key_of_shelf(shelf_of(hash));
  SiteRecord& shelf = find_or_add(key);
  const Change change(*this, shelf);
  use(key, shelf);
  ++shelf.header.pages;
  BlockEntry* entry = shelf.blocks.find(hash);
  if (entry == nullptr) {
    const uint64_t room = std::max<uint64_t>(parameters_.shared_blocks / kShelves, 1);
    if (shelf.blocks.size() >= room) make_room(shelf);
    entry = &shelf.blocks[hash];
    entry->first_page = shelf.header.pages;
  }
  entry->last_page = shelf.header.pages;
  entry->count_page();
  entry->add(domain);
}

// A block of more domains than are remembered stays until it ages. A block that is still boilerplate on
// another host of the domain is removed as well: the hosts of a domain are not recorded, and one vote less
// only delays learning.
void SiteTemplates::take_off_shelf(uint64_t hash, uint32_t domain) {
  SiteRecord* shelf = sites_.change(key_of_shelf(shelf_of(hash)));
  if (shelf == nullptr) return;
  const Change change(*this, *shelf);
  BlockEntry* entry = shelf->blocks.find(hash);
  if (entry == nullptr || entry->has_more()) return;
  entry->drop(domain);
  if (entry->groups[0] == 0) shelf->blocks.erase(hash);
}

}  // namespace nd::engine
