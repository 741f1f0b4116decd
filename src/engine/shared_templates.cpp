// What several domains have as boilerplate: a publisher's page template, a vendor's notice, a theme.
//
// The blocks stand on shelves by part of their hash. A shelf is a record of the same table and kind as a
// site, in which domains take the place of groups; so it ages, is bounded, forgotten and stored as a site is.
// Domains, whatever learns as one: with hosts, who owns one domain could speak with as many voices as he
// likes and have a stranger's article taken for boilerplate.
#include <algorithm>
#include <array>
#include <bitset>

#include "engine/site_templates.hpp"
#include "engine/template_change.hpp"

namespace nd::engine {
namespace {

constexpr uint64_t kShelves = 64;

uint64_t shelf_of(uint64_t hash) noexcept {
  return mix(hash) % kShelves;
}

// The key of a shelf among those of sites, which are hashes.
uint64_t key_of_shelf(uint64_t shelf) noexcept {
  return mix(0x9d8f3ac21b6e5074 + shelf);
}

uint32_t short_domain(uint64_t key) noexcept {
  const uint32_t mixed = static_cast<uint32_t>(mix(key));
  return mixed == 0 ? 1 : mixed;
}

// It is boilerplate on so many domains beside this one.
bool is_shared(const BlockEntry& block, uint32_t domain, uint32_t least) noexcept {
  if (block.has_more()) return true;
  return std::ranges::count_if(block.groups, [domain](uint32_t known) {
           return known != 0 && known != domain;
         }) >= static_cast<ptrdiff_t>(least);
}

}  // namespace

uint64_t SiteTemplates::site_count() const noexcept {
  uint64_t shelves = 0;
  for (uint64_t shelf = 0; shelf < kShelves; ++shelf)
    shelves += sites_.find(key_of_shelf(shelf)).has_value();
  return sites_.size() - shelves;
}

void SiteTemplates::mark_shared(uint64_t domain_key, std::span<const FeatureBlock> blocks,
                                std::span<uint8_t> boilerplate) const noexcept {
  if (parameters_.shared_blocks == 0) return;
  const uint32_t domain = short_domain(domain_key);
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

// Only what has become boilerplate on a site by its own pages is told to the others: an article that many
// sites copy, or that was split into groups by mistake, stands once on each of them and teaches nothing here.
void SiteTemplates::learn_shared(uint64_t domain_key, const Turns& turns) {
  if (parameters_.shared_blocks == 0) return;
  probe_count_ += turns.size();
  for (const Turn& turn : turns) {
    if (turn.is_boilerplate) {
      put_on_shelf(turn.hash, short_domain(domain_key));
    } else {
      take_off_shelf(turn.hash, short_domain(domain_key));
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

// A block of more domains than are remembered stays until it ages. One that is still boilerplate on another
// host of the domain goes as well: which hosts spoke for a domain is not kept, and a voice less delays
// learning only.
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
