// Copies the pages whose records and texts are whole into a new store, with their groups, and reports what is
// lost.
#include "engine/store_repair.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "collection/journal_record.hpp"
#include "engine/engine.hpp"
#include "engine/store_identity.hpp"
#include "store/damaged_store.hpp"
#include "store/store_names.hpp"

namespace nd::engine {
namespace {

// How many bytes of changes are kept in memory before they are written.
constexpr uint64_t kSpilledBytes = uint64_t{256} << 20;

// The new store has no journal: it must not be relied on until it is finished.
class NewStore {
 public:
  static Result<Owned<NewStore>> create(std::string_view path, const Options& options,
                                        store::FileSystem& files) {
    const Result<store::StoreListing> listing = store::list_store(files, path);
    const Status absent = listing ? Status::kNotFound : listing.failure().status;
    if (listing ? !listing->is_empty() : absent == Status::kInvalidArgument)
      return error(Status::kInvalidArgument, path, " is there already");
    if (absent != Status::kNotFound) return Error(listing.failure());
    auto fresh = make_owned<NewStore>(options.parameters());
    Result<Owned<store::Store>> store = store::Store::open(
        path, {.durability = store::Durability::kNone}, Collection::table_kinds(),
        [&] { return new_identity(options); }, files);
    if (!store) return std::move(store).failure();
    fresh->store_ = *std::move(store);
    const auto nothing = [](store::Bytes) { return Result<void>(); };
    if (Result<void> replayed = fresh->store_->replay(nothing); !replayed)
      return std::move(replayed).failure();
    fresh->collection_ =
        make_owned<Collection>(fresh->parameters_, fresh->store_->identity().secret, fresh->counters_);
    return fresh;
  }
  explicit NewStore(const Parameters& parameters) : parameters_(parameters) {}

  Collection& collection() noexcept { return *collection_; }

  // After each change.
  Result<void> changed() {
    // This record is in no journal: it tells the store that no journal can replace a snapshot.
    constexpr std::array<uint8_t, 1> kRecord = {0};
    if (Result<void> appended = store_->append(kRecord); !appended) return appended;
    store_->confirm();
    return collection_->layer_bytes() < kSpilledBytes ? Result<void>() : write(false);
  }

  Result<void> write(bool merge_all) {
    if (Result<void> prepared = store_->prepare_snapshot(); !prepared) return prepared;
    const Vector<uint8_t> state = collection_->state();
    collection_->prepare_freeze();
    if (Result<void> begun = store_->begin_snapshot(state); !begun) return begun;
    collection_->freeze();
    store_->forget_below(Collection::events_table(), collection_->events.first_kept());
    Vector<store::Runs> prepared = Collection::prepare_install(*store_);
    const auto write_table = [this](uint32_t table, store::RunSink& sink) {
      return collection_->table(table).write_frozen(sink);
    };
    if (Result<void> written = store_->write_snapshot(write_table, merge_all); !written) return written;
    store_->end_snapshot();
    collection_->install(*store_, std::move(prepared));
    collection_->discard();
    store_->drop_older();
    return {};
  }

 private:
  const Parameters parameters_;
  Counters counters_;
  Owned<store::Store> store_;
  Owned<Collection> collection_;
};

class Repair {
 public:
  Repair(const std::function<void(const store::StoreFault&)>& report, store::FileSystem& files)
      : report_(report), files_(files) {}

