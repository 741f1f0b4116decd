// Reads the second store page by page and commits each into a copy of the first, as if it had come after it.
#include "engine/store_merge.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "collection/journal_record.hpp"
#include "engine/check.hpp"
#include "engine/engine.hpp"
#include "engine/store_identity.hpp"
#include "options/option_needs.hpp"
#include "options/option_table.hpp"
#include "store/damaged_store.hpp"
#include "store/store_names.hpp"
#include "store/unfinished_store.hpp"

namespace nd::engine {
namespace {

// How many bytes of changes are kept in memory before they are written; with a budget a quarter of it.
constexpr uint64_t kMergedBytes = uint64_t{256} << 20;
constexpr uint64_t kLeastMergedBytes = uint64_t{1} << 20;

// How the engine that merges keeps what it writes: it is alone with a store that nobody relies on yet, which
// needs no journal, and no page may expire. Of a generation that is damaged, or was damaged by copying it, it
// uses the one before, as a writer of the first store would.
constexpr std::array<std::array<std::string_view, 2>, 6> kSettings = {{{"durability", "none"},
                                                                       {"page_ttl_s", "0"},
                                                                       {"read_only", "false"},
                                                                       {"overlay", "false"},
                                                                       {"recover", "false"},
                                                                       {"verify", "full"}}};

// What a merge works with; the options that stores record must equal theirs.
constexpr std::string_view kMerged = "comparisons decisions groups engines stores";

// A warning only: a program may open and merge with one set of options.
void warn_of_options_without_use(const Options& options) {
  Logger logger;
  logger.set(options.logger());
  for (const String& sentence : options_without_use(options.parameters(), kMerged))
    logger.log(kLogWarning, sentence);
  const Options defaults;
  for (const auto& [key, value] : kSettings) {
    const Result<String> given = options.get(key);
    if (*given == value || *given == *defaults.get(key)) continue;
    logger.log(kLogWarning, String("option ")
                                .append(key)
                                .append(" has no effect on a merge, which has ")
                                .append(key)
                                .append("=")
                                .append(value));
  }
}

Result<void> check_same_kind(const store::Identity& first, const store::Identity& second) {
  Options of_first;
  Options of_second;
  if (Result<void> adopted = adopt_options(first, of_first); !adopted) return adopted;
  if (Result<void> adopted = adopt_options(second, of_second); !adopted) return adopted;
  for (const Option& option : option_table()) {
    const std::string_view key = option.info.key;
    const String value = *of_first.get(key);
    const String other = *of_second.get(key);
    if (value == other) continue;
    return error(Status::kInvalidArgument, "the stores were made with different options: ", key, "=", value,
                 " and ", key, "=", other, "; their pages cannot be compared");
  }
  if (first.pipeline == second.pipeline) return {};
  return error(Status::kUnsupportedVersion,
               "the stores' texts were made by different versions of libxml2, ICU, the public suffix list or "
               "ndc; their pages cannot be compared");
}

}  // namespace

// A store that is read whole, held against writers. Any fault in it is an error.
class SoundStore {
 public:
  static Result<Owned<SoundStore>> open(std::string_view path, bool mmap, store::FileSystem& files) {
    Owned<SoundStore> sound = make_owned<SoundStore>(path);
    const auto note = [found = sound.get()](const store::StoreFault& fault) { found->note(fault); };
    Result<Owned<store::DamagedStore>> opened =
        store::DamagedStore::open(path, Collection::table_kinds(), note, files, mmap);
    if (!opened) return std::move(opened).failure();
    sound->store_ = *std::move(opened);
    if (Result<void> whole = sound->check(); !whole) return std::move(whole).failure();
    return sound;
  }
  explicit SoundStore(std::string_view path) : path_(path) {}

  const store::ReadableGeneration& content() const noexcept { return store_->content(); }
  // Passes the changes since the last snapshot to `apply`.
  Result<void> replay(const store::DamagedStore::Apply& apply) {
    const auto none = [](store::Bytes) { return Result<void>(); };
    if (Result<void> replayed = store_->replay(apply, none); !replayed) return replayed;
    return check();
  }

 private:
  void note(const store::StoreFault& fault) {
    if (fault_) return;
    fault_ = error(Status::kCorrupt, path_, ": ", fault.file, ": byte ", store::decimal(fault.offset), ": ",
                   fault.sentence, "; repair the store first (nd_repair_store)");
  }
  Result<void> check() const { return fault_ ? Result<void>(*fault_) : Result<void>(); }

  String path_;
  Owned<store::DamagedStore> store_;
  std::optional<Error> fault_;
};

class StoreMerge {
 public:
  StoreMerge(const Options& options, const MergeVisitor& visit, store::FileSystem& files)
      : options_(options), visit_(visit), files_(files) {}

