#include "engine/site_record.hpp"

#include <algorithm>
#include <bit>

namespace nd::engine {
namespace {

constexpr size_t kStoredBlockBytes = sizeof(uint64_t) + sizeof(BlockEntry);

template <typename Stored>
void append(std::span<const Stored> values, Vector<uint8_t>& out) {
  static_assert(std::has_unique_object_representations_v<Stored> &&
                std::endian::native == std::endian::little);
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  out.insert(out.end(), bytes, bytes + values.size_bytes());
}

}  // namespace

void BlockEntry::add(uint32_t group) noexcept {
  const auto place =
      std::ranges::find_if(groups, [group](uint32_t known) { return known == 0 || known == group; });
  if (place == groups.end()) {
    pages_and_more |= kMore;
  } else {
    *place = group;
  }
}

void BlockEntry::drop(uint32_t group) noexcept {
  const auto free_from = std::remove(groups.begin(), groups.end(), group);
  std::fill(free_from, groups.end(), 0U);
}

bool SiteHeader::are_suspected_copies(uint32_t a, uint32_t b) const noexcept {
  const auto known = std::span(suspected_copies).first(std::min<size_t>(next_suspected, kSuspectedPairs));
  return std::ranges::any_of(known, [=](const SuspectedGroups& pair) {
    return (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
  });
}

// Groups that are suspected copies count as one: text that copies of an article share is not boilerplate.
bool SiteHeader::is_boilerplate(const BlockEntry& block, uint32_t own, uint32_t without,
                                uint32_t joining) const noexcept {
  if (block.has_more()) return true;
  const size_t least = own == 0 ? 2 : 1;
  const auto is_other = [&](uint32_t group) {
    return group != 0 && group != own && group != without && group != joining;
  };
  // Most blocks of a site are on pages of one group: for these, suspected copies need not be examined.
  if (static_cast<size_t>(std::ranges::count_if(block.groups, is_other)) < least) return false;
  if (next_suspected == 0) return true;
  std::array<uint32_t, BlockEntry::kGroups> others;
  size_t count = 0;
  for (uint32_t group : block.groups) {
    if (!is_other(group)) continue;
    if (are_suspected_copies(group, own) || are_suspected_copies(group, without)) continue;
    const auto end = others.begin() + static_cast<ptrdiff_t>(count);
    if (std::any_of(others.begin(), end, [&](uint32_t other) { return are_suspected_copies(group, other); }))
      continue;
    others[count++] = group;
  }
  return count >= least;
}

// A new design is soon everywhere, so only the pages since the block was first seen count.
bool SiteHeader::is_everywhere(const BlockEntry& block) const noexcept {
  const uint32_t since = pages - block.first_page + 1;
  return block.has_more() && 2 * uint64_t{block.pages()} >= since;
}

void SiteHeader::count_new_page(uint32_t group) noexcept {
  ++new_pages;
  GroupCount* free = nullptr;
  for (GroupCount& known : counted) {
    if (known.pages != 0 && known.group == group) {
      ++known.pages;
      return;
    }
    if (known.pages == 0) free = &known;
  }
  if (free != nullptr) {
    *free = {group, 1};
    return;
  }
  for (GroupCount& known : counted)
    --known.pages;
  ++uncounted;
}

std::optional<SiteView> SiteView::parse(store::Bytes bytes) noexcept {
  if (bytes.size() < sizeof(SiteHeader)) return std::nullopt;
  const size_t block_bytes = bytes.size() - sizeof(SiteHeader);
  if (block_bytes % kStoredBlockBytes != 0) return std::nullopt;
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(SiteHeader) != 0) return std::nullopt;
  SiteView view;
  view.header_ = reinterpret_cast<const SiteHeader*>(bytes.data());
  view.block_count_ = block_bytes / kStoredBlockBytes;
  return view;
}

std::span<const uint64_t> SiteView::hashes() const noexcept {
  return {reinterpret_cast<const uint64_t*>(header_ + 1), block_count_};
}

std::span<const BlockEntry> SiteView::entries() const noexcept {
  return {reinterpret_cast<const BlockEntry*>(hashes().data() + block_count_), block_count_};
}

const BlockEntry* SiteView::find(uint64_t hash) const noexcept {
  if (table_ != nullptr) return table_->find(hash);
  const std::span<const uint64_t> all = hashes();
  const auto place = std::ranges::lower_bound(all, hash);
  if (place == all.end() || *place != hash) return nullptr;
  return &entries()[static_cast<size_t>(place - all.begin())];
}

SiteRecord SiteRecord::copy(const View& view) {
  SiteRecord record(view.header().table_secret);
  record.header = view.header();
  if (view.table_ != nullptr) {
    record.blocks = *view.table_;
    return record;
  }
  record.blocks.reserve_more(view.block_count());
  for (size_t i = 0; i < view.block_count(); ++i)
    record.blocks[view.hashes()[i]] = view.entries()[i];
  return record;
}

void SiteRecord::write(Vector<uint8_t>& out) const {
  Vector<uint64_t> hashes;
  hashes.reserve(blocks.size());
  blocks.for_each([&](uint64_t hash, const BlockEntry&) { hashes.push_back(hash); });
  std::ranges::sort(hashes);
  append(std::span(&header, 1), out);
  append(std::span<const uint64_t>(hashes), out);
  for (uint64_t hash : hashes)
    append(std::span(blocks.find(hash), 1), out);
}

}  // namespace nd::engine