  Result<RepairCounts> run(std::string_view path, std::string_view new_path) {
    if (Result<void> opened = open_old(path); !opened) return std::move(opened).failure();
    Result<Owned<NewStore>> made = NewStore::create(new_path, options_, files_);
    if (!made) return std::move(made).failure();
    fresh_ = *std::move(made);
    fresh_->collection().events.take_all(old_->events);
    find_groups_without_founder();
    if (Result<void> copied = copy_pages(); !copied) return std::move(copied).failure();
    report_missing_pages();
    if (counts_.losses == 0) {
      fresh_->collection().bookmarks = old_->bookmarks;
    } else if (old_->bookmarks.count() > 0) {
      lose("bookmarks are not taken over, for pages before them may be missing");
    }
    counts_.pages = fresh_->collection().pages.page_count();
    counts_.groups = fresh_->collection().pages.group_count();
    if (Result<void> changed = fresh_->changed(); !changed) return std::move(changed).failure();
    if (Result<void> written = fresh_->write(true); !written) return std::move(written).failure();
    fresh_.reset();
    if (Result<void> checked = check_later_pages(new_path); !checked) return std::move(checked).failure();
    return counts_;
  }

 private:
  // A text that represents a group whose founder is missing, from the founder's id on until the first member
  // has been copied.
  struct StandIn {
    uint64_t group_id;
    uint64_t first_member;
  };

  Result<void> open_old(std::string_view path) {
    const auto report = [this](const store::StoreFault& fault) { lose(fault); };
    Result<Owned<store::DamagedStore>> opened =
        store::DamagedStore::open(path, Collection::table_kinds(), report, files_);
    if (!opened) return std::move(opened).failure();
    damaged_ = *std::move(opened);
    const store::ReadableGeneration& content = damaged_->content();
    if (Result<void> adopted = adopt_options(content.manifest.identity, options_); !adopted) return adopted;
    if (Result<void> possible = check_parameters(options_.parameters()); !possible) return possible;
    old_ = make_owned<Collection>(options_.parameters(), content.manifest.identity.secret, counters_);
    if (!content.manifest.state.empty()) {
      if (Result<void> restored = old_->restore(content.content()); !restored) return restored;
    }
    uint64_t others = 0;
    Result<void> replayed =
        damaged_->replay([this](store::Bytes record) { return replay_change(record, *old_); },
                         [&](store::Bytes record) {
                           if (std::optional<Features> page = page_of_change(record)) {
                             later_.push_back(make_shared<const Features>(*std::move(page)));
                           } else {
                             ++others;
                           }
                           return Result<void>();
                         });
    if (others > 0) {
      lose(String(store::decimal(others))
               .append(" changes behind damage in the journal are lost: removals and pages seen again"));
    }
    return replayed;
  }

  // --- What is missing.
  void lose(const store::StoreFault& fault) {
    ++counts_.losses;
    if (report_) report_(fault);
  }
  void lose(std::string_view sentence) { lose({"", 0, sentence}); }
  void lose_page(uint64_t page_id, std::string_view url, std::string_view why) {
    ++counts_.pages_lost;
    lose(name_of(page_id, url).append(why));
  }
  static String name_of(uint64_t page_id, std::string_view url) {
    return String("page ").append(store::decimal(page_id)).append(" (").append(url).append("): ");
  }
  void report_missing_pages() {
    const uint64_t expected = old_->pages.page_count();
    if (expected <= seen_pages_) return;
    counts_.pages_lost += expected - seen_pages_;
    lose(String("the records of ")
             .append(store::decimal(expected - seen_pages_))
             .append(" pages cannot be read"));
  }

  // --- The old store's.
  // Null if it cannot be read. Where runs of two generations stand in for each other, a code of a packed text
  // may not be what it was in the generation that wrote it: only the record's checksum shows this.
  SharedFeatures whole_text(uint64_t number) const {
    SharedFeatures found = number == 0 ? nullptr : old_->texts.find(number);
    return found != nullptr && found->has_right_checksum() ? found : nullptr;
  }
  SharedFeatures text_of(const PageData& page) const { return whole_text(page.text); }
  // The group that a page will have in the new store; 0: none.
  uint64_t group_of(uint64_t page_id) const {
    const PageRef page = old_->pages.find(page_id);
    return page && text_of(*page->data) != nullptr ? page->data->answer.group_id : 0;
  }

