// Everything that an engine knows, and the only place where that changes. A decision about a page arrives as
// an Outcome; the same outcomes in the same order make the same collection.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "collection/bookmarks.hpp"
#include "collection/collection_parameters.hpp"
#include "collection/counters.hpp"
#include "collection/event_log.hpp"
#include "collection/features_table.hpp"
#include "collection/group_keys.hpp"
#include "collection/key_index.hpp"
#include "collection/method_source.hpp"
#include "collection/page_table.hpp"
#include "collection/site_knowledge.hpp"
#include "collection/spot_source.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "decision/decision.hpp"
#include "store/layered_numbers.hpp"
#include "store/store.hpp"

namespace nd::engine {

// How many members of a group are examined in search of another page with the same text.
inline constexpr size_t kCopySearchLimit = 64;

// No page, group or text has a greater number: the numbers that are kept have 56 bits, and some a mark above.
inline constexpr uint64_t kGreatestId = store::LayeredNumbers::kGreatestNumber / 2;

// Every change either succeeds, or throws std::bad_alloc, or fails with kCorrupt if the store lacks data that
// should exist. In the last two cases no answer shows a difference. Threads: any number of readers, or one
// writer; prepare_commit() and release_replaced() may run alongside readers.
class Collection {
 public:
  // `parameters` and `counters` outlive the collection.
  Collection(const CollectionParameters& parameters, uint64_t secret, Counters& counters);

  PageTable pages;
  FeaturesTable texts;
  KeyIndex index;
  SpotSource spots;
  MethodSource method;          // for a detector other than the LCS; `index` and `spots` then stay empty
  store::LayeredNumbers exact;  // the low half of a text's digest to the first page with that text
  SiteKnowledge knowledge;      // of decision=document
  EventLog events;
  Bookmarks bookmarks;

  // --- Reading.
  // [7] What is known about the page's URL. `has_room`: there is room to keep a text that is decided again.
  Previous previous_of(const Features& page, bool has_room) const;
  // The same for a page given by its id, the only way to find a page without a URL.
  Previous previous_of(uint64_t page_id, const Features& page, bool has_room) const;
  // The page ids (begin, end] whose age is to be checked next: the last commit has advanced to them in its
  // round through all ids. Part of the state, so that a restart does not begin a new round.
  struct IdRange {
    uint64_t begin = 0;
    uint64_t end = 0;
  };
  IdRange aged() const noexcept { return aged_; }
  // Counts the changes that can add or remove a candidate.
  uint64_t commit_sequence() const noexcept { return commit_sequence_; }
  // The greatest id that a page or group has or has had.
  uint64_t last_id() const noexcept { return last_id_; }
  // Whether the decisions ask what is known of sites.
  bool asks_sites() const noexcept { return parameters_.asks_sites(); }
  // The work of all changes since the collection was created; only the writer may call it.
  WorkTally work() const noexcept;

  // --- [9] Changing.
  // Called by the writer right before commit(), while others read: adds what readers may see before the rest,
  // and looks up what commit() will change, so that little is left to do while readers wait. commit() follows
  // next, or cancel_commit(). Throws std::bad_alloc; the content is then as before.
  void prepare_commit(const Features& features, const Outcome& outcome, std::span<const uint64_t> parts);
  // Undoes a prepare_commit() that is not followed by commit(), or whose commit() failed. Does not allocate.
  void cancel_commit() noexcept;
  // Called after commit() or cancel_commit(), while others read: frees memory that earlier readers may have
  // used.
  void release_replaced() noexcept;
  // `packed`: the text; `parts`: counted_parts(features), if counts_pages(). Both are given where they are
  // made before others must wait for the change, and made here if they are not.
  Result<Answer> commit(const Features& features, const Outcome& outcome, PackedText packed = {},
                        std::span<const uint64_t> parts = {});
  // Gives the next new page an id greater than this: for rebuilding a store from the pages of another one.
  void skip_ids(uint64_t last_id) noexcept { last_id_ = std::max(last_id_, last_id); }
  // The page was seen again with the same text, and is not to be decided again.
  Result<void> see_again(uint64_t page_id, int64_t at_ms);
  Result<void> remove(uint64_t page_id);
  // For Engine::settle(): an empty collection takes over the sites and events of an earlier one, and counts
  // nothing more; then come its pages, each followed by what its record says of its history; then the end.
  void begin_settling(const Collection& earlier);
  void take_history(const PageData& earlier);
  void end_settling(const Collection& earlier) noexcept;
  bool knows_all_sites() const noexcept { return knows_all_sites_; }
  // Whether a commit counts its page for its site.
  bool counts_pages() const noexcept { return asks_sites() && !knows_all_sites_; }
  // Counts a page for its site before it comes, so that what is decided meanwhile is decided by what is known
  // in the end. While `ahead`, pages that are committed are taken to be counted.
  void count_ahead(const Features& page) noexcept;
  void set_counted_ahead(bool ahead) noexcept { knows_all_sites_ = ahead; }
  // The new representative of a group that has lost its own. Members that do not resemble it leave the group
  // afterwards, like pages that moved.
  struct Election {
    uint64_t group_id = 0;
    uint64_t page_id = 0;  // represents the group from now on; 0: none, and the group takes no more pages
  };
  Result<void> reelect(const Election& election, int64_t at_ms);

