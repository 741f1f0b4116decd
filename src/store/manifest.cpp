// Writes and parses a manifest; every number of it is checked here once, so that the readers of runs may rely
// on them.
#include "store/manifest.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "core/byte_stream.hpp"
#include "store/file_preamble.hpp"
#include "store/store_names.hpp"

namespace nd::store {
namespace {

constexpr uint64_t kManifestMagic = 0x45524f545343444e;  // "NDCSTORE"

struct ManifestHeader {
  FilePreamble preamble;
  uint64_t file_bytes;
  uint64_t generation;
  uint64_t secret;
  uint64_t pipeline;
  uint64_t state_bytes;
  uint32_t option_count;
  uint32_t table_count;
};
static_assert(sizeof(ManifestHeader) == 72);

struct TableEntry {
  uint32_t number;
  uint32_t run_count;
  uint64_t least_key;
};

struct RunEntryHead {
  uint64_t file_bytes;
  uint64_t entry_count;
  uint64_t erased_count;
  uint64_t least_key;
  uint64_t greatest_key;
  uint64_t checksum;
};

// The size in four bytes, the text, and zeros up to a multiple of eight.
void write_text(std::string_view text, ByteWriter& out) {
  out.number(static_cast<uint32_t>(text.size())).raw(text.data(), text.size()).pad();
}

String read_text(ByteReader& in) {
  const Bytes bytes = in.raw(in.number<uint32_t>());
  in.skip_padding();
  return String(bytes.begin(), bytes.end());
}

Error past_end() {
  return error(Status::kCorrupt, "the file ends before what it tells of");
}

bool is_possible(const RunDescription& run, uint64_t generation) noexcept {
  const FileName name = parse_file_name(run.name);
  return name.kind == FileKind::kRun && name.generation <= generation && run.entry_count >= 1 &&
         run.erased_count <= run.entry_count && run.least_key <= run.greatest_key;
}

Result<RunDescription> parse_run(ByteReader& in, uint64_t generation) {
  const auto head = in.number<RunEntryHead>();
  RunDescription run;
  run.name = read_text(in);
  if (!in.ok()) return past_end();
  run.file_bytes = head.file_bytes;
  run.entry_count = head.entry_count;
  run.erased_count = head.erased_count;
  run.least_key = head.least_key;
  run.greatest_key = head.greatest_key;
  run.checksum = head.checksum;
  if (!is_possible(run, generation))
    return error(Status::kCorrupt, "the description of a run cannot be right");
  return run;
}

Result<TableRuns> parse_table(ByteReader& in, uint64_t generation, uint32_t last_number) {
  const auto entry = in.number<TableEntry>();
  if (!in.ok()) return past_end();
  if (entry.number <= last_number || entry.number > kTablesLimit)
    return error(Status::kCorrupt, "tables are out of order");
  if (entry.run_count > kRunsLimit) return error(Status::kCorrupt, "a table of more than 65,536 runs");
  TableRuns table{entry.number, entry.least_key, {}};
  for (uint32_t i = 0; i < entry.run_count; ++i) {
    Result<RunDescription> run = parse_run(in, generation);
    if (!run) return std::move(run).failure();
    table.runs.push_back(*std::move(run));
  }
  return table;
}

// A run that is named twice would be read, mapped and searched twice, at the cost of a few bytes of manifest.
bool names_differ(const Manifest& manifest) {
  Vector<std::string_view> names;
  append_run_names(manifest, names);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

Result<void> parse_sections(ByteReader& in, const ManifestHeader& header, Manifest& manifest) {
  for (uint32_t i = 0; i < header.option_count; ++i) {
    manifest.identity.options.push_back(read_text(in));
    if (!in.ok()) return past_end();
  }
  uint32_t last_number = 0;
  for (uint32_t i = 0; i < header.table_count; ++i) {
    Result<TableRuns> table = parse_table(in, header.generation, last_number);
    if (!table) return std::move(table).failure();
    last_number = table->number;
    manifest.tables.push_back(*std::move(table));
  }
  if (!names_differ(manifest)) return error(Status::kCorrupt, "a run is named twice");
  const Bytes state = in.raw(header.state_bytes);
  in.skip_padding();
  if (!in.ok()) return past_end();
  manifest.state.assign(state.begin(), state.end());
  return {};
}

}  // namespace

void append_run_names(const Manifest& manifest, Vector<std::string_view>& names) {
  for (const TableRuns& table : manifest.tables) {
    for (const RunDescription& run : table.runs)
      names.push_back(run.name);
  }
}

Result<Vector<uint8_t>> encode_manifest(const Manifest& manifest) {
  const Error too_large = error(Status::kLimit, "a manifest of more than 256 MiB");
  if (manifest.state.size() > kManifestBytesLimit) return too_large;
  Vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  ManifestHeader header{};
  writer.number(header);
  for (const String& option : manifest.identity.options)
    write_text(option, writer);
  for (const TableRuns& table : manifest.tables) {
    if (table.runs.size() > kRunsLimit)
      return error(Status::kLimit,
                   "a table of more than 65,536 runs, because there was no room to merge them");
    writer.number(TableEntry{table.number, static_cast<uint32_t>(table.runs.size()), table.least_key});
    for (const RunDescription& run : table.runs) {
      writer.number(RunEntryHead{run.file_bytes, run.entry_count, run.erased_count, run.least_key,
                                 run.greatest_key, run.checksum});
      write_text(run.name, writer);
    }
  }
  writer.raw(manifest.state.data(), manifest.state.size()).pad();
  if (bytes.size() > kManifestBytesLimit) return too_large;

  header.preamble = {kManifestMagic, 0, kStoreFormat, kByteOrderMark};
  header.file_bytes = bytes.size();
  header.generation = manifest.generation;
  header.secret = manifest.identity.secret;
  header.pipeline = manifest.identity.pipeline;
  header.state_bytes = manifest.state.size();
  header.option_count = static_cast<uint32_t>(manifest.identity.options.size());
  header.table_count = static_cast<uint32_t>(manifest.tables.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  header.preamble.checksum = preamble_checksum(bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

Result<Manifest> parse_manifest(Bytes bytes, uint64_t& fault_offset) {
  if (Result<void> checked = check_preamble(bytes, kManifestMagic, fault_offset); !checked)
    return std::move(checked).failure();
  Manifest manifest;
  ManifestHeader header;
  fault_offset = 0;
  if (bytes.size() < sizeof header) return error(Status::kCorrupt, "the file is shorter than its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  fault_offset = offsetof(ManifestHeader, file_bytes);
  if (header.file_bytes != bytes.size())
    return error(Status::kCorrupt, "the file has another size than it says");
  fault_offset = offsetof(ManifestHeader, generation);
  if (header.generation > kGreatestGeneration) return error(Status::kCorrupt, "an impossible generation");
  manifest.generation = header.generation;
  manifest.identity.secret = header.secret;
  manifest.identity.pipeline = header.pipeline;

  ByteReader in(bytes);
  in.raw(sizeof header);
  Result<void> sections = parse_sections(in, header, manifest);
  fault_offset = in.position();
  if (!sections) return std::move(sections).failure();
  if (!in.at_end()) return error(Status::kCorrupt, "bytes that belong to nothing");
  fault_offset = 0;
  return manifest;
}

}  // namespace nd::store
