// The pages and groups that an engine knows.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/flat_map.hpp"
#include "core/memory.hpp"
#include "engine/answer.hpp"
#include "engine/features.hpp"
#include "engine/key_index.hpp"

namespace nd::engine {

struct PageRecord {
  Answer answer;  // of the last check that found new or changed text
  GroupSlot group = 0;
  bool young_site = false;                   // when it was decided; see SiteTemplates::is_young
  uint64_t model_version = 0;                // that it was decided by; see SiteTemplates::version
  std::shared_ptr<const Features> features;  // null where the memory budget left no room
  String url;
  Hash128 digest;
  uint64_t width = 0;
  bool loose = false;  // of its representative's site, and joined with less than same_site_resemblance
  int64_t first_fetched_at_ms = 0;
  int64_t last_fetched_at_ms = 0;
};

struct GroupRecord {
  uint64_t id = 0;                                 // 0: a free slot
  uint64_t representative_page_id = 0;             // 0: the founder is gone or has changed, its text stays
  std::shared_ptr<const Features> representative;  // null: never a candidate (no text, or no memory)
  uint64_t site = 0;                               // hash of the representative's site
  Vector<uint64_t> members;                        // page ids, oldest first
  uint32_t loose_members = 0;                      // of them, those that are `loose`
  Vector<uint64_t> member_keys;                    // keys of members that the representative lacks
};

// Threads: any number of readers, or one writer.
class PageTable {
 public:
  explicit PageTable(uint64_t secret) noexcept
      : secret_(secret), by_id_(secret ^ 1), by_url_(secret ^ 2), group_by_id_(secret ^ 3) {}

  // Null if unknown. An empty URL is never known.
  PageRecord* find(std::string_view url) noexcept;
  PageRecord* find(uint64_t page_id) noexcept;
  const PageRecord* find(std::string_view url) const noexcept {
    return const_cast<PageTable*>(this)->find(url);
  }
  const PageRecord* find(uint64_t page_id) const noexcept {
    return const_cast<PageTable*>(this)->find(page_id);
  }

  // Takes a page with a new id and a URL that is not known yet. Throws std::bad_alloc and has changed
  // nothing.
  PageRecord& insert(PageRecord page);
  void erase(uint64_t page_id) noexcept;
  // Takes a page's URL away, to be given to another page or back by name(); until then the table holds its
  // place.
  String take_name(PageRecord& page) noexcept;
  void name(PageRecord& page, String url) noexcept;

  GroupSlot insert_group(GroupRecord group);
  void erase_group(GroupSlot slot) noexcept;
  GroupRecord& group(GroupSlot slot) noexcept { return groups_[slot]; }
  const GroupRecord& group(GroupSlot slot) const noexcept { return groups_[slot]; }
  const GroupRecord* find_group(uint64_t group_id) const noexcept;

  uint64_t page_count() const noexcept { return by_id_.size(); }
  uint64_t group_count() const noexcept { return group_by_id_.size(); }
  const Vector<Owned<PageRecord>>& pages() const noexcept { return pages_; }  // with nulls
  const Vector<GroupRecord>& groups() const noexcept { return groups_; }      // with free slots
  uint64_t memory_bytes() const noexcept;

 private:
  uint64_t url_key(std::string_view url) const noexcept { return stable_hash(url, secret_); }

  uint64_t secret_;
  Vector<Owned<PageRecord>> pages_;
  Vector<uint32_t> free_pages_;
  FlatMap<uint32_t> by_id_;
  FlatMap<uint32_t>
      by_url_;  // by a 64-bit hash with the secret; a page whose URL collides (2^-64) is known by id only
  Vector<GroupRecord> groups_;
  Vector<GroupSlot> free_groups_;
  FlatMap<GroupSlot> group_by_id_;
  uint64_t url_bytes_ = 0;
};

}  // namespace nd::engine
