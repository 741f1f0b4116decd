// The bytes of a file that lies anywhere, as a caller of ndc_archives.h reads them: at any place, in any
// order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "archives/byte_source.hpp"

namespace ndc {

// One thread at a time.
class StoredBytes {
 public:
  StoredBytes() = default;
  virtual ~StoredBytes() = default;
  StoredBytes(const StoredBytes&) = delete;
  StoredBytes& operator=(const StoredBytes&) = delete;

  // Reads at most `size` (> 0) bytes from byte `offset` on. nullopt: failed, now or before; 0: the end.
  virtual std::optional<size_t> read(uint64_t offset, char* out, size_t size) = 0;

  // How many there should be; nullopt: not known.
  virtual std::optional<uint64_t> size() const = 0;
};

// From one place to the end, one after the other.
class StoredSource final : public ByteSource {
 public:
  StoredSource(std::shared_ptr<StoredBytes> bytes, uint64_t offset)
      : bytes_(std::move(bytes)), offset_(offset) {}

  std::optional<size_t> read(char* out, size_t size) override;
  std::optional<uint64_t> size() const override { return bytes_->size(); }
  std::optional<uint64_t> early_end() const override { return early_end_; }
  std::string error() const override { return "cannot be read"; }

 private:
  const std::shared_ptr<StoredBytes> bytes_;
  uint64_t offset_;
  std::optional<uint64_t> early_end_;
};

}  // namespace ndc
