// Composes and parses the names; a file with any other name is not ndc's and is left alone.
#include "store/store_names.hpp"

#include <algorithm>
#include <charconv>

namespace nd::store {
namespace {

constexpr std::string_view kManifestPrefix = "manifest-";
constexpr std::string_view kJournalPrefix = "journal-";
constexpr std::string_view kRunPrefix = "run-";
constexpr std::string_view kEntriesSuffix = ".entries";  // a run that is being written
constexpr size_t kNumberDigits = 20;
constexpr size_t kPositionDigits = 10;

bool are_digits(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_table(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// What follows the number of a run: "-table" or "-table-position".
bool is_run_rest(std::string_view rest) noexcept {
  if (!rest.starts_with('-')) return false;
  rest.remove_prefix(1);
  const size_t dash = rest.find('-');
  if (dash == std::string_view::npos) return is_table(rest);
  const std::string_view position = rest.substr(dash + 1);
  return is_table(rest.substr(0, dash)) && !position.empty() && position.size() <= kPositionDigits &&
         are_digits(position);
}

// Removes the prefix and the number; false if they are not there.
bool take_number(std::string_view& name, std::string_view prefix, uint64_t& number) noexcept {
  if (!name.starts_with(prefix) || name.size() < prefix.size() + kNumberDigits) return false;
  const std::string_view digits = name.substr(prefix.size(), kNumberDigits);
  if (!are_digits(digits)) return false;
  const std::from_chars_result read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc() || number > kGreatestGeneration) return false;
  name.remove_prefix(prefix.size() + kNumberDigits);
  return true;
}

FileName parse_finished(std::string_view name) noexcept {
  uint64_t number = 0;
  std::string_view rest = name;
  if (take_number(rest, kManifestPrefix, number) && rest.empty()) return {FileKind::kManifest, number};
  rest = name;
  if (take_number(rest, kJournalPrefix, number) && rest.empty()) return {FileKind::kJournal, number};
  rest = name;
  if (take_number(rest, kRunPrefix, number) && is_run_rest(rest)) return {FileKind::kRun, number};
  return {};
}

String numbered(std::string_view prefix, uint64_t number) {
  const String digits = decimal(number);
  String name(prefix);
  name.append(kNumberDigits - digits.size(), '0');
  name.append(digits);
  return name;
}

}  // namespace

FileName parse_file_name(std::string_view name) noexcept {
  if (name == kLockName) return {FileKind::kLock, 0};
  for (const std::string_view suffix : {kUnfinishedSuffix, kEntriesSuffix}) {
    if (!name.ends_with(suffix)) continue;
    const FileName whole = parse_finished(name.substr(0, name.size() - suffix.size()));
    return {whole.kind == FileKind::kUnknown ? FileKind::kUnknown : FileKind::kUnfinished, whole.generation};
  }
  return parse_finished(name);
}

String manifest_name(uint64_t generation) {
  return numbered(kManifestPrefix, generation);
}

String journal_name(uint64_t generation) {
  return numbered(kJournalPrefix, generation);
}

String run_name(uint64_t generation, std::string_view table, uint32_t position) {
  String name = numbered(kRunPrefix, generation);
  name.append("-").append(table);
  if (position > 0) name.append("-").append(decimal(position));
  return name;
}

String path_of(std::string_view directory, std::string_view name) {
  String path(directory);
  if (!path.ends_with('/')) path.push_back('/');
  path.append(name);
  return path;
}

std::string_view parent_of(std::string_view path) noexcept {
  while (path.size() > 1 && path.ends_with('/'))
    path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return path.substr(0, std::max<size_t>(slash, 1));
}

String decimal(uint64_t number) {
  char digits[kNumberDigits];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
  return {digits, static_cast<size_t>(end.ptr - digits)};
}

Result<StoreListing> list_store(FileSystem& files, std::string_view directory) {
  Result<Vector<String>> names = files.list(directory);
  if (!names) {
    if (names.failure().status == Status::kInvalidArgument)
      return error(Status::kInvalidArgument, directory, " is a file, and an ndc store is a directory");
    return std::move(names).failure();
  }
  StoreListing listing;
  for (String& name : *names) {  // ascending, and numbers have leading zeros
    const FileName parsed = parse_file_name(name);
    switch (parsed.kind) {
      case FileKind::kLock:
        listing.has_lock = true;
        break;
      case FileKind::kManifest:
        listing.manifests.push_back(parsed.generation);
        break;
      case FileKind::kJournal:
        listing.journals.push_back(parsed.generation);
        break;
      case FileKind::kRun:
        listing.runs.push_back(std::move(name));
        break;
      case FileKind::kUnfinished:
        listing.unfinished.push_back(std::move(name));
        break;
      case FileKind::kUnknown:
        listing.has_others = true;
        break;
    }
  }
  return listing;
}

}  // namespace nd::store
