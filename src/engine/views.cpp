// What an engine tells of itself: copies taken under the readers' lock, so that callers iterate without any.
#include <mutex>

#include "engine/engine.hpp"

namespace nd::engine {
namespace {

PageView view_of(const PageRecord::View& page) {
  return {
      page.data->answer, String(page.url),     page.data->first_fetched_at_ms, page.data->last_fetched_at_ms,
      page.data->width,  page.data->digest.low};
}

}  // namespace

Result<PageView> Engine::find_page(std::string_view url) const {
  const std::shared_lock lock(mutex_);
  const PageRef page = collection_->pages.find(url);
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  if (!page) return error(Status::kNotFound, "no page of this URL is known");
  return view_of(*page);
}

Result<PageView> Engine::get_page(uint64_t page_id) const {
  const std::shared_lock lock(mutex_);
  const PageRef page = collection_->pages.find(page_id);
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  if (!page) return error(Status::kNotFound, "no page of this id is known");
  return view_of(*page);
}

Result<uint64_t> Engine::resolve_group(uint64_t group_id) const {
  const std::shared_lock lock(mutex_);
  const uint64_t current = collection_->resolve(group_id);
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  if (current == 0) return error(Status::kNotFound, "no group of this id is known");
  return current;
}

Result<Vector<PageView>> Engine::pages_of_group(uint64_t group_id) const {
  const std::shared_lock lock(mutex_);
  GroupRef group = collection_->pages.group(group_id);
  if (!group) group = collection_->pages.group(collection_->resolve(group_id));
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  if (!group) return error(Status::kNotFound, "no group of this id is known");
  Vector<PageView> pages;
  collection_->pages.for_each_member(*group, [&](uint64_t page_id) {
    if (const PageRef page = collection_->pages.find(page_id)) pages.push_back(view_of(*page));
    return true;
  });
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  return pages;
}

Result<Vector<GroupView>> Engine::groups() const {
  Vector<GroupView> groups;
  const std::shared_lock lock(mutex_);
  collection_->pages.for_each_group([&](uint64_t group_id, const GroupRecord::View& group) {
    groups.push_back({group_id, group.data->representative_page_id, group.data->page_count});
    return true;
  });
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  return groups;
}

Result<Vector<Event>> Engine::events_after(uint64_t sequence) const {
  const std::shared_lock lock(mutex_);
  Vector<Event> events = collection_->events.after(sequence);
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  return events;
}

Sizes Engine::sizes() const {
  const uint64_t scratch_bytes = scratches_.memory_bytes();
  const std::shared_lock lock(mutex_);
  const Collection& known = *collection_;
  Sizes sizes{};
  sizes.pages = known.pages.page_count();
  sizes.groups = known.pages.group_count();
  sizes.unfinished_merges = known.aliases.unfinished().size();
  sizes.aliases = known.aliases.size();
  sizes.keys = known.index.key_count();
  sizes.hot_keys = known.index.hot_count();
  sizes.spots_dropped = known.spots.dropped_count();
  sizes.method_dropped = known.method.dropped_count();
  sizes.bytes_spots = known.spots.memory_bytes();
  sizes.bytes_index = known.index_bytes();
  sizes.bytes_features = known.texts.text_bytes();
  sizes.bytes_pages = known.pages.memory_bytes() + known.aliases.memory_bytes() + known.texts.memory_bytes() -
                      sizes.bytes_features;
  sizes.bytes_events = known.events.memory_bytes();
  sizes.bytes_scratch = scratch_bytes;
  if (store_ != nullptr) {
    sizes.generation = store_->generation();
    sizes.snapshots = snapshots_;
    sizes.bytes_disk = store_->disk_bytes();
    sizes.bytes_journal = store_->journal_bytes();
    sizes.store = store_->counts();
  }
  return sizes;
}

}  // namespace nd::engine
