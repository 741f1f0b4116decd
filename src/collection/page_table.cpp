// Inserts, erases and names pages and groups, and keeps the members of a group in step with its pages.
#include "collection/page_table.hpp"

#include <algorithm>
#include <utility>

namespace nd::engine {

Error missing_record() {
  return error(Status::kCorrupt, "the store lacks a page or a group that others refer to");
}

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
