// Expands folders, lists and WACZ files, with a bound on how many files one argument may become.
#include "archives/input_list.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "archives/byte_source.hpp"
#include "archives/header_fields.hpp"
#include "archives/input_kind.hpp"
#include "archives/zip_archive.hpp"

namespace ndc {
namespace {

constexpr size_t kMaxFolderDepth = 200;
constexpr size_t kMaxListBytes = size_t{256} << 20;
constexpr size_t kMaxPathBytes = 4096;
constexpr size_t kShownBytes = 60;
constexpr size_t kStoreMagicBytes = 8;
constexpr std::string_view kWaczEnding = ".wacz";
// A file that does not begin with the magic number of ZIP is one with junk before its first member.
constexpr uint64_t kZipMagicBytes = 4;

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() &&
         equals_ignoring_case(text.substr(text.size() - ending.size()), ending);
}

bool is_in_archive(std::string_view name) {
  return name.starts_with(kArchiveFolder) && !name.ends_with('/');
}

// Whether an entry of a WACZ is a file of pages, or another WACZ.
bool may_hold_pages(std::string_view name) {
  return is_in_archive(name) || ends_with_ignoring_case(name, kWaczEnding);
}

// Whether the name is one of records, perhaps packed: such an entry of a WACZ need not be opened to see what
// it is.
bool has_name_of_records(std::string_view name) {
  for (const std::string_view packing : {".gz", ".zst", ".bz2", ".xz", ".lz4"})
    if (ends_with_ignoring_case(name, packing)) name.remove_suffix(packing.size());
  return ends_with_ignoring_case(name, ".warc") || ends_with_ignoring_case(name, ".arc") ||
         ends_with_ignoring_case(name, ".wet");
}

class Expansion {
 public:
  Expansion(const InputLimits& limits, InputFiles& files, std::string& error)
      : limits_(limits), files_(files), error_(error) {}

  bool add_named(const std::string& path) {
    std::optional<uint64_t> size;
    struct stat status {};
    const bool folder = path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
    if (folder && is_store_folder(path))
      return fail(path + ": is a store, which keeps no pages; give the archives that they came from");
    if (folder) return add_folder(path, 0);
    std::string reason;
    if (!FileSource::check(path, size, reason)) return fail(shown_name(path) + ": " + reason);
    // The kind of an input that can be read only once is determined when its turn comes.
    if (path == "-" || !size) return add_file(path, size, false);
    const std::unique_ptr<FileSource> source = FileSource::open(path, reason);
    return source ? add_known({path, path, nullptr, {}}, *size, *source) : fail(path + ": " + reason);
  }

  bool add_stored(const std::string& name, const std::shared_ptr<StoredBytes>& bytes) {
    StoredSource source(bytes, 0);
    return add_known({name, name, bytes, {}}, bytes->size(), source);
  }

  // A text file is a list if its first line names something.
  bool add_list(InputStream& list, const std::string& name) {
    std::string_view text = list.ahead();
    text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
    const std::string first(trimmed(text.substr(0, std::min(text.find('\n'), text.size()))));
    struct stat status {};
    if (first.size() > kMaxPathBytes || ::stat(first.c_str(), &status) != 0)
      return fail(name + ": looks like plain text, and its first line names no file: \"" +
                  first.substr(0, kShownBytes) + (first.size() > kShownBytes ? "..." : "") +
                  "\"; a folder of text files is read as pages");
    return add_lines(list, name);
  }

