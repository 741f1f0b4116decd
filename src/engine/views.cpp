// What an engine tells of itself: copies taken under the readers' lock, so that callers iterate without any.
#include <algorithm>
#include <mutex>

#include "engine/engine.hpp"

namespace nd::engine {
namespace {

PageView view_of(const PageRecord& page) {
  return {page.answer, page.url, page.first_fetched_at_ms, page.last_fetched_at_ms, page.width,
          page.digest.low};
}

}  // namespace

Result<PageView> Engine::find_page(std::string_view url) const {
  const std::shared_lock lock(mutex_);
  const PageRecord* page = table_.find(url);
  if (page == nullptr) return error(Status::kNotFound, "no page of this URL is known");
  return view_of(*page);
}

Result<PageView> Engine::get_page(uint64_t page_id) const {
  const std::shared_lock lock(mutex_);
  const PageRecord* page = table_.find(page_id);
  if (page == nullptr) return error(Status::kNotFound, "no page of this id is known");
  return view_of(*page);
}

Result<Vector<PageView>> Engine::pages_of_group(uint64_t group_id) const {
  const std::shared_lock lock(mutex_);
  const GroupRecord* group = table_.find_group(group_id);
  if (group == nullptr) return error(Status::kNotFound, "no group of this id is known");
  Vector<PageView> pages;
  pages.reserve(group->members.size());
  for (uint64_t page_id : group->members)
    pages.push_back(view_of(*table_.find(page_id)));
  return pages;
}

Vector<GroupView> Engine::groups() const {
  Vector<GroupView> groups;
  {
    const std::shared_lock lock(mutex_);
    groups.reserve(static_cast<size_t>(table_.group_count()));
    for (const GroupRecord& group : table_.groups()) {
      if (group.id != 0) groups.push_back({group.id, group.representative_page_id, group.members.size()});
    }
  }
  std::sort(groups.begin(), groups.end(), [](const GroupView& a, const GroupView& b) { return a.id < b.id; });
  return groups;
}

Vector<Event> Engine::events_after(uint64_t sequence) const {
  const std::shared_lock lock(mutex_);
  return events_.after(sequence);
}

Sizes Engine::sizes() const {
  const uint64_t scratch_bytes = scratches_.memory_bytes();
  const std::shared_lock lock(mutex_);
  return {table_.page_count(),
          table_.group_count(),
          index_.key_count(),
          index_.hot_count(),
          spots_.dropped_count(),
          spots_.memory_bytes(),
          index_.memory_bytes() + spots_.memory_bytes() + exact_.memory_bytes() + templates_.memory_bytes(),
          feature_bytes_,
          table_.memory_bytes() + member_key_bytes_,
          events_.memory_bytes(),
          scratch_bytes};
}

}  // namespace nd::engine
