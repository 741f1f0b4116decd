// How a store is opened: Store::open() and the parts of StoreDirectory that belong to it.
#include <algorithm>
#include <utility>

#include "store/file_preamble.hpp"
#include "store/store_directory.hpp"
#include "store/store_names.hpp"

namespace nd::store {
namespace {

// A writer that goes on beside a reader replaces a generation in the time of a snapshot at least.
constexpr int kReadingAttempts = 16;

Error no_store(std::string_view path) {
  return error(Status::kInvalidArgument, path, " is a directory with files, and is not an ndc store");
}

}  // namespace

Result<Owned<Store>> Store::open(std::string_view path, const StoreParameters& parameters,
                                 std::span<const TableKind> tables,
                                 const std::function<Result<Identity>()>& make, FileSystem& files) {
  auto store = make_owned<StoreDirectory>(path, parameters, tables, files);
  if (Result<void> opened = parameters.read_only ? store->open_reader() : store->open_writer(make); !opened)
    return std::move(opened).failure();
  return Owned<Store>(std::move(store));
}

Result<void> StoreDirectory::find_directory() {
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

Result<void> StoreDirectory::take_lock() {
  Result<Owned<File>> file = files_.open(path_of(path_, kLockName), FileSystem::Access::kAppend);
  if (!file) return std::move(file).failure();
  Result<bool> locked = (*file)->lock();
  if (!locked) return std::move(locked).failure();
  if (!*locked)
    return error(Status::kLocked, path_, " is open for writing elsewhere, and has one writer at a time");
  lock_ = *std::move(file);
  // The file may be removed, and made anew by another writer; the directory may not. Not every file system
  // locks directories.
  Result<Owned<File>> directory = files_.open(path_, FileSystem::Access::kRead);
  if (!directory) return {};
  const Result<bool> alone = (*directory)->lock();
  if (alone && !*alone)
    return error(Status::kLocked, path_, " is open for writing elsewhere, and has one writer at a time");
  directory_lock_ = *std::move(directory);
  return {};
}

Result<void> StoreDirectory::open_writer(const std::function<Result<Identity>()>& make) {
  if (Result<void> found = find_directory(); !found) return found;
  if (Result<void> locked = take_lock(); !locked) return locked;
  Result<StoreListing> listing = list_store(files_, path_);  // another writer may have been there before
  if (!listing) return std::move(listing).failure();
  return listing->manifests.empty() ? create(*listing, make) : open_existing(*listing);
}

// A directory without a manifest: new, or one whose creation was cut short.
Result<void> StoreDirectory::create(const StoreListing& listing,
                                    const std::function<Result<Identity>()>& make) {
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

Result<void> StoreDirectory::open_existing(const StoreListing& listing) {
  Result<ChosenGeneration> chosen = choose_generation(reader(damage_), listing, false);
  if (!chosen) return std::move(chosen).failure();
  const Vector<uint64_t> skipped = chosen->skipped;
  current_ = std::move(chosen->generation);
  if (Result<void> read = read_journal_headers(listing); !read) return read;
  if (Result<void> checked = check_skipped(*chosen); !checked) return checked;
  use(*std::move(chosen));
  // The writer before may have died between a rename and this.
  if (Result<void> synced = files_.sync_directory(path_); !synced) return synced;
  if (skipped.empty()) {
    keep_two(listing);
  } else {
    for (const String& name : listing.unfinished)
      static_cast<void>(files_.remove(path_of(path_, name)));
  }
  return {};
}

// The journals from the generation's on, without a gap, up to the newest of all files.
Result<void> StoreDirectory::read_journal_headers(const StoreListing& listing) {
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

// Whether the journals make up for the generations that cannot be used.
Result<void> StoreDirectory::check_skipped(const ChosenGeneration& chosen) const {
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

// Why it is used and not the newest one; empty: it is the newest.
String StoreDirectory::fallback_of(const Generation& generation, const std::optional<Error>& fault) const {
  String fallback;
  if (!fault) return fallback;
  fallback.append(fault->message)
      .append("; ")
      .append(manifest_name(generation.manifest.generation))
      .append(" is used");
  if (!parameters_.read_only) fallback.append(", with the journals since");
  return fallback;
}

void StoreDirectory::use(ChosenGeneration chosen) {
  if (chosen.generation != nullptr) current_ = std::move(chosen.generation);
  fallback_ = fallback_of(*current_, chosen.fault);
  least_keys_.fill(0);
  for (const TableRuns& table : current_->manifest.tables)
    least_keys_[table.number] = table.least_key;
}

// Drops all but the generation and the one before it.
void StoreDirectory::keep_two(const StoreListing& listing) {
  for (size_t i = listing.manifests.size(); i-- > 0;) {
    uint64_t file_bytes = 0;
    uint64_t fault_offset = 0;
    if (listing.manifests[i] >= generation()) continue;
    const Result<Manifest> older =
        reader(damage_).read_manifest(listing.manifests[i], file_bytes, fault_offset);
    if (!older && older.failure().status == Status::kIo) return;
    if (!older) continue;
    drop_unneeded(listing, current_->manifest, &*older);
    return;
  }
  drop_unneeded(listing, current_->manifest, nullptr);
}

// `any`: however old it is.
Result<ChosenGeneration> StoreDirectory::choose_for_reading(const GenerationReader& reader,
                                                            uint64_t newer_than, bool any) {
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

Result<void> StoreDirectory::open_reader() {
  Result<ChosenGeneration> chosen = choose_for_reading(reader(damage_), 0, true);
  if (!chosen) return std::move(chosen).failure();
  use(*std::move(chosen));
  return {};
}

Result<bool> StoreDirectory::refresh() {
  if (!parameters_.read_only) return error(Status::kInvalidArgument, "a writer has nothing to refresh");
  // The runs of each generation report to one of its own: damage in files that are no more read must not
  // outlive them.
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

Result<void> StoreDirectory::check_refresh() const {
  return next_damage_ == nullptr ? Result<void>() : next_damage_->first();
}

void StoreDirectory::end_refresh() noexcept {
  if (next_ == nullptr) return;
  older_ = std::exchange(current_, std::move(next_));
  damage_ = std::move(next_damage_);
  fallback_.swap(next_fallback_);
}

}  // namespace nd::store
