// The store of an engine: opening and recovery, what a change waits for, and snapshots.
#include <algorithm>
#include <mutex>
#include <utility>

#include "collection/journal_record.hpp"
#include "engine/engine.hpp"
#include "engine/store_identity.hpp"
#include "options/option_needs.hpp"
#include "page/feature_builder.hpp"

namespace nd::engine {
namespace {

// The share of the memory budget that changes may take in memory before they are written. Twice as much is
// held while a snapshot is being written, and at most as much again is added meanwhile.
constexpr uint64_t kBudgetShares = 4;
constexpr uint64_t kLeastShareBytes = 1 << 20;  // less would be a snapshot for every few pages

uint64_t share_of(uint64_t budget_bytes) noexcept {
  return std::max(budget_bytes / kBudgetShares, kLeastShareBytes);
}

}  // namespace

Result<Owned<Engine>> Engine::open(std::string_view path, const Options& given, store::FileSystem& files) {
  Options options = given;
  const StorageParameters& storage = options.parameters().storage;
  const store::StoreParameters parameters{storage.read_only || storage.overlay, storage.recover,
                                          store::Verify{storage.verify}, storage.mmap,
                                          store::Durability{storage.durability}};
  Result<Owned<store::Store>> store = store::Store::open(
      path, parameters, Collection::table_kinds(), [&] { return new_identity(options); }, files);
  if (!store) return std::move(store).failure();
  const store::Identity& identity = (*store)->identity();
  if (Result<void> adopted = adopt_options(identity, options); !adopted) return std::move(adopted).failure();
  if (Result<void> possible = check_parameters(options.parameters()); !possible)
    return std::move(possible).failure();
  const bool other_pipeline = identity.pipeline != text_pipeline_id(options.parameters());
  if (other_pipeline && storage.strict_pipeline) {
    return error(
        Status::kUnsupportedVersion,
        "the store's texts were made by other versions of libxml2, ICU, the public suffix list or ndc; "
        "set pipeline_mismatch=warn to go on with it");
  }
  const uint64_t secret = identity.secret;
  Owned<Engine> engine = make_owned<Engine>(options.parameters(), secret, *std::move(store));
  engine->logger_.set(options.logger());
  engine->warn_of_idle_options();
  if (other_pipeline) {
    engine->logger_.log(
        kLogWarning,
        "the store's texts were made by other versions of libxml2, ICU, the public suffix list "
        "or ndc: pages may differ from themselves as they were");
  }
  if (!engine->store_->fallback().empty()) engine->logger_.log(kLogWarning, engine->store_->fallback());
  if (Result<void> recovered = engine->recover(); !recovered) return std::move(recovered).failure();
  Result<ScratchLease> lease = engine->scratches_.lease();
  if (!lease) return std::move(lease).failure();
  return engine;
}

void Engine::warn_of_idle_options() {
  for (const String& sentence : idle_options(parameters_, store_ != nullptr))
    logger_.log(kLogWarning, sentence);
}

// Restores the content of the generation and the journal.
Result<void> Engine::recover() {
  if (!store_->state().empty()) {
    if (Result<void> restored = collection_->restore(store_->content()); !restored) return restored;
  }
  const StorageParameters& storage = parameters_.storage;
  if (is_reader()) return check_damage();
  Result<void> replayed = store_->replay([this](store::Bytes record) {
    ++changes_;
    return replay_change(record, *collection_);
  });
  if (!replayed) return replayed;
  if (!store_->journal_loss().empty()) logger_.log(kLogWarning, store_->journal_loss());
  if (Result<void> whole = check_damage(); !whole) return whole;
  counters_.limit_memory = 0;
  counters_.limit_index = 0;
  if (storage.durability == static_cast<uint32_t>(store::Durability::kNone)) return {};
  return snapshot_thread_.start([this] { take_snapshot_alone(); });
}

// Runs on the snapshot thread: a failure can be reported only to the logger and to waiting calls.
void Engine::take_snapshot_alone() noexcept {
  try {
    {
      const std::shared_lock lock(mutex_);
      if (!snapshot_due()) return;  // it was requested while the last one was being written
    }
    const Result<void> taken = take_snapshot(false);
    if (!taken) logger_.log(kLogError, taken.failure().message);
  } catch (const std::bad_alloc&) {
    snapshot_failed_ = true;
    counters_.snapshot_failures.fetch_add(1, std::memory_order_relaxed);
    logger_.log(kLogError, "no memory for a snapshot");
  }
}

Result<void> Engine::needs_store() const {
  if (store_ == nullptr) return error(Status::kInvalidArgument, "this engine is in memory: it has no store");
  return {};
}

Result<void> Engine::needs_own_store() const {
  if (Result<void> possible = needs_store(); !possible) return possible;
  if (is_reader()) {
    return error(Status::kReadOnly, "the store was opened with ",
                 parameters_.storage.overlay ? "overlay" : "read_only");
  }
  return {};
}

Result<void> Engine::check_writable() {
  if (store_ == nullptr)
    return settles_ ? Result<void>(error(Status::kInvalidArgument, kSettles)) : Result<void>();
  if (parameters_.storage.overlay) return check_damage();
  if (Result<void> own = needs_own_store(); !own) return own;
  if (is_stuck()) {
    snapshot_thread_.ask();
    return error(
        Status::kIo,
        "no snapshot can be written, and the journal and the changes in memory must not grow more; the "
        "log says why (is the disk full?)");
  }
  return check_damage();
}

// Whether snapshots fail and the changes that wait to be written have reached their limit.
bool Engine::is_stuck() const {
  if (!snapshot_failed_.load(std::memory_order_relaxed) || !snapshot_thread_.is_running()) return false;
  const std::shared_lock lock(mutex_);
  return must_wait();
}

// Whether the memory layers and the journal have grown enough to make a snapshot worthwhile.
bool Engine::snapshot_due() const {
  const uint64_t budget = parameters_.memory_budget_bytes;
  return store_->journal_bytes() >= parameters_.storage.journal_bytes ||
         (budget != 0 && collection_->layer_bytes() + idle_scratch_bytes() >= share_of(budget));
}

// Whether they have grown so much during a snapshot that they must not grow more.
bool Engine::must_wait() const {
  const uint64_t budget = parameters_.memory_budget_bytes;
  return store_->journal_bytes() >= 2 * parameters_.storage.journal_bytes ||
         (budget != 0 && collection_->layer_bytes() + idle_scratch_bytes() >= 2 * share_of(budget));
}

Result<void> Engine::wait_for_durability() {
  if (!keeps_changes()) return {};
  if (Result<void> synced = store_->sync(); !synced) return synced;
  if (!snapshot_thread_.is_running()) return {};
  const auto under_lock = [this](bool (Engine::*question)() const) {
    const std::shared_lock lock(mutex_);
    return (this->*question)();
  };
  if (!under_lock(&Engine::snapshot_due)) return {};
  // A failed snapshot is not retried at once.
  const uint64_t retry_bytes = failed_at_bytes_.load() + parameters_.storage.journal_bytes / 4;
  if (snapshot_failed_.load() && store_->journal_bytes() < retry_bytes) return {};
  snapshot_thread_.ask();
  // If snapshots fail, waiting is pointless: changes are refused once all limits are reached.
  snapshot_thread_.wait([&] { return snapshot_failed_.load() || !under_lock(&Engine::must_wait); });
  return {};
}

Result<void> Engine::snapshot() {
  if (Result<void> possible = needs_own_store(); !possible) return possible;
  return take_snapshot(false);
}

Result<void> Engine::compact() {
  if (Result<void> possible = needs_own_store(); !possible) return possible;
  return take_snapshot(true);
}

Result<void> Engine::take_snapshot(bool merge_all) {
  const std::lock_guard one_at_a_time(snapshot_mutex_);
  // Data read from damaged files may have led to wrong changes, so these stay in the journal.
  if (Result<void> whole = check_damage(); !whole) return whole;
  if (!merge_all) {
    if (Result<void> there = store_->check_files(); !there)
      return snapshot_failed(std::move(there).failure());
  }
  if (snapshot_unfinished_) {
    if (Result<void> finished = finish_snapshot(merge_all); !finished) return finished;
  }
  if (Result<void> prepared = store_->prepare_snapshot(); !prepared)
    return snapshot_failed(std::move(prepared).failure());
  {
    const std::unique_lock lock(mutex_);
    if (changes_ == 0 && !merge_all) return {};
    const Vector<uint8_t> state = collection_->state();
    collection_->prepare_freeze();
    if (Result<void> begun = store_->begin_snapshot(state); !begun)
      return snapshot_failed(std::move(begun).failure());
    {
      const UpdateLock::Change alone(mutex_);
      collection_->freeze();
    }
    snapshot_unfinished_ = true;
    changes_ = 0;
    store_->forget_below(Collection::events_table(), collection_->events.first_kept());
  }
  return finish_snapshot(merge_all);
}

// Keeps the error of a snapshot, which decides whether to try another one.
Error Engine::snapshot_failed(Error failure) {
  snapshot_failed_ = true;
  failed_at_bytes_ = store_->journal_bytes();
  counters_.snapshot_failures.fetch_add(1, std::memory_order_relaxed);
  return failure;
}

// Takes no lock except at the end, so other threads continue to check.
Result<void> Engine::finish_snapshot(bool merge_all) {
  Vector<store::Runs> prepared = Collection::prepare_install(*store_);
  Result<void> written = store_->write_snapshot(
      [this](uint32_t table, store::RunSink& sink) { return collection_->table(table).write_frozen(sink); },
      merge_all);
  if (!written) return snapshot_failed(std::move(written).failure());
  snapshot_failed_ = false;
  {
    const std::unique_lock lock(mutex_);
    const UpdateLock::Change alone(mutex_);
    store_->end_snapshot();
    collection_->install(*store_, std::move(prepared));
    snapshot_unfinished_ = false;
    ++snapshots_;
  }
  collection_->discard();
  store_->drop_older();
  return {};
}

Result<void> Engine::close() {
  snapshot_thread_.stop();
  if (!keeps_changes()) return {};
  if (parameters_.storage.durability == static_cast<uint32_t>(store::Durability::kNone)) return {};
  return take_snapshot(false);
}

Result<void> Engine::refresh() {
  if (Result<void> possible = needs_store(); !possible) return possible;
  if (parameters_.storage.overlay)
    return error(Status::kInvalidArgument, "an engine that was opened with overlay stays at its snapshot");
  if (!parameters_.storage.read_only)
    return error(Status::kInvalidArgument, "only an engine that was opened with read_only can be refreshed");
  // One at a time; other threads read the old collection until it is exchanged for the new one.
  const std::lock_guard one_at_a_time(snapshot_mutex_);
  const Result<bool> newer = store_->refresh();
  if (!newer) return newer.failure();
  if (!*newer) return {};
  Owned<Collection> collection = make_owned<Collection>(parameters_, secret_, counters_);
  if (Result<void> restored = collection->restore(store_->next_content()); !restored) return restored;
  if (Result<void> whole = store_->check_refresh(); !whole) return whole;
  {
    const std::unique_lock lock(mutex_);
    const UpdateLock::Change alone(mutex_);
    store_->end_refresh();
    collection_.swap(collection);
  }
  store_->drop_older();
  return {};
}

Result<void> Engine::set_bookmark(std::string_view name, std::span<const uint8_t> data) {
  if (Result<void> possible = needs_own_store(); !possible) return possible;
  if (Result<void> writable = check_writable(); !writable) return writable;
  {
    const std::unique_lock lock(mutex_);
    if (Result<void> taken = collection_->bookmarks.check(name, data); !taken) return taken;
    write_bookmark_change(name, data, record_);
    Result<void> set = journaled([&]() -> Result<void> {
      collection_->bookmarks.set(name, data);
      return {};
    });
    if (!set) return set;
  }
  return wait_for_durability();
}

Result<Vector<uint8_t>> Engine::bookmark(std::string_view name) const {
  if (Result<void> possible = needs_store(); !possible) return std::move(possible).failure();
  const std::shared_lock lock(mutex_);
  const Vector<uint8_t>* data = collection_->bookmarks.find(name);
  if (data == nullptr) return error(Status::kNotFound, "there is no bookmark of this name");
  return *data;
}

}  // namespace nd::engine
