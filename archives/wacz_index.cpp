// Searches the lines of an index for a URL and resolves file names without ever leaving the folder.
#include "archives/wacz_index.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <tuple>
#include <utility>

#include "archives/archive_reader.hpp"
#include "archives/byte_source.hpp"
#include "archives/header_fields.hpp"
#include "archives/input_kind.hpp"
#include "archives/zip_archive.hpp"

namespace ndc {
namespace {

using Json = nlohmann::json;
using Ordinals = std::map<std::string, size_t, std::less<>>;

constexpr std::string_view kIndexFolder = "indexes/";
constexpr std::string_view kSecondLevel = ".idx";
constexpr size_t kMaxIndexLineBytes = size_t{1} << 20;

bool is_earlier(const ArchivePlace& a, const ArchivePlace& b) {
  return std::tie(a.input, a.position.file_offset) < std::tie(b.input, b.position.file_offset);
}

// The files in archive/ by their names, as ArchiveReader numbers them.
Ordinals ordinals_of(const std::string& path, const InputLimits& limits) {
  Ordinals ordinals;
  InputFiles files;
  std::string reason;
  if (!add_input(path, limits, files, reason)) return ordinals;
  const size_t prefix = path.size() + 1 + kArchiveFolder.size();
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i]->form == InputFile::Form::kZipEntry && !files[i]->outer_index)
      ordinals.emplace(files[i]->name.substr(prefix), i);
  }
  return ordinals;
}

// What a line says of a record.
struct IndexLine {
  std::string url;
  std::string filename;
  uint64_t offset = 0;
};

// "com,example)/ 20240506070809 {"url": "https://example.com/", "filename": "a.warc.gz", "offset": "123"}"
std::optional<IndexLine> parse_line(std::string_view line) {
  const size_t brace = line.find('{');
  if (brace == std::string_view::npos) return std::nullopt;
  const Json fields = Json::parse(line.substr(brace), nullptr, false);
  const auto text = [&fields](const char* name) -> std::string {
    const auto field = fields.is_object() ? fields.find(name) : fields.end();
    if (field == fields.end()) return {};
    if (field->is_number_unsigned()) return std::to_string(field->get<uint64_t>());
    return field->is_string() ? field->get<std::string>() : std::string();
  };
  const std::optional<unsigned long long> offset = parse_decimal(text("offset"));
  if (!offset) return std::nullopt;
  return IndexLine{text("url"), text("filename"), *offset};
}

// Calls `visit` with each line about the URL, until it returns false.
template <typename Visit>
void search(InputStream& stream, std::string_view url, const Visit& visit) {
  while (!stream.ahead().empty() || stream.fill()) {
    size_t end = stream.ahead().find('\n');
    while (end == std::string_view::npos && stream.ahead().size() < kMaxIndexLineBytes && stream.fill())
      end = stream.ahead().find('\n');
    const std::string_view bytes = stream.ahead();
    const std::string_view line = bytes.substr(0, std::min(end, bytes.size()));
    // Most are about others.
    if (line.find(url) != std::string_view::npos) {
      const std::optional<IndexLine> parsed = parse_line(line);
      if (parsed && parsed->url == url && !visit(*parsed)) return;
    }
    stream.consume(std::min(line.size() + 1, bytes.size()));
    stream.release();
  }
}

bool leads_to(const std::string& path, std::string_view url, const ArchivePlace& place,
              const InputLimits& limits) {
  ArchiveReader reader({path}, 0, limits);
  if (!reader.check()) return false;
  reader.start_at(place);
  WarcRecord record;
  RecordDamage damage;
  return reader.next(record, damage) == ArchiveReader::Outcome::kRecord && record.target_uri == url;
}

// A file in this folder or in one within it. A stranger wrote the index: no name in it leads
// elsewhere, by itself or by a link, nor to a device or a pipe.
std::optional<std::filesystem::path> file_within(const std::filesystem::path& folder,
                                                 const std::string& name) {
  const std::filesystem::path inner(name);
  if (name.empty() || inner.is_absolute() || std::find(inner.begin(), inner.end(), "..") != inner.end())
    return std::nullopt;
  std::error_code failed;
  const std::filesystem::path base = std::filesystem::canonical(folder.empty() ? "." : folder, failed);
  if (failed) return std::nullopt;
  const std::filesystem::path file = std::filesystem::canonical(base / inner, failed);
  if (failed || !std::filesystem::is_regular_file(file, failed)) return std::nullopt;
  const auto [end, unused] = std::mismatch(base.begin(), base.end(), file.begin(), file.end());
  return end == base.end() ? std::optional(folder / inner) : std::nullopt;
}

