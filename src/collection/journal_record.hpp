// The records of a store's journal: the changes that were made, in order (docs/snapshot_format.md,
// "Journal").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "collection/collection.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "decision/decision.hpp"

namespace nd::engine {

// The numbers appear in files and never change.
enum class ChangeKind : uint32_t {
  kPage = 1,      // a page was decided
  kSeen = 2,      // a page was seen again unchanged
  kRemoved = 3,   // a page was removed
  kElected = 4,   // a group has another representative
  kBookmark = 5,  // a bookmark was set
};

// Each function replaces the content of `out`.
void write_page_change(const Features& features, const Outcome& outcome, Vector<uint8_t>& out);
void write_seen_change(uint64_t page_id, int64_t at_ms, Vector<uint8_t>& out);
void write_removed_change(uint64_t page_id, Vector<uint8_t>& out);
void write_elected_change(const Collection::Election& election, int64_t at_ms, Vector<uint8_t>& out);
void write_bookmark_change(std::string_view name, std::span<const uint8_t> data, Vector<uint8_t>& out);

// The page of a record in which a page was decided; nothing for any other record or bytes.
std::optional<Features> page_of_change(std::span<const uint8_t> record);

// Makes the change in the collection. Errors: kCorrupt.
Result<void> replay_change(std::span<const uint8_t> record, Collection& collection);

}  // namespace nd::engine
