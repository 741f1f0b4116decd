// Counts the parts of pages, halves the counts of a large site, and reads and writes a model as bytes that
// strangers may have changed.
#include "page/site_model.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#include "core/hash.hpp"
#include "reading/site.hpp"

namespace nd::engine {
namespace {

// With so many pages all counts are halved: a renewed template is learned and the old one forgotten.
constexpr uint32_t kMostPages = 4096;

// A part's share is taken over the pages between its first sighting and the one where its next was due, so
// that a renewed template is soon known and the old one is not taken for own text; and over at least so many
// pages, because two copies of an article in a row are no template.
constexpr uint32_t kLeastPages = 64;

// Words of titles are no blocks.
constexpr uint64_t kTitleSalt = 0x5f1c7b0e93a4d682ULL;

constexpr size_t kStoredPartBytes = sizeof(uint64_t) + sizeof(CountedPart);

// What begins the bytes of a saved model. What follows is laid out as in a run, and so are the numbers of
// pages: a saved model is read in place.
struct SavedHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t reserved;
  uint64_t checksum;  // stable_hash of everything behind this field
  uint32_t pages, seen, there;
  uint32_t zero;
};
static_assert(sizeof(SavedHeader) == 32 && std::has_unique_object_representations_v<SavedHeader>);
static_assert(sizeof(SavedHeader) == sizeof(SiteModelHeader) &&
              offsetof(SavedHeader, pages) == offsetof(SiteModelHeader, pages) &&
              offsetof(SavedHeader, seen) == offsetof(SiteModelHeader, seen) &&
              offsetof(SavedHeader, there) == offsetof(SiteModelHeader, there));
constexpr uint32_t kSavedMagic = 0x3153444eU;  // "NDS1", little-endian
constexpr uint16_t kSavedVersion = 1;
constexpr size_t kSavedChecksumEnd = offsetof(SavedHeader, checksum) + sizeof(uint64_t);

template <typename Stored>
void write_all(std::span<const Stored> values, Vector<uint8_t>& out) {
  static_assert(std::endian::native == std::endian::little);
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  out.insert(out.end(), bytes, bytes + values.size_bytes());
}

uint64_t part_of_title(Symbol word) noexcept {
  return mix(kTitleSalt ^ word);
}

uint64_t hash_of_parts(std::span<const uint64_t> page) noexcept {
  uint64_t hash = page.size();
  for (const uint64_t part : page)
    hash = mix(hash ^ part);
  return hash;
}

uint64_t checksum_of_saved(std::span<const uint8_t> saved) noexcept {
  const std::span<const uint8_t> behind = saved.subspan(kSavedChecksumEnd);
  return stable_hash({reinterpret_cast<const char*>(behind.data()), behind.size()});
}

template <typename Number>
Number saturated(uint64_t sum) noexcept {
  return static_cast<Number>(std::min<uint64_t>(sum, std::numeric_limits<Number>::max()));
}

// How many of the site's `others`, its pages but those left out, have a part; of the pages among which it was
// seen.
uint32_t pages_with(const CountedPart& part, uint64_t hash, uint32_t others, uint32_t seen, LeftOut without) {
  uint32_t pages = part.pages - (without.itself && part.pages > 0 ? 1 : 0);
  for (const std::span<const uint64_t> other : without.others)
    pages -= pages > 0 && std::ranges::binary_search(other, hash) ? 1 : 0;
  if (pages == 0 || others <= kLeastPages) return std::min(pages, others);
  const uint32_t until_now = seen - std::min(seen, part.first) + 1;
  const uint32_t gap = part.pages > 1 ? part.span / (part.pages - 1U) : until_now;
  const uint64_t among = std::min<uint64_t>(until_now, part.span + 2 * uint64_t{gap} + 1);
  const uint64_t most = std::clamp<uint64_t>(among, std::min(others, kLeastPages), others);
  return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{pages} * others / most, others));
}

uint32_t but_for(LeftOut without, uint32_t pages) noexcept {
  return pages - std::min(pages, without.pages());
}

void take_counted_parts(const Features& page, Vector<uint64_t>& parts, Vector<uint64_t>& sorted) {
  parts.clear();
  parts.reserve(page.blocks().size() + page.title().size());
  for (const FeatureBlock& block : page.blocks())
    parts.push_back(block.hash);
  for (const Symbol word : page.title())
    parts.push_back(part_of_title(word));
  sort_hashes(parts, sorted);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
}

}  // namespace

uint64_t site_key_of(std::string_view url, std::string_view site) noexcept {
  if (site.empty()) return 0;
  const uint64_t host = text::hash_of_host(url);
  return host == 0 ? stable_hash(site) : host;
}

