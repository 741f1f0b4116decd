// Locks the directory, opens the newest sound generation with its journal, and replaces it at each snapshot.
#include "store/store.hpp"

#include <algorithm>
#include <utility>

#include "store/file_preamble.hpp"
#include "store/store_names.hpp"

namespace nd::store {
namespace {

Error read_only() {
  return error(Status::kReadOnly, "the store is open for reading only");
}

// A writer that runs alongside a reader takes at least as long as a snapshot to replace a generation.
constexpr int kReadingAttempts = 16;

Error no_store(std::string_view path) {
  return error(Status::kInvalidArgument, path, " is a directory with files, and is not an ndc store");
}

}  // namespace

Store::Store(std::string_view path, const StoreParameters& parameters, std::span<const TableKind> tables,
             FileSystem& files)
    : path_(path),
      parameters_(parameters),
      tables_(tables.begin(), tables.end()),
      files_(files),
      damage_(make_shared<DamageReport>()),
      journal_(files, path, parameters.durability) {}

// Returns the end of the journal's whole records.
Result<uint64_t> Store::replay_one(size_t position, const std::function<Result<void>(Bytes record)>& apply) {
  const JournalHeader& header = chain_[position];
  const String name = journal_name(header.generation);
  Result<Owned<File>> file = files_.open(path_of(path_, name), FileSystem::Access::kRead);
  if (!file) return std::move(file).failure();
  uint64_t fault_offset = 0;
  Result<JournalEnd> end = read_journal(**file, header, apply, fault_offset);
  if (!end)
    return end.failure().status == Status::kCorrupt ? locate(name, fault_offset, end.failure())
                                                    : end.failure();
  journal_records_.fetch_add(end->record_count, std::memory_order_relaxed);
  if (position + 1 == chain_.size()) {
    if (Result<void> taken = take_tail(name, *end); !taken) return std::move(taken).failure();
    return end->bytes;
  }
  // A journal was completely on the disk before the next one was created.
  if (!end->lost_nothing()) return locate(name, end->bytes, describe_tail(*end));
  if (end->left_bytes > 0 || end->bytes != chain_[position + 1].previous_bytes) {
    return locate(name, end->bytes,
                  error(Status::kCorrupt, "the journal does not end where ",
                        journal_name(header.generation + 1), " says"));
  }
  return end->bytes;
}

// Whether the store is opened without the unread bytes after the records of the newest journal.
Result<void> Store::take_tail(std::string_view name, const JournalEnd& end) {
  if (end.lost_nothing()) return {};
  Error loss = locate(name, end.bytes, describe_tail(end));
  const bool is_refused = end.tail == JournalTail::kDamaged || parameters_.verify == Verify::kFull;
  if (is_refused && !parameters_.recover) {
    loss.message.append("; set recover=true to open the store with the changes before it");
    return loss;
  }
  journal_loss_ = std::move(loss.message);
  journal_loss_.append("; the store has the changes before it");
  return {};
}

Result<void> Store::replay(const std::function<Result<void>(Bytes record)>& apply) {
  if (parameters_.read_only) return {};
  uint64_t record_bytes = 0;
  uint64_t end = 0;
  for (size_t i = 0; i < chain_.size(); ++i) {
    Result<uint64_t> replayed = replay_one(i, apply);
    if (!replayed) return std::move(replayed).failure();
    end = *replayed;
    record_bytes += end - kJournalHeaderBytes;
  }
  const JournalHeader& last = chain_.back();
  Result<Owned<File>> file =
      files_.open(path_of(path_, journal_name(last.generation)), FileSystem::Access::kAppend);
  if (!file) return std::move(file).failure();
  Result<uint64_t> size = (*file)->size();
  if (!size) return std::move(size).failure();
  if (*size != end) {
    if (Result<void> cut = (*file)->truncate(end); !cut) return cut;
  }
  const bool settled = parameters_.durability == Durability::kSync;
  if (settled) {
    // Answers rely on the replayed records as if they had been acknowledged.
    if (Result<void> synced = (*file)->sync(); !synced) return synced;
  }
  journal_.attach(*std::move(file), last, end, settled);
  journal_.set_bytes(record_bytes);
  return {};
}

Result<void> Store::append(Bytes record) {
  if (parameters_.read_only) return read_only();
  if (Result<void> appended = count_failure(journal_.append(record)); !appended) return appended;
  appended_records_.fetch_add(1, std::memory_order_relaxed);
  journal_records_.fetch_add(1, std::memory_order_relaxed);
  return {};
}

Result<void> Store::cancel() {
  if (parameters_.read_only) return read_only();
  if (Result<void> taken = count_failure(journal_.cancel()); !taken) return taken;
  journal_records_.fetch_sub(1, std::memory_order_relaxed);
  return {};
}

Result<void> Store::sync() {
  return parameters_.read_only ? Result<void>(read_only()) : count_failure(journal_.sync());
}

Result<void> Store::count_failure(Result<void> outcome) noexcept {
  if (!outcome) journal_failures_.fetch_add(1, std::memory_order_relaxed);
  return outcome;
}

StoreCounts Store::counts() const noexcept {
  return {journal_records_.load(std::memory_order_relaxed), appended_records_.load(std::memory_order_relaxed),
          journal_failures_.load(std::memory_order_relaxed), run_merges_.load(std::memory_order_relaxed)};
}

Result<void> Store::check_files() {
  return check_runs_are_there(files_, path_, current_->manifest);
}

Result<void> Store::prepare_snapshot() {
  return parameters_.read_only ? read_only() : count_failure(journal_.sync_all());
}

Result<void> Store::begin_snapshot(Bytes state) {
  if (parameters_.read_only) return read_only();
  if (begun_) return error(Status::kInternal, "a snapshot has begun and not ended");
  SnapshotContent content;
  content.generation = journal_.generation() + 1;
  if (content.generation > kGreatestGeneration)
    return error(Status::kLimit, "the store has no generation left");
  content.state.assign(state.begin(), state.end());
  content.least_keys = least_keys_;
  if (Result<void> switched = count_failure(journal_.switch_to(content.generation)); !switched)
    return switched;
  journal_records_.store(0, std::memory_order_relaxed);
  content_ = std::move(content);
  begun_ = true;
  return {};
}

Result<void> Store::write_snapshot(const WriteTable& write, bool merge_all) {
  if (parameters_.read_only) return read_only();
  if (!begun_) return error(Status::kInternal, "no snapshot has begun");
  pending_ = nullptr;
  Result<Owned<Generation>> written =
      write_generation(reader(damage_), *current_, content_, write, merge_all);
  if (!written) return std::move(written).failure();
  pending_ = *std::move(written);
  return {};
}

void Store::end_snapshot() noexcept {
  if (pending_ == nullptr) return;
  older_ = std::exchange(current_, std::move(pending_));
  run_merges_.fetch_add(current_->merge_count, std::memory_order_relaxed);
  begun_ = false;
  content_.state.clear();
}

void Store::drop_older() noexcept {
  const Owned<Generation> older = std::move(older_);
  if (older == nullptr || parameters_.read_only) return;
  try {
    if (const Result<StoreListing> listing = list_store(files_, path_))
      drop_unneeded(*listing, current_->manifest, &older->manifest);
  } catch (const std::bad_alloc&) {
    // The next snapshot drops the remaining files.
  }
}

void Store::forget_below(uint32_t table, uint64_t key) noexcept {
  if (table <= kTablesLimit) least_keys_[table] = std::max(least_keys_[table], key);
}

// Removing files that cannot be removed now is tried again after the next generation, or when the store is
// opened.
void Store::drop_unneeded(const StoreListing& listing, const Manifest& newest,
                          const Manifest* older) noexcept {
  const uint64_t oldest = older == nullptr ? newest.generation : older->generation;
  const auto remove = [this](std::string_view name) {
    return static_cast<bool>(files_.remove(path_of(path_, name)));
  };
  try {
    Vector<std::string_view> needed;
    append_run_names(newest, needed);
    if (older != nullptr) append_run_names(*older, needed);
    std::sort(needed.begin(), needed.end());
    for (const uint64_t generation : listing.manifests) {
      if (generation == newest.generation || generation == oldest) continue;
      if (!remove(manifest_name(generation))) return;  // it stays, and so must its runs
    }
    for (const uint64_t generation : listing.journals) {
      if (generation < oldest) remove(journal_name(generation));
    }
    for (const String& name : listing.runs) {
      if (!std::binary_search(needed.begin(), needed.end(), std::string_view(name))) remove(name);
    }
    for (const String& name : listing.unfinished)
      remove(name);
  } catch (const std::bad_alloc&) {
    return;
  }
}

// How a store is opened.

Result<Owned<Store>> Store::open(std::string_view path, const StoreParameters& parameters,
                                 std::span<const TableKind> tables,
                                 const std::function<Result<Identity>()>& make, FileSystem& files) {
  Owned<Store> store = make_owned<Store>(path, parameters, tables, files);
  if (Result<void> opened = parameters.read_only ? store->open_reader() : store->open_writer(make); !opened)
    return std::move(opened).failure();
  return store;
}

Result<void> Store::find_directory() {
  Result<StoreListing> listing = list_store(files_, path_);
  if (listing)
    return listing->is_empty() || listing->is_store() ? Result<void>() : Result<void>(no_store(path_));
  if (listing.failure().status != Status::kNotFound) return std::move(listing).failure();
  if (Result<void> made = files_.make_directory(path_); !made) {
    if (made.failure().status != Status::kNotFound) return made;
    return error(Status::kIo, path_, ": the directory that it is to stand in is not there");
  }
  return files_.sync_directory(parent_of(path_));
}

Result<void> Store::take_lock() {
  Result<Owned<File>> file = files_.open(path_of(path_, kLockName), FileSystem::Access::kAppend);
  if (!file) return std::move(file).failure();
  Result<bool> locked = (*file)->lock();
  if (!locked) return std::move(locked).failure();
  if (!*locked)
    return error(Status::kLocked, path_, " is open for writing elsewhere, and has one writer at a time");
  lock_ = *std::move(file);
  // The file may be removed and created again by another writer; the directory may not. Not every file system
  // can lock directories.
  Result<Owned<File>> directory = files_.open(path_, FileSystem::Access::kRead);
  if (!directory) return {};
  const Result<bool> alone = (*directory)->lock();
  if (alone && !*alone)
    return error(Status::kLocked, path_, " is open for writing elsewhere, and has one writer at a time");
  directory_lock_ = *std::move(directory);
  return {};
}

Result<void> Store::open_writer(const std::function<Result<Identity>()>& make) {
  if (Result<void> found = find_directory(); !found) return found;
  if (Result<void> locked = take_lock(); !locked) return locked;
  Result<StoreListing> listing = list_store(files_, path_);  // another writer may have been there before
  if (!listing) return std::move(listing).failure();
  return listing->manifests.empty() ? create(*listing, make) : open_existing(*listing);
}

// A directory without a manifest: new, or one whose creation was cut short.
Result<void> Store::create(const StoreListing& listing, const std::function<Result<Identity>()>& make) {
  if (listing.has_others) return no_store(path_);
  const String first_journal = path_of(path_, journal_name(0));
  bool is_new = listing.runs.empty() && listing.journals.size() <= 1;
  if (is_new && !listing.journals.empty()) {
    Result<Owned<File>> file =
        files_.open(path_of(path_, journal_name(listing.journals[0])), FileSystem::Access::kRead);
    if (!file) return std::move(file).failure();
    Result<uint64_t> size = (*file)->size();
    if (!size) return std::move(size).failure();
    is_new = listing.journals[0] == 0 && *size <= kJournalHeaderBytes;
    if (is_new) {
      if (Result<void> removed = files_.remove(first_journal); !removed) return removed;
    }
  }
  if (!is_new) {
    return error(Status::kCorrupt, path_,
                 ": the manifests of this store are gone; it must be restored from a backup");
  }
  for (const String& name : listing.unfinished)
    static_cast<void>(files_.remove(path_of(path_, name)));

  Result<Identity> identity = make();
  if (!identity) return std::move(identity).failure();
  current_ = make_owned<Generation>();
  current_->manifest.identity = *std::move(identity);
  chain_.assign(
      1, {0, current_->manifest.identity.secret, 0, false, parameters_.durability == Durability::kSync});
  bool undone = true;
  if (Result<Owned<File>> journal = create_journal(files_, path_, chain_[0], undone); !journal)
    return std::move(journal).failure();
  return write_manifest(files_, path_, current_->manifest, current_->disk_bytes);
}

Result<void> Store::open_existing(const StoreListing& listing) {
  Result<ChosenGeneration> chosen = choose_generation(reader(damage_), listing, false);
  if (!chosen) return std::move(chosen).failure();
  const Vector<uint64_t> skipped = chosen->skipped;
  current_ = std::move(chosen->generation);
  if (Result<void> read = read_journal_headers(listing); !read) return read;
  if (Result<void> checked = check_skipped(*chosen); !checked) return checked;
  use(*std::move(chosen));
  // The previous writer may have died between a rename and this.
  if (Result<void> synced = files_.sync_directory(path_); !synced) return synced;
  if (skipped.empty()) {
    keep_two(listing);
  } else {
    for (const String& name : listing.unfinished)
      static_cast<void>(files_.remove(path_of(path_, name)));
  }
  return {};
}

// The journals from the generation's own up to the newest in the directory, without a gap.
Result<void> Store::read_journal_headers(const StoreListing& listing) {
  chain_.clear();
  const auto first = std::lower_bound(listing.journals.begin(), listing.journals.end(), generation());
  const uint64_t newest =
      std::max(listing.manifests.back(), listing.journals.empty() ? 0 : listing.journals.back());
  auto next = first;
  for (uint64_t number = generation(); number <= newest; ++number, ++next) {
    const String name = journal_name(number);
    if (next == listing.journals.end() || *next != number) {
      return error(Status::kCorrupt, name,
                   ", offset 0: the journal is not there; the store must be restored from a "
                   "backup");
    }
    Result<Owned<File>> file = files_.open(path_of(path_, name), FileSystem::Access::kRead);
    if (!file) return std::move(file).failure();
    uint64_t fault_offset = 0;
    Result<JournalHeader> header = read_journal_header(**file, fault_offset);
    if (!header) return locate(name, fault_offset, header.failure());
    if (header->generation != number || header->secret != identity().secret)
      return locate(name, fault_offset,
                    error(Status::kCorrupt, "the journal of another generation or store"));
    chain_.push_back(*header);
  }
  return {};
}

// Whether the journals compensate for the generations that cannot be used.
Result<void> Store::check_skipped(const ChosenGeneration& chosen) const {
  for (const uint64_t number : chosen.skipped) {
    if (!chain_[number - generation()].previous_incomplete) continue;
    return error(
        chosen.fault->status, chosen.fault->message, "; ", manifest_name(generation()),
        " can be used, but no journal has what came after it (durability none or snapshot): restore the "
        "store from a backup, or go back by removing the manifests and journals from ",
        decimal(number), " on");
  }
  return {};
}

// Why this generation is used and not the newest one; empty if it is the newest.
String Store::fallback_of(const Generation& generation, const std::optional<Error>& fault) const {
  String fallback;
  if (!fault) return fallback;
  fallback.append(fault->message)
      .append("; ")
      .append(manifest_name(generation.manifest.generation))
      .append(" is used");
  if (!parameters_.read_only) fallback.append(", with the journals since");
  return fallback;
}

void Store::use(ChosenGeneration chosen) {
  if (chosen.generation != nullptr) current_ = std::move(chosen.generation);
  fallback_ = fallback_of(*current_, chosen.fault);
  least_keys_.fill(0);
  for (const TableRuns& table : current_->manifest.tables)
    least_keys_[table.number] = table.least_key;
}

// Drops all generations but this one and its predecessor.
void Store::keep_two(const StoreListing& listing) {
  for (size_t i = listing.manifests.size(); i-- > 0;) {
    uint64_t file_bytes = 0;
    uint64_t fault_offset = 0;
    if (listing.manifests[i] >= generation()) continue;
    const Result<Manifest> older =
        reader(damage_).read_manifest(listing.manifests[i], file_bytes, fault_offset);
    if (!older && older.failure().status == Status::kIo) return;
    if (!older) continue;
    // One that was skipped when the store was opened, and has not been dropped since, is no fallback.
    const Result<void> there = check_runs_are_there(files_, path_, *older);
    if (!there && there.failure().status != Status::kCorrupt) return;
    if (!there) continue;
    drop_unneeded(listing, current_->manifest, &*older);
    return;
  }
  drop_unneeded(listing, current_->manifest, nullptr);
}

// `any`: however old it is.
Result<ChosenGeneration> Store::choose_for_reading(const GenerationReader& reader, uint64_t newer_than,
                                                   bool any) {
  for (int attempt = 1;; ++attempt) {
    Result<StoreListing> listing = list_store(files_, path_);
    if (!listing) return std::move(listing).failure();
    if (listing->manifests.empty()) {
      if (!listing->is_empty() && !listing->is_store()) return no_store(path_);
      return error(Status::kNotFound, path_, ": there is no ndc store");
    }
    if (!any && listing->manifests.back() <= newer_than) return ChosenGeneration{};
    Result<ChosenGeneration> chosen = choose_generation(reader, *listing, attempt < kReadingAttempts);
    const bool has_vanished = !chosen && chosen.failure().status == Status::kNotFound;
    if (!has_vanished || attempt >= kReadingAttempts) return chosen;
  }
}

Result<void> Store::open_reader() {
  Result<ChosenGeneration> chosen = choose_for_reading(reader(damage_), 0, true);
  if (!chosen) return std::move(chosen).failure();
  use(*std::move(chosen));
  return {};
}

Result<bool> Store::refresh() {
  if (!parameters_.read_only) return error(Status::kInvalidArgument, "a writer has nothing to refresh");
  // Each generation has a damage report of its own for its runs: damage in files that are no longer read must
  // not outlive them.
  next_ = nullptr;
  next_damage_ = nullptr;
  auto damage = make_shared<DamageReport>();
  Result<ChosenGeneration> chosen = choose_for_reading(reader(damage), generation(), false);
  if (!chosen) return std::move(chosen).failure();
  if (chosen->generation == nullptr) return false;
  if (chosen->generation->manifest.generation <= generation()) return *std::move(chosen->fault);
  next_fallback_ = fallback_of(*chosen->generation, chosen->fault);
  next_ = std::move(chosen->generation);
  next_damage_ = std::move(damage);
  return true;
}

Result<void> Store::check_refresh() const {
  return next_damage_ == nullptr ? Result<void>() : next_damage_->first();
}

void Store::end_refresh() noexcept {
  if (next_ == nullptr) return;
  older_ = std::exchange(current_, std::move(next_));
  damage_ = std::move(next_damage_);
  fallback_.swap(next_fallback_);
}

}  // namespace nd::store
