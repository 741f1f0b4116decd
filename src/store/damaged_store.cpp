// Reads every manifest of the directory, examines the runs that they name, and shows the generation of which
// most is whole.
#include "store/damaged_store.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "store/file_preamble.hpp"
#include "store/generation.hpp"
#include "store/journal_file.hpp"
#include "store/store_names.hpp"

namespace nd::store {
namespace {

struct Fault {
  String file;
  uint64_t offset;
  String sentence;
};

// A generation whose manifest is readable, and what is wrong with its files.
struct Candidate {
  Manifest manifest;
  Vector<Fault> faults;
  Vector<String> damaged_runs;

  bool is_damaged(std::string_view run) const noexcept {
    return std::find(damaged_runs.begin(), damaged_runs.end(), run) != damaged_runs.end();
  }
};

class DamagedDirectory final : public DamagedStore {
 public:
  DamagedDirectory(std::string_view path, std::span<const TableKind> tables, Report report, FileSystem& files,
                   bool mmap)
      : path_(path),
        tables_(tables.begin(), tables.end()),
        report_(std::move(report)),
        files_(files),
        mode_{.mmap = mmap, .verify_blocks = true} {}

  Result<void> open() {
    Result<StoreListing> listing = list_store(files_, path_);
    if (!listing) return std::move(listing).failure();
    if (listing->manifests.empty() && !listing->is_store())
      return error(Status::kNotFound, path_, ": there is no ndc store");
    listing_ = *std::move(listing);
    if (Result<void> locked = take_lock(); !locked) return locked;
    if (Result<void> read = read_manifests(); !read) return read;
    if (candidates_.empty())
      return error(Status::kCorrupt, path_,
                   ": no manifest can be read, so that nobody knows what its files mean");
    for (Candidate& candidate : candidates_) {
      if (Result<void> examined = examine(candidate); !examined) return examined;
    }
    const size_t chosen = choose();
    content_.manifest = candidates_[chosen].manifest;
    if (Result<void> opened = open_runs(chosen); !opened) return opened;
    if (!candidates_[chosen].faults.empty()) report_all(passed_over_);
    report_all(candidates_[chosen].faults);
    return {};
  }

  const ReadableGeneration& content() const noexcept override { return content_; }
  bool is_damaged() const noexcept override { return is_damaged_; }

  Result<void> replay(const Apply& apply, const Apply& apply_later) override {
    bool is_attached = true;
    uint64_t end_of_last = 0;  // of the previous journal, if it is whole
    const uint64_t newest = newest_journal();
    uint64_t expected = content_.manifest.generation;
    for (const uint64_t number : listing_.journals) {
      if (number < expected) continue;
      const String name = journal_name(number);
      if (number > expected) {
        report({journal_name(expected), 0, "the journal is not there"});
        is_attached = false;
        end_of_last = 0;
      }
      expected = number + 1;
      uint64_t fault_offset = 0;
      Result<Owned<File>> file = files_.open(path_of(path_, name), FileSystem::Access::kRead);
      Result<JournalHeader> header = file ? read_journal_header(**file, fault_offset) : file.failure();
      if (header && (header->generation != number || header->secret != content_.manifest.identity.secret))
        header = error(Status::kCorrupt, "the journal of another generation or store");
      if (!header) {
        if (header.failure().status == Status::kUnsupportedVersion)
          return locate(name, fault_offset, header.failure());
        report({name, fault_offset, header.failure().message});
        is_attached = false;
        end_of_last = 0;
        continue;
      }
      if (header->previous_incomplete && number > content_.manifest.generation) {
        report({name, 0, "the journal before it lacks changes (durability none or snapshot)"});
        is_attached = false;
      }
      if (end_of_last != 0 && end_of_last != header->previous_bytes) {
        report(
            {journal_name(number - 1), end_of_last, "the journal does not end where the one behind it says"});
        is_attached = false;
      }
      end_of_last = 0;
      Result<void> replayed =
          replay_one(**file, *header, number == newest, is_attached, end_of_last, apply, apply_later);
      if (!replayed) return replayed;
    }
    if (expected <= newest) report({journal_name(expected), 0, "the journal is not there"});
    return {};
  }