Vector<uint64_t> counted_parts(const Features& page) {
  Vector<uint64_t> parts;
  Vector<uint64_t> sorted;
  take_counted_parts(page, parts, sorted);
  return parts;
}

void Contribution::clear() noexcept {
  text_ = nullptr;
  has_parts_ = true;
  parts_.clear();
}

void Contribution::take(const Features& page) noexcept {
  clear();
  if (page.blocks().empty() && page.title().empty()) return;
  text_ = &page;
  has_parts_ = false;
}

void Contribution::take_earlier(const Features& earlier) {
  clear();
  take_counted_parts(earlier, parts_, sorted_);
}

std::span<const uint64_t> Contribution::parts() {
  if (!has_parts_) take_counted_parts(*text_, parts_, sorted_);
  has_parts_ = true;
  return parts_;
}

void count_on_site(const Features& page, LeftOut without, CountedPage& out) {
  out.pages = 0;
  out.blocks.assign(page.blocks().size(), 0);
  out.title.assign(page.title().size(), 0);
  const std::span<const CountedPart> known = page.on_site();
  if (known.empty()) return;
  const CountedPart site = known.front();
  out.pages = but_for(without, site.pages);
  if (out.pages == 0) return;
  const std::span<const CountedPart> parts = known.subspan(1);
  for (size_t i = 0; i < out.blocks.size(); ++i)
    out.blocks[i] = pages_with(parts[i], page.blocks()[i].hash, out.pages, site.first, without);
  for (size_t i = 0; i < out.title.size(); ++i) {
    out.title[i] = pages_with(parts[out.blocks.size() + i], part_of_title(page.title()[i]), out.pages,
                              site.first, without);
  }
}

std::optional<SiteModelView> SiteModelView::parse(std::span<const uint8_t> bytes) noexcept {
  if (bytes.size() < sizeof(SiteModelHeader)) return std::nullopt;
  const size_t part_bytes = bytes.size() - sizeof(SiteModelHeader);
  if (part_bytes % kStoredPartBytes != 0) return std::nullopt;
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(SiteModelHeader) != 0) return std::nullopt;
  SiteModelView view;
  view.header_ = reinterpret_cast<const SiteModelHeader*>(bytes.data());
  view.part_count_ = part_bytes / kStoredPartBytes;
  return view;
}

std::span<const uint64_t> SiteModelView::hashes() const noexcept {
  return {reinterpret_cast<const uint64_t*>(header_ + 1), part_count_};
}

std::span<const CountedPart> SiteModelView::counts() const noexcept {
  return {reinterpret_cast<const CountedPart*>(hashes().data() + part_count_), part_count_};
}

const CountedPart* SiteModelView::find(uint64_t hash) const noexcept {
  if (table_ != nullptr) return table_->entry(hash);
  const std::span<const uint64_t> all = hashes();
  const auto place = std::ranges::lower_bound(all, hash);
  if (place == all.end() || *place != hash) return nullptr;
  return &counts()[static_cast<size_t>(place - all.begin())];
}

void SiteModelView::prefetch(std::span<const uint64_t> hashes) const noexcept {
  if (table_ == nullptr) return;
  for (const uint64_t hash : hashes)
    table_->prefetch(hash);
}

void SiteModelView::count(std::span<const FeatureBlock> blocks, std::span<const Symbol> title,
                          LeftOut without, CountedPage& out) const {
  out.blocks.assign(blocks.size(), 0);
  out.title.assign(title.size(), 0);
  out.pages = but_for(without, header_->pages);
  if (out.pages == 0) return;
  if (table_ != nullptr) {
    for (const FeatureBlock& block : blocks)
      table_->prefetch(block.hash);
  }
  const auto count_of = [&](uint64_t part) -> uint32_t {
    const CountedPart* found = find(part);
    return found == nullptr ? 0 : pages_with(*found, part, out.pages, header_->seen, without);
  };
  for (size_t i = 0; i < out.blocks.size(); ++i)
    out.blocks[i] = count_of(blocks[i].hash);
  for (size_t i = 0; i < out.title.size(); ++i)
    out.title[i] = count_of(part_of_title(title[i]));
}

void SiteModelView::tell(const Features& page, Vector<CountedPart>& out) const {
  out.clear();
  out.reserve(page.blocks().size() + page.title().size() + 1);
  out.push_back({saturated<uint16_t>(header_->pages), 0, header_->seen});
  const auto add = [&](uint64_t part) {
    const CountedPart* found = find(part);
    out.push_back(found != nullptr ? *found : CountedPart{});
  };
  for (const FeatureBlock& block : page.blocks())
    add(block.hash);
  for (const Symbol word : page.title())
    add(part_of_title(word));
}

