// The records of a page, of a group, and of a group's later members: the same bytes in memory and in a store,
// but for pages, which are packed in a store.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "decision/answer.hpp"
#include "store/run.hpp"

namespace nd::engine {

enum PageMarks : uint32_t {
  kCut = 1 << 0,      // its text was cut; see Features::is_cut
  kCounted = 1 << 1,  // its site counts it; see SiteKnowledge
};

struct PageData {
  Answer answer;                // of the last check that found new or changed text; its group is the page's
  uint64_t text = 0;            // in the FeaturesTable; 0 if the memory budget left no room
  uint64_t site = 0;            // that counts it; see site_key_of()
  Hash128 digest;               // of its text
  uint64_t width = 0;           // of its text
  uint64_t site_magnitude = 0;  // with which it was decided; see SiteKnowledge::magnitude()
  int64_t first_fetched_at_ms = 0;
  int64_t last_fetched_at_ms = 0;
  uint32_t marks = 0;  // PageMarks
  uint32_t url_size = 0;

  bool has(PageMarks mark) const noexcept { return (marks & mark) != 0; }
};
static_assert(sizeof(PageData) == 152);

// A page's data as it is read: where it is in memory, or a copy of what a store has packed.
class ReadPageData {
 public:
  explicit ReadPageData(const PageData* kept) noexcept : kept_(kept) {}
  explicit ReadPageData(const PageData& unpacked) noexcept : unpacked_(unpacked) {}
  const PageData& operator*() const noexcept { return kept_ == nullptr ? *unpacked_ : *kept_; }
  const PageData* operator->() const noexcept { return &**this; }

 private:
  const PageData* kept_ = nullptr;
  std::optional<PageData> unpacked_;
};

// A record of a LayeredRecords by page id.
struct PageRecord {
  // References to the data are valid as long as the view.
  struct View {
    ReadPageData data;
    std::string_view url;
    const PageData* operator->() const noexcept { return &*data; }
    const PageData& operator*() const noexcept { return *data; }
  };
  PageData data;
  String url;

  View view() const noexcept { return {ReadPageData(&data), url}; }
  static std::optional<View> parse(store::Bytes bytes) noexcept;
  static PageRecord copy(const View& view) { return {*view.data, String(view.url)}; }
  void write(Vector<uint8_t>& out) const;
  uint64_t memory_bytes() const noexcept { return url.capacity(); }
};

struct GroupData {
  uint64_t representative_page_id = 0;  // 0: the founder was removed or has changed, but its text remains
  uint64_t text = 0;                    // of the representative; 0: never a candidate (no text, or no memory)
  uint64_t site = 0;                    // hash of the representative's site
  uint64_t page_count = 0;
  uint32_t first_count = 0;       // of GroupRecord::first
  uint32_t part_count = 0;        // of GroupRecord::parts
  uint64_t member_key_count = 0;  // of GroupRecord::member_keys
};
static_assert(sizeof(GroupData) == 48);

// The group's own record has at most so many members; later ones are in parts of at most so many, so that a
// group of millions is not rewritten for each page that joins it. A record with more is not accepted: each
// change would have to read all of them.
inline constexpr size_t kFirstMembers = 64;
inline constexpr size_t kPartMembers = 256;

// A record of a LayeredRecords by group id.
struct GroupRecord {
  struct View {
    const GroupData* data;
    std::span<const uint64_t> first;        // the oldest members, ascending; at most kFirstMembers
    std::span<const uint64_t> parts;        // keys of the MemberPart records of the others, in order
    std::span<const uint64_t> member_keys;  // keys of members that the representative lacks
    const GroupData* operator->() const noexcept { return data; }
    const GroupData& operator*() const noexcept { return *data; }
  };
  GroupData data;  // the counts of the lists are filled in when it is written
  Vector<uint64_t> first;
  Vector<uint64_t> parts;
  Vector<uint64_t> member_keys;

  View view() const noexcept { return {&data, first, parts, member_keys}; }
  static std::optional<View> parse(store::Bytes bytes) noexcept;
  static GroupRecord copy(const View& view);
  void write(Vector<uint8_t>& out) const;
  uint64_t memory_bytes() const noexcept {
    return (first.capacity() + parts.capacity() + member_keys.capacity()) * sizeof(uint64_t);
  }
};

// A record of a LayeredRecords, by the id of its first page when it was made: later members of a group,
// ascending.
struct MemberPart {
  using View = std::span<const uint64_t>;
  Vector<uint64_t> pages;

  View view() const noexcept { return pages; }
  static std::optional<View> parse(store::Bytes bytes) noexcept;
  static MemberPart copy(const View& view) { return {Vector<uint64_t>(view.begin(), view.end())}; }
  void write(Vector<uint8_t>& out) const;
  uint64_t memory_bytes() const noexcept { return pages.capacity() * sizeof(uint64_t); }
};

}  // namespace nd::engine