 private:
  // No writer may be running. The file is opened for reading, so that it is never created.
  Result<void> take_lock() {
    Result<Owned<File>> file = files_.open(path_of(path_, kLockName), FileSystem::Access::kRead);
    if (!file) return {};
    const Result<bool> locked = (*file)->lock();
    if (locked && !*locked)
      return error(Status::kLocked, path_, " is open for writing, which must end first");
    lock_ = *std::move(file);
    return {};
  }

  GenerationReader reader() const noexcept { return {files_, path_, tables_, {}, nullptr}; }

  // Newest first.
  Result<void> read_manifests() {
    for (size_t i = listing_.manifests.size(); i-- > 0;) {
      const uint64_t number = listing_.manifests[i];
      uint64_t file_bytes = 0;
      uint64_t fault_offset = 0;
      Result<Manifest> manifest = reader().read_manifest(number, file_bytes, fault_offset);
      if (manifest) {
        candidates_.push_back({*std::move(manifest), {}, {}});
      } else if (manifest.failure().status == Status::kUnsupportedVersion) {
        return locate(manifest_name(number), fault_offset, manifest.failure());
      } else {
        passed_over_.push_back({manifest_name(number), fault_offset, manifest.failure().message});
      }
    }
    return {};
  }

  // All runs of the generation.
  Result<void> examine(Candidate& candidate) {
    for (const TableRuns& table : candidate.manifest.tables) {
      const bool is_known = std::any_of(tables_.begin(), tables_.end(),
                                        [&](const TableKind& kind) { return kind.number == table.number; });
      if (!is_known) return locate(manifest_name(candidate.manifest.generation), 0, of_another_version());
      for (const RunDescription& run : table.runs)
        examine_run(run, candidate);
    }
    return {};
  }

  void examine_run(const RunDescription& run, Candidate& candidate) {
    uint64_t fault_offset = 0;
    const Result<void> verified = verify_run(files_, path_, run, fault_offset);
    if (verified) return;
    candidate.damaged_runs.push_back(run.name);
    const size_t before = candidate.faults.size();
    const auto add_block = [&](uint64_t offset, uint64_t bytes) {
      candidate.faults.push_back(
          {run.name, offset, String("a block of ").append(decimal(bytes)).append(" bytes is damaged")});
    };
    const Result<void> listed = find_damaged_blocks(files_, path_, run, add_block);
    if (candidate.faults.size() > before) return;
    const bool is_gone = verified.failure().status == Status::kNotFound;
    candidate.faults.push_back(
        {run.name, fault_offset,
         is_gone ? String("the file is not there")
                 : String(verified.failure().message).append(listed ? "" : "; the file cannot be used")});
  }

  uint64_t newest_journal() const noexcept {
    return std::max(listing_.manifests.back(), listing_.journals.empty() ? 0 : listing_.journals.back());
  }

  // Chooses the newest generation whose runs are whole and from which no change is missing, except those
  // behind damage in a journal; failing that, the newest generation. Returns its index.
  size_t choose() const {
    for (const JournalsSince wanted : {JournalsSince::kWhole, JournalsSince::kDamaged}) {
      for (size_t i = 0; i < candidates_.size(); ++i) {
        if (candidates_[i].faults.empty() && journals_since(candidates_[i].manifest) == wanted) return i;
      }
    }
    return 0;
  }

  enum class JournalsSince { kWhole, kDamaged, kIncomplete };
  JournalsSince journals_since(const Manifest& manifest) const {
    const uint64_t newest = newest_journal();
    uint64_t end_of_last = 0;
    JournalsSince found = JournalsSince::kWhole;
    for (uint64_t number = manifest.generation; number <= newest; ++number) {
      Result<Owned<File>> file = files_.open(path_of(path_, journal_name(number)), FileSystem::Access::kRead);
      if (!file) return JournalsSince::kIncomplete;
      uint64_t fault_offset = 0;
      const Result<JournalHeader> header = read_journal_header(**file, fault_offset);
      if (!header || header->generation != number || header->secret != manifest.identity.secret)
        return JournalsSince::kIncomplete;
      const bool is_first = number == manifest.generation;
      if (!is_first && header->previous_incomplete) return JournalsSince::kIncomplete;
      if (!is_first && header->previous_bytes != end_of_last) found = JournalsSince::kDamaged;
      const auto pass = [](Bytes) { return Result<void>(); };
      const Result<JournalEnd> end = read_journal(**file, *header, pass, fault_offset);
      if (!end || !end->lost_nothing() || (end->left_bytes > 0 && number != newest))
        found = JournalsSince::kDamaged;
      end_of_last = end ? end->bytes : 0;
    }
    return found;
  }

