// The calls of an engine, its collection, and the lock that guards it; check.hpp takes a page through the
// steps of docs/impl.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string_view>
#include <utility>

#include "collection/collection.hpp"
#include "collection/counters.hpp"
#include "core/logger.hpp"
#include "core/result.hpp"
#include "core/update_lock.hpp"
#include "decision/answer.hpp"
#include "decision/decision.hpp"
#include "engine/page_view.hpp"
#include "engine/scratch.hpp"
#include "engine/snapshot_thread.hpp"
#include "options/options.hpp"
#include "options/parameters.hpp"
#include "page/own_text.hpp"
#include "page/record_keys.hpp"
#include "store/store.hpp"

namespace nd::engine {

struct CheckTrace;

// Threads: any number.
class Engine {
 public:
  // In memory.
  static Result<Owned<Engine>> open(const Parameters& parameters);
  // With a store; `files` outlives the engine.
  static Result<Owned<Engine>> open(std::string_view path, const Options& options, store::FileSystem& files);
  ~Engine();
  // Takes the last snapshot, if the durability asks for one. No other call may run or follow.
  Result<void> close();

  Result<Answer> check(const PageInput& page) { return check_and_trace(page, nullptr); }
  // As check(), and records what was examined.
  Result<Answer> check_traced(const PageInput& page, CheckTrace& trace) {
    return check_and_trace(page, &trace);
  }
  // As check(), and gives the text of the page that is its own (own_text.hpp) before anything changes.
  Result<Answer> check_and_take_text(const PageInput& page, const TakeText& take_text) {
    return check_and_trace(page, nullptr, &take_text);
  }
  // Replaces `text` by that, as far as is known now.
  Result<void> own_text(const PageInput& page, String& text);
  Result<Answer> query(const PageInput& page);
  Result<Answer> check_features(const Features& features);
  Result<Answer> query_features(const Features& features);
  // A page as check() reads it, for check_features() here. Not portable (record_keys.hpp).
  Result<Features> read(const PageInput& page);
  // Counts a page for its site before any is checked; what is checked from then on counts no more. Beyond a
  // share of the memory budget nothing more is learned. No check may run meanwhile. Errors: kInvalidArgument
  // (a store; a page was checked).
  Result<void> learn(const Features& features);
  // Commits a page that was decided elsewhere. Of `decided` count the verdict, the group here that the page
  // joins (0: it founds one), the page that it equals, the related group, the ratios, the probability, and
  // kLimit and kUnverified.
  // Errors: kNotFound (no such group), kLimit (no room in the memory budget).
  Result<Answer> apply(const Features& features, const Answer& decided);
  // Decides all pages again in their order, by what is known of their sites now; each keeps its id, and a
  // page whose group is another one gets an event. `visit` gets the new answers, false ends the calls;
  // nothing is done, and it gets none, where the decision asks nothing of sites. No page may be checked or
  // removed meanwhile. Errors, after which nothing has changed: kInvalidArgument (a store), kLimit (a text
  // was not kept). Cost: for each page what a check costs without reading it; memory for a second copy of all
  // texts.
  using SettledVisitor = std::function<bool(const Answer& answer, std::string_view url)>;
  Result<void> settle(const SettledVisitor& visit);
  Result<void> remove(std::string_view url);
  Result<uint64_t> remove_matching(const RemovalFilter& filter);

  // For an engine with a store.
  Result<void> snapshot();
  Result<void> compact();
  Result<void> refresh();
  Result<void> set_bookmark(std::string_view name, std::span<const uint8_t> data);
  Result<Vector<uint8_t>> bookmark(std::string_view name) const;

