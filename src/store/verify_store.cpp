// verify_store(): reads every file of a store to its end, also while a writer runs, and reports each fault
// with its place.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "store/file_preamble.hpp"
#include "store/generation.hpp"
#include "store/journal_file.hpp"
#include "store/store_names.hpp"

namespace nd::store {
namespace {

// How many times a file is examined that a running writer may just have changed or dropped.
constexpr int kAttempts = 4;

class StoreVerification {
 public:
  StoreVerification(std::string_view path, const std::function<void(const StoreFault&)>& report,
                    FileSystem& files)
      : path_(path), report_(report), files_(files) {}

  // Records all faults. Errors: those that are not faults of the store.
  Result<void> examine(const StoreListing& listing) {
    faults_.clear();
    journals_.clear();
    runs_.clear();
    secret_.reset();
    for (const uint64_t generation : listing.manifests) {
      if (Result<void> done = examine_manifest(generation); !done) return done;
    }
    for (const uint64_t generation : listing.journals) {
      if (Result<void> done = examine_journal(generation, listing.journals.back()); !done) return done;
    }
    examine_chain(listing);
    return {};
  }

  Result<void> finish() {
    for (const Fault& fault : faults_) {
      if (report_) report_({fault.file, fault.offset, fault.sentence});
    }
    if (faults_.empty()) return {};
    const Fault& first = faults_.front();
    return error(Status::kCorrupt, first.file, ", offset ", decimal(first.offset), ": ", first.sentence);
  }

  bool has_faults() const noexcept { return !faults_.empty(); }

 private:
  struct Fault {
    String file;
    uint64_t offset;
    String sentence;
  };
  // Name and checksum: if two generations describe a run differently, one of them is wrong. A tree, because
  // the author of a manifest could choose the keys of a hash table.
  using ReadRun = std::pair<String, uint64_t>;
  using ReadRuns = std::set<ReadRun, std::less<>, Allocator<ReadRun>>;
  struct ReadJournal {
    JournalHeader header;
    JournalEnd end;
  };

  // Errors other than faults of the file's content end the verification.
  Result<void> take(String file, uint64_t offset, Error failure) {
    if (failure.status == Status::kNotFound) {
      failure.message = "the file is not there";
    } else if (failure.status != Status::kCorrupt) {
      return locate(file, offset, failure);
    }
    faults_.push_back({std::move(file), offset, std::move(failure.message)});
    return {};
  }

  Result<void> examine_manifest(uint64_t generation) {
    String name = manifest_name(generation);
    uint64_t file_bytes = 0;
    uint64_t fault_offset = 0;
    const GenerationReader reader{files_, path_, {}, {}, nullptr};
    Result<Manifest> manifest = reader.read_manifest(generation, file_bytes, fault_offset);
    if (!manifest) return take(std::move(name), fault_offset, std::move(manifest).failure());
    secret_ = manifest->identity.secret;
    for (const TableRuns& table : manifest->tables) {
      for (const RunDescription& run : table.runs) {
        if (!runs_.emplace(run.name, run.checksum).second) continue;
        fault_offset = 0;
        Result<void> verified = verify_run(files_, path_, run, fault_offset);
        if (verified) continue;
        if (Result<void> taken = take(run.name, fault_offset, std::move(verified).failure()); !taken)
          return taken;
      }
    }
    return {};
  }

  Result<void> examine_journal(uint64_t generation, uint64_t newest) {
    String name = journal_name(generation);
    uint64_t fault_offset = 0;
    Result<ReadJournal> journal = read(generation, fault_offset);
    if (!journal) return take(std::move(name), fault_offset, std::move(journal).failure());
    if (!journal->end.lost_nothing()) {
      faults_.push_back({std::move(name), journal->end.bytes, describe_tail(journal->end).message});
    } else if (journal->end.left_bytes > 0 && generation != newest) {
      faults_.push_back({std::move(name), journal->end.bytes,
                         "an unfinished record in a journal that another one follows"});
    }
    if (secret_ && journal->header.secret != *secret_)
      faults_.push_back({journal_name(generation), 0, "the journal of another store"});
    journals_.push_back(*journal);
    return {};
  }

  Result<ReadJournal> read(uint64_t generation, uint64_t& fault_offset) {
    Result<Owned<File>> file =
        files_.open(path_of(path_, journal_name(generation)), FileSystem::Access::kRead);
    if (!file) return std::move(file).failure();
    Result<JournalHeader> header = read_journal_header(**file, fault_offset);
    if (!header) return std::move(header).failure();
    if (header->generation != generation) return error(Status::kCorrupt, "the journal of another generation");
    const auto ignore = [](Bytes) { return Result<void>(); };
    Result<JournalEnd> end = read_journal(**file, *header, ignore, fault_offset);
    if (!end) return std::move(end).failure();
    return ReadJournal{*header, *end};
  }

  // Checks that the journals of all kept generations exist and fit together.
  void examine_chain(const StoreListing& listing) {
    const auto missing = [&](uint64_t generation) {
      const bool is_there = std::binary_search(listing.journals.begin(), listing.journals.end(), generation);
      if (!is_there) faults_.push_back({journal_name(generation), 0, "the file is not there"});
    };
    const uint64_t oldest = listing.manifests.front();
    for (const uint64_t generation : listing.manifests)
      missing(generation);
    for (const uint64_t generation : listing.journals) {
      if (generation > oldest) missing(generation - 1);
    }
    for (size_t i = 1; i < journals_.size(); ++i) {
      const ReadJournal& journal = journals_[i - 1];
      const JournalHeader& next = journals_[i].header;
      if (next.generation != journal.header.generation + 1) continue;
      if (journal.end.left_bytes == 0 && journal.end.bytes != next.previous_bytes) {
        faults_.push_back({journal_name(journal.header.generation), journal.end.bytes,
                           "the journal does not end where the one behind it says"});
      }
    }
  }

  String path_;
  const std::function<void(const StoreFault&)>& report_;
  FileSystem& files_;
  Vector<Fault> faults_;
  std::optional<uint64_t> secret_;  // of the store
  Vector<ReadJournal> journals_;
  ReadRuns runs_;
};

}  // namespace

Result<void> verify_store(std::string_view path, const std::function<void(const StoreFault&)>& report,
                          FileSystem& files) {
  StoreVerification verification(path, report, files);
  for (int attempt = 1;; ++attempt) {
    Result<StoreListing> listing = list_store(files, path);
    if (!listing) return std::move(listing).failure();
    if (listing->manifests.empty()) return error(Status::kNotFound, path, ": there is no ndc store");
    if (Result<void> examined = verification.examine(*listing); !examined) return examined;
    // A running writer may have dropped the missing file, and may be writing its last record.
    if (!verification.has_faults() || attempt >= kAttempts) return verification.finish();
  }
}

}  // namespace nd::store
