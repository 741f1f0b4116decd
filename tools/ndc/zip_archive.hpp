// The entries of a ZIP file, stored or deflated, by libzip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "byte_source.hpp"

struct zip;

namespace ndc {

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
  // NULL: `error` says why. At most `max_entries` entries.
  static std::shared_ptr<ZipArchive> open(const std::string& path, size_t max_entries, std::string& error);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  // In the order of the ZIP file's list. Names that are no text are left out.
  std::vector<ZipEntry> entries() const;

  // The bytes of an entry, from its byte `offset` on; an entry that gives more than it says is an error.
  // NULL: `error` says why.
  std::unique_ptr<ByteSource> read(uint64_t index, uint64_t offset, std::string& error);

 private:
  friend class ZipEntrySource;

  explicit ZipArchive(zip* archive) : archive_(archive) {}

  zip* archive_;
};

}  // namespace ndc
