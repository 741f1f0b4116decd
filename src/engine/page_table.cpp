#include "engine/page_table.hpp"

#include <utility>

namespace nd::engine {

PageRecord* PageTable::find(std::string_view url) noexcept {
  if (url.empty()) return nullptr;
  const uint32_t* slot = by_url_.find(url_key(url));
  if (slot == nullptr) return nullptr;
  PageRecord* page = pages_[*slot].get();
  return page->url == url ? page : nullptr;
}

PageRecord* PageTable::find(uint64_t page_id) noexcept {
  const uint32_t* slot = by_id_.find(page_id);
  return slot == nullptr ? nullptr : pages_[*slot].get();
}

PageRecord& PageTable::insert(PageRecord page) {
  Owned<PageRecord> owned = make_owned<PageRecord>(std::move(page));
  by_id_.reserve_more(1);
  by_url_.reserve_more(1);
  uint32_t slot;
  if (free_pages_.empty()) {
    if (free_pages_.capacity() <= pages_.size())
      free_pages_.reserve(2 * pages_.size() + 16);  // erase() must not fail
    slot = static_cast<uint32_t>(pages_.size());
    pages_.emplace_back();
  } else {
    slot = free_pages_.back();
    free_pages_.pop_back();
  }
  pages_[slot] = std::move(owned);
  PageRecord& placed = *pages_[slot];
  by_id_[placed.answer.page_id] = slot;
  if (!placed.url.empty()) by_url_[url_key(placed.url)] = slot;
  url_bytes_ += placed.url.capacity();
  return placed;
}

void PageTable::erase(uint64_t page_id) noexcept {
  const uint32_t* found = by_id_.find(page_id);
  if (found == nullptr) return;
  const uint32_t slot = *found;
  by_id_.erase(page_id);
  const PageRecord& page = *pages_[slot];
  if (!page.url.empty()) {
    const uint32_t* named = by_url_.find(url_key(page.url));
    if (named != nullptr && *named == slot) by_url_.erase(url_key(page.url));
  }
  url_bytes_ -= page.url.capacity();
  pages_[slot].reset();
  free_pages_.push_back(slot);
}

String PageTable::take_name(PageRecord& page) noexcept {
  url_bytes_ -= page.url.capacity();
  String url = std::exchange(page.url, String());
  url_bytes_ += page.url.capacity();
  return url;
}

void PageTable::name(PageRecord& page, String url) noexcept {
  url_bytes_ -= page.url.capacity();
  page.url = std::move(url);
  url_bytes_ += page.url.capacity();
  if (page.url.empty()) return;
  const uint32_t slot = *by_id_.find(page.answer.page_id);
  if (uint32_t* named = by_url_.find(url_key(page.url))) {
    *named = slot;
  } else {
    // Another page had the name and lost it: the table had room for both and does not shrink.
    by_url_[url_key(page.url)] = slot;
  }
}

GroupSlot PageTable::insert_group(GroupRecord group) {
  group_by_id_.reserve_more(1);
  GroupSlot slot;
  if (free_groups_.empty()) {
    if (free_groups_.capacity() <= groups_.size()) free_groups_.reserve(2 * groups_.size() + 16);
    slot = static_cast<GroupSlot>(groups_.size());
    groups_.emplace_back();
  } else {
    slot = free_groups_.back();
    free_groups_.pop_back();
  }
  groups_[slot] = std::move(group);
  group_by_id_[groups_[slot].id] = slot;
  return slot;
}

void PageTable::erase_group(GroupSlot slot) noexcept {
  group_by_id_.erase(groups_[slot].id);
  groups_[slot] = GroupRecord{};
  free_groups_.push_back(slot);
}

const GroupRecord* PageTable::find_group(uint64_t group_id) const noexcept {
  const GroupSlot* slot = group_by_id_.find(group_id);
  return slot == nullptr ? nullptr : &groups_[*slot];
}

uint64_t PageTable::memory_bytes() const noexcept {
  return by_id_.memory_bytes() + by_url_.memory_bytes() + group_by_id_.memory_bytes() + url_bytes_ +
         pages_.capacity() * sizeof(Owned<PageRecord>) +
         page_count() * (sizeof(PageRecord) + sizeof(uint64_t)) + groups_.capacity() * sizeof(GroupRecord);
}

}  // namespace nd::engine
