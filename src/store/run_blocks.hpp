// The bytes of an open run file. Each block is verified before its first use; if the file is not to be
// mapped, that is also when the block is read into memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "core/memory.hpp"
#include "store/damage_report.hpp"
#include "store/file_system.hpp"
#include "store/run_file.hpp"
#include "store/run_layout.hpp"

namespace nd::store {

// Threads: open() first, alone; then any number.
class RunBlocks {
 public:
  RunBlocks(String name, std::shared_ptr<DamageReport> damage) noexcept
      : name_(std::move(name)), damage_(std::move(damage)) {}
  RunBlocks(const RunBlocks&) = delete;
  RunBlocks& operator=(const RunBlocks&) = delete;
  ~RunBlocks();

  // The bytes up to the table of block checksums. Without a mapping, memory is reserved from the system, not
  // by nd_set_allocator(), and filled as it is used. Errors: those of read_trailer().
  Result<void> open(Owned<File> file, const RunTrailer& trailer, const ReadMode& mode,
                    uint64_t& fault_offset);

  // Whether the bytes may be used; if not, the damage has been reported. There must be at least one byte,
  // before the table of block checksums. Cost: a load for each block, after the first time.
  bool ready(uint64_t offset, uint64_t size) const noexcept {
    const uint64_t last = (offset + size - 1) >> kBlockShift;
    for (uint64_t block = offset >> kBlockShift; block <= last; ++block) {
      if (!is_set(ready_, block) && !prepare(block)) return false;
    }
    return true;
  }
  // Only for bytes that are ready().
  const uint8_t* data() const noexcept { return data_; }

  // Reports a fault that a reader found in bytes that are ready().
  void report(uint64_t offset, std::string_view sentence) const noexcept;

 private:
  using Bits = Vector<std::atomic<uint64_t>>;
  static bool is_set(const Bits& bits, uint64_t block) noexcept {
    return (bits[block >> 6].load(std::memory_order_acquire) >> (block & 63) & 1) != 0;
  }
  static void set(Bits& bits, uint64_t block) noexcept {
    bits[block >> 6].fetch_or(uint64_t{1} << (block & 63), std::memory_order_release);
  }
  bool prepare(uint64_t block) const noexcept;
  bool fill(uint64_t block) const noexcept;
  bool verify(uint64_t block) const noexcept;
  Bytes block_bytes(uint64_t block) const noexcept;

  String name_;
  std::shared_ptr<DamageReport> damage_;
  uint64_t size_ = 0;
  const uint8_t* data_ = nullptr;
  Vector<uint64_t> checksums_;  // empty: blocks are not verified
  mutable Bits ready_;
  mutable Bits damaged_;
  Owned<Mapping> mapping_;
  // Without a mapping:
  Owned<File> file_;
  uint8_t* reserved_ = nullptr;
  uint64_t reserved_bytes_ = 0;
  mutable std::mutex filling_;
};

}  // namespace nd::store
