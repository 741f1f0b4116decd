// Views of an engine: copies taken under the readers' lock, so that callers iterate without a lock. A list of
// any length is copied in pieces, so that no change waits for more than one piece.
#include <mutex>
#include <shared_mutex>

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

// A walk takes the lock again for each piece. Whatever exists from its beginning to its end is in the view;
// whatever is added or removed meanwhile may be.
Result<Vector<PageView>> Engine::pages_of_group(uint64_t group_id) const {
  Vector<PageView> pages;
  uint64_t walked = 0;  // the last member visited
  for (UpdateLock::WalkPace pace(mutex_);;) {
    pace.rest();
    const std::shared_lock lock(mutex_);
    const GroupRef group = collection_->pages.group(group_id);
    if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
    if (!group && pages.empty()) return error(Status::kNotFound, "no group of this id is known");
    if (!group) return pages;
    uint64_t looked_at = 0;
    collection_->pages.for_each_member_after(*group, walked, [&](uint64_t page_id) {
      if (looked_at == kWalkPiece) return false;
      ++looked_at;
      walked = page_id;
      const PageRef page = collection_->pages.find(page_id);
      if (page) pages.push_back(view_of(*page));
      return true;
    });
    if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
    if (looked_at < kWalkPiece) return pages;
  }
}

Result<Vector<GroupView>> Engine::groups() const {
  Vector<GroupView> groups;
  Vector<GroupView> piece;  // so that the whole list grows without holding the lock
  piece.reserve(kWalkPiece);
  uint64_t last = 0;  // founded before the walk began
  UpdateLock::WalkPace pace(mutex_);
  for (uint64_t next = 1; next != 0;) {
    piece.clear();
    pace.rest();
    {
      const std::shared_lock lock(mutex_);
      if (last == 0) last = collection_->last_id();
      next =
          collection_->pages.visit_groups(next, last, [&](uint64_t group_id, const GroupRecord::View& group) {
            piece.push_back({group_id, group.data->representative_page_id, group.data->page_count});
          });
      if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
    }
    groups.insert(groups.end(), piece.begin(), piece.end());
  }
  return groups;
}

Result<Vector<Event>> Engine::events_after(uint64_t sequence) const {
  Vector<Event> events;
  uint64_t last = 0;  // before the walk began
  UpdateLock::WalkPace pace(mutex_);
  for (bool goes_on = true; goes_on; goes_on = sequence < last) {
    pace.rest();
    const std::shared_lock lock(mutex_);
    if (last == 0) last = collection_->events.last_sequence();
    sequence = collection_->events.append_after(sequence, last, events);
    if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  }
  return events;
}

Sizes Engine::sizes() const {
  const uint64_t scratch_bytes = scratches_.memory_bytes();
  const std::shared_lock lock(mutex_);
  const Collection& known = *collection_;
  Sizes sizes{};
  sizes.pages = known.pages.page_count();
  sizes.groups = known.pages.group_count();
  sizes.keys = known.index.key_count();
  sizes.hot_keys = known.index.hot_count();
  sizes.spots_dropped = known.spots.dropped_count();
  sizes.method_dropped = known.method.dropped_count();
  sizes.sites_dropped = known.knowledge.dropped_count();
  sizes.bytes_spots = known.spots.memory_bytes();
  sizes.bytes_index = known.index_bytes();
  sizes.bytes_features = known.texts.text_bytes();
  sizes.texts = known.texts.size();
  sizes.bytes_pages = known.pages.memory_bytes() + known.texts.memory_bytes() - sizes.bytes_features;
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
