// Writes the runs first and the manifest last, because a generation exists once its manifest has its name.
#include "store/snapshot_writer.hpp"

#include <algorithm>

#include "store/merge_policy.hpp"
#include "store/store_names.hpp"

namespace nd::store {
namespace {

// A table of the generation that is being written.
class TableWriter {
 public:
  TableWriter(const GenerationReader& reader, const TableKind& kind, const SnapshotContent& content,
              const Generation& previous)
      : reader_(reader),
        kind_(kind),
        generation_(content.generation),
        format_(kind.filter ? RunFormat::kWithFilter : RunFormat::kPlain),
        least_key_(content.least_keys[kind.number]) {
    if (const TableRuns* table = previous.table(kind.number)) descriptions_ = table->runs;
    runs_ = previous.runs[kind.number];
  }

  Result<void> write_new(const WriteTable& write) {
    const auto fill = [&](RunSink& sink) { return write(kind_.number, sink); };
    return replace({runs_.size(), 0}, fill);
  }

  Result<void> merge_by_tiers(uint64_t& budget_bytes) {
    for (;;) {
      const Vector<uint64_t> sizes = run_sizes();
      const std::optional<MergeRange> range = next_merge(sizes, kind_.merge_count, budget_bytes);
      if (!range) return {};
      for (size_t i = 0; i < range->count; ++i)
        budget_bytes -= sizes[range->first + i];
      if (Result<void> merged = merge(*range); !merged) return merged;
    }
  }

  // `names`: of the files in the directory, ascending. A run whose file no longer exists is written again
  // from its mapping.
  Result<void> merge_all(std::span<const String> names) {
    const bool is_one =
        runs_.empty() || (runs_.size() == 1 && descriptions_[0].erased_count == 0 &&
                          descriptions_[0].least_key >= least_key_ &&
                          std::binary_search(names.begin(), names.end(), descriptions_[0].name));
    return is_one ? Result<void>() : merge({0, runs_.size()});
  }

  uint64_t new_bytes() const noexcept { return new_bytes_; }
  uint64_t file_bytes() const noexcept {
    uint64_t sum = 0;
    for (const RunDescription& description : descriptions_)
      sum += description.file_bytes;
    return sum;
  }

  void finish(Generation& generation) {
    generation.disk_bytes += file_bytes();
    generation.merge_count += merge_count_;
    generation.runs[kind_.number] = std::move(runs_);
    if (!descriptions_.empty() || least_key_ > 0)
      generation.manifest.tables.push_back({kind_.number, least_key_, std::move(descriptions_)});
  }

 private:
  Vector<uint64_t> run_sizes() const {
    Vector<uint64_t> sizes;
    for (const RunDescription& description : descriptions_)
      sizes.push_back(description.file_bytes);
    return sizes;
  }

  Result<void> merge(MergeRange range) {
    const auto first = runs_.begin() + static_cast<ptrdiff_t>(range.first);
    const Runs inputs(first, first + static_cast<ptrdiff_t>(range.count));
    const auto fill = [&](RunSink& sink) -> Result<void> {
      if (Result<void> merged = merge_runs(inputs, least_key_, range.first == 0, sink); !merged)
        return merged;
      return reader_.damage->first();  // damaged entries read as absent, and must not become so permanently
    };
    ++merge_count_;
    return replace(range, fill);
  }

  // Replaces other runs by the run that `fill` makes, if it has entries.
  template <typename Fill>
  Result<void> replace(MergeRange range, const Fill& fill) {
    const String name = run_name(generation_, kind_.name, written_count_++);
    Result<Owned<RunWriter>> writer = RunWriter::create(reader_.files, reader_.directory, name, format_);
    if (!writer) return std::move(writer).failure();
    if (Result<void> filled = fill(**writer); !filled) return filled;
    Result<RunDescription> description = (*writer)->finish();
    if (!description) return std::move(description).failure();

    const auto first = static_cast<ptrdiff_t>(range.first);
    const auto end = static_cast<ptrdiff_t>(range.first + range.count);
    if (description->entry_count == 0) {
      runs_.erase(runs_.begin() + first, runs_.begin() + end);
      descriptions_.erase(descriptions_.begin() + first, descriptions_.begin() + end);
      return {};
    }
    Result<std::shared_ptr<const Run>> run = reader_.open(*description);
    if (!run) return std::move(run).failure();
    if (range.count == 0) new_bytes_ += description->file_bytes;
    runs_.erase(runs_.begin() + first, runs_.begin() + end);
    descriptions_.erase(descriptions_.begin() + first, descriptions_.begin() + end);
    runs_.insert(runs_.begin() + first, *std::move(run));
    descriptions_.insert(descriptions_.begin() + first, *std::move(description));
    return {};
  }

