// Reads entries by libzip through sources of our own, and refuses those that claim to expand beyond reason.
#include "archives/zip_archive.hpp"

#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

#include "archives/input_stream.hpp"

namespace ndc {
namespace {

constexpr size_t kCopiedPieceBytes = size_t{64} << 10;

double share_of(uint64_t stored_size, uint64_t size) {
  return size == 0 ? 1 : std::min(1.0, static_cast<double>(stored_size) / static_cast<double>(size));
}

// What libzip reads where there is no path: it owns it, and frees it with ZIP_SOURCE_FREE.
struct StoredZip {
  std::shared_ptr<StoredBytes> bytes;
  uint64_t size = 0;
  uint64_t offset = 0;
  zip_error_t error{};
};

zip_int64_t read_stored(StoredZip& zip, char* out, uint64_t size) {
  uint64_t given = 0;
  while (given < size && zip.offset < zip.size) {
    const uint64_t wanted = std::min(size - given, zip.size - zip.offset);
    const std::optional<size_t> count = zip.bytes->read(zip.offset, out + given, static_cast<size_t>(wanted));
    if (!count) zip_error_set(&zip.error, ZIP_ER_READ, 0);
    if (!count) return -1;
    if (*count == 0) break;
    zip.offset += *count;
    given += *count;
  }
  return static_cast<zip_int64_t>(given);
}

zip_int64_t stored_zip_call(void* context, void* data, zip_uint64_t size, zip_source_cmd_t command) {
  auto* const zip = static_cast<StoredZip*>(context);
  switch (command) {
    case ZIP_SOURCE_OPEN:
      zip->offset = 0;
      return 0;
    case ZIP_SOURCE_READ:
      return read_stored(*zip, static_cast<char*>(data), size);
    case ZIP_SOURCE_CLOSE:
      return 0;
    case ZIP_SOURCE_STAT: {
      auto* const status = static_cast<zip_stat_t*>(data);
      zip_stat_init(status);
      status->size = zip->size;
      status->valid = ZIP_STAT_SIZE;
      return sizeof *status;
    }
    case ZIP_SOURCE_SEEK: {
      const zip_int64_t place =
          zip_source_seek_compute_offset(zip->offset, zip->size, data, size, &zip->error);
      if (place < 0) return -1;
      zip->offset = static_cast<uint64_t>(place);
      return 0;
    }
    case ZIP_SOURCE_TELL:
      return static_cast<zip_int64_t>(zip->offset);
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&zip->error, data, size);
    case ZIP_SOURCE_FREE:
      zip_error_fini(&zip->error);
      delete zip;
      return 0;
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                            ZIP_SOURCE_STAT, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                            ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SUPPORTS, -1);
    default:
      zip_error_set(&zip->error, ZIP_ER_OPNOTSUPP, 0);
      return -1;
  }
}

// Whether the list of entries is lost, rather than unreadable or too large for the memory. EFBIG: a list that
// lies elsewhere than it says.
bool is_list_lost(const zip_error_t& error) {
  switch (zip_error_code_zip(&error)) {
    case ZIP_ER_NOZIP:
    case ZIP_ER_INCONS:
    case ZIP_ER_MULTIDISK:
#ifdef ZIP_ER_TRUNCATED_ZIP
    case ZIP_ER_TRUNCATED_ZIP:  // since libzip 1.11, for ZIP_ER_NOZIP where the file begins as a ZIP file
#endif
      return true;
    case ZIP_ER_SEEK:
      return zip_error_code_system(&error) == EFBIG;
    default:
      return false;
  }
}

struct TemporaryFileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

struct ZipArchive::Failure {
  Failure() { zip_error_init(&error); }
  ~Failure() { zip_error_fini(&error); }
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;

  zip_error_t error;
};

class ZipEntrySource final : public ByteSource {
 public:
  ZipEntrySource(std::shared_ptr<ZipArchive> archive, zip_file_t* file, const ZipEntry& entry, double share)
      : archive_(std::move(archive)),
        file_(file),
        rest_(entry.size),
        size_(entry.size),
        is_stored_(entry.is_stored),
        share_(share * share_of(entry.stored_size, entry.size)) {}
  ~ZipEntrySource() override { zip_fclose(file_); }

