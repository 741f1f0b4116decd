// Learns, forgets and charges sites; those that were used least recently are dropped at the memory limit.
#include "collection/site_knowledge.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace nd::engine {
namespace {

// The sizes charged for a site and for each of its parts: a slot of the table has 24 bytes, and half of the
// slots are in use. The numbers are fixed because their sum is stored.
constexpr uint64_t kKnownSiteBytes = 64;
constexpr uint64_t kPartBytes = 48;

uint64_t charge_of(const SiteModelView& site) noexcept {
  return kKnownSiteBytes + site.part_count() * kPartBytes;
}

}  // namespace

// Counts, on destruction, what was done to a site during its lifetime.
class SiteKnowledge::Charge {
 public:
  Charge(SiteKnowledge& sites, SiteModel& site) noexcept
      : sites_(sites),
        site_(site),
        content_before_(charge_of(site.view())),
        memory_before_(site.memory_bytes()) {}
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  ~Charge() {
    sites_.content_bytes_ += charge_of(site_.view()) - content_before_;
    sites_.sites_.changed(memory_before_, site_.memory_bytes());
  }

 private:
  SiteKnowledge& sites_;
  const SiteModel& site_;
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

PairCounts SiteKnowledge::count_pair(const Features& representative, Contribution& of_representative,
                                     const Features& page, Contribution& of_page, CountedPair& out) const {
  return count_without_each_other(
      representative, of_representative, page, of_page, out,
      [this](const Features& features, uint64_t site, LeftOut without, CountedPage& counted) {
        count(site, features.blocks(), features.title(), without, counted);
      });
}

uint64_t SiteKnowledge::magnitude(uint64_t site_key) const noexcept {
  const std::optional<SiteModelView> site = site_key == 0 ? std::nullopt : sites_.find(site_key);
  return site ? static_cast<uint64_t>(std::bit_width(site->header().pages)) : 0;
}

void SiteKnowledge::count(uint64_t site_key, std::span<const FeatureBlock> blocks,
                          std::span<const Symbol> title, LeftOut without, CountedPage& out) const {
  const std::optional<SiteModelView> site = site_key == 0 ? std::nullopt : sites_.find(site_key);
  if (site) return site->count(blocks, title, without, out);
  out.pages = 0;
  out.blocks.assign(blocks.size(), 0);
  out.title.assign(title.size(), 0);
}

void SiteKnowledge::prefetch_for_change(uint64_t site_key, std::span<const uint64_t> parts) const noexcept {
  const std::optional<SiteModelView> site = site_key == 0 ? std::nullopt : sites_.find(site_key);
  if (site) site->prefetch(parts);
}

void SiteKnowledge::learn(uint64_t site_key, const Features& page) noexcept {
  if (!page.has_text()) return;
  try {
    learn(site_key, counted_parts(page));
  } catch (const std::bad_alloc&) {
    ++dropped_count_;
  }
}

void SiteKnowledge::learn(uint64_t site_key, std::span<const uint64_t> parts) noexcept {
  if (site_key == 0 || parts.empty()) return;
  try {
    {
      SiteModel& site = find_or_add(site_key);
      const Charge charge(*this, site);
      use(site_key, site);
      note(site.learn(parts, limits_.parts_per_site));
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
    SiteModel* site = sites_.change(site_key);
    if (site == nullptr) return;
    const Charge charge(*this, *site);
    note(site->forget(parts));
  } catch (const std::bad_alloc&) {
    ++dropped_count_;
  }
}

void SiteKnowledge::take_all(const SiteKnowledge& other) {
  other.sites_.for_each(0, [&](uint64_t key, const SiteModelView& site) {
    SiteModel& taken = find_or_add(key);
    const Charge charge(*this, taken);
    use(key, taken);
    const uint64_t last_use = taken.header.last_use;
    taken = SiteModel::copy(site);
    taken.header.last_use = last_use;
    return true;
  });
}

SiteModel& SiteKnowledge::find_or_add(uint64_t site_key) {
  if (SiteModel* known = sites_.change(site_key)) return *known;
  SiteModel& added = sites_.insert(site_key, SiteModel(mix(secret_ ^ site_key)));
  content_bytes_ += charge_of(added.view());
  return added;
}

void SiteKnowledge::note(const SiteModel::Change& change) noexcept {
  probe_count_ += change.probes;
  dropped_count_ += change.dropped;
}

void SiteKnowledge::use(uint64_t site_key, SiteModel& record) {
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
    const std::optional<SiteModelView> site = sites_.find(*oldest);
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
  sites_.for_each(0, [&](uint64_t key, const SiteModelView& site) {
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
