#include "engine/page_table.hpp"

#include <algorithm>
#include <utility>

namespace nd::engine {

PageRef PageTable::find(std::string_view url) const noexcept {
  if (url.empty()) return {};
  const uint64_t page_id = urls_.find(url_key(url));
  if (page_id == 0) return {};
  const PageRef page = pages_.find(page_id);
  return page && page->url == url ? page : PageRef{};
}

PageRecord& PageTable::insert(PageRecord page) {
  urls_.reserve_more(1);
  const uint64_t page_id = page.data.answer.page_id;
  PageRecord& placed = pages_.insert(page_id, std::move(page));
  if (!placed.url.empty()) urls_.put(url_key(placed.url), page_id);
  return placed;
}

void PageTable::erase(uint64_t page_id) noexcept {
  const PageRef page = pages_.find(page_id);
  if (!page) return;
  if (!page->url.empty() && urls_.find(url_key(page->url)) == page_id) urls_.erase(url_key(page->url));
  pages_.erase(page_id);
}

void PageTable::name(const PageRecord& page) noexcept {
  if (!page.url.empty()) urls_.put(url_key(page.url), page.data.answer.page_id);
}

void PageTable::erase_group(uint64_t group_id) noexcept {
  groups_.erase(group_id);
}

void PageTable::add_member(GroupRecord& group, uint64_t page_id) {
  const uint64_t bytes_before = group.memory_bytes();
  if (group.parts.empty() && group.first.size() < kFirstMembers) {
    group.first.push_back(page_id);
    changed_group(bytes_before, group);
  } else {
    MemberPart* last = group.parts.empty() ? nullptr : parts_.change(group.parts.back());
    if (last != nullptr && last->pages.size() < kPartMembers) {
      const uint64_t part_bytes_before = last->memory_bytes();
      last->pages.push_back(page_id);
      parts_.changed(part_bytes_before, last->memory_bytes());
    } else {
      group.parts.reserve(group.parts.size() + 1);
      changed_group(bytes_before, group);
      MemberPart part;
      part.pages.push_back(page_id);
      parts_.insert(page_id, std::move(part));
      group.parts.push_back(page_id);
    }
  }
  ++group.data.page_count;
}

// Adds a part at `place` among the group's parts.
void PageTable::add_part(GroupRecord& group, size_t place, Vector<uint64_t> pages) {
  const uint64_t bytes_before = group.memory_bytes();
  group.parts.reserve(group.parts.size() + 1);
  changed_group(bytes_before, group);
  MemberPart part;
  part.pages = std::move(pages);
  const uint64_t name = part.pages.front();
  parts_.insert(name, std::move(part));
  group.parts.insert(group.parts.begin() + static_cast<ptrdiff_t>(place), name);
}

void PageTable::move_member(GroupRecord& from, GroupRecord& to, uint64_t page_id) {
  const bool is_named = std::ranges::binary_search(from.parts, page_id);
  if (!is_named || !would_name_part(to.view(), page_id)) {
    insert_member(to, page_id);
    remove_member(from, page_id);
    return;
  }
  // Names are unique among all groups: the part, in which the page is alone, moves as it is.
  const uint64_t bytes_before = to.memory_bytes();
  to.parts.reserve(to.parts.size() + 1);
  changed_group(bytes_before, to);
  to.parts.insert(std::ranges::upper_bound(to.parts, page_id), page_id);
  ++to.data.page_count;
  from.parts.erase(std::ranges::lower_bound(from.parts, page_id));
  --from.data.page_count;
}

// Whether a part would begin with the page if it were inserted.
bool PageTable::would_name_part(const GroupRecord::View& group, uint64_t page_id) const noexcept {
  const auto after = std::ranges::upper_bound(group.parts, page_id);
  const std::optional<MemberPart::View> part =
      after == group.parts.begin() ? std::nullopt : parts_.find(*(after - 1));
  if (part) return part->size() >= kPartMembers && page_id > part->back();
  return group.first.size() >= kFirstMembers && page_id > group.first.back();
}

// Inserts a member of any id. Precondition: it is not in this group, and if it would name a part here, it
// names no part of another group. Throws std::bad_alloc and has changed nothing that a visit shows.
void PageTable::insert_member(GroupRecord& group, uint64_t page_id) {
  const auto after = std::ranges::upper_bound(group.parts, page_id);
  const auto place = static_cast<size_t>(after - group.parts.begin());
  MemberPart* part = place == 0 ? nullptr : parts_.change(*(after - 1));
  if (part == nullptr) {
    insert_before_parts(group, page_id);
  } else {
    const auto at = std::ranges::lower_bound(part->pages, page_id);
    if (part->pages.size() < kPartMembers) {
      const uint64_t bytes_before = part->memory_bytes();
      part->pages.insert(at, page_id);
      parts_.changed(bytes_before, part->memory_bytes());
    } else if (at == part->pages.end()) {
      Vector<uint64_t> alone(1, page_id);
      add_part(group, place, std::move(alone));
    } else {
      // The part is full: its younger half becomes a part of its own. The parts' records do not move.
      const auto half = part->pages.begin() + kPartMembers / 2;
      add_part(group, place, {half, part->pages.end()});
      MemberPart* younger = parts_.change(group.parts[place]);
      part->pages.erase(half, part->pages.end());
      MemberPart* chosen = page_id > younger->pages.front() ? younger : part;
      const uint64_t bytes_before = chosen->memory_bytes();
      chosen->pages.insert(std::ranges::lower_bound(chosen->pages, page_id), page_id);
      parts_.changed(bytes_before, chosen->memory_bytes());
    }
  }
  ++group.data.page_count;
}

uint64_t PageTable::youngest_member(const GroupRecord::View& group) const noexcept {
  if (group.parts.empty()) return group.first.empty() ? 0 : group.first.back();
  const std::optional<MemberPart::View> part = parts_.find(group.parts.back());
  return part ? part->back() : 0;
}

bool PageTable::names_part(const GroupRecord::View& group, uint64_t page_id) const noexcept {
  if (!std::ranges::binary_search(group.parts, page_id)) return false;
  const std::optional<MemberPart::View> part = parts_.find(page_id);
  return part && part->size() > 1;
}

// Inserts a member that is older than all parts.
void PageTable::insert_before_parts(GroupRecord& group, uint64_t page_id) {
  if (group.first.size() < kFirstMembers) {
    const uint64_t bytes_before = group.memory_bytes();
    group.first.insert(std::ranges::lower_bound(group.first, page_id), page_id);
    changed_group(bytes_before, group);
    return;
  }
  // The youngest member in the group's own record makes room, and begins a part.
  uint64_t moved = page_id;
  const bool stays = !group.first.empty() && page_id < group.first.back();
  if (stays) moved = group.first.back();
  Vector<uint64_t> pages(1, moved);
  MemberPart* next = group.parts.empty() ? nullptr : parts_.change(group.parts.front());
  if (next != nullptr && next->pages.size() < kPartMembers) {
    parts_.reserve_more(2);
    pages.insert(pages.end(), next->pages.begin(), next->pages.end());
    const uint64_t old_name = group.parts.front();
    MemberPart part;
    part.pages = std::move(pages);
    parts_.insert(moved, std::move(part));
    parts_.erase(old_name);
    group.parts.front() = moved;
  } else {
    add_part(group, 0, std::move(pages));
  }
  if (!stays) return;
  group.first.pop_back();
  group.first.insert(std::ranges::lower_bound(group.first, page_id), page_id);
}

bool PageTable::prepare_removal(GroupRecord& group, uint64_t page_id) {
  if (std::ranges::binary_search(group.first, page_id)) return true;
  // A part is named by the page with which it began.
  const auto after = std::ranges::upper_bound(group.parts, page_id);
  if (after == group.parts.begin()) return false;
  parts_.reserve_more(1);
  const MemberPart* part = parts_.change(*(after - 1));
  return part != nullptr && std::ranges::binary_search(part->pages, page_id);
}

void PageTable::remove_member(GroupRecord& group, uint64_t page_id) noexcept {
  const auto first = std::ranges::lower_bound(group.first, page_id);
  if (first != group.first.end() && *first == page_id) {
    group.first.erase(first);
    --group.data.page_count;
    return;
  }
  const auto after = std::ranges::upper_bound(group.parts, page_id);
  if (after == group.parts.begin()) return;
  const auto name = after - 1;
  MemberPart* part = parts_.change(*name);  // in memory since prepare_removal()
  if (part == nullptr) return;
  const auto member = std::ranges::lower_bound(part->pages, page_id);
  if (member == part->pages.end() || *member != page_id) return;
  part->pages.erase(member);
  --group.data.page_count;
  if (!part->pages.empty()) return;
  parts_.erase(*name);
  group.parts.erase(name);
}

void PageTable::reserve_more(size_t count) {
  pages_.reserve_more(count);
  urls_.reserve_more(count);
  groups_.reserve_more(count);
  parts_.reserve_more(count);
}

}  // namespace nd::engine