 private:
  bool add_lines(InputStream& list, const std::string& name) {
    while (list.ahead().size() <= kMaxListBytes && list.fill()) {
    }
    if (list.ahead().size() > kMaxListBytes) return fail(name + ": the list of paths is longer than 256 MiB");
    std::string_view rest = list.ahead();
    for (size_t number = 1; !rest.empty(); ++number) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      const std::string path(trimmed(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (path.empty()) continue;
      if (!add_line(path, name + ": line " + std::to_string(number) + ": ")) return false;
    }
    return true;
  }

  bool fail(std::string error) {
    error_ = std::move(error);
    return false;
  }

  bool add(InputFile file) {
    if (files_.size() >= limits_.max_files)
      return fail(file.name + ": the inputs come to more than " + std::to_string(limits_.max_files) +
                  " files, the limit");
    files_.push_back(std::make_unique<InputFile>(std::move(file)));
    return true;
  }

  bool add_file(const std::string& path, std::optional<uint64_t> size, bool is_listed,
                std::shared_ptr<StoredBytes> bytes = nullptr) {
    InputFile file;
    file.name = path;
    file.bytes = std::move(bytes);
    file.size = size;
    file.is_listed = is_listed;
    return add(std::move(file));
  }

  bool add_unread(const std::string& path, InputFile::Form form, std::string reason = {}) {
    InputFile file;
    file.name = path;
    file.form = form;
    file.size = 0;
    file.reason = std::move(reason);
    file.is_listed = true;
    return add(std::move(file));
  }

  // A file, or a WACZ file.
  struct Place {
    std::string name;
    std::string path;
    std::shared_ptr<StoredBytes> bytes;
    std::optional<uint64_t> outer_index;
  };

  // A regular file that is named by itself.
  bool add_known(const Place& place, std::optional<uint64_t> size, ByteSource& source) {
    const std::string& path = place.name;
    std::string reason;
    InputStream stream(source);
    const DetectedInput detected = detect_input(stream, limits_.json_fields);
    if (is_zip(stream.ahead())) {
      if (!size)
        return fail(path + ": looks like a ZIP file, which is read from its end: its size must be known");
      bool archive = false;
      ZipFault fault;
      if (!add_wacz(place, archive, fault))
        return add_stored_members(place, size, false, fault) ||
               (error_.empty() && fail(path + ": " + fault.reason));
      if (!archive) return fail(path + ": looks like a ZIP file, but is no WACZ: it has no folder archive/");
      return true;
    }
    if (!stream.read_error().empty()) return fail(path + ": " + stream.read_error());
    const bool is_list = detected.kind == InputKind::kText && !stream.is_packed() && !place.bytes;
    if (is_list) return add_list(stream, path);
    if (!detected.looks_like.empty())
      return fail(path + ": looks like " + detected.looks_like + ", not like an archive of pages");
    return add_file(path, size, false, place.bytes);
  }

  bool add_line(const std::string& path, const std::string& place) {
    struct stat status {};
    if (path.size() > kMaxPathBytes || ::stat(path.c_str(), &status) != 0)
      return fail(place + path.substr(0, kMaxPathBytes) + ": " + unreadable_because(errno));
    if (S_ISDIR(status.st_mode)) return add_folder(path, 0);
    if (::access(path.c_str(), R_OK) != 0) return fail(place + path + ": " + unreadable_because(errno));
    return add_met(path);
  }

  // Any entry of a folder or a list.
  bool add_met(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
      return add_unread(path, InputFile::Form::kUnreadable, unreadable_because(errno));
    if (!S_ISREG(status.st_mode)) return add_unread(path, InputFile::Form::kNotFollowed);
    char start[4];
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return add_unread(path, InputFile::Form::kUnreadable, unreadable_because(errno));
    const ssize_t count = ::read(descriptor, start, sizeof start);
    ::close(descriptor);
    if (count == sizeof start && is_zip({start, sizeof start})) {
      bool archive = false;
      ZipFault fault;
      const Place place{path, path, nullptr, {}};
      if (!add_wacz(place, archive, fault))
        return add_stored_members(place, static_cast<uint64_t>(status.st_size), true, fault) ||
               (error_.empty() && add_unread(path, InputFile::Form::kUnreadable, fault.reason));
      if (archive) return true;
    }
    return add_file(path, static_cast<uint64_t>(std::max<off_t>(status.st_size, 0)), true);
  }

  bool add_folder(const std::string& path, size_t depth) {
    if (depth > kMaxFolderDepth)
      return add_unread(path, InputFile::Form::kUnreadable, "the folder lies too deep");
    std::error_code failed;
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator entry(path, failed), end; !failed && entry != end;
         entry.increment(failed)) {
      std::string name = entry->path().filename().string();
      if (!name.starts_with('.')) names.push_back(std::move(name));
      if (names.size() > limits_.max_files)
        return fail(path + ": the folder has more than " + std::to_string(limits_.max_files) +
                    " files, the limit");
    }
    if (failed) {
      const std::string reason = "the folder cannot be read: " + failed.message();
      if (depth == 0) return fail(path + ": " + reason);
      return add_unread(path, InputFile::Form::kUnreadable, reason);
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      const std::string inner = path.ends_with('/') ? path + name : path + "/" + name;
      struct stat status {};
      const bool is_folder = ::stat(inner.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
      const bool is_link = is_folder && ::lstat(inner.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
      const bool added = is_link     ? add_unread(inner, InputFile::Form::kNotFollowed)
                         : is_folder ? add_folder(inner, depth + 1)
                                     : add_met(inner);
      if (!added) return false;
    }
    return true;
  }

  // `archive`: whether it is a WACZ. False: it cannot be read, and `fault` says why.
  bool add_wacz(const Place& place, bool& archive, ZipFault& fault) {
    const std::shared_ptr<ZipArchive> zip = place.bytes
                                                ? ZipArchive::open(place.bytes, limits_.max_files, fault)
                                                : ZipArchive::open(place.path, limits_.max_files, fault);
    return zip && add_entries(*zip, place, archive);
  }

  // Of a ZIP file whose list of entries is lost: the first one with records, and those of its form behind it,
  // as what lies behind junk. False: nothing is found, or error_ says why not.
  bool add_stored_members(const Place& place, std::optional<uint64_t> size, bool is_listed,
                          const ZipFault& fault) {
    if (!error_.empty() || !fault.is_list_lost) return false;
    std::unique_ptr<ByteSource> source;
    std::string failure;
    if (place.bytes) {
      source = std::make_unique<StoredSource>(place.bytes, kZipMagicBytes);
    } else {
      auto file = FileSource::open(place.path, failure);
      if (file && file->seek(kZipMagicBytes)) source = std::move(file);
    }
    if (!source) return false;
    InputStream stream(*source, kZipMagicBytes);
    const InputKind kind = detect_input(stream, limits_.json_fields).kind;
    if (kind != InputKind::kWarc && kind != InputKind::kArc && kind != InputKind::kJsonLines) return false;
    InputFile file;
    file.name = place.name;
    file.bytes = place.bytes;
    file.begin = kZipMagicBytes;
    file.size = size;
    file.is_listed = is_listed;
    return add_unread(place.name, InputFile::Form::kUnreadable, fault.reason) && add(std::move(file));
  }

  bool add_entries(ZipArchive& zip, const Place& place, bool& archive) {
    bool has_whole_list = zip.has_whole_list();
    for (ZipEntry& entry : zip.entries()) {
      if (!may_hold_pages(entry.name)) {
        entry.name = zip.own_name(entry.index);
        if (!may_hold_pages(entry.name)) continue;
        has_whole_list = false;
      }
      const bool in_archive = is_in_archive(entry.name);
      const std::string name = place.name + "/" + entry.name;
      bool inner = false;
      if (is_zip_entry(zip, entry) && !add_inner(zip, place, entry, name, inner)) return false;
      archive = archive || inner || in_archive;
      if (inner || !in_archive) continue;
      InputFile file;
      file.name = name;
      file.form = InputFile::Form::kZipEntry;
      file.is_listed = true;
      file.zip_path = place.path;
      file.bytes = place.bytes;
      file.outer_index = place.outer_index;
      file.zip_index = entry.index;
      file.is_deflated = !entry.is_stored;
      file.size = entry.size;
      if (!add(std::move(file))) return false;
    }
    return !archive || has_whole_list ||
           add_unread(place.name, InputFile::Form::kUnreadable,
                      "damage in the ZIP file's list of entries, which may lack some");
  }

  // A ZIP file within a WACZ. `inner`: whether that was a WACZ, or cannot be read.
  bool add_inner(ZipArchive& zip, const Place& outer, const ZipEntry& entry, const std::string& name,
                 bool& inner) {
    inner = true;
    if (outer.outer_index)
      return add_unread(name, InputFile::Form::kUnreadable, "a WACZ within two others is not opened");
    ZipFault fault;
    const auto within = zip.open_within(entry, limits_.max_files, limits_.max_expansion, fault);
    if (!within) return add_unread(name, InputFile::Form::kUnreadable, fault.reason);
    inner = false;
    return add_entries(*within, {name, outer.path, outer.bytes, entry.index}, inner);
  }

  static bool is_zip_entry(ZipArchive& zip, const ZipEntry& entry) {
    std::string reason;
    char start[4];
    if (entry.size < sizeof start || has_name_of_records(entry.name)) return false;
    const std::unique_ptr<ByteSource> source = zip.read(entry.index, 0, reason);
    return source && source->read(start, sizeof start) == sizeof start && is_zip({start, sizeof start});
  }

  const InputLimits& limits_;
  InputFiles& files_;
  std::string& error_;
};

}  // namespace

bool is_store_folder(const std::string& path) {
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(path, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with("manifest-") && !name.starts_with("journal-")) continue;
    std::string reason;
    const std::unique_ptr<FileSource> source = FileSource::open(entry->path().string(), reason);
    char start[kStoreMagicBytes];
    if (!source || source->read(start, sizeof start) != sizeof start) continue;
    const std::string_view magic(start, sizeof start);
    if (magic == "NDCSTORE" || magic == "NDCJOURN") return true;
  }
  return false;
}

bool add_input(const std::string& path, const InputLimits& limits, InputFiles& files, std::string& error) {
  return Expansion(limits, files, error).add_named(path);
}

bool add_stored(const std::string& name, const std::shared_ptr<StoredBytes>& bytes, const InputLimits& limits,
                InputFiles& files, std::string& error) {
  return Expansion(limits, files, error).add_stored(name, bytes);
}

bool add_listed(InputStream& list, const std::string& name, const InputLimits& limits, InputFiles& files,
                std::string& error) {
  return Expansion(limits, files, error).add_list(list, name);
}

}  // namespace ndc