  Result<PageView> find_page(std::string_view url) const;
  Result<PageView> get_page(uint64_t page_id) const;
  Result<Vector<PageView>> pages_of_group(uint64_t group_id) const;
  Result<Vector<GroupView>> groups() const;
  Result<Vector<Event>> events_after(uint64_t sequence) const;
  // explain.cpp
  // What a check of b would decide about a now. Errors: kNotFound.
  Result<Answer> compare(uint64_t page_a, uint64_t page_b);
  Result<void> explain(uint64_t page_a, uint64_t page_b, String& json);
  // `limit`: 1..kSimilarPagesLimit. Errors: kNotFound.
  Result<SimilarPages> similar_pages(uint64_t page_id, uint32_t limit);

  const Parameters& parameters() const noexcept { return parameters_; }
  const Counters& counters() const noexcept { return counters_; }
  const LatencyHistogram& latency() const noexcept { return latency_; }
  Sizes sizes() const;

  void set_logger(const LogTarget& target) { logger_.set(target); }
  void observe_lock(LockObserver* observer) { mutex_.observe(observer); }  // no other call may run

 private:
  static constexpr size_t kKeptRecordBytes = 1 << 20;
  static constexpr uint64_t kLearnedShare = 4;  // of the memory budget: texts need the rest

  template <typename T, typename... Arguments>
  friend Owned<T> nd::make_owned(Arguments&&... arguments);
  friend class Check;
  friend class StoreMerge;  // store_merge.cpp: of an engine that nobody else uses
  Engine(const Parameters& parameters, uint64_t secret, Owned<store::Store> store);

  Result<Answer> check_and_trace(const PageInput& page, CheckTrace* trace,
                                 const TakeText* take_text = nullptr);
  void count_cuts(const text::Document& document) noexcept;
  // [1]-[5] The page as a document, and its blocks; the scratch holds both.
  Result<std::span<const FeatureBlock>> read_document(const PageInput& page, Scratch& scratch) const;
  // settle.cpp
  // The page with the keys that what is known of its site by now leaves it.
  Result<Features> with_present_keys(const Features& text, Scratch& scratch) const;
  Result<void> settle_page(const Collection& earlier, uint64_t page_id, Scratch& scratch,
                           SettledVisitor& visit);
  template <typename Decide>
  Result<Answer> decide_features(const Features& features, Decide&& decide);
  // A record made elsewhere, as this engine would have made it.
  Result<Features> features_here(const Features& features, Scratch& scratch) const;
  Result<RecordKeys::Keys> keys_here(const Features& features, FeatureHeader& header, Scratch& scratch) const;
  // explain.cpp
  struct KnownPair {
    SharedFeatures a;
    SharedFeatures b;
    uint64_t group_b = 0;
    uint32_t part = 0;  // kContains and kContained of b beside a, as their checks said
  };
  Result<KnownPair> known_pair(uint64_t page_a, uint64_t page_b) const;
  Result<PairCounts> counts_of(const KnownPair& pair, Scratch& scratch) const;
  // similar_pages.cpp
  struct Neighbour {
    uint64_t page_id;
    uint64_t group_id;
    double score;
    bool is_found = true;  // its group was; else it must reach the threshold, or with the LCS share a key
  };
  Vector<Neighbour> neighbours_of(const PageData& record, const Features& page, uint32_t limit,
                                  Scratch& scratch, bool& limited) const;
  Result<void> score_neighbours(const Features& page, std::span<Neighbour> neighbours, Scratch& scratch,
                                bool& limited) const;
  // What is known of the page's site, without what the page itself has contributed; the scratch holds it.
  Result<SiteCounts> count_own_blocks(std::string_view url, std::string_view site,
                                      std::span<const FeatureBlock> blocks, Scratch& scratch) const;
  // Puts what is boilerplate by these counts into the scratch, which keeps them.
  Result<void> mark_own_boilerplate(std::string_view url, std::string_view site,
                                    std::span<const FeatureBlock> blocks, Scratch& scratch) const;
  // Called by the updating thread: makes `change`, without readers, once the journal has room for record_;
  // wait_for_durability() writes the record.
  template <typename Change>
  auto journaled(Change&& change) -> decltype(change());
  Result<void> remove_one(uint64_t page_id);
  void expire(int64_t now_ms);
  void expire_one(uint64_t page_id, int64_t oldest_ms);
  Result<Vector<uint64_t>> matching(const RemovalFilter& filter) const;
  Result<uint64_t> remove_all(const RemovalFilter& filter, Vector<uint64_t> doomed,
                              Vector<uint64_t>& orphaned);
  Result<void> find_orphaned(const RemovalFilter& filter, Vector<uint64_t>& orphaned) const;
  Result<void> elect(uint64_t group_id, Scratch& scratch);
  Verification compare_elected(const Features& elected, const Features& member, Scratch& scratch);
  Result<void> reverify_member(const Collection::Election& election, uint64_t member, Scratch& scratch);
  bool has_room() const;
  uint64_t scratch_share() const noexcept;  // of the budget: what idle scratches may hold in total
  uint64_t idle_scratch_bytes() const noexcept;