  // The runs of each table, oldest first.
  Result<void> open_runs(size_t chosen) {
    const Candidate& candidate = candidates_[chosen];
    for (const TableRuns& table : candidate.manifest.tables) {
      const bool has_damage =
          std::any_of(table.runs.begin(), table.runs.end(),
                      [&](const RunDescription& run) { return candidate.is_damaged(run.name); });
      if (has_damage && chosen + 1 < candidates_.size())
        open_replaced(candidates_[chosen + 1].manifest, table);
      for (const RunDescription& run : table.runs)
        open_one(table.number, run);
    }
    return {};
  }

  // Opens the runs of the previous generation that merged runs have replaced.
  void open_replaced(const Manifest& older, const TableRuns& table) {
    for (const TableRuns& older_table : older.tables) {
      if (older_table.number != table.number) continue;
      for (const RunDescription& run : older_table.runs) {
        const bool is_named =
            std::any_of(table.runs.begin(), table.runs.end(),
                        [&](const RunDescription& newer) { return newer.name == run.name; });
        if (!is_named) open_one(table.number, run);
      }
    }
  }

  // A run that cannot be opened has already been reported as damaged.
  void open_one(uint32_t table, const RunDescription& description) {
    Result<std::shared_ptr<const Run>> run =
        open_run(files_, path_, description, mode_, make_shared<DamageReport>());
    if (run) content_.runs[table].push_back(*std::move(run));
  }

  Result<void> replay_one(const File& file, const JournalHeader& header, bool is_newest, bool& is_attached,
                          uint64_t& whole_end, const Apply& apply, const Apply& apply_later) {
    const String name = journal_name(header.generation);
    uint64_t fault_offset = 0;
    std::optional<Error> failure;  // of apply_later
    const auto take_later = [&](Bytes record) -> Result<void> {
      Result<void> taken = apply_later(record);
      if (!taken) failure = taken.failure();
      return taken;
    };
    const auto take = [&](Bytes record) -> Result<void> {
      if (is_attached) {
        const Result<void> applied = apply(record);
        if (applied) return {};
        report({name, fault_offset,
                String("a record that does not fit in: ").append(applied.failure().message)});
        is_attached = false;
      }
      return take_later(record);
    };
    const Result<JournalEnd> end = read_journal(file, header, take, fault_offset);
    if (failure) return *std::move(failure);
    if (!end) {
      report({name, fault_offset, end.failure().message});
      is_attached = false;
      return {};
    }
    if (end->lost_nothing() && (is_newest || end->left_bytes == 0)) {
      whole_end = end->bytes;
      return {};
    }
    const String sentence = end->lost_nothing()
                                ? String("an unfinished record in a journal that another one follows")
                                : describe_tail(*end).message;
    report({name, end->bytes, sentence});
    is_attached = false;
    const Result<void> read = read_journal_tail(file, header, *end, take_later);
    if (failure) return *std::move(failure);
    if (!read) report({name, end->bytes, read.failure().message});
    return {};
  }

  void report(const Fault& fault) {
    is_damaged_ = true;
    if (report_) report_({fault.file, fault.offset, fault.sentence});
  }
  void report_all(std::span<const Fault> faults) {
    for (const Fault& fault : faults)
      report(fault);
  }

  String path_;
  Vector<TableKind> tables_;
  Report report_;
  FileSystem& files_;
  const ReadMode mode_;
  StoreListing listing_;
  Owned<File> lock_;
  Vector<Candidate> candidates_;  // newest first
  Vector<Fault> passed_over_;     // manifests that cannot be read
  ReadableGeneration content_;
  bool is_damaged_ = false;
};

}  // namespace

Result<Owned<DamagedStore>> DamagedStore::open(std::string_view path, std::span<const TableKind> tables,
                                               Report report, FileSystem& files, bool mmap) {
  auto store = make_owned<DamagedDirectory>(path, tables, std::move(report), files, mmap);
  if (Result<void> opened = store->open(); !opened) return std::move(opened).failure();
  return Owned<DamagedStore>(std::move(store));
}

}  // namespace nd::store
