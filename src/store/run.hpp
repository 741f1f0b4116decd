// A sorted run: an immutable file of one table's entries, ascending by key, used in place
// (docs/snapshot_format.md); and a run that is being written.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/memory.hpp"
#include "core/result.hpp"

namespace nd::store {

using Bytes = std::span<const uint8_t>;

struct RunEntry {
  uint64_t key;
  bool erased;  // the key is in an older run, and has been erased since
  // Valid as long as the run. Aligned to 8 if it has more than seven bytes, otherwise at any address.
  Bytes value;
  // The offset of the value's bytes in the run's file; 0 if they are in the entry. A writer writes values one
  // after the other; overlapping values are noticed only when entries are read in sequence (ValueOrder).
  uint64_t offset = 0;
};

// Checks the values of entries that are read in sequence from one run: a few entries that all point to one
// large value must not be read, or written, as if each had its own.
class ValueOrder {
 public:
  // Whether the entry's value begins after those of the entries before it.
  bool follows(const RunEntry& entry) noexcept {
    if (entry.offset == 0) return true;
    if (entry.offset < end_) return false;
    end_ = entry.offset + entry.value.size();
    return true;
  }

 private:
  uint64_t end_ = 0;
};

// What at() remembers from one position of a run to the next, so that it need not search for what a walk has
// passed. One thread.
struct RunHint {
  // The positions of a bucket, or of several of which damage hides where they begin.
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t bucket = 0;
  bool readable = false;
};

// Immutable. Nothing in the file is trusted: whatever is invalid, or has a wrong checksum, is reported to the
// DamageReport that the run was opened with and reads as absent. Threads: any number.
class Run {
 public:
  virtual ~Run() = default;
  virtual uint64_t entry_count() const noexcept = 0;
  virtual uint64_t file_bytes() const noexcept = 0;
  // Nothing if the run does not have the key. Cost: expected O(1) for evenly distributed keys, at most O(log
  // n).
  virtual std::optional<RunEntry> find(uint64_t key) const noexcept = 0;
  // The position of the first key that is not less than `key`; entry_count() if there is none. If damage
  // prevents the search, a position below entry_count() for which at() returns nothing or a lesser key.
  virtual uint64_t lower_bound(uint64_t key) const noexcept = 0;
  // Nothing beyond the end, or if the file is damaged there, or where it says of which bucket the entry is.
  // `hint`: a new one, or what the last call for this run left there. Cost: O(1) for consecutive positions,
  // else O(log n).
  virtual std::optional<RunEntry> at(uint64_t position, RunHint& hint) const noexcept = 0;
  std::optional<RunEntry> at(uint64_t position) const noexcept {
    RunHint none;
    return at(position, none);
  }
  // Called by readers of consecutive entries: reports that the one at this position does not follow those
  // before it.
  virtual void report_disorder(uint64_t position) const noexcept = 0;
};

// The runs of a table, the oldest first: a newer run's entry for a key hides older ones.
using Runs = Vector<std::shared_ptr<const Run>>;

// A number as the value of an entry: its little-endian bytes without leading zeros, of which a run stores up
// to seven in the entry itself.
class NumberBytes {
 public:
  static constexpr size_t kGreatestSize = 7;

  // `number`: 1..2^56 - 1.
  explicit NumberBytes(uint64_t number) noexcept {
    for (; number != 0; number >>= 8)
      bytes_[size_++] = static_cast<uint8_t>(number);
  }
  Bytes bytes() const noexcept { return {bytes_.data(), size_}; }

 private:
  std::array<uint8_t, 8> bytes_{};
  size_t size_ = 0;
};

// 0 if the bytes are not such a number.
inline uint64_t number_of(Bytes bytes) noexcept {
  if (bytes.size() > NumberBytes::kGreatestSize) return 0;
  uint64_t number = 0;
  for (size_t i = bytes.size(); i > 0; --i)
    number = number << 8 | bytes[i - 1];
  return number;
}

// Where a table writes its entries: a run that is being written.
class RunSink {
 public:
  virtual ~RunSink() = default;
  // Keys ascend strictly. Fails with kIo; then the run is lost.
  virtual Result<void> add(uint64_t key, Bytes value) = 0;
  virtual Result<void> add_erased(uint64_t key) = 0;
};

}  // namespace nd::store
