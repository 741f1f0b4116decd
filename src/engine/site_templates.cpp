#include "engine/site_templates.hpp"

#include <algorithm>

namespace nd::engine {
namespace {

uint32_t short_group(uint64_t group_id) noexcept {
  const uint32_t mixed = static_cast<uint32_t>(mix(group_id));
  return mixed == 0 ? 1 : mixed;
}

uint32_t short_group_or_none(uint64_t group_id) noexcept {
  return group_id == 0 ? 0 : short_group(group_id);
}

}  // namespace

// Groups that are kin count as one: what copies of an article have in common is not frame.
bool SiteTemplates::Site::is_frame(const BlockEntry& block, uint32_t own, uint32_t without) const noexcept {
  if (block.more != 0) return true;
  std::array<uint32_t, kGroups> others;
  size_t count = 0;
  for (uint32_t group : block.groups) {
    if (group == 0 || group == own || group == without || are_kin(group, own) || are_kin(group, without))
      continue;
    const auto end = others.begin() + static_cast<ptrdiff_t>(count);
    if (std::any_of(others.begin(), end, [&](uint32_t other) { return are_kin(group, other); })) continue;
    others[count++] = group;
  }
  return count >= (own == 0 ? 2 : 1);
}

bool SiteTemplates::Site::are_kin(uint32_t a, uint32_t b) const noexcept {
  const auto known = std::span(kin).first(std::min<size_t>(next_kin, kKinPairs));
  return std::ranges::any_of(
      known, [=](const Kin& pair) { return (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a); });
}

void SiteTemplates::BlockEntry::drop(uint32_t group) noexcept {
  const auto free_from = std::remove(groups.begin(), groups.end(), group);
  std::fill(free_from, groups.end(), 0U);
}

SiteTemplates::SiteTemplates(uint64_t secret, const TemplateParameters& parameters) noexcept
    : secret_(secret), parameters_(parameters), by_site_(secret) {}

const SiteTemplates::Site* SiteTemplates::find(uint64_t site) const noexcept {
  const uint32_t* slot = by_site_.find(site);
  return slot == nullptr ? nullptr : sites_[*slot].get();
}

// A new design is everywhere soon: what counts are the pages since the block was first seen.
bool SiteTemplates::is_everywhere(const Site& site, const BlockEntry& block) noexcept {
  const uint32_t since = site.pages - block.first_page + 1;
  return block.more != 0 && 2 * uint64_t{block.pages} >= since;
}

// [6] and [8] ask which blocks are frame ...
void SiteTemplates::mark_frame(uint64_t site_key, std::span<const FeatureBlock> blocks, uint64_t group_id,
                               std::span<uint8_t> frame, uint64_t without_group) const noexcept {
  std::fill(frame.begin(), frame.end(), uint8_t{0});
  const Site* site = find(site_key);
  if (site == nullptr) return;
  const uint32_t own = short_group_or_none(group_id);
  const uint32_t without = short_group_or_none(without_group);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const BlockEntry* entry = site->blocks.find(blocks[i].hash);
    if (entry == nullptr || !site->is_frame(*entry, own, without)) continue;
    frame[i] = is_everywhere(*site, *entry) ? kEverywhere : kFrame;
  }
}

uint64_t SiteTemplates::version(uint64_t site_key) const noexcept {
  const Site* site = find(site_key);
  return site == nullptr ? 0 : site->version;
}

bool SiteTemplates::is_young(uint64_t site_key, uint64_t group_id) const noexcept {
  const Site* site = find(site_key);
  if (site == nullptr) return parameters_.young_pages != 0;
  uint32_t inside = group_id == 0 ? 0 : site->uncounted;
  for (const GroupCount& counted : site->counted) {
    if (group_id != 0 && counted.group == short_group(group_id)) inside += counted.pages;
  }
  return site->new_pages - std::min(inside, site->new_pages) < parameters_.young_pages;
}