Result<SavedSiteModel> SavedSiteModel::read(std::span<const uint8_t> bytes) {
  SavedHeader header;
  if (bytes.size() < sizeof header) return error(Status::kCorrupt, "a site model shorter than its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kSavedMagic) return error(Status::kCorrupt, "these bytes are not a site model");
  if (header.version != kSavedVersion)
    return error(Status::kUnsupportedVersion, "a site model of another version");
  if (header.reserved != 0 || header.zero != 0 || (bytes.size() - sizeof header) % kStoredPartBytes != 0)
    return error(Status::kCorrupt, "a site model whose sizes do not add up");
  if (checksum_of_saved(bytes) != header.checksum)
    return error(Status::kCorrupt, "a site model with a wrong checksum");
  SavedSiteModel saved;
  std::optional<SiteModelView> view = SiteModelView::parse(bytes);
  if (!view) {
    saved.copy_.resize(bytes.size() / sizeof(uint64_t));
    std::memcpy(saved.copy_.data(), bytes.data(), bytes.size());
    view = SiteModelView::parse({reinterpret_cast<const uint8_t*>(saved.copy_.data()), bytes.size()});
  }
  saved.view_ = *view;
  if (std::ranges::adjacent_find(saved.view_.hashes(), std::greater_equal<>()) != saved.view_.hashes().end())
    return error(Status::kCorrupt, "a site model whose parts are out of order");
  if (std::ranges::any_of(saved.view_.counts(), [](const CountedPart& part) { return part.pages == 0; }))
    return error(Status::kCorrupt, "a site model with a part on no page");
  return saved;
}

SiteModel SiteModel::copy(const View& view) {
  SiteModel model(view.header().table_secret);
  model.header = view.header();
  if (view.table_ != nullptr) {
    model.parts = *view.table_;
    return model;
  }
  model.parts.reserve_more(view.part_count());
  for (size_t i = 0; i < view.part_count(); ++i) {
    // No part is on no page, except in a damaged store.
    if (view.counts()[i].pages != 0) model.parts.put(view.hashes()[i], view.counts()[i]);
  }
  return model;
}

void SiteModel::write(Vector<uint8_t>& out) const {
  write_all(std::span(&header, 1), out);
  write_parts(ascending_hashes(), out);
}

SiteModel::Change SiteModel::learn(std::span<const uint64_t> page, uint32_t parts_limit) {
  Change change;
  if (header.pages >= kMostPages) halve(change);
  ++header.pages;
  if (header.there < UINT32_MAX) ++header.there;
  if (header.seen < UINT32_MAX) ++header.seen;
  change.probes += page.size();
  for (const uint64_t part : page) {
    if (parts.size() >= parts_limit && parts.entry(part) == nullptr) drop_rarest(change);
    CountedPart& counted = parts[part];
    if (counted == CountedPart{}) counted.first = header.seen;
    if (counted.pages < UINT16_MAX) ++counted.pages;  // a damaged store may claim any number
    counted.span = saturated<uint16_t>(header.seen - std::min(header.seen, counted.first));
  }
  return change;
}

SiteModel::Change SiteModel::forget(std::span<const uint64_t> page) noexcept {
  const uint64_t there = std::max<uint64_t>(header.there, header.pages);
  header.there -= header.there > 0 ? 1 : 0;
  if (hash_of_parts(page) % std::max<uint64_t>(there, 1) >= header.pages) return {};
  header.pages -= header.pages > 0 ? 1 : 0;
  for (const uint64_t part : page) {
    CountedPart* entry = parts.entry(part);
    if (entry == nullptr) continue;
    if (entry->pages > 1) {
      --entry->pages;
    } else {
      parts.erase(part);
    }
  }
  return {.probes = page.size()};
}

void SiteModel::save(std::optional<std::span<const uint64_t>> of, Vector<uint8_t>& out) const {
  Vector<uint64_t> hashes;
  if (of) {
    hashes.reserve(of->size());
    std::ranges::copy_if(*of, std::back_inserter(hashes),
                         [&](uint64_t hash) { return parts.entry(hash) != nullptr; });
    std::ranges::sort(hashes);
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  } else {
    hashes = ascending_hashes();
  }
  SavedHeader saved{kSavedMagic, kSavedVersion, 0, 0, header.pages, header.seen, header.there, 0};
  out.clear();
  write_all(std::span<const SavedHeader>(&saved, 1), out);
  write_parts(hashes, out);
  saved.checksum = checksum_of_saved(out);
  std::memcpy(out.data(), &saved, sizeof saved);
}

Result<SiteModel::Change> SiteModel::merge(std::span<const uint8_t> saved, uint32_t parts_limit) {
  const Result<SavedSiteModel> read = SavedSiteModel::read(saved);
  if (!read) return read.failure();
  const SiteModelHeader& other = read->view().header();
  const std::span<const uint64_t> hashes = read->view().hashes();
  const std::span<const CountedPart> counts = read->view().counts();
  const size_t count = hashes.size();

  // Whole or not at all, even if memory runs out.
  SiteModel merged = copy(view());
  Change change{.probes = count};
  merged.parts.reserve_more(std::min<size_t>(count, parts_limit));
  for (size_t i = 0; i < count; ++i) {
    if (CountedPart* known = merged.parts.entry(hashes[i])) {
      known->pages = saturated<uint16_t>(uint64_t{known->pages} + counts[i].pages);
      known->span = saturated<uint16_t>(uint64_t{header.seen} + counts[i].first + counts[i].span -
                                        std::min(header.seen, known->first));
      continue;
    }
    if (merged.parts.size() >= parts_limit) merged.drop_rarest(change);
    merged.parts.put(hashes[i], {counts[i].pages, counts[i].span,
                                 saturated<uint32_t>(uint64_t{header.seen} + counts[i].first)});
  }
  merged.header.seen = saturated<uint32_t>(uint64_t{header.seen} + other.seen);
  merged.header.pages = saturated<uint32_t>(uint64_t{header.pages} + other.pages);
  merged.header.there = saturated<uint32_t>(uint64_t{header.there} + other.there);
  while (merged.header.pages > kMostPages)
    merged.halve(change);
  *this = std::move(merged);
  return change;
}

Vector<uint64_t> SiteModel::ascending_hashes() const {
  Vector<uint64_t> hashes;
  hashes.reserve(parts.size());
  parts.for_each([&](uint64_t hash, const CountedPart&) { hashes.push_back(hash); });
  std::ranges::sort(hashes);
  return hashes;
}

void SiteModel::write_parts(std::span<const uint64_t> hashes, Vector<uint8_t>& out) const {
  write_all(hashes, out);
  for (const uint64_t hash : hashes)
    write_all(std::span<const CountedPart>(parts.entry(hash), 1), out);
}

// A quarter of the parts: those on the fewest pages, of them those seen first longest ago.
void SiteModel::drop_rarest(Change& change) {
  Vector<std::pair<uint64_t, uint64_t>> order;  // pages and first, hash
  order.reserve(parts.size());
  parts.for_each([&](uint64_t hash, const CountedPart& part) {
    order.emplace_back(uint64_t{part.pages} << 32 | part.first, hash);
  });
  change.probes += order.size();
  const size_t count = order.size() / 4 + 1;
  std::nth_element(order.begin(), order.begin() + static_cast<ptrdiff_t>(count - 1), order.end());
  for (size_t i = 0; i < count; ++i)
    parts.erase(order[i].second);
  change.dropped += count;
}

void SiteModel::halve(Change& change) {
  Vector<uint64_t> gone;
  parts.for_each([&](uint64_t hash, const CountedPart& part) {
    if (part.pages <= 1) gone.push_back(hash);
  });
  change.probes += parts.size();
  for (const uint64_t hash : gone)
    parts.erase(hash);
  Vector<uint64_t> left;
  left.reserve(parts.size());
  parts.for_each([&](uint64_t hash, const CountedPart&) { left.push_back(hash); });
  // The window of a part shrinks with its count, so that its share stays what it was.
  for (const uint64_t hash : left) {
    CountedPart& part = *parts.entry(hash);
    part.pages /= 2;
    part.span /= 2;
    part.first += (header.seen - std::min(header.seen, part.first)) / 2;
  }
  header.pages /= 2;
}

PairCounts RecordCounts::of(const Features& representative, const Features& page) {
  // A site that is not known has not counted the page.
  const auto take = [](const Features& features, Contribution& contribution) {
    contribution.clear();
    if (!features.on_site().empty()) contribution.take(features);
  };
  take(representative, of_representative_);
  take(page, of_page_);
  counted_.clear();
  return count_without_each_other(representative, of_representative_, page, of_page_, counted_,
                                  [](const Features& one, uint64_t, LeftOut without, CountedPage& out) {
                                    count_on_site(one, without, out);
                                  });
}

}  // namespace nd::engine