  std::optional<size_t> read(char* out, size_t size) override {
    const zip_int64_t count = zip_fread(file_, out, size);
    if (count < 0) {
      error_ = zip_file_strerror(file_);
      return std::nullopt;
    }
    if (static_cast<uint64_t>(count) > rest_) {
      error_ = "the entry is longer than the ZIP file says";
      return std::nullopt;
    }
    if (count == 0 && rest_ > 0) {
      error_ = "the entry is shorter than the ZIP file says";
      return std::nullopt;
    }
    rest_ -= static_cast<uint64_t>(count);
    return static_cast<size_t>(count);
  }
  std::optional<uint64_t> size() const override { return size_; }
  double stored_share() const override { return share_; }
  std::string error() const override { return error_; }

  // Stored entries are gone through at once, others by reading.
  bool skip(uint64_t count) {
    if (count > rest_) return false;
    if (is_stored_) {
      if (zip_fseek(file_, static_cast<zip_int64_t>(count), SEEK_SET) != 0) return false;
      rest_ -= count;
      return true;
    }
    char piece[size_t{16} << 10];
    while (count > 0) {
      const std::optional<size_t> given = read(piece, std::min<uint64_t>(count, sizeof piece));
      if (!given || *given == 0) return false;
      count -= *given;
    }
    return true;
  }

 private:
  const std::shared_ptr<ZipArchive> archive_;
  zip_file_t* file_;
  uint64_t rest_;
  const uint64_t size_;
  const bool is_stored_;
  const double share_;
  std::string error_;
};

std::shared_ptr<ZipArchive> ZipArchive::open(const std::string& path, size_t max_entries, ZipFault& fault) {
  std::optional<uint64_t> size;
  if (!FileSource::check(path, size, fault.reason)) return nullptr;
  if (!size) {
    fault.reason = "is no regular file";
    return nullptr;
  }
  Failure failure;
  return open(zip_source_file_create(path.c_str(), 0, -1, &failure.error), failure, nullptr, 1, *size,
              max_entries, fault);
}

std::shared_ptr<ZipArchive> ZipArchive::open(std::shared_ptr<StoredBytes> bytes, size_t max_entries,
                                             ZipFault& fault) {
  const uint64_t size = bytes->size().value_or(0);
  auto stored = std::make_unique<StoredZip>();
  stored->size = size;
  stored->bytes = std::move(bytes);
  zip_error_init(&stored->error);
  Failure failure;
  zip_source_t* source = zip_source_function_create(stored_zip_call, stored.get(), &failure.error);
  if (source != nullptr) stored.release();
  return open(source, failure, nullptr, 1, size, max_entries, fault);
}

std::shared_ptr<ZipArchive> ZipArchive::open_within(const ZipEntry& entry, size_t max_entries,
                                                    uint64_t max_expansion, ZipFault& fault) {
  zip_source_t* source = source_of(entry, max_expansion, fault.reason);
  if (source == nullptr) return nullptr;
  Failure failure;
  const double share = stored_share_ * share_of(entry.stored_size, entry.size);
  return open(source, failure, shared_from_this(), share, entry.size, max_entries, fault);
}

// Takes the source; NULL: it could not be made, and `failure` says why.
std::shared_ptr<ZipArchive> ZipArchive::open(zip_source* source, Failure& failure,
                                             std::shared_ptr<ZipArchive> outer, double share, uint64_t size,
                                             size_t max_entries, ZipFault& fault) {
  zip_t* archive = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &failure.error);
  if (archive == nullptr) {
    fault.reason =
        std::string("looks like a ZIP file, but cannot be read (") + zip_error_strerror(&failure.error) + ")";
    fault.is_list_lost = is_list_lost(failure.error);
    zip_source_free(source);
    return nullptr;
  }
  const std::shared_ptr<ZipArchive> opened(new ZipArchive(archive, source, std::move(outer), share));
  const uint64_t count = static_cast<uint64_t>(std::max<zip_int64_t>(zip_get_num_entries(archive, 0), 0));
  if (count > max_entries) {
    fault.reason = "has more than " + std::to_string(max_entries) + " entries, the limit of files";
    return nullptr;
  }
  // Each byte is of one entry: where many entries share theirs, a small file is a large one many times over.
  uint64_t taken = 0;
  for (const ZipEntry& entry : opened->entries()) {
    if (entry.stored_size > size - taken) {
      fault.reason = "looks like a ZIP file, but its entries overlap";
      return nullptr;
    }
    taken += entry.stored_size;
  }
  opened->directory_ = read_zip_directory(source, count);
  return opened;
}