  void find_groups_without_founder() {
    UnorderedMap<uint64_t, uint64_t> first_members;  // 0: it has its founder
    old_->pages.for_each_page([&](uint64_t page_id, const PageRecord::View& page) {
      const uint64_t group_id = page->answer.group_id;
      if (group_id == page_id || group_id > page_id || group_id == 0 || first_members.contains(group_id))
        return true;
      if (text_of(*page) != nullptr) first_members[group_id] = group_of(group_id) == group_id ? 0 : page_id;
      return true;
    });
    for (const auto& [group_id, first_member] : first_members) {
      if (first_member != 0) stand_ins_.push_back({group_id, first_member});
    }
    std::ranges::sort(stand_ins_, {}, &StandIn::group_id);
  }

  // --- Copying, in the order of ids.
  Result<void> copy_pages() {
    Result<void> outcome;
    size_t next = 0;
    old_->pages.for_each_page([&](uint64_t page_id, const PageRecord::View& page) {
      ++seen_pages_;
      for (; next < stand_ins_.size() && stand_ins_[next].group_id <= page_id && outcome; ++next)
        outcome = put_stand_in(stand_ins_[next]);
      if (outcome) outcome = copy_page(page_id, page);
      return static_cast<bool>(outcome);
    });
    fresh_->collection().skip_ids(old_->last_id());
    return outcome;
  }

  Result<void> put_stand_in(const StandIn& stand_in) {
    const GroupRef group = old_->pages.group(stand_in.group_id);
    SharedFeatures text = group ? whole_text(group->data->text) : nullptr;
    const bool is_by_member = text == nullptr;
    if (is_by_member) {
      if (const PageRef member = old_->pages.find(stand_in.first_member)) text = text_of(*member->data);
    }
    if (text == nullptr) return {};
    Answer answer;
    answer.verdict = kNew;
    if (Result<Answer> put = commit(stand_in.group_id, text, answer, 0); !put)
      return std::move(put).failure();
    waiting_.insert_or_assign(stand_in.group_id, is_by_member);
    return {};
  }

  Result<void> copy_page(uint64_t page_id, const PageRecord::View& page) {
    const SharedFeatures text = text_of(*page);
    if (text == nullptr) {
      lose_page(page_id, page.url,
                page->text == 0 ? "its text was not kept, and it is left out" : "its text cannot be read");
      return {};
    }
    Collection& fresh = fresh_->collection();
    const uint64_t group_id = page->answer.group_id;
    if (page_id <= fresh.last_id()) {
      lose_page(page_id, page.url, "its id has been given twice");
      return {};
    }
    const bool has_group = group_id != page_id && fresh.pages.group(group_id).has_value();
    if (group_id != page_id && !has_group)
      lose(name_of(page_id, page.url).append("its group cannot be read, and it founds one of its own"));
    Result<Answer> copied = copy_founder(page_id, *page, text);
    if (copied && copied->page_id == 0)
      copied = commit(page_id, text, page->answer, has_group ? group_id : 0);
    if (!copied) return std::move(copied).failure();
    if (Result<void> described = describe(page_id, *page, *copied); !described) return described;
    return has_group ? settle_group(group_id, page_id, page->last_fetched_at_ms) : Result<void>();
  }

  // Copies a founder whose text has changed since, while the group keeps the earlier one. Returns an answer
  // without a page if it is not such a founder.
  Result<Answer> copy_founder(uint64_t page_id, const PageData& page, const SharedFeatures& text) {
    const GroupRef group = old_->pages.group(page_id);
    if (page.answer.group_id != page_id || !group || group->data->representative_page_id != 0 ||
        group->data->text == 0 || group->data->text == page.text)
      return Answer{};
    const SharedFeatures former = whole_text(group->data->text);
    if (former == nullptr || former->url() != text->url() || former->digest() == text->digest())
      return Answer{};
    Result<Answer> founded = commit(page_id, former, page.answer, 0);
    if (!founded) return founded;
    Outcome outcome = outcome_of(page.answer, page_id);
    outcome.previous = fresh_->collection().previous_of(page_id, *text, true);
    Result<Answer> changed = fresh_->collection().commit(*text, outcome);
    if (!changed) return changed;
    if (Result<void> noted = fresh_->changed(); !noted) return std::move(noted).failure();
    return changed;
  }

