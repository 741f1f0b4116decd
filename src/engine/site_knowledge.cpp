#include "engine/site_knowledge.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "text/site.hpp"

namespace nd::engine {
namespace {

// The sizes charged for a site and for each of its parts: a slot of the table has 24 bytes, and half of the
// slots are in use. The numbers are fixed because their sum is stored.
constexpr uint64_t kKnownSiteBytes = 64;
constexpr uint64_t kPartBytes = 48;

// With so many pages all counts are halved: a renewed template is learned and the old one forgotten.
constexpr uint32_t kMostPages = 4096;

// The share of a part counts from the page on that it was first seen with, so that a renewed template is soon
// known, but never of fewer pages than these: two copies of an article in a row are no template.
constexpr uint32_t kLeastPages = 64;

// Words of titles are no blocks.
constexpr uint64_t kTitleSalt = 0x5f1c7b0e93a4d682ULL;

// What is boilerplate gives no candidate keys.
constexpr uint32_t kLeastKnownPages = 2;  // with fewer others, nothing is
constexpr double kMostlyOwn = 0.5;        // what is less the page's own is
constexpr uint32_t kLeastEverywhere = 4;  // pages, and half of all

uint64_t part_of_title(Symbol word) noexcept {
  return mix(kTitleSalt ^ word);
}

uint64_t charge_of(const SiteKnowledgeView& site) noexcept {
  return kKnownSiteBytes + site.part_count() * kPartBytes;
}

}  // namespace

uint64_t site_key_of(std::string_view url, std::string_view site) noexcept {
  if (site.empty()) return 0;
  const uint64_t host = text::hash_of_host(url);
  return host == 0 ? stable_hash(site) : host;
}

Vector<uint64_t> counted_parts(const Features& page) {
  Vector<uint64_t> parts;
  take_counted_parts(page, parts);
  return parts;
}

void take_counted_parts(const Features& page, Vector<uint64_t>& parts) {
  parts.clear();
  parts.reserve(page.blocks().size() + page.title().size());
  for (const FeatureBlock& block : page.blocks())
    parts.push_back(block.hash);
  for (const Symbol word : page.title())
    parts.push_back(part_of_title(word));
  std::ranges::sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
}

void mark_by_share(const CountedPage& counted, uint32_t self, std::span<uint8_t> marks) noexcept {
  const uint32_t pages = counted.pages - self;
  if (pages < kLeastKnownPages) return;
  for (size_t i = 0; i < marks.size(); ++i) {
    const uint32_t with = counted.blocks[i] - std::min(counted.blocks[i], self);
    // On a site of three pages what is on no other one has less than half a share, like all the rest.
    if (with == 0 || own_share(with, pages) >= kMostlyOwn) continue;
    const bool is_everywhere = 2 * uint64_t{with} >= pages && with >= kLeastEverywhere;
    marks[i] = is_everywhere ? kEverywhere : kBoilerplate;
  }
}

// Counts, on destruction, what was done to a site during its lifetime.
class SiteKnowledge::Change {
 public:
  Change(SiteKnowledge& sites, SiteKnowledgeRecord& site) noexcept
      : sites_(sites),
        site_(site),
        content_before_(charge_of(site.view())),
        memory_before_(site.memory_bytes()) {}
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change() {
    sites_.content_bytes_ += charge_of(site_.view()) - content_before_;
    sites_.sites_.changed(memory_before_, site_.memory_bytes());
  }

