// The pages and groups that an engine knows, by id and by URL, each group with the list of its members.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "collection/page_record.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/layered_numbers.hpp"
#include "store/layered_records.hpp"

namespace nd::engine {

using PageRef = std::optional<PageRecord::View>;
using GroupRef = std::optional<GroupRecord::View>;

// Ids examined, or records visited, in one piece of a walk (PageTable::visit_pages()): some 30 us in memory.
inline constexpr uint64_t kWalkPiece = 256;

// The error where a page or group that others refer to is not there: kCorrupt.
Error missing_record();

// What is read is valid until it changes. In a damaged store, anything that ought to exist may be absent.
// Threads: any number of readers, or one writer.
class PageTable {
 public:
  explicit PageTable(uint64_t secret) noexcept
      : secret_(secret), pages_(secret ^ 1), urls_(secret ^ 2), groups_(secret ^ 3), parts_(secret ^ 4) {}

  // Nothing if unknown. An empty URL is never known.
  PageRef find(std::string_view url) const noexcept;
  PageRef find(uint64_t page_id) const noexcept { return pages_.find(page_id); }
  GroupRef group(uint64_t group_id) const noexcept { return groups_.find(group_id); }
  // The record in memory, for changes; null if absent. Throws std::bad_alloc; the content is then the same.
  // Records do not move until they are erased.
  PageRecord* change(uint64_t page_id) { return pages_.change(page_id); }
  GroupRecord* change_group(uint64_t group_id) { return groups_.change(group_id); }

  // Adds a page with a new id. If another page had its URL, the URL now finds this one. Throws
  // std::bad_alloc and has changed nothing.
  PageRecord& insert(PageRecord page);
  // Both after reserve_more(1).
  void erase(uint64_t page_id) noexcept;
  void erase_group(uint64_t group_id) noexcept;
  // Gives a page its URL back, after insert() gave the URL to another page that was erased again.
  void name(const PageRecord& page) noexcept;

  GroupRecord& insert_group(uint64_t group_id, GroupRecord group) {
    return groups_.insert(group_id, std::move(group));
  }

  // `page_id` is greater than those of all members. Throws std::bad_alloc and has changed nothing.
  void add_member(GroupRecord& group, uint64_t page_id);
  // Loads into memory what remove_member() will change. False if the page is not a member. Throws
  // std::bad_alloc.
  bool prepare_removal(GroupRecord& group, uint64_t page_id);
  void remove_member(GroupRecord& group, uint64_t page_id) noexcept;
  // Calls visit(page_id), the oldest first, until it returns false. Ends where the members of a damaged group
  // do not ascend: otherwise a few bytes could name any number of members again and again.
  template <typename Visitor>
  void for_each_member(const GroupRecord::View& group, Visitor&& visit) const {
    for_each_member_after(group, 0, visit);
  }
  // The same for the members whose ids are greater than `after`. Cost: those members, and a few searches.
  template <typename Visitor>
  void for_each_member_after(const GroupRecord::View& group, uint64_t after, Visitor&& visit) const;

  uint64_t page_count() const noexcept { return pages_.size(); }
  uint64_t group_count() const noexcept { return groups_.size(); }
  // visit(id, view), ascending, until false.
  template <typename Visitor>
  void for_each_page(Visitor&& visit) const {
    pages_.for_each(0, visit);
  }
  template <typename Visitor>
  void for_each_group(Visitor&& visit) const {
    groups_.for_each(0, visit);
  }
  // A piece of a walk over all pages or groups; others may change the table between pieces. Calls visit(id,
  // view), ascending, from `from` (at least 1) to at most `last`. Returns the id to continue from; 0 at the
  // end. What exists during the whole walk is visited once. Throws std::bad_alloc.
  template <typename Visitor>
  uint64_t visit_pages(uint64_t from, uint64_t last, Visitor&& visit) const {
    return visit_piece(pages_, from, last, visit);
  }
  template <typename Visitor>
  uint64_t visit_groups(uint64_t from, uint64_t last, Visitor&& visit) const {
    return visit_piece(groups_, from, last, visit);
  }

  // Makes room for the erasures of so many pages or groups, none of which then allocates. Throws
  // std::bad_alloc.
  void reserve_more(size_t count);
  uint64_t memory_bytes() const noexcept {
    return pages_.memory_bytes() + urls_.memory_bytes() + groups_.memory_bytes() + parts_.memory_bytes();
  }
  // Reports a new memory_bytes() of a record that change_group() returned.
  void changed_group(uint64_t bytes_before, const GroupRecord& group) noexcept {
    groups_.changed(bytes_before, group.memory_bytes());
  }

  store::LayeredTable& pages() noexcept { return pages_; }
  store::LayeredTable& urls() noexcept { return urls_; }
  store::LayeredTable& groups() noexcept { return groups_; }
  store::LayeredTable& parts() noexcept { return parts_; }

 private:
  template <typename Table, typename Visitor>
  static uint64_t visit_piece(const Table& table, uint64_t from, uint64_t last, Visitor& visit);
  uint64_t url_key(std::string_view url) const noexcept { return stable_hash(url, secret_); }

  uint64_t secret_;
  store::LayeredRecords<PageRecord> pages_;
  // By a 64-bit hash with the secret; a page whose URL collides (2^-64) is known by id only.
  store::LayeredNumbers urls_;
  store::LayeredRecords<GroupRecord> groups_;
  store::LayeredRecords<MemberPart> parts_;
};

template <typename Visitor>
void PageTable::for_each_member_after(const GroupRecord::View& group, uint64_t after, Visitor&& visit) const {
  uint64_t last = after;
  const auto visits = [&](uint64_t page_id) {
    return page_id > std::exchange(last, page_id) && visit(page_id);
  };
  const auto visits_all = [&](const auto& page_ids) {
    for (auto id = std::ranges::upper_bound(page_ids, after); id != page_ids.end(); ++id) {
      if (!visits(*id)) return false;
    }
    return true;
  };
  if (!visits_all(group.first)) return;
  // A part is named by the first member that it had.
  auto part = std::ranges::upper_bound(group.parts, after);
  if (part != group.parts.begin()) --part;
  for (; part != group.parts.end(); ++part) {
    const std::optional<MemberPart::View> pages = parts_.find(*part);
    if (pages && !visits_all(*pages)) return;
  }
}

template <typename Table, typename Visitor>
uint64_t PageTable::visit_piece(const Table& table, uint64_t from, uint64_t last, Visitor& visit) {
  if (from > last) return 0;
  // If memory has nothing, the runs alone show which ids exist.
  const uint64_t end = table.has_memory() ? std::min(from + kWalkPiece, last + 1) : last + 1;
  uint64_t next = end;
  uint64_t visited = 0;
  table.for_each_within(from, end, [&](uint64_t id, const auto& view) {
    if (visited++ == kWalkPiece) {
      next = id;
      return false;
    }
    visit(id, view);
    return true;
  });
  return next > last ? 0 : next;
}

}  // namespace nd::engine