// The bytes of an entry, at any place of which one can read.
zip_source_t* ZipArchive::source_of(const ZipEntry& entry, uint64_t max_expansion, std::string& error) {
  zip_source_t* source = nullptr;
  if (entry.is_stored) {
    source = zip_source_zip(archive_, archive_, entry.index, 0, 0, -1);
    if (source == nullptr) error = zip_strerror(archive_);
    return source;
  }
  if (entry.size > kFreeExpansionBytes && entry.size / max_expansion > entry.stored_size) {
    error = "expands to more than " + std::to_string(max_expansion) + " times its size, the limit";
    return nullptr;
  }
  const std::unique_ptr<ByteSource> bytes = read(entry.index, 0, error);
  if (!bytes) return nullptr;
  std::unique_ptr<std::FILE, TemporaryFileCloser> file(std::tmpfile());
  std::vector<char> piece(kCopiedPieceBytes);
  bool written = file != nullptr;
  while (written) {
    const std::optional<size_t> count = bytes->read(piece.data(), piece.size());
    if (!count) error = bytes->error();
    if (!count) return nullptr;
    if (*count == 0) break;
    written = std::fwrite(piece.data(), 1, *count, file.get()) == *count;
  }
  if (!written || std::fflush(file.get()) != 0) {
    error = "cannot be put into a temporary file";
    return nullptr;
  }
  source = zip_source_filep(archive_, file.get(), 0, -1);
  if (source == nullptr) {
    error = zip_strerror(archive_);
  } else {
    file.release();  // closed with the source
  }
  return source;
}

ZipArchive::~ZipArchive() {
  zip_discard(archive_);
}

std::vector<ZipEntry> ZipArchive::entries() const {
  std::vector<ZipEntry> all;
  const zip_int64_t count = zip_get_num_entries(archive_, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t status;
    zip_stat_init(&status);
    const zip_uint64_t index = static_cast<zip_uint64_t>(i);
    constexpr zip_uint64_t kWanted =
        ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    // A name that is not of the characters that it should be of is taken as it is.
    if (zip_stat_index(archive_, index, 0, &status) != 0 &&
        zip_stat_index(archive_, index, ZIP_FL_ENC_RAW, &status) != 0)
      continue;
    if ((status.valid & kWanted) != kWanted) continue;
    all.push_back({index, status.name, status.size, status.comp_size, status.comp_method == ZIP_CM_STORE});
  }
  return all;
}

std::string ZipArchive::own_name(uint64_t index) const {
  return index < directory_.places.size() ? name_of_zip_entry(source_, directory_.places[index])
                                          : std::string();
}

std::unique_ptr<ByteSource> ZipArchive::read(uint64_t index, uint64_t offset, std::string& error) {
  zip_stat_t status;
  zip_stat_init(&status);
  zip_file_t* file =
      zip_stat_index(archive_, index, 0, &status) == 0 ? zip_fopen_index(archive_, index, 0) : nullptr;
  if (file == nullptr) {
    error = zip_strerror(archive_);
    return nullptr;
  }
  const ZipEntry entry{index, {}, status.size, status.comp_size, status.comp_method == ZIP_CM_STORE};
  auto source = std::make_unique<ZipEntrySource>(shared_from_this(), file, entry, stored_share_);
  if (offset > 0 && !source->skip(offset)) {
    error = "the place where reading should go on cannot be reached";
    return nullptr;
  }
  return source;
}

}  // namespace ndc
