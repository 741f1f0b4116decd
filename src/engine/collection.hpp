// All that an engine knows, and the one place where it changes. What is decided of a page comes in as an
// Outcome; the same outcomes in the same order make the same collection.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "engine/bookmarks.hpp"
#include "engine/counters.hpp"
#include "engine/decision.hpp"
#include "engine/event_log.hpp"
#include "engine/features_table.hpp"
#include "engine/group_aliases.hpp"
#include "engine/key_index.hpp"
#include "engine/merging.hpp"
#include "engine/method_source.hpp"
#include "engine/page_table.hpp"
#include "engine/parameters.hpp"
#include "engine/site_templates.hpp"
#include "engine/spot_source.hpp"
#include "engine/suspected_copies_table.hpp"
#include "store/layered_numbers.hpp"
#include "store/store.hpp"

namespace nd::engine {

// Members of a group that are looked at for another page with the same text, or of the same site.
inline constexpr size_t kTwinSearchLimit = 64;

// Keys that members add to their group: variants drift away from the representative, and the next variant may
// share keys only with them (the one-way transitivity of TR2007012 section 4.2). It widens candidates, never
// groups.
inline constexpr size_t kMemberKeysLimit = 64;

using SharedFeatures = std::shared_ptr<const Features>;

// Every change either happens or throws std::bad_alloc, or fails with kCorrupt where the store lacks what
// ought to be there, and has changed nothing that an answer shows. Threads: any number of readers, or one
// writer; prepare_commit() and release_replaced() beside readers.
class Collection {
 public:
  // `parameters` and `counters` outlive the collection.
  Collection(const Parameters& parameters, uint64_t secret, Counters& counters);

  PageTable pages;
  FeaturesTable texts;
  KeyIndex index;
  SpotSource spots;
  MethodSource method;          // of another detector than the LCS; then `index` and `spots` stay empty
  store::LayeredNumbers exact;  // the low half of a text's digest to the first page with that text
  SiteTemplates templates;
  SuspectedCopiesTable suspected_copies;
  GroupAliases aliases;
  EventLog events;
  Bookmarks bookmarks;

  // --- Reading.
  // [7] What is known of the page's URL. `has_room`: a text that is decided anew could be kept.
  Previous previous_of(const Features& page, bool has_room) const;
  // The same of a page by its id: pages without a URL are known by nothing else.
  Previous previous_of(uint64_t page_id, const Features& page, bool has_room) const;
  // The group whose contribution to the template model is this page's alone; 0: others of its site gave it
  // too.
  uint64_t contribution_of(const PageData& page) const;
  // The page ids (begin, end] that the last commit has come to on its way round all of them: to be looked at
  // for their age. Part of the state, so that restarts do not begin anew.
  struct IdRange {
    uint64_t begin = 0;
    uint64_t end = 0;
  };
  IdRange aged() const noexcept { return aged_; }
  // The current group that an id leads to; 0: it is gone.
  uint64_t resolve(uint64_t group_id) const noexcept;
  // Both are groups that take pages, of one site, in no other merge, and there is room for one more.
  bool may_merge(uint64_t older, uint64_t younger) const noexcept;
  // What the spot index found, as groups: each once, by its best match.
  void groups_of(std::span<const spotsigs::SpotMatch> matches, Vector<spotsigs::SpotMatch>& groups) const;
  // [9] What is to be compared after a page, `limit` trials at most. `witnessed`: pairs of groups against
  // both of which the page was verified.
  using GroupPair = std::pair<uint64_t, uint64_t>;
  Vector<MergeTrial> merge_trials(const Features& page, std::span<const GroupPair> witnessed,
                                  size_t limit) const;
  // Counts the changes that can add or take away a candidate.
  uint64_t commit_sequence() const noexcept { return commit_sequence_; }
  // The greatest id that a page or group has or had.
  uint64_t last_id() const noexcept { return last_id_; }
  // Of all changes since it was made; only the writer may ask.
  WorkTally work() const noexcept;