 private:
  SiteKnowledge& sites_;
  const SiteKnowledgeRecord& site_;
  const uint64_t content_before_;
  const uint64_t memory_before_;
};

SiteKnowledge::SiteKnowledge(uint64_t secret, const SiteKnowledgeLimits& limits) noexcept
    : secret_(secret), limits_(limits), sites_(secret), order_(secret ^ 1) {}

void SiteKnowledge::restore(const State& state) noexcept {
  content_bytes_ = state.content_bytes;
  clock_ = state.clock;
  is_ordered_ = false;
}

PairCounts SiteKnowledge::count_pair(const Features& representative,
                                     std::span<const uint64_t> parts_of_representative, const Features& page,
                                     std::span<const uint64_t> parts_of_page, CountedPair& out) const {
  const uint64_t site_a = site_key_of(representative.url(), representative.site());
  const uint64_t site_b = site_key_of(page.url(), page.site());
  if (!page.url().empty() && page.url() == representative.url()) parts_of_page = {};
  const auto count_page = [&](const Features& features, uint64_t site, CountedPage& counted) {
    std::array<std::span<const uint64_t>, 2> without;
    size_t left_out = 0;
    if (!parts_of_representative.empty() && site == site_a) without[left_out++] = parts_of_representative;
    if (!parts_of_page.empty() && site == site_b) without[left_out++] = parts_of_page;
    count(site, features.blocks(), features.title(), std::span(without).first(left_out), counted);
  };
  count_page(representative, site_a, out.representative);
  count_page(page, site_b, out.page);
  return out.counts();
}

uint64_t SiteKnowledge::magnitude(uint64_t site_key) const noexcept {
  const std::optional<SiteKnowledgeView> site = site_key == 0 ? std::nullopt : sites_.find(site_key);
  return site ? static_cast<uint64_t>(std::bit_width(site->header().pages)) : 0;
}

void SiteKnowledge::count(uint64_t site_key, std::span<const FeatureBlock> blocks,
                          std::span<const Symbol> title, std::span<const std::span<const uint64_t>> without,
                          CountedPage& out) const {
  out.pages = 0;
  out.blocks.assign(blocks.size(), 0);
  out.title.assign(title.size(), 0);
  if (site_key == 0) return;
  const std::optional<SiteKnowledgeView> site = sites_.find(site_key);
  if (!site) return;
  const SiteKnowledgeHeader& header = site->header();
  out.pages = header.pages - std::min(header.pages, static_cast<uint32_t>(without.size()));
  if (out.pages == 0) return;
  for (const FeatureBlock& block : blocks)
    site->prefetch(block.hash);
  const auto count_of = [&](uint64_t part) -> uint32_t {
    const CountedPart* found = site->find(part);
    if (found == nullptr) return 0;
    uint32_t pages = found->pages;
    for (const std::span<const uint64_t> other : without)
      pages -= pages > 0 && std::ranges::binary_search(other, part) ? 1 : 0;
    const uint32_t since = std::clamp(header.seen - std::min(header.seen, found->first) + 1,
                                      std::min(out.pages, kLeastPages), out.pages);
    return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{pages} * out.pages / since, out.pages));
  };
  for (size_t i = 0; i < out.blocks.size(); ++i)
    out.blocks[i] = count_of(blocks[i].hash);
  for (size_t i = 0; i < out.title.size(); ++i)
    out.title[i] = count_of(part_of_title(title[i]));
}

void SiteKnowledge::learn(uint64_t site_key, const Features& page) noexcept {
  if (site_key == 0 || !page.has_text()) return;
  try {
    const Vector<uint64_t> parts = counted_parts(page);
    {
      SiteKnowledgeRecord& site = find_or_add(site_key);
      const Change change(*this, site);
      use(site_key, site);
      add_page(site, parts);
    }
    if (content_bytes_ > limits_.bytes) forget_oldest();
  } catch (const std::bad_alloc&) {
    ++dropped_count_;
  }
}

void SiteKnowledge::forget(uint64_t site_key, const Features& page) noexcept {
  if (site_key == 0 || !page.has_text()) return;
  try {
    const Vector<uint64_t> parts = counted_parts(page);
    SiteKnowledgeRecord* site = sites_.change(site_key);
    if (site == nullptr) return;
    const Change change(*this, *site);
    take_page(*site, parts);
  } catch (const std::bad_alloc&) {
    ++dropped_count_;
  }
}

void SiteKnowledge::replace(uint64_t site_key, const Features& old_page, const Features& page) noexcept {
  // In this order: what both have keeps the moment when it was first seen.
  learn(site_key, page);
  forget(site_key, old_page);
}

void SiteKnowledge::take_all(const SiteKnowledge& other) {
  other.sites_.for_each(0, [&](uint64_t key, const SiteKnowledgeView& site) {
    SiteKnowledgeRecord& taken = find_or_add(key);
    const Change change(*this, taken);
    use(key, taken);
    const uint64_t last_use = taken.header.last_use;
    taken = SiteKnowledgeRecord::copy(site);
    taken.header.last_use = last_use;
    return true;
  });
}

