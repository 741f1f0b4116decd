#include "store/store_listing.hpp"

#include "store/store_names.hpp"

namespace nd::store {

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
