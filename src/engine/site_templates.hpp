// What is frame on a site, learned from its pages as they come: a block of text that stands on pages of
// different groups is the site's, not the article's. The rule of TR2007012 section 4.2 (fingerprints that
// occur often and on few sites are deleted) on blocks, from the second occurrence on. Groups are counted, not
// pages: copies of one article on one site never teach that the article is frame.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/flat_map.hpp"
#include "core/memory.hpp"
#include "engine/features.hpp"

namespace nd::engine {

struct TemplateParameters {
  bool enabled = true;
  uint32_t blocks_per_site = 8192;
  uint64_t bytes =
      256 * 1024 * 1024;     // of all sites; beyond it the site that was not seen for longest is forgotten
  uint32_t young_pages = 8;  // with fewer pages seen, a site's frame is not known yet
};

// What a site's model says of a block.
enum FrameMark : uint8_t {
  kOwnText = 0,
  kFrame = 1,       // on pages of other groups too: the site's, not the article's
  kEverywhere = 2,  // on so many pages of the site that it tells nothing even of a page of a few words
};

// Threads: any number of readers, or one writer.
class SiteTemplates {
 public:
  SiteTemplates(uint64_t secret, const TemplateParameters& parameters) noexcept;

  // frame[i], a FrameMark: kFrame if block i is known on this site from a group other than `group_id` (0:
  // from two groups at least), kEverywhere if it also stood on half of the pages since it was first seen.
  // What `without_group` taught does not count (0: all counts): a page that is decided anew must not be held
  // against its own lesson. `frame` [blocks.size()]. Cost: a look-up a block.
  void mark_frame(uint64_t site, std::span<const FeatureBlock> blocks, uint64_t group_id,
                  std::span<uint8_t> frame, uint64_t without_group = 0) const noexcept;

  // Another number whenever a block of the site has become frame (a second group has it) or has ceased to be,
  // or the site has stopped being young to a group. 0: nothing is known of the site. A site that was
  // forgotten and is learned anew never has an earlier number again.
  uint64_t version(uint64_t site) const noexcept;

  // Fewer than young_pages new pages with text have been seen of the site outside of the group (0: at all):
  // what its pages share with the group's may be frame that is not known yet.
  bool is_young(uint64_t site, uint64_t group_id) const noexcept;

  // A page of the site has joined or founded the group; `is_new`: its URL was not known and it has text.
  // Losing what does not fit for want of memory is better than failing the page.
  void learn(uint64_t site, std::span<const FeatureBlock> blocks, uint64_t group_id, bool is_new) noexcept;

  // Pages of two groups of one site resemble each other as copies do, but were kept apart because the site is
  // young and what they share may be its frame. Until that is known they count as one group: copies that the
  // rule has split must not teach that their article is frame. Frame shows on pages of a third group.
  void note_kin(uint64_t site, uint64_t group_a, uint64_t group_b) noexcept;

  // The last page of the group on this site is gone. Without this, a page that is removed and comes back, or
  // that moves to another group, would stand in two groups and so be frame. A block of more groups than are
  // remembered stays what it is: frame, until it ages.
  void unlearn(uint64_t site, std::span<const FeatureBlock> blocks, uint64_t group_id) noexcept;

  // The last page of `old_group` on this site has another text now, or has moved to `group_id`: learns the
  // new blocks and drops what only the old text taught. A block that it goes on having does not cease to be
  // frame meanwhile, so the version moves only if the outcome differs.
  void relearn(uint64_t site, std::span<const FeatureBlock> old_blocks, uint64_t old_group,
               std::span<const FeatureBlock> blocks, uint64_t group_id) noexcept;

  uint64_t site_count() const noexcept { return by_site_.size(); }
  uint64_t memory_bytes() const noexcept {
    return bytes_ + by_site_.memory_bytes() + sites_.capacity() * sizeof(Owned<Site>) +
           free_.capacity() * sizeof(uint32_t);
  }

 private:
  static constexpr size_t kGroups = 4;
  // Groups in 32 bits of their mixed id: taking two for one by chance (2^-32) delays learning, no more.
  struct BlockEntry {
    std::array<uint32_t, kGroups> groups;  // 0: free
    uint32_t first_page;                   // the site's page number at which it was seen first ...
    uint32_t last_page;                    // ... and last
    uint32_t pages : 31;                   // that it stood on
    uint32_t more : 1;                     // of more groups than these: frame for every page
    void drop(uint32_t group) noexcept;
  };
  static constexpr size_t kCountedGroups = 8;
  struct GroupCount {
    uint32_t group;  // 0: free
    uint32_t pages;
  };
  // Two groups of which it is not known whether they are one: see note_kin().
  static constexpr size_t kKinPairs = 16;
  struct Kin {
    uint32_t a, b;  // 0: free
  };
  struct Site {
    explicit Site(uint64_t secret) noexcept : blocks(secret) {}
    uint64_t key = 0;
    uint32_t pages = 0;      // learned from: the clock by which blocks age
    uint32_t new_pages = 0;  // of them new
    // The groups with most of the new pages, by the counting of J. Misra and D. Gries (1982): a group has at
    // most its count and `uncounted` pages.
    std::array<GroupCount, kCountedGroups> counted{};
    uint32_t uncounted = 0;
    uint64_t last_use = 0;
    uint64_t version = 0;
    FlatMap<BlockEntry> blocks;
    std::array<Kin, kKinPairs> kin{};  // the last ones
    uint32_t next_kin = 0;

    // `own`, `without`: 0 for none.
    bool is_frame(const BlockEntry& block, uint32_t own, uint32_t without) const noexcept;
    bool are_kin(uint32_t a, uint32_t b) const noexcept;
  };

  const Site* find(uint64_t site) const noexcept;
  Site& find_or_add(uint64_t site);
  static bool is_everywhere(const Site& site, const BlockEntry& block) noexcept;
  static void count_page(Site& site, uint32_t group) noexcept;
  bool has_just_matured(const Site& site, uint32_t group) const noexcept;
  // In both, a block of the group `replaced` is of `group` from now on (0: none is replaced).
  void learn_page(uint64_t site, std::span<const FeatureBlock> blocks, uint32_t group, bool is_new,
                  uint32_t replaced) noexcept;
  void learn_blocks(Site& site, std::span<const FeatureBlock> blocks, uint32_t group, uint32_t replaced,
                    bool& moved);
  void unlearn_blocks(Site& site, std::span<const FeatureBlock> blocks, uint32_t group,
                      uint32_t kept_page) noexcept;
  void make_room(Site& site);
  void forget_oldest();

  uint64_t secret_;
  TemplateParameters parameters_;
  FlatMap<uint32_t> by_site_;
  Vector<Owned<Site>> sites_;  // with nulls
  Vector<uint32_t> free_;
  uint64_t clock_ = 0;
  uint64_t last_version_ = 0;  // of all sites
  uint64_t bytes_ = 0;
};

}  // namespace nd::engine
