// The entries of a ZIP file, stored or deflated, by libzip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archives/byte_source.hpp"
#include "archives/stored_bytes.hpp"
#include "archives/zip_directory.hpp"

struct zip;
struct zip_source;

namespace ndc {

// Why a ZIP file cannot be opened.
struct ZipFault {
  std::string reason;
  bool is_list_lost = false;  // its list of entries: what it stores may be readable
};

struct ZipEntry {
  uint64_t index = 0;
  std::string name;          // as the ZIP file has it
  uint64_t size = 0;         // bytes that it says it gives
  uint64_t stored_size = 0;  // bytes that it takes in the ZIP file
  bool is_stored = false;    // else it is compressed
};

// One thread at a time, with all sources that come from it.
class ZipArchive : public std::enable_shared_from_this<ZipArchive> {
 public:
  // NULL: `fault` says why. At most `max_entries` entries.
  static std::shared_ptr<ZipArchive> open(const std::string& path, size_t max_entries, ZipFault& fault);
  // The same of a file that lies anywhere, of known size.
  static std::shared_ptr<ZipArchive> open(std::shared_ptr<StoredBytes> bytes, size_t max_entries,
                                          ZipFault& fault);
  // An entry that is a ZIP file itself. A compressed one is put into a temporary file, if it is at most
  // `max_expansion` times as large as it is stored, and 64 MiB beside.
  std::shared_ptr<ZipArchive> open_within(const ZipEntry& entry, size_t max_entries, uint64_t max_expansion,
                                          ZipFault& fault);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  // In the order of the ZIP file's list.
  std::vector<ZipEntry> entries() const;

  // Else it is damaged, and may lack some.
  bool has_whole_list() const { return directory_.is_whole; }

  // What an entry calls itself, whatever the list says; empty if that cannot be read.
  std::string own_name(uint64_t index) const;

  // The bytes of an entry, from its byte `offset` on; an entry that gives more or less than it says is an
  // error. NULL: `error` says why.
  std::unique_ptr<ByteSource> read(uint64_t index, uint64_t offset, std::string& error);

 private:
  friend class ZipEntrySource;

  ZipArchive(zip* archive, zip_source* source, std::shared_ptr<ZipArchive> outer, double share)
      : outer_(std::move(outer)), archive_(archive), source_(source), stored_share_(share) {}

  struct Failure;

  static std::shared_ptr<ZipArchive> open(zip_source* source, Failure& failure,
                                          std::shared_ptr<ZipArchive> outer, double share, uint64_t size,
                                          size_t max_entries, ZipFault& fault);
  zip_source* source_of(const ZipEntry& entry, uint64_t max_expansion, std::string& error);

  const std::shared_ptr<ZipArchive> outer_;  // in which it is
  zip* archive_;
  zip_source* const source_;   // archive_ owns it
  const double stored_share_;  // bytes of the outer one for each of its own
  ZipDirectory directory_;
};

}  // namespace ndc