void SiteTemplates::count_page(Site& site, uint32_t group) noexcept {
  ++site.new_pages;
  GroupCount* free = nullptr;
  for (GroupCount& counted : site.counted) {
    if (counted.pages != 0 && counted.group == group) {
      ++counted.pages;
      return;
    }
    if (counted.pages == 0) free = &counted;
  }
  if (free != nullptr) {
    *free = {group, 1};
    return;
  }
  for (GroupCount& counted : site.counted)
    --counted.pages;
  ++site.uncounted;
}

// With the page just counted the site has stopped being young to one of the other groups, as far as counted.
bool SiteTemplates::has_just_matured(const Site& site, uint32_t group) const noexcept {
  if (parameters_.young_pages == 0) return false;
  const auto matures = [&](uint32_t inside) { return site.new_pages - inside == parameters_.young_pages; };
  return matures(site.uncounted) || std::ranges::any_of(site.counted, [&](const GroupCount& counted) {
           return counted.pages != 0 && counted.group != group && matures(counted.pages + site.uncounted);
         });
}

void SiteTemplates::note_kin(uint64_t site_key, uint64_t group_a, uint64_t group_b) noexcept {
  if (!parameters_.enabled) return;
  const uint32_t* slot = by_site_.find(site_key);
  if (slot == nullptr) return;
  Site& site = *sites_[*slot];
  const Kin pair{short_group(group_a), short_group(group_b)};
  if (pair.a == pair.b || site.are_kin(pair.a, pair.b)) return;
  site.kin[site.next_kin++ % kKinPairs] = pair;
  site.version =
      ++last_version_;  // what two groups taught may be frame no more, what the pair before them taught again
}

// ... and [9] teaches.
void SiteTemplates::learn(uint64_t site_key, std::span<const FeatureBlock> blocks, uint64_t group_id,
                          bool is_new) noexcept {
  learn_page(site_key, blocks, short_group(group_id), is_new, 0);
}

void SiteTemplates::relearn(uint64_t site_key, std::span<const FeatureBlock> old_blocks, uint64_t old_group,
                            std::span<const FeatureBlock> blocks, uint64_t group_id) noexcept {
  learn_page(site_key, blocks, short_group(group_id), false, short_group(old_group));
  const uint32_t* slot = by_site_.find(site_key);
  if (slot == nullptr) return;
  Site& site = *sites_[*slot];
  unlearn_blocks(site, old_blocks, short_group(old_group), site.pages);
}

void SiteTemplates::learn_page(uint64_t site_key, std::span<const FeatureBlock> blocks, uint32_t group,
                               bool is_new, uint32_t replaced) noexcept {
  if (!parameters_.enabled) return;
  try {
    Site& site = find_or_add(site_key);
    ++site.pages;
    site.last_use = ++clock_;
    if (is_new) count_page(site, group);
    bool moved = is_new && has_just_matured(site, group);
    const uint64_t before = site.blocks.memory_bytes();
    try {
      learn_blocks(site, blocks, group, replaced, moved);
    } catch (const std::bad_alloc&) {
      // What was learned until here stays, and is counted.
    }
    if (moved) site.version = ++last_version_;
    bytes_ += site.blocks.memory_bytes() - before;
    if (memory_bytes() > parameters_.bytes) forget_oldest();
  } catch (const std::bad_alloc&) {
    return;
  }
}

void SiteTemplates::unlearn(uint64_t site_key, std::span<const FeatureBlock> blocks,
                            uint64_t group_id) noexcept {
  const uint32_t* slot = by_site_.find(site_key);
  if (slot != nullptr) unlearn_blocks(*sites_[*slot], blocks, short_group(group_id), 0);
}

// `kept_page`: what the site's page of this number had stays (0: nothing).
void SiteTemplates::unlearn_blocks(Site& site, std::span<const FeatureBlock> blocks, uint32_t group,
                                   uint32_t kept_page) noexcept {
  bool moved = false;
  for (const FeatureBlock& block : blocks) {
    BlockEntry* entry = site.blocks.find(block.hash);
    if (entry == nullptr || entry->more || (kept_page != 0 && entry->last_page == kept_page)) continue;
    const bool was_frame = site.is_frame(*entry, 0, 0);
    entry->drop(group);
    moved |= was_frame != site.is_frame(*entry, 0, 0);
    if (entry->groups[0] == 0) site.blocks.erase(block.hash);
  }
  if (moved) site.version = ++last_version_;
}

