// Ids of groups that have become part of other groups, and the unfinished merges (docs/merging.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/byte_stream.hpp"
#include "core/memory.hpp"
#include "store/layered_records.hpp"

namespace nd::engine {

// How many merges can be unfinished at once.
inline constexpr size_t kUnfinishedMerges = 64;

// For a group that has merged with another one, by its id. Written to files as it is in memory.
struct AliasData {
  uint64_t current = 0;    // the group that it is part of; 0: it is a group, and others are part of it
  uint64_t first = 0;      // the first id that leads to it; 0: none
  uint64_t next = 0;       // the next id that leads to the same group; 0: it is the last
  uint64_t remainder = 0;  // while it is unfinished: the group of members that did not verify; 0: none
  uint64_t witnessed = 0;  // 1: its site's youth was lifted by a witness
};
static_assert(sizeof(AliasData) == 40);

// A record of a LayeredRecords.
struct AliasRecord {
  using View = const AliasData*;
  AliasData data;

  View view() const noexcept { return &data; }
  static std::optional<View> parse(store::Bytes bytes) noexcept;
  static AliasRecord copy(const View& view) { return {*view}; }
  void write(Vector<uint8_t>& out) const;
  uint64_t memory_bytes() const noexcept { return 0; }
};

// An id leads to a group in one step, or in two while a merge of the group in between is unfinished: the ids
// that led to the younger group are redirected one by one before the merge counts as finished, and a group
// takes part in one merge at a time. Threads: any number of readers, or one writer.
class GroupAliases {
 public:
  // `secret`: see NumberMap.
  explicit GroupAliases(uint64_t secret) noexcept : aliases_(secret) {}

  // Returns the id itself if it is not an alias. It need not be a group's id.
  uint64_t resolve(uint64_t group_id) const noexcept;
  bool is_alias(uint64_t group_id) const noexcept;
  bool is_empty() const noexcept { return aliases_.size() == 0; }

  // The younger groups of unfinished merges, in the order in which they began.
  std::span<const uint64_t> unfinished() const noexcept { return unfinished_; }
  bool is_unfinished(uint64_t group_id) const noexcept;
  // Whether the group takes part in an unfinished merge.
  bool is_busy(uint64_t group_id) const noexcept;
  // The younger group of the unfinished merge in which this is the older one; 0: there is none.
  uint64_t joining(uint64_t group_id) const noexcept;
  // The record of an unfinished merge; null if there is none.
  const AliasData* find(uint64_t group_id) const noexcept;

  // Makes room for one more merge: begin() then does not allocate. Throws std::bad_alloc.
  void prepare(uint64_t older, uint64_t younger);
  // Neither group may be busy, and there must be room in unfinished().
  void begin(uint64_t older, uint64_t younger, bool witnessed) noexcept;
  // For an unfinished merge. Throws std::bad_alloc.
  void set_remainder(uint64_t younger, uint64_t group_id);
  // Redirects up to `count` ids that led to the younger group; true once none is left. Throws std::bad_alloc;
  // ids already redirected remain so.
  bool turn(uint64_t younger, size_t count);
  // Throws std::bad_alloc and has changed nothing.
  void finish(uint64_t younger);

  // Makes room for the erasure of `count` ids. Throws std::bad_alloc.
  void reserve_more(size_t count) { aliases_.reserve_more(count); }
  // Called when the group to which the id leads (perhaps its own) has been removed.
  void erase(uint64_t group_id) noexcept { aliases_.erase(group_id); }

  // visit(id) of all ids that lead to another group, ascending.
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    aliases_.for_each(0, [&](uint64_t id, const AliasData* alias) {
      if (alias->current != 0) visit(id);
      return true;
    });
  }
  uint64_t size() const noexcept { return aliases_.size(); }
  uint64_t memory_bytes() const noexcept { return aliases_.memory_bytes(); }
  store::LayeredTable& table() noexcept { return aliases_; }
  void write_state(ByteWriter& out) const { out.numbers(unfinished_); }
  // False if the bytes cannot be a state.
  bool read_state(ByteReader& in);

 private:
  AliasRecord& find_or_add(uint64_t group_id);

  store::LayeredRecords<AliasRecord> aliases_;
  Vector<uint64_t> unfinished_;
};

}  // namespace nd::engine