  const GenerationReader& reader_;
  const TableKind& kind_;
  uint64_t generation_;
  RunFormat format_;
  uint64_t least_key_;
  uint32_t written_count_ = 0;
  uint64_t new_bytes_ = 0;
  uint64_t merge_count_ = 0;
  Vector<RunDescription> descriptions_;
  Runs runs_;
};

Result<void> merge_each(const GenerationReader& reader, std::span<TableWriter> tables) {
  const Result<Vector<String>> names = reader.files.list(reader.directory);
  if (!names) return names.failure();
  for (TableWriter& table : tables) {
    if (Result<void> merged = table.merge_all(*names); !merged) return merged;
  }
  return {};
}

Result<void> merge_by_tiers(std::span<TableWriter> tables) {
  uint64_t new_bytes = 0;
  uint64_t store_bytes = 0;
  for (const TableWriter& table : tables) {
    new_bytes += table.new_bytes();
    store_bytes += table.file_bytes();
  }
  uint64_t budget_bytes = merge_budget_bytes(new_bytes, store_bytes);
  for (TableWriter& table : tables) {
    Result<void> merged = table.merge_by_tiers(budget_bytes);
    if (merged) continue;
    // Merging saves space but is never required: if there is no room for a merge, a later snapshot makes it.
    return merged.failure().status == Status::kIo ? Result<void>() : merged;
  }
  return {};
}

}  // namespace

Result<void> write_manifest(FileSystem& files, std::string_view directory, const Manifest& manifest,
                            uint64_t& file_bytes) {
  Result<Vector<uint8_t>> bytes = encode_manifest(manifest);
  if (!bytes) return std::move(bytes).failure();
  file_bytes = bytes->size();
  const String path = path_of(directory, manifest_name(manifest.generation));
  const String unfinished = path + String(kUnfinishedSuffix);
  if (Result<void> removed = files.remove(unfinished);
      !removed && removed.failure().status != Status::kNotFound)
    return removed;
  Result<Owned<File>> file = files.open(unfinished, FileSystem::Access::kCreateNew);
  if (!file) return std::move(file).failure();
  if (Result<void> written = (*file)->append(*bytes); !written) return written;
  if (Result<void> synced = (*file)->sync(); !synced) return synced;
  if (Result<void> renamed = files.rename(unfinished, path); !renamed) return renamed;
  return files.sync_directory(directory);
}

Result<void> remove_attempt(FileSystem& files, std::string_view directory, uint64_t generation) {
  Result<StoreListing> listing = list_store(files, directory);
  if (!listing) return std::move(listing).failure();
  const Vector<uint64_t>& manifests = listing->manifests;
  if (std::find(manifests.begin(), manifests.end(), generation) != manifests.end()) {
    // Made durable before the runs are removed, so that it never names missing files.
    if (Result<void> removed = files.remove(path_of(directory, manifest_name(generation))); !removed)
      return removed;
    if (Result<void> synced = files.sync_directory(directory); !synced) return synced;
  }
  for (const String& name : listing->runs) {
    if (parse_file_name(name).generation != generation) continue;
    if (Result<void> removed = files.remove(path_of(directory, name)); !removed) return removed;
  }
  return {};
}

Result<void> check_runs_are_there(FileSystem& files, std::string_view directory, const Manifest& manifest) {
  const Result<Vector<String>> names = files.list(directory);  // ascending
  if (!names) return names.failure();
  for (const TableRuns& table : manifest.tables) {
    for (const RunDescription& run : table.runs) {
      if (!std::binary_search(names->begin(), names->end(), run.name))
        return error(Status::kCorrupt, run.name,
                     ", offset 0: the file is not there any more; nd_compact can write its content anew");
    }
  }
  return {};
}

namespace {

Result<Owned<Generation>> try_generation(const GenerationReader& reader, const Generation& previous,
                                         const SnapshotContent& content, const WriteTable& write,
                                         bool merge_all) {
  if (Result<void> removed = remove_attempt(reader.files, reader.directory, content.generation); !removed)
    return std::move(removed).failure();
  Vector<TableWriter> tables;
  tables.reserve(reader.tables.size());
  for (const TableKind& kind : reader.tables) {
    TableWriter& table = tables.emplace_back(reader, kind, content, previous);
    if (Result<void> written = table.write_new(write); !written) return std::move(written).failure();
  }
  Result<void> merged = merge_all ? merge_each(reader, tables) : merge_by_tiers(tables);
  if (!merged) return std::move(merged).failure();

  auto generation = make_owned<Generation>();
  generation->manifest.generation = content.generation;
  generation->manifest.identity = previous.manifest.identity;
  generation->manifest.state = content.state;
  for (TableWriter& table : tables)
    table.finish(*generation);
  Vector<TableRuns>& entries = generation->manifest.tables;
  std::sort(entries.begin(), entries.end(),
            [](const TableRuns& one, const TableRuns& other) { return one.number < other.number; });
  // The runs' names must be durable before a manifest refers to them.
  if (Result<void> synced = reader.files.sync_directory(reader.directory); !synced)
    return std::move(synced).failure();
  if (Result<void> there = check_runs_are_there(reader.files, reader.directory, generation->manifest); !there)
    return std::move(there).failure();
  uint64_t manifest_bytes = 0;
  Result<void> written = write_manifest(reader.files, reader.directory, generation->manifest, manifest_bytes);
  if (!written) return std::move(written).failure();
  generation->disk_bytes += manifest_bytes;
  return generation;
}

}  // namespace

Result<Owned<Generation>> write_generation(const GenerationReader& reader, const Generation& previous,
                                           const SnapshotContent& content, const WriteTable& write,
                                           bool merge_all) {
  Result<Owned<Generation>> written = try_generation(reader, previous, content, write, merge_all);
  // The files of a failed attempt would take the space that the journal needs; the next attempt would remove
  // them too.
  if (!written) static_cast<void>(remove_attempt(reader.files, reader.directory, content.generation));
  return written;
}

}  // namespace nd::store