  Result<MergeCounts> run(std::string_view path, std::string_view other_path, std::string_view new_path) {
    Result<Owned<store::UnfinishedStore>> unfinished = store::UnfinishedStore::begin(new_path, files_);
    if (!unfinished) return std::move(unfinished).failure();
    unfinished_ = *std::move(unfinished);
    if (Result<void> opened = open_both(path, other_path); !opened) return std::move(opened).failure();
    if (Result<void> counted = count_ahead(); !counted) return std::move(counted).failure();
    if (Result<void> taken = take_pages(); !taken) return std::move(taken).failure();
    const Sizes sizes = engine_->sizes();
    counts_.pages = sizes.pages;
    counts_.groups = sizes.groups;
    if (Result<void> written = engine_->take_snapshot(false); !written) return std::move(written).failure();
    lease_.reset();
    engine_ = nullptr;
    if (Result<void> finished = unfinished_->finish(); !finished) return std::move(finished).failure();
    return counts_;
  }

 private:
  Result<void> open_both(std::string_view path, std::string_view other_path) {
    const bool mmap = options_.parameters().storage.mmap;
    Result<Owned<SoundStore>> first = SoundStore::open(path, mmap, files_);
    if (!first) return std::move(first).failure();
    if (Result<void> whole = (*first)->replay([](store::Bytes) { return Result<void>(); }); !whole)
      return whole;
    Result<Owned<SoundStore>> second = SoundStore::open(other_path, mmap, files_);
    if (!second) return cannot_open_second(other_path, *std::move(first), std::move(second).failure());
    second_ = *std::move(second);
    const store::ReadableGeneration& content = second_->content();
    if (Result<void> same = check_same_kind((*first)->content().manifest.identity, content.manifest.identity);
        !same)
      return same;
    if (Result<void> read = read_second(content); !read) return read;
    if (Result<void> copied = unfinished_->copy_from(path); !copied) return copied;
    *first = nullptr;
    Result<Owned<Engine>> engine = Engine::open(unfinished_->folder(), options_of_engine(), files_);
    if (!engine) return std::move(engine).failure();
    engine_ = *std::move(engine);
    Result<ScratchLease> lease = engine_->scratches_.lease();
    if (!lease) return std::move(lease).failure();
    lease_.emplace(*std::move(lease));
    first_last_id_ = collection().last_id();
    return {};
  }

  // A store that is merged with itself is locked by this very call.
  Error cannot_open_second(std::string_view path, Owned<SoundStore> first, Error failure) const {
    if (failure.status != Status::kLocked) return failure;
    first = nullptr;
    if (!SoundStore::open(path, options_.parameters().storage.mmap, files_)) return failure;
    return error(Status::kInvalidArgument, path, " is to be merged with itself");
  }

  Result<void> read_second(const store::ReadableGeneration& content) {
    Options options = options_;
    if (Result<void> adopted = adopt_options(content.manifest.identity, options); !adopted) return adopted;
    if (Result<void> possible = check_parameters(options.parameters()); !possible) return possible;
    parameters_ = options.parameters();
    other_ = make_owned<Collection>(parameters_, content.manifest.identity.secret, other_counters_);
    if (!content.manifest.state.empty()) {
      if (Result<void> restored = other_->restore(content.content()); !restored) return restored;
    }
    for (const store::TableKind& kind : Collection::table_kinds()) {
      for (const std::shared_ptr<const store::Run>& run : content.runs[kind.number])
        left_bytes_ += run->file_bytes() * TextPacker::kMostExpansion;
    }
    return second_->replay([this](store::Bytes record) {
      left_bytes_ += record.size();
      return replay_change(record, *other_);
    });
  }

  // The budget bounds what is not yet written, and withholds no page: write_if_full().
  Options options_of_engine() const {
    Options options = options_;
    static_cast<void>(options.set("memory_budget_bytes", "0"));
    for (const auto& [key, value] : kSettings)
      static_cast<void>(options.set(key, value));
    return options;
  }

  // --- The second store's pages, ascending.
  // Null: it was not kept. No two pages have the same text, so all together are no longer than the files can
  // hold: a small hostile store must not name one large text again and again.
  Result<SharedFeatures> text_of(const PageRecord::View& page, uint64_t& left_bytes) const {
    if (page->text == 0) return SharedFeatures();
    SharedFeatures text = other_->texts.find(page->text);
    if (text == nullptr || !text->has_right_checksum() || text->url() != page.url)
      return error(Status::kCorrupt, "the text of page ", store::decimal(page->answer.page_id),
                   " of the second store cannot be read");
    const uint64_t bytes = text->bytes().size();
    if (bytes > left_bytes)
      return error(Status::kCorrupt, "the second store has pages with the same text record");
    left_bytes -= bytes;
    return text;
  }

  template <typename Take>
  Result<void> for_each_page(Take take) {
    uint64_t left_bytes = left_bytes_;
    Result<void> outcome;
    other_->pages.for_each_page([&](uint64_t page_id, const PageRecord::View& page) {
      if (page->answer.page_id != page_id) {
        outcome = error(Status::kCorrupt, "a page of the second store has the id of another one");
        return false;
      }
      const Result<SharedFeatures> text = text_of(page, left_bytes);
      outcome = text ? take(page, *text) : Result<void>(text.failure());
      return static_cast<bool>(outcome);
    });
    return outcome ? engine_->check_damage() : outcome;
  }