  static Outcome outcome_of(const Answer& answer, uint64_t joined) {
    Outcome outcome;
    outcome.answer = answer;
    outcome.joined = joined;
    return outcome;
  }

  Result<Answer> commit(uint64_t page_id, const SharedFeatures& text, const Answer& answer, uint64_t joined) {
    Collection& fresh = fresh_->collection();
    fresh.skip_ids(page_id - 1);
    Result<Answer> committed = fresh.commit(*text, outcome_of(answer, joined));
    if (!committed) return committed;
    if (Result<void> noted = fresh_->changed(); !noted) return std::move(noted).failure();
    return committed;
  }

  // Copies what is known about the page beyond what a commit records.
  Result<void> describe(uint64_t page_id, const PageData& page, const Answer& committed) {
    PageRecord* placed = fresh_->collection().pages.change(page_id);
    if (placed == nullptr) return error(Status::kInternal, "a page that was copied is not there");
    placed->data.answer = page.answer;
    placed->data.answer.page_id = page_id;
    placed->data.answer.group_id = committed.group_id;
    placed->data.answer.flags |= committed.flags & kLimit;
    placed->data.first_fetched_at_ms = page.first_fetched_at_ms;
    placed->data.last_fetched_at_ms = page.last_fetched_at_ms;
    return {};
  }

  // The stand-in of a group is removed once the group has a member; then the former representative represents
  // it again.
  Result<void> settle_group(uint64_t group_id, uint64_t page_id, int64_t at_ms) {
    Collection& fresh = fresh_->collection();
    bool is_by_member = false;
    if (const auto waiting = waiting_.find(group_id); waiting != waiting_.end()) {
      is_by_member = waiting->second;
      waiting_.erase(waiting);
      if (Result<void> removed = fresh.remove(group_id); !removed) return removed;
    }
    const GroupRef old_group = old_->pages.group(group_id);
    const GroupRef group = fresh.pages.group(group_id);
    const bool is_elected = is_by_member || (old_group && old_group->data->representative_page_id == page_id);
    if (!is_elected || !group || group->data->representative_page_id != 0 || group->data->text == 0)
      return {};
    return fresh.reelect({group_id, page_id}, at_ms);
  }

  // Pages behind damage in a journal are decided again: what their decision was based on is not known.
  Result<void> check_later_pages(std::string_view new_path) {
    if (later_.empty()) return {};
    Result<Owned<Engine>> engine = Engine::open(new_path, Options(), files_);
    if (!engine) return std::move(engine).failure();
    for (const SharedFeatures& page : later_) {
      const Result<Answer> answer = (*engine)->check_features(*page);
      if (!answer) return answer.failure();
      lose(name_of(answer->page_id, page->url())
               .append("it stood behind damage in the journal, and was decided anew"));
    }
    const Sizes sizes = (*engine)->sizes();
    counts_.pages = sizes.pages;
    counts_.groups = sizes.groups;
    return (*engine)->close();
  }

  const std::function<void(const store::StoreFault&)>& report_;
  store::FileSystem& files_;
  RepairCounts counts_;
  Options options_;
  Counters counters_;
  Owned<store::DamagedStore> damaged_;
  Owned<Collection> old_;
  Owned<NewStore> fresh_;
  Vector<StandIn> stand_ins_;             // ascending
  UnorderedMap<uint64_t, bool> waiting_;  // groups with a stand-in; true if that is a member's text
  Vector<SharedFeatures> later_;
  uint64_t seen_pages_ = 0;
};

}  // namespace

Result<RepairCounts> repair_store(std::string_view path, std::string_view new_path,
                                  const std::function<void(const store::StoreFault&)>& report,
                                  store::FileSystem& files) {
  return Repair(report, files).run(path, new_path);
}

}  // namespace nd::engine
