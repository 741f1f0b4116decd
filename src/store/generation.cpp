// Opens the runs that a manifest names and chooses the newest generation that is whole.
#include "store/generation.hpp"

#include <algorithm>

#include "store/file_preamble.hpp"
#include "store/store_names.hpp"

namespace nd::store {
namespace {

Result<Vector<uint8_t>> read_whole(FileSystem& files, std::string_view path) {
  Result<Owned<File>> file = files.open(path, FileSystem::Access::kRead);
  if (!file) return std::move(file).failure();
  Result<uint64_t> size = (*file)->size();
  if (!size) return std::move(size).failure();
  if (*size > kManifestBytesLimit) return error(Status::kCorrupt, "a manifest of more than 256 MiB");
  Vector<uint8_t> bytes(*size);
  Result<size_t> count = (*file)->read(0, bytes);
  if (!count) return std::move(count).failure();
  bytes.resize(*count);
  return bytes;
}

bool is_known(std::span<const TableKind> tables, uint32_t number) noexcept {
  return std::any_of(tables.begin(), tables.end(),
                     [=](const TableKind& kind) { return kind.number == number; });
}

}  // namespace

const TableRuns* Generation::table(uint32_t number) const noexcept {
  for (const TableRuns& table : manifest.tables) {
    if (table.number == number) return &table;
  }
  return nullptr;
}

Result<Manifest> GenerationReader::read_manifest(uint64_t generation, uint64_t& file_bytes,
                                                 uint64_t& fault_offset) const {
  fault_offset = 0;
  Result<Vector<uint8_t>> bytes = read_whole(files, path_of(directory, manifest_name(generation)));
  if (!bytes) return std::move(bytes).failure();
  file_bytes = bytes->size();
  Result<Manifest> manifest = parse_manifest(*bytes, fault_offset);
  if (manifest && manifest->generation != generation)
    return error(Status::kCorrupt, "the manifest of another generation");
  return manifest;
}

Result<std::shared_ptr<const Run>> GenerationReader::open(const RunDescription& run) const {
  return open_run(files, directory, run, {parameters.mmap, parameters.verify != Verify::kOff}, damage);
}

Result<Owned<Generation>> GenerationReader::open(uint64_t number) const {
  auto generation = make_owned<Generation>();
  uint64_t fault_offset = 0;
  Result<Manifest> manifest = read_manifest(number, generation->disk_bytes, fault_offset);
  if (!manifest) return locate(manifest_name(number), fault_offset, manifest.failure());
  generation->manifest = *std::move(manifest);
  for (const TableRuns& table : generation->manifest.tables) {
    if (!is_known(tables, table.number)) {
      return locate(manifest_name(number), 0, of_another_version());
    }
    for (const RunDescription& description : table.runs) {
      if (parameters.verify == Verify::kFull) {
        Result<void> verified = verify_run(files, directory, description, fault_offset);
        if (!verified) return locate(description.name, fault_offset, verified.failure());
      }
      Result<std::shared_ptr<const Run>> run = open(description);
      if (!run) return std::move(run).failure();
      generation->disk_bytes += description.file_bytes;
      generation->runs[table.number].push_back(*std::move(run));
    }
  }
  return generation;
}

Result<ChosenGeneration> choose_generation(const GenerationReader& reader, const StoreListing& listing,
                                           bool vanishing) {
  ChosenGeneration chosen;
  for (size_t i = listing.manifests.size(); i-- > 0;) {
    const uint64_t number = listing.manifests[i];
    Result<Owned<Generation>> opened = reader.open(number);
    if (opened) {
      chosen.generation = *std::move(opened);
      return chosen;
    }
    Error fault = std::move(opened).failure();
    if (fault.status == Status::kUnsupportedVersion) return fault;
    if (fault.status == Status::kNotFound) {
      if (vanishing) return fault;
      fault.status = Status::kCorrupt;
    }
    chosen.skipped.push_back(number);
    if (!chosen.fault) chosen.fault = std::move(fault);
  }
  if (!chosen.fault) return error(Status::kNotFound, reader.directory, ": no generation");
  // A file that the system refuses to read may be intact.
  return error(chosen.fault->status, chosen.fault->message,
               chosen.fault->status == Status::kIo
                   ? "; no other generation can be read"
                   : "; no other generation can be used, so that the store must be restored from a backup");
}

}  // namespace nd::store