  // [6] All pages count for their sites before the first is decided. One that stands in for a page of the
  // first store counts when it does.
  Result<void> count_ahead() {
    return for_each_page([this](const PageRecord::View& page, const SharedFeatures& text) -> Result<void> {
      if (text != nullptr && !collection().pages.find(page.url)) collection().count_ahead(*text);
      return {};
    });
  }

  Result<void> take_pages() {
    Result<void> taken =
        for_each_page([this](const PageRecord::View& page, const SharedFeatures& text) -> Result<void> {
          Result<MergedPage> merged = take_page(page, text);
          if (!merged) return std::move(merged).failure();
          count(*merged);
          if (visit_ && !visit_(*merged, page.url))
            return error(Status::kIo, "the receiver of the map gave the merge up");
          return write_if_full();
        });
    collection().set_counted_ahead(false);
    return taken;
  }

  Result<MergedPage> take_page(const PageRecord::View& page, const SharedFeatures& text) {
    MergedPage merged;
    merged.old_page_id = page->answer.page_id;
    merged.old_group_id = page->answer.group_id;
    const PageRef same_url = collection().pages.find(page.url);
    const bool is_later = same_url && page->last_fetched_at_ms > same_url->data->last_fetched_at_ms;
    merged.kind = same_url && !is_later ? kOlder : text == nullptr ? kWithheld : same_url ? kNewer : kAdded;
    if (merged.kind == kWithheld) return merged;
    collection().set_counted_ahead(merged.kind == kAdded);
    Result<Answer> answer = merged.kind == kOlder ? same_url->data->answer : decide(*text);
    if (!answer) return std::move(answer).failure();
    merged.page_id = answer->page_id;
    merged.group_id = answer->group_id;
    const bool is_known =
        merged.kind == kOlder && page->first_fetched_at_ms >= same_url->data->first_fetched_at_ms;
    if (!is_known) {
      if (Result<void> noted = note_history(merged, *page); !noted) return std::move(noted).failure();
    }
    return merged;
  }

  // [7]-[9]
  Result<Answer> decide(const Features& text) {
    Scratch& scratch = **lease_;
    scratch.work = WorkTally();
    Result<Features> page = engine_->with_present_keys(text, scratch);
    if (!page) return std::move(page).failure();
    Check check(*engine_, scratch);
    check.take(*std::move(page), text.bytes().size());
    return check.decide(Check::Purpose::kSettle);
  }

  // What a commit does not know of a page.
  Result<void> note_history(const MergedPage& merged, const PageData& page) {
    return change([&]() -> Result<void> {
      PageRecord* placed = collection().pages.change(merged.page_id);
      if (placed == nullptr) return error(Status::kCorrupt, "a page that was merged is not there");
      PageData& data = placed->data;
      const bool is_added = merged.kind == kAdded;
      data.first_fetched_at_ms =
          is_added ? page.first_fetched_at_ms : std::min(data.first_fetched_at_ms, page.first_fetched_at_ms);
      data.last_fetched_at_ms =
          is_added ? page.last_fetched_at_ms : std::max(data.last_fetched_at_ms, page.last_fetched_at_ms);
      return {};
    });
  }

  void count(const MergedPage& merged) {
    switch (merged.kind) {
      case kAdded:
        ++counts_.added;
        counts_.joined += merged.group_id <= first_last_id_;
        break;
      case kNewer:
        ++counts_.newer;
        break;
      case kOlder:
        ++counts_.older;
        break;
      default:
        ++counts_.withheld;
    }
  }

  // --- The new store.
  Collection& collection() noexcept { return *engine_->collection_; }

  template <typename Change>
  auto change(Change&& make) -> decltype(make()) {
    const std::unique_lock lock(engine_->mutex_);
    engine_->record_.assign(1, 0);  // in no journal: only a snapshot keeps it
    return engine_->journaled(make);
  }

  Result<void> write_if_full() {
    if (Result<void> whole = engine_->check_damage(); !whole) return whole;
    const uint64_t budget = options_.parameters().memory_budget_bytes;
    const uint64_t most = budget == 0 ? kMergedBytes : std::max(budget / 4, kLeastMergedBytes);
    if (collection().layer_bytes() < most) return {};
    return engine_->take_snapshot(false);
  }

  const Options options_;
  const MergeVisitor& visit_;
  store::FileSystem& files_;
  MergeCounts counts_;
  Counters other_counters_;
  Parameters parameters_;  // of the second store
  Owned<SoundStore> second_;
  Owned<Collection> other_;
  uint64_t left_bytes_ = 0;     // that the texts of the second store may have
  uint64_t first_last_id_ = 0;  // the last id of the first store
  Owned<store::UnfinishedStore> unfinished_;
  Owned<Engine> engine_;
  std::optional<ScratchLease> lease_;
};

Result<MergeCounts> merge_stores(std::string_view path, std::string_view other_path,
                                 std::string_view new_path, const Options& options, const MergeVisitor& visit,
                                 store::FileSystem& files) {
  warn_of_options_without_use(options);
  return StoreMerge(options, visit, files).run(path, other_path, new_path);
}

}  // namespace nd::engine