bool is_zip_file(const std::string& path) {
  std::string reason;
  std::optional<uint64_t> size;
  if (path == "-" || !FileSource::check(path, size, reason) || !size) return false;
  const std::unique_ptr<FileSource> source = FileSource::open(path, reason);
  char start[4];
  return source && source->read(start, sizeof start) == sizeof start && is_zip({start, sizeof start});
}

}  // namespace

std::optional<ArchivePlace> place_in_wacz(const std::string& path, std::string_view url,
                                          const InputLimits& limits) {
  if (!is_zip_file(path)) return std::nullopt;
  ZipFault fault;
  const std::shared_ptr<ZipArchive> zip = ZipArchive::open(path, limits.max_files, fault);
  if (!zip) return std::nullopt;
  const std::vector<ZipEntry> entries = zip->entries();
  const Ordinals ordinals = ordinals_of(path, limits);
  std::optional<ArchivePlace> earliest;
  for (const ZipEntry& entry : entries) {
    if (!entry.name.starts_with(kIndexFolder) || entry.name.ends_with(kSecondLevel)) continue;
    const std::unique_ptr<ByteSource> source = zip->read(entry.index, 0, fault.reason);
    if (!source) continue;
    InputStream stream(*source, 0, {}, limits.max_expansion);
    search(stream, url, [&](const IndexLine& line) {
      const auto ordinal = ordinals.find(line.filename);
      if (ordinal == ordinals.end()) return true;
      const ArchivePlace place{ordinal->second, {line.offset, 0}};
      if (!earliest || is_earlier(place, *earliest)) earliest = place;
      return true;
    });
  }
  if (!earliest || !leads_to(path, url, *earliest, limits)) return std::nullopt;
  return earliest;
}

std::optional<ArchivePlace> place_in_wacz(const std::string& path, std::string_view url,
                                          std::string_view other, const InputLimits& limits) {
  const std::optional<ArchivePlace> first = place_in_wacz(path, url, limits);
  const std::optional<ArchivePlace> second = first ? place_in_wacz(path, other, limits) : std::nullopt;
  if (!second) return std::nullopt;
  return is_earlier(*second, *first) ? second : first;
}

bool is_index(const std::string& path) {
  std::string reason;
  std::optional<uint64_t> size;
  if (path == "-" || !FileSource::check(path, size, reason) || !size) return false;
  const std::unique_ptr<FileSource> source = FileSource::open(path, reason);
  if (!source) return false;
  InputStream stream(*source);
  while (stream.ahead().size() < kMaxIndexLineBytes && stream.fill()) {
  }
  std::string_view rest = stream.ahead();
  // Lines that say what the index is come first.
  while (rest.starts_with('!'))
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size()));
  // JSON lines are pages.
  if (line.starts_with('{')) return false;
  const std::optional<IndexLine> parsed = parse_line(line);
  return parsed && !parsed->url.empty() && !parsed->filename.empty();
}

std::optional<IndexedPlace> place_in_index(const std::string& path, std::string_view url,
                                           const InputLimits& limits, std::string& reason) {
  const std::unique_ptr<FileSource> source = FileSource::open(path, reason);
  if (!source) return std::nullopt;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  InputStream stream(*source, 0, {}, limits.max_expansion);
  reason = "no page with the URL " + std::string(url) + " in the index " + path;
  std::optional<IndexedPlace> found;
  search(stream, url, [&](const IndexLine& line) {
    for (const char* place : {"", "archive", "../archive", ".."}) {
      const std::optional<std::filesystem::path> file = file_within(folder / place, line.filename);
      if (!file) continue;
      found = IndexedPlace{file->string(), {line.offset, 0}};
      return false;
    }
    reason = path + ": the file " + line.filename + " is not there, in archive/ or in the folder above";
    return true;
  });
  return found;
}

}  // namespace ndc