  // --- Layers, for the store.
  static std::span<const store::TableKind> table_kinds() noexcept;
  store::LayeredTable& table(uint32_t number) noexcept;  // of table_kinds()
  static uint32_t events_table() noexcept;
  // The state outside the tables (docs/snapshot_format.md, "State").
  Vector<uint8_t> state();
  // Takes the store's runs. A method's index is rebuilt from the representatives. Errors: kCorrupt,
  // kUnsupportedVersion.
  Result<void> restore(const store::Store::Content& content);
  void prepare_freeze();
  void freeze() noexcept;
  // Makes room for the runs of all tables after a snapshot, which adds at most one to each table. Throws
  // std::bad_alloc.
  static Vector<store::Runs> prepare_install(const store::Store& store);
  void install(const store::Store& store, Vector<store::Runs> prepared) noexcept;
  void discard() noexcept;  // frees what install() has set aside; takes no lock

  uint64_t index_bytes() const noexcept;
  uint64_t memory_bytes() const noexcept;
  // The size of the layers in memory: what a snapshot can free.
  uint64_t layer_bytes() const noexcept {
    return memory_bytes() - method.memory_bytes() - knowledge.order_bytes() - texts.shared_bytes();
  }

 private:
  bool site_became_known(const PageData& page) const;
  void advance_expiry_window() noexcept;
  SharedFeatures text_of(const PageData& page) const;

  Result<void> commit_new(const Features& features, const Outcome& outcome, PackedText& packed,
                          Answer& answer);
  Result<void> commit_changed(const Features& features, const Outcome& outcome, PackedText& packed,
                              Answer& answer);
  uint64_t keep_ids(const Outcome& outcome, Answer& answer) const noexcept;
  Result<void> commit_in_place(const Features& features, const Outcome& outcome, PackedText& packed,
                               Answer& answer);
  Result<void> commit_alone(const Features& features, const Outcome& outcome, PackedText& packed,
                            Answer& answer);
  Result<void> commit_move(const Features& features, const Outcome& outcome, PackedText& packed,
                           Answer& answer);
  Result<bool> renew_representative(const Features& features, const Outcome& outcome, PackedText& packed);
  Previous describe_previous(const PageData& known, const Features& page, bool has_room) const;
  void replace_text(PageRecord& page, const Features& features, uint64_t text, const Answer& answer) noexcept;
  void note_dropped(const Answer& answer, int64_t at_ms) noexcept;
  // The text by which a page is counted before it changes.
  struct Counted {
    uint64_t text = 0;        // 0: it is not counted
    SharedFeatures features;  // null: it is not there, or the page keeps it
  };
  Counted counted_before(const Outcome& outcome) const;
  void count_page(const Features& page, std::span<const uint64_t> parts, const Counted& before,
                  uint64_t page_id) noexcept;

  // The index entries of a new page that are made before the page itself exists (post()).
  struct Posted {
    uint64_t page_id = 0;   // 0: nothing is posted
    uint64_t group_id = 0;  // its own, where it founds one
    bool has_room = false;  // the index of keys has
    Vector<uint64_t> keys;  // keys that the index has had for the group since then
    Vector<uint64_t> left;  // keys that are still to be offered to it, in this order
  };
  void post(const Features& page, const Outcome& outcome);
  void post_keys(const Features& page, size_t most);
  bool is_posted(uint64_t page_id) const noexcept {
    return posted_.page_id != 0 && posted_.page_id == page_id;
  }
  bool add_member_keys(uint64_t group_id, GroupRecord& group, const Features& page, uint64_t page_id);
  bool found(const Features& features, uint64_t page_id, uint64_t text);
  // For all sources except the keys; see SpotSource.
  void prepare_unrepresent(uint64_t group_id);
  void represent(uint64_t group_id, const Features& representative) noexcept;
  void unrepresent(uint64_t group_id) noexcept;
  Result<void> restore_method(const store::Runs& text_runs);
  // Releases a text that its page or its group, or both, no longer use: it is removed unless one of them
  // still does.
  void release_text(uint64_t text, uint64_t page_id, uint64_t group_id) noexcept;
  struct Departure {
    PageRecord* page = nullptr;
    GroupRecord* group = nullptr;
    Vector<uint64_t> keys;  // of the group, if it is removed with the page
  };
  Result<Departure> prepare_departure(uint64_t page_id);
  void depart(const Departure& departure) noexcept;

  void remember_exact(const Features& page, uint64_t page_id);
  void forget_exact(const PageRecord& page) noexcept;

  const CollectionParameters& parameters_;
  Counters& counters_;
  GroupKeys keys_{index, pages, texts, counters_};
  bool knows_all_sites_ = false;  // pages that are committed were counted before
  uint64_t commit_sequence_ = 0;
  uint64_t last_id_ = 0;
  uint64_t last_text_ = 0;
  IdRange aged_;
  Posted posted_;  // used only by the thread that changes the collection
};

}  // namespace nd::engine