void SiteTemplates::learn_blocks(Site& site, std::span<const FeatureBlock> blocks, uint32_t group,
                                 uint32_t replaced, bool& moved) {
  for (const FeatureBlock& block : blocks) {
    BlockEntry* entry = site.blocks.find(block.hash);
    if (entry == nullptr) {
      if (site.blocks.size() >= parameters_.blocks_per_site) make_room(site);
      if (site.blocks.size() >= parameters_.blocks_per_site) continue;
      entry = &site.blocks[block.hash];
      entry->first_page = site.pages;
    }
    if (entry->last_page != site.pages) ++entry->pages;  // once a page
    entry->last_page = site.pages;
    const bool was_frame = site.is_frame(*entry, 0, 0);
    if (replaced != 0 && replaced != group) entry->drop(replaced);
    const auto place = std::find_if(entry->groups.begin(), entry->groups.end(),
                                    [group](uint32_t known) { return known == 0 || known == group; });
    if (place == entry->groups.end()) {
      entry->more = 1;
    } else {
      *place = group;
    }
    moved |= was_frame != site.is_frame(*entry, 0, 0);
  }
}

SiteTemplates::Site& SiteTemplates::find_or_add(uint64_t site_key) {
  if (const uint32_t* slot = by_site_.find(site_key)) return *sites_[*slot];
  Owned<Site> site = make_owned<Site>(secret_);
  site->key = site_key;
  site->version = ++last_version_;
  by_site_.reserve_more(1);
  uint32_t slot;
  if (free_.empty()) {
    if (free_.capacity() <= sites_.size())
      free_.reserve(2 * sites_.size() + 16);  // forget_oldest() must not fail
    sites_.emplace_back();
    slot = static_cast<uint32_t>(sites_.size() - 1);
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  sites_[slot] = std::move(site);
  by_site_[site_key] = slot;
  bytes_ += sizeof(Site);
  return *sites_[slot];
}

// Decay: what only one group has and what was not seen lately goes. A frame that is in use is on nearly every
// page; what a site dropped with its last redesign is not seen again.
void SiteTemplates::make_room(Site& site) {
  Vector<std::pair<uint32_t, uint64_t>> by_age;  // last page, hash
  by_age.reserve(site.blocks.size());
  site.blocks.for_each([&](uint64_t hash, const BlockEntry& entry) {
    const bool frame = entry.groups[1] != 0;
    // Frame counts as seen half of the site's pages later than it was.
    by_age.emplace_back(entry.last_page + (frame ? site.pages / 2 : 0), hash);
  });
  const size_t drop = by_age.size() / 4 + 1;
  std::nth_element(by_age.begin(), by_age.begin() + static_cast<ptrdiff_t>(drop - 1), by_age.end());
  bool moved = false;
  for (size_t i = 0; i < drop; ++i) {
    moved |= site.is_frame(*site.blocks.find(by_age[i].second), 0, 0);
    site.blocks.erase(by_age[i].second);
  }
  if (moved) site.version = ++last_version_;
}

void SiteTemplates::forget_oldest() {
  // An eighth at once, so that the search for the oldest is paid by many pages.
  Vector<std::pair<uint64_t, uint32_t>> by_age;  // last use, slot
  by_age.reserve(site_count());
  for (uint32_t slot = 0; slot < sites_.size(); ++slot) {
    if (sites_[slot] != nullptr && sites_[slot]->last_use != clock_)
      by_age.emplace_back(sites_[slot]->last_use, slot);
  }
  if (by_age.empty()) return;
  const size_t drop = by_age.size() / 8 + 1;
  std::nth_element(by_age.begin(), by_age.begin() + static_cast<ptrdiff_t>(drop - 1), by_age.end());
  for (size_t i = 0; i < drop; ++i) {
    Owned<Site>& site = sites_[by_age[i].second];
    bytes_ -= site->blocks.memory_bytes() + sizeof(Site);
    by_site_.erase(site->key);
    site.reset();
    free_.push_back(by_age[i].second);
  }
}

}  // namespace nd::engine
