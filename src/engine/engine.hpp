// The data path (docs/impl.md): page > text > features > candidates > verification > group.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <span>
#include <string_view>

#include "core/result.hpp"
#include "engine/answer.hpp"
#include "engine/check_trace.hpp"
#include "engine/counters.hpp"
#include "engine/event_log.hpp"
#include "engine/page_request.hpp"
#include "engine/page_table.hpp"
#include "engine/page_view.hpp"
#include "engine/parameters.hpp"
#include "engine/scratch.hpp"
#include "engine/site_templates.hpp"

namespace nd::engine {

using LogFunction = void (*)(int32_t level, const char* message, size_t size, void* context);

// Threads: any number.
class Engine {
 public:
  static Result<Owned<Engine>> open(const Parameters& parameters);
  Engine(const Parameters& parameters, uint64_t secret);

  Result<Answer> check(const PageInput& page) { return check_and_trace(page, nullptr); }
  // As check(), and says what it looked at.
  Result<Answer> check_traced(const PageInput& page, CheckTrace& trace) {
    return check_and_trace(page, &trace);
  }
  Result<Answer> query(const PageInput& page);
  Result<Answer> check_features(Features features);
  Result<void> remove(std::string_view url);
  Result<uint64_t> remove_matching(const RemovalFilter& filter);

  Result<PageView> find_page(std::string_view url) const;
  Result<PageView> get_page(uint64_t page_id) const;
  Result<Vector<PageView>> pages_of_group(uint64_t group_id) const;
  Vector<GroupView> groups() const;
  Vector<Event> events_after(uint64_t sequence) const;
  Result<void> explain(uint64_t page_a, uint64_t page_b, String& json);

  const Parameters& parameters() const noexcept { return parameters_; }
  const Counters& counters() const noexcept { return counters_; }
  const LatencyHistogram& latency() const noexcept { return latency_; }
  Sizes sizes() const;

  void set_logger(LogFunction function, void* context);

 private:
  struct Prospect;
  struct Previous;
  struct SpotProspect;
  struct Decision;

  Result<Answer> check_and_trace(const PageInput& page, CheckTrace* trace);
  std::span<const PackedSpot> take_spots(const Features& features, FeatureHeader& header) const;
  Result<Answer> decide(std::shared_ptr<const Features> features, Scratch& scratch, bool commit,
                        CheckTrace* trace = nullptr);
  static CheckTrace trace_of(const Decision& decision);
  void gather(const Features& page, Scratch& scratch, Decision& decision) const;
  std::span<const spotsigs::SpotMatch> find_by_spots(const Features& page, Scratch& scratch,
                                                     Decision& decision) const;
  Previous previous_of(const Features& page) const;
  bool has_moved(const PageRecord& page) const;
  void add_prospect(GroupSlot slot, const PageRecord* twin, const Features& page, Decision& decision) const;
  static void add_twin(const PageRecord& twin, Prospect& prospect);
  static void hold_against_twin(Prospect& prospect);
  bool is_crowded(const Prospect& prospect) const;
  Prospect* next_to_verify(Decision& decision) const;
  Result<std::shared_ptr<const Features>> read_features(const PageInput& page, Scratch& scratch) const;
  // What the template model says now; the lock must be held. The marks live in the scratch.
  FrameMarks mark_frame(const Prospect& prospect, const Features& page, const Decision& decision,
                        Scratch& scratch) const;
  // `lesson`: see Previous.
  FrameMarks mark_frame(const Features& representative, const Features& page, uint64_t group_id,
                        uint64_t lesson, Scratch& scratch) const;
  void verify(Prospect& prospect, const Features& page, const FrameMarks& marks, Scratch& scratch);
  Answer answer_of(const Features& page, const Decision& decision) const;
  static Answer answer_again(const Decision& decision);
  static bool stays(const Decision& decision);

  Answer commit(std::shared_ptr<const Features> features, Decision& decision, Answer answer);
  void commit_new(const std::shared_ptr<const Features>& features, const Decision& decision, Answer& answer);
  void commit_changed(const std::shared_ptr<const Features>& features, const Decision& decision,
                      Answer& answer);
  void commit_in_place(const std::shared_ptr<const Features>& features, const Decision& decision,
                       Answer& answer);
  void commit_alone(const std::shared_ptr<const Features>& features, const Decision& decision,
                    Answer& answer);
  void commit_move(const std::shared_ptr<const Features>& features, const Decision& decision, Answer& answer);
  bool renew_representative(const std::shared_ptr<const Features>& features, PageRecord& page);
  void teach(const Features& page, const std::shared_ptr<const Features>& old_text, const Decision& decision,
             const Answer& answer);
  void replace_text(PageRecord& page, const std::shared_ptr<const Features>& features, bool kept,
                    const Answer& answer);
  bool join(GroupSlot slot, const Features& page, uint64_t page_id);
  GroupSlot found(const std::shared_ptr<const Features>& features, uint64_t page_id, bool indexed,
                  bool& keyed);
  void leave(PageRecord& page);
  void set_loose(PageRecord& page, bool loose) noexcept;
  void bury_representative(GroupRecord& group) noexcept;  // its text stays, its page is gone or has changed
  void note_dropped(const Answer& answer, int64_t at_ms);
  void forget_exact(const PageRecord& page);
  void remember_exact(const Features& page, uint64_t page_id);
  bool has_room(GroupSlot slot, std::span<const uint64_t> keys, std::span<const uint64_t> going);
  bool add_keys(GroupSlot slot, std::span<const uint64_t> keys, std::span<const uint64_t> going);
  Vector<uint64_t> keys_beyond(GroupSlot slot, std::span<const uint64_t> keys);
  void drop_keys(GroupSlot slot, std::span<const uint64_t> going) noexcept;
  void keep_keys(GroupSlot slot, std::span<const uint64_t> going) noexcept;
  void reserve_member_keys(GroupRecord& group, size_t count);
  void remove_keys(GroupSlot slot);
  uint64_t lesson_of(const PageRecord& page) const;  // see Previous
  bool is_last_of_site(const PageRecord& page) const;
  void erase(PageRecord& page);  // with what it taught
  void drop(PageRecord& page);
  void remove(PageRecord& page);
  bool over_budget() const;
  uint64_t used_bytes() const;

  void count(const Answer& answer, const Features& page);
  void log(int32_t level, std::string_view message) const;

  const Parameters parameters_;
  mutable std::shared_mutex mutex_;  // guards everything down to the next blank line
  uint64_t generation_ = 0;          // counts the changes that can add or take away a candidate
  uint64_t last_id_ = 0;
  KeyIndex index_;
  SpotSource spots_;
  FlatMap<uint64_t> exact_;  // digest to the first page with that text
  PageTable table_;
  SiteTemplates templates_;
  EventLog events_;
  uint64_t feature_bytes_ = 0;     // texts of pages, and of tombstones
  uint64_t member_key_bytes_ = 0;  // of the groups' lists

  ScratchPool scratches_;
  mutable Counters counters_;
  LatencyHistogram latency_;
  mutable std::shared_mutex logger_mutex_;
  LogFunction logger_ = nullptr;
  void* logger_context_ = nullptr;
  std::atomic<bool> memory_warned_{false};
};

}  // namespace nd::engine