SiteKnowledgeRecord& SiteKnowledge::find_or_add(uint64_t site_key) {
  if (SiteKnowledgeRecord* known = sites_.change(site_key)) return *known;
  SiteKnowledgeRecord& added = sites_.insert(site_key, SiteKnowledgeRecord(mix(secret_ ^ site_key)));
  content_bytes_ += charge_of(added.view());
  return added;
}

void SiteKnowledge::add_page(SiteKnowledgeRecord& site, std::span<const uint64_t> parts) {
  if (site.header.pages >= kMostPages) halve(site);
  ++site.header.pages;
  if (site.header.seen < UINT32_MAX) ++site.header.seen;
  probe_count_ += parts.size();
  for (const uint64_t part : parts) {
    CountedPart* entry = site.parts.find(part);
    if (entry == nullptr) {
      if (site.parts.size() >= limits_.parts_per_site) drop_rarest(site);
      entry = &site.parts[part];
      *entry = {0, site.header.seen};
    }
    if (entry->pages < UINT32_MAX) ++entry->pages;  // a damaged store may claim any number
  }
}

void SiteKnowledge::take_page(SiteKnowledgeRecord& site, std::span<const uint64_t> parts) noexcept {
  site.header.pages -= site.header.pages > 0 ? 1 : 0;
  probe_count_ += parts.size();
  for (const uint64_t part : parts) {
    CountedPart* entry = site.parts.find(part);
    if (entry == nullptr) continue;
    if (entry->pages > 1) {
      --entry->pages;
    } else {
      site.parts.erase(part);
    }
  }
}

// A quarter of the parts: those on the fewest pages, of them those seen first longest ago.
void SiteKnowledge::drop_rarest(SiteKnowledgeRecord& site) {
  Vector<std::pair<uint64_t, uint64_t>> order;  // pages and first, hash
  order.reserve(site.parts.size());
  site.parts.for_each([&](uint64_t hash, const CountedPart& part) {
    order.emplace_back(uint64_t{part.pages} << 32 | part.first, hash);
  });
  probe_count_ += order.size();
  const size_t count = order.size() / 4 + 1;
  std::nth_element(order.begin(), order.begin() + static_cast<ptrdiff_t>(count - 1), order.end());
  for (size_t i = 0; i < count; ++i)
    site.parts.erase(order[i].second);
  dropped_count_ += count;
}

void SiteKnowledge::halve(SiteKnowledgeRecord& site) {
  Vector<uint64_t> gone;
  site.parts.for_each([&](uint64_t hash, const CountedPart& part) {
    if (part.pages <= 1) gone.push_back(hash);
  });
  probe_count_ += site.parts.size();
  for (const uint64_t hash : gone)
    site.parts.erase(hash);
  Vector<uint64_t> left;
  left.reserve(site.parts.size());
  site.parts.for_each([&](uint64_t hash, const CountedPart&) { left.push_back(hash); });
  for (const uint64_t hash : left)
    site.parts.find(hash)->pages /= 2;
  site.header.pages /= 2;
}

void SiteKnowledge::use(uint64_t site_key, SiteKnowledgeRecord& record) {
  if (is_ordered_) order_.use(site_key);
  record.header.last_use = ++clock_;
}

// A few at a time, so that no page waits long; the rest is left to later pages.
void SiteKnowledge::forget_oldest() {
  constexpr size_t kForgottenAtOnce = 64;
  if (!is_ordered_) put_in_order();
  for (size_t i = 0; i < kForgottenAtOnce && content_bytes_ > limits_.bytes; ++i) {
    const std::optional<uint64_t> oldest = order_.oldest();
    if (!oldest) return;
    const std::optional<SiteKnowledgeView> site = sites_.find(*oldest);
    if (site && site->header().last_use == clock_) return;
    sites_.reserve_more(1);
    ++probe_count_;
    if (site)
      content_bytes_ -=
          std::min(charge_of(*site), content_bytes_);  // a damaged store must not make it wrap around
    order_.forget(*oldest);
    sites_.erase(*oldest);
    ++dropped_count_;
  }
}

// Restores the order of a store's sites. Cost: examines each site once.
void SiteKnowledge::put_in_order() {
  Vector<std::pair<uint64_t, uint64_t>> by_age;  // last use, key
  uint64_t content_bytes = 0;
  by_age.reserve(sites_.size());
  sites_.for_each(0, [&](uint64_t key, const SiteKnowledgeView& site) {
    content_bytes += charge_of(site);
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

}  // namespace nd::engine