  // --- [9] Changing.
  // Called by the writer right before commit(), while others read: adds what readers may see before the rest,
  // and looks up what commit() will change, so that little is left to do while readers wait. Returns the
  // `old_text` for commit(), which follows next, or take_back(). Throws std::bad_alloc; the content is then
  // as before.
  SharedFeatures prepare_commit(const Features& features, const Outcome& outcome);
  // Undoes a prepare_commit() whose commit() does not follow or has failed. Does not allocate.
  void take_back() noexcept;
  // Called after commit() or take_back(), while others read: frees memory that earlier readers may have used.
  void release_replaced() noexcept;
  // `packed`: the text, packed before others wait for the change; by default it is packed here. `old_text`:
  // what the page taught before, if that is to be taken back; by default it is read here.
  Result<Answer> commit(const Features& features, const Outcome& outcome, PackedText packed = {},
                        SharedFeatures old_text = nullptr);
  // The next new page gets a greater id than this: for rebuilding a store from the pages of another one.
  void skip_ids(uint64_t last_id) noexcept { last_id_ = std::max(last_id_, last_id); }
  // The page was seen again with the same text, and its site's template model has not changed.
  Result<void> see_again(uint64_t page_id, int64_t at_ms);
  Result<void> remove(uint64_t page_id);
  // A group that goes on without the text that represented it. Members that do not resemble the elected one
  // leave afterwards, as pages that moved.
  struct Election {
    uint64_t group_id = 0;
    uint64_t page_id = 0;  // represents the group from now on; 0: nobody, the group takes no one any more
  };
  Result<void> reelect(const Election& election, int64_t at_ms);
  // Two noted groups were compared.
  Result<void> merge(const MergeTrial& trial, const MergeVerdict& verdict);
  // The next step of a merge that is unfinished. Gives the id that the page has from now on; 0: there was
  // none.
  Result<uint64_t> settle(const Settlement& settlement);

  // --- Layers, for the store.
  static std::span<const store::TableKind> table_kinds() noexcept;
  store::LayeredTable& table(uint32_t number) noexcept;  // of table_kinds()
  static uint32_t events_table() noexcept;
  // What is beside the tables (docs/snapshot_format.md, "State").
  Vector<uint8_t> state();
  // With the store's runs. The index of a method is made anew, from the representatives. Errors: kCorrupt,
  // kUnsupportedVersion.
  Result<void> restore(const store::Store::Content& content);
  void prepare_freeze();
  void freeze() noexcept;
  // Room for the runs of all tables after a snapshot, which gives each table one more at most. Throws
  // std::bad_alloc.
  static Vector<store::Runs> prepare_install(const store::Store& store);
  void install(const store::Store& store, Vector<store::Runs> prepared) noexcept;
  void discard() noexcept;  // what install() has put aside; without any lock

  uint64_t index_bytes() const noexcept;
  uint64_t memory_bytes() const noexcept;
  // Of the layers in memory: what a snapshot can take away.
  uint64_t layer_bytes() const noexcept {
    return memory_bytes() - method.memory_bytes() - templates.order_bytes() - suspected_copies.order_bytes() -
           texts.shared_bytes();
  }

 private:
  bool template_changed(const PageData& page) const;
  void advance_expiry_window() noexcept;
  void drop_aliases() noexcept;
  std::span<const store::TableKind> tables_in_use() const noexcept;
  // The key by which the group's representative teaches (SiteTemplates::key_of); 0 for a tombstone.
  uint64_t template_key_of(uint64_t group_id) const noexcept;
  void note_suspected_copies(uint64_t site, const Outcome& outcome, const Answer& answer) noexcept;
  Result<void> adopt(uint64_t page_id, uint64_t younger, uint64_t older, const Answer& answer, bool loose);
  void teach_adopted(PageRecord& page, const Features* text, uint64_t younger, uint64_t older) noexcept;
  Result<uint64_t> turn_out(const PageRecord::View& page, const Settlement& settlement);
  bool is_last_of_site(const PageData& page) const;
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
  void describe(const Features& features, uint64_t text, const Answer& answer, PageData& page) const noexcept;
  void replace_text(PageRecord& page, const Features& features, uint64_t text, const Answer& answer) noexcept;
  void note_dropped(const Answer& answer, int64_t at_ms) noexcept;
  void teach(const Features& page, const SharedFeatures& old_text, bool has_taught, const Outcome& outcome,
             const Answer& answer);

