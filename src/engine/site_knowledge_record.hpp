// On how many pages of one site its blocks and the words of its titles stand: a record of a layered table
// (store/layered_records.hpp), which is changed in memory and read in place in a run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "core/flat_map.hpp"
#include "core/memory.hpp"
#include "store/run.hpp"

namespace nd::engine {

// All of these are written to files as they are in memory: little-endian numbers, without padding.

// A block, or a word of titles.
struct CountedPart {
  uint32_t pages;  // with it
  uint32_t first;  // the site's `seen` when the first of them was learned
};

struct SiteKnowledgeHeader {
  uint64_t table_secret;  // of the table of parts, see FlatMap
  uint64_t last_use;
  uint32_t pages;  // that are counted
  uint32_t seen;   // pages that were learned, a changed one again
};
static_assert(sizeof(CountedPart) == 8 && sizeof(SiteKnowledgeHeader) == 24);
static_assert(std::has_unique_object_representations_v<SiteKnowledgeHeader> &&
              std::has_unique_object_representations_v<CountedPart>);

// A site of any layer, for reading. In a run its parts are two arrays after the header: their hashes,
// ascending, and their counts in the same order.
class SiteKnowledgeView {
 public:
  SiteKnowledgeView(const SiteKnowledgeHeader& header, const FlatMap<CountedPart>& table) noexcept
      : header_(&header), table_(&table), part_count_(table.size()) {}

  // Nothing if the bytes cannot be a site, because the sizes do not add up or they are not aligned to 8.
  // Trusts no number in them. Cost: O(1).
  static std::optional<SiteKnowledgeView> parse(store::Bytes bytes) noexcept;

  const SiteKnowledgeHeader& header() const noexcept { return *header_; }
  size_t part_count() const noexcept { return part_count_; }
  // Null if absent. Cost: a look-up; in a run a binary search.
  const CountedPart* find(uint64_t hash) const noexcept;
  void prefetch(uint64_t hash) const noexcept {
    if (table_ != nullptr) table_->prefetch(hash);
  }

 private:
  friend struct SiteKnowledgeRecord;
  SiteKnowledgeView() noexcept = default;
  std::span<const uint64_t> hashes() const noexcept;  // both: in a run only
  std::span<const CountedPart> counts() const noexcept;

  const SiteKnowledgeHeader* header_ = nullptr;
  const FlatMap<CountedPart>* table_ = nullptr;  // null in a run
  size_t part_count_ = 0;
};

// A site that can be changed.
struct SiteKnowledgeRecord {
  using View = SiteKnowledgeView;

  explicit SiteKnowledgeRecord(uint64_t table_secret) noexcept : parts(table_secret) {
    header.table_secret = table_secret;
  }
  View view() const noexcept { return {header, parts}; }
  static std::optional<View> parse(store::Bytes bytes) noexcept { return View::parse(bytes); }
  static SiteKnowledgeRecord copy(const View& view);
  // Writes what parse() reads: the same bytes for the same content, whatever the table's history.
  void write(Vector<uint8_t>& out) const;
  uint64_t memory_bytes() const noexcept { return parts.memory_bytes(); }

  SiteKnowledgeHeader header{};
  FlatMap<CountedPart> parts;
};

}  // namespace nd::engine