  Result<void> check_writable();
  Result<void> check_damage() const { return store_ == nullptr ? Result<void>{} : store_->damage(); }
  // Whether a store takes what changes.
  bool keeps_changes() const noexcept { return store_ != nullptr && !is_reader(); }
  // Whether the store is only read; with overlay, what changes stays in memory.
  bool is_reader() const noexcept { return parameters_.storage.read_only || parameters_.storage.overlay; }
  Result<void> needs_store() const;
  Result<void> needs_own_store() const;
  Result<void> recover();
  void warn_of_idle_options();
  Result<void> take_snapshot(bool merge_all);
  Result<void> finish_snapshot(bool merge_all);
  Error snapshot_failed(Error failure);
  void take_snapshot_alone() noexcept;
  Result<void>
  wait_for_durability();  // after a change, without any lock: does what the durability and the budget require
  bool snapshot_due() const;
  bool is_stuck() const;
  bool must_wait() const;

  void count(const Answer& answer, const Features& page);
  void warn_of_memory();

  const Parameters parameters_;
  mutable Counters counters_;
  const uint64_t secret_;
  Owned<store::Store> store_;  // null: in memory
  mutable UpdateLock mutex_;   // guards everything down to the next blank line (docs/concurrency.md)
  Owned<Collection> collection_;
  Vector<uint8_t> record_;  // of the journal
  uint64_t changes_ = 0;    // since the last snapshot began

  static constexpr std::string_view kSettles = "nothing may change the engine while it settles";
  std::atomic<bool> settles_{false};

  std::mutex snapshot_mutex_;         // one snapshot at a time; locked before mutex_
  bool snapshot_unfinished_ = false;  // begun, and not written: guarded by snapshot_mutex_
  std::atomic<uint64_t> snapshots_{0};
  std::atomic<bool> snapshot_failed_{false};  // the last one
  std::atomic<uint64_t> failed_at_bytes_{0};  // of the journal
  std::atomic<bool> memory_warned_{false};
  ScratchPool scratches_;
  LatencyHistogram latency_;
  Logger logger_;
  SnapshotThread snapshot_thread_;  // the last member, so that it is destroyed first
};

template <typename Change>
auto Engine::journaled(Change&& change) -> decltype(change()) {
  const auto make = [&] {
    const UpdateLock::Change alone(mutex_);
    return change();
  };
  if (!keeps_changes()) return make();
  if (Result<void> appended = store_->append(record_); !appended) return std::move(appended).failure();
  // A change that did not take effect must not be replayed. If its record cannot be withdrawn, the store
  // accepts no further change.
  try {
    auto result = make();
    if (result) {
      store_->confirm();
      ++changes_;
      if (record_.capacity() > kKeptRecordBytes) Vector<uint8_t>().swap(record_);
      return result;
    }
    if (Result<void> taken = store_->cancel(); !taken) return std::move(taken).failure();
    return result;
  } catch (...) {
    if (Result<void> taken = store_->cancel(); !taken) return std::move(taken).failure();
    throw;
  }
}

}  // namespace nd::engine