  // By what a page is found that is new, as far as it stands in the indexes before the page does (post()).
  struct Posted {
    uint64_t page_id = 0;   // 0: nothing is posted
    uint64_t group_id = 0;  // its own, where it founds one
    bool has_room = false;  // the index of keys has
    Vector<uint64_t> keys;  // that the index has of the group since
    Vector<uint64_t> left;  // that it is to be asked to take, in this order
  };
  void post(const Features& page, const Outcome& outcome);
  void post_keys(const Features& page, size_t most);
  std::optional<spotsigs::SharedSpots> spots_to_go_beyond(uint64_t others, uint64_t page_id,
                                                          uint64_t text) noexcept;
  bool is_posted(uint64_t page_id) const noexcept {
    return posted_.page_id != 0 && posted_.page_id == page_id;
  }
  bool join(uint64_t group_id, GroupRecord& group, const Features& page, uint64_t page_id);
  bool add_member_keys(uint64_t group_id, GroupRecord& group, const Features& page, uint64_t page_id);
  void add_member_spots(uint64_t group_id, const GroupRecord& group, const Features& page,
                        uint64_t page_id) noexcept;
  void drop_member_keys(uint64_t group_id, GroupRecord& group, size_t count) noexcept;
  bool found(const Features& features, uint64_t page_id, uint64_t text);
  // Of all sources but the keys: see SpotSource.
  void prepare_unrepresent(uint64_t group_id);
  void represent(uint64_t group_id, const Features& representative) noexcept;
  void unrepresent(uint64_t group_id) noexcept;
  Result<void> restore_method(const store::Runs& text_runs);
  void set_loose(PageRecord& page, GroupRecord& group, bool loose) noexcept;
  // A text that its page or its group has just let go, or both: it goes unless one of them holds it still.
  void release_text(uint64_t text, uint64_t page_id, uint64_t group_id) noexcept;
  struct Departure {
    PageRecord* page = nullptr;
    GroupRecord* group = nullptr;
    Vector<uint64_t> keys;  // of the group, if it goes with the page
  };
  Result<Departure> prepare_departure(uint64_t page_id);
  void depart(const Departure& departure) noexcept;

  bool has_room(uint64_t group_id, std::span<const uint64_t> keys, std::span<const uint64_t> going,
                const KeyIndex::Held& held);
  bool add_keys(uint64_t group_id, std::span<const uint64_t> keys, std::span<const uint64_t> going,
                const KeyIndex::Held& held);
  void take_keys(uint64_t group_id, std::span<const uint64_t> keys, const KeyIndex::Held& held);
  static Vector<uint64_t> keys_without(std::span<const uint64_t> held, std::span<const uint64_t> keys);
  Vector<uint64_t> keys_beyond(uint64_t group_id, GroupRecord& group, std::span<const uint64_t> held,
                               std::span<const uint64_t> keys);
  void remove_keys(uint64_t group_id, std::span<const uint64_t> keys) noexcept;
  Vector<uint64_t> keys_of(const GroupRecord& group) const;
  static Vector<uint64_t> distinct(Vector<uint64_t> keys);
  uint64_t site_of_group(uint64_t group_id) const noexcept;
  void remember_exact(const Features& page, uint64_t page_id);
  void forget_exact(const PageRecord& page) noexcept;

  const Parameters& parameters_;
  Counters& counters_;
  uint64_t commit_sequence_ = 0;
  uint64_t last_id_ = 0;
  uint64_t last_text_ = 0;
  IdRange aged_;
  Posted posted_;  // of who changes the collection alone
};

}  // namespace nd::engine
