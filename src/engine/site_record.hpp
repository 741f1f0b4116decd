// What is known about the text blocks of one site: a record of a layered table (store/layered_records.hpp),
// which is changed in memory and read in place in a run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "core/flat_map.hpp"
#include "core/memory.hpp"
#include "store/run.hpp"

namespace nd::engine {

// All of these are written to files as they are in memory: little-endian numbers, without padding.

// One block of the site.
struct BlockEntry {
  static constexpr size_t kGroups = 4;
  // Groups as 32 bits of their mixed id: confusing two of them by chance (2^-32) only delays learning.
  std::array<uint32_t, kGroups> groups;  // 0: free
  uint32_t first_page;                   // the number of the site's page with which it was first seen ...
  uint32_t last_page;                    // ... and last
  uint32_t pages_and_more;

  // How many pages it was on.
  uint32_t pages() const noexcept { return pages_and_more & kPages; }
  // Whether it belongs to more groups than there is room for, so that it is boilerplate for every page.
  bool has_more() const noexcept { return (pages_and_more & kMore) != 0; }
  void count_page() noexcept {
    if (pages() < kPages) ++pages_and_more;
  }
  void add(uint32_t group) noexcept;
  void drop(uint32_t group) noexcept;

 private:
  static constexpr uint32_t kMore = uint32_t{1} << 31;
  static constexpr uint32_t kPages = kMore - 1;
};
static_assert(sizeof(BlockEntry) == 28 && alignof(BlockEntry) == 4);

struct GroupCount {
  uint32_t group;  // 0: free
  uint32_t pages;
};

// Two groups that may be one; see SiteTemplates::note_suspected_copies().
struct SuspectedGroups {
  uint32_t a, b;  // 0: free
};

// The site as a whole.
struct SiteHeader {
  static constexpr size_t kCountedGroups = 8;
  static constexpr size_t kSuspectedPairs = 16;

  uint64_t table_secret;  // of the table of blocks, see FlatMap
  uint64_t last_use;
  uint64_t version;
  uint32_t pages;      // that were learned from: the clock by which blocks age
  uint32_t new_pages;  // of them new
  // The groups with most of the new pages, by the counting of J. Misra and D. Gries (1982): a group has at
  // most its count and `uncounted` pages.
  uint32_t uncounted;
  uint32_t next_suspected;
  std::array<GroupCount, kCountedGroups> counted;
  std::array<SuspectedGroups, kSuspectedPairs> suspected_copies;  // the last ones

  bool are_suspected_copies(uint32_t a, uint32_t b) const noexcept;
  // `own`, `without`, `joining`: 0 for none; see SiteTemplates::mark_boilerplate().
  bool is_boilerplate(const BlockEntry& block, uint32_t own, uint32_t without,
                      uint32_t joining = 0) const noexcept;
  // Whether it was on half of the pages since it was first seen.
  bool is_everywhere(const BlockEntry& block) const noexcept;
  void count_new_page(uint32_t group) noexcept;
};
static_assert(sizeof(SiteHeader) == 232 && alignof(SiteHeader) == 8);
static_assert(std::has_unique_object_representations_v<SiteHeader> &&
              std::has_unique_object_representations_v<BlockEntry>);

// A site of any layer, for reading. In a run its blocks are two arrays after the header: their hashes,
// ascending, and their entries in the same order.
class SiteView {
 public:
  SiteView(const SiteHeader& header, const FlatMap<BlockEntry>& table) noexcept
      : header_(&header), table_(&table), block_count_(table.size()) {}

  // Nothing if the bytes cannot be a site, because the sizes do not add up or they are not aligned to 8.
  // Trusts no number in them. Cost: O(1).
  static std::optional<SiteView> parse(store::Bytes bytes) noexcept;

  const SiteHeader& header() const noexcept { return *header_; }
  size_t block_count() const noexcept { return block_count_; }
  // Null if absent. Cost: a look-up; in a run a binary search.
  const BlockEntry* find(uint64_t hash) const noexcept;
  void prefetch(uint64_t hash) const noexcept {
    if (table_ != nullptr) table_->prefetch(hash);
  }
  void prefetch_for_change(uint64_t hash) const noexcept {
    if (table_ != nullptr) table_->prefetch_for_change(hash);
  }

 private:
  friend struct SiteRecord;
  SiteView() noexcept = default;
  std::span<const uint64_t> hashes() const noexcept;  // both: in a run only
  std::span<const BlockEntry> entries() const noexcept;

  const SiteHeader* header_ = nullptr;
  const FlatMap<BlockEntry>* table_ = nullptr;  // null in a run
  size_t block_count_ = 0;
};

// A site that can be changed.
struct SiteRecord {
  using View = SiteView;

  explicit SiteRecord(uint64_t table_secret) noexcept : blocks(table_secret) {
    header.table_secret = table_secret;
  }
  View view() const noexcept { return {header, blocks}; }
  static std::optional<View> parse(store::Bytes bytes) noexcept { return View::parse(bytes); }
  static SiteRecord copy(const View& view);
  // Writes what parse() reads: the same bytes for the same content, whatever the table's history.
  void write(Vector<uint8_t>& out) const;
  uint64_t memory_bytes() const noexcept { return blocks.memory_bytes(); }

  SiteHeader header{};
  FlatMap<BlockEntry> blocks;
};

}  // namespace nd::engine
