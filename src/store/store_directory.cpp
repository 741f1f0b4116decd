#include "store/store_directory.hpp"

#include <algorithm>

#include "store/file_preamble.hpp"
#include "store/store_names.hpp"

namespace nd::store {
namespace {

Error read_only() {
  return error(Status::kReadOnly, "the store is open for reading only");
}

}  // namespace

StoreDirectory::StoreDirectory(std::string_view path, const StoreParameters& parameters,
                               std::span<const TableKind> tables, FileSystem& files)
    : path_(path),
      parameters_(parameters),
      tables_(tables.begin(), tables.end()),
      files_(files),
      damage_(make_shared<DamageReport>()),
      journal_(files, path, parameters.durability) {}

const Runs& StoreDirectory::runs(uint32_t table) const noexcept {
  return current_->runs[table];
}

// Gives the end of the journal's whole records.
Result<uint64_t> StoreDirectory::replay_one(size_t position,
                                            const std::function<Result<void>(Bytes record)>& apply) {
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
  // It was on the disk, whole, before the next one was made.
  if (!end->lost_nothing()) return locate(name, end->bytes, describe_tail(*end));
  if (end->left_bytes > 0 || end->bytes != chain_[position + 1].previous_bytes) {
    return locate(name, end->bytes,
                  error(Status::kCorrupt, "the journal does not end where ",
                        journal_name(header.generation + 1), " says"));
  }
  return end->bytes;
}

// Whether the store is opened without what is left over behind the records of the newest journal.
Result<void> StoreDirectory::take_tail(std::string_view name, const JournalEnd& end) {
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

Result<void> StoreDirectory::replay(const std::function<Result<void>(Bytes record)>& apply) {
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
    // What was replayed is answered from, as if it had been acknowledged.
    if (Result<void> synced = (*file)->sync(); !synced) return synced;
  }
  journal_.attach(*std::move(file), last, end, settled);
  journal_.set_bytes(record_bytes);
  return {};
}

Result<void> StoreDirectory::append(Bytes record) {
  if (parameters_.read_only) return read_only();
  if (Result<void> appended = count_failure(journal_.append(record)); !appended) return appended;
  appended_records_.fetch_add(1, std::memory_order_relaxed);
  journal_records_.fetch_add(1, std::memory_order_relaxed);
  return {};
}

Result<void> StoreDirectory::take_back() {
  if (parameters_.read_only) return read_only();
  if (Result<void> taken = count_failure(journal_.take_back()); !taken) return taken;
  journal_records_.fetch_sub(1, std::memory_order_relaxed);
  return {};
}

Result<void> StoreDirectory::sync() {
  return parameters_.read_only ? Result<void>(read_only()) : count_failure(journal_.sync());
}

Result<void> StoreDirectory::count_failure(Result<void> outcome) noexcept {
  if (!outcome) journal_failures_.fetch_add(1, std::memory_order_relaxed);
  return outcome;
}

StoreCounts StoreDirectory::counts() const noexcept {
  return {journal_records_.load(std::memory_order_relaxed), appended_records_.load(std::memory_order_relaxed),
          journal_failures_.load(std::memory_order_relaxed), run_merges_.load(std::memory_order_relaxed)};
}

Result<void> StoreDirectory::check_files() {
  return check_runs_are_there(files_, path_, current_->manifest);
}

Result<void> StoreDirectory::prepare_snapshot() {
  return parameters_.read_only ? read_only() : count_failure(journal_.sync_all());
}

Result<void> StoreDirectory::begin_snapshot(Bytes state) {
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

Result<void> StoreDirectory::write_snapshot(const WriteTable& write, bool merge_all) {
  if (parameters_.read_only) return read_only();
  if (!begun_) return error(Status::kInternal, "no snapshot has begun");
  pending_ = nullptr;
  Result<Owned<Generation>> written =
      write_generation(reader(damage_), *current_, content_, write, merge_all);
  if (!written) return std::move(written).failure();
  pending_ = *std::move(written);
  return {};
}

void StoreDirectory::end_snapshot() noexcept {
  if (pending_ == nullptr) return;
  older_ = std::exchange(current_, std::move(pending_));
  run_merges_.fetch_add(current_->merge_count, std::memory_order_relaxed);
  begun_ = false;
  content_.state.clear();
}

void StoreDirectory::drop_older() noexcept {
  const Owned<Generation> older = std::move(older_);
  if (older == nullptr || parameters_.read_only) return;
  try {
    if (const Result<StoreListing> listing = list_store(files_, path_))
      drop_unneeded(*listing, current_->manifest, &older->manifest);
  } catch (const std::bad_alloc&) {
    // What is left is dropped by the next snapshot.
  }
}

void StoreDirectory::forget_below(uint32_t table, uint64_t key) noexcept {
  if (table <= kTablesLimit) least_keys_[table] = std::max(least_keys_[table], key);
}

// Files that cannot be removed are tried again when the next generation is there, or the store is opened.
void StoreDirectory::drop_unneeded(const StoreListing& listing, const Manifest& newest,
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
      if (!remove(manifest_name(generation))) return;  // it stays, and so must what it speaks of
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

}  // namespace nd::store
