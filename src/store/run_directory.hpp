// The directory of an open run file (docs/snapshot_format.md, "Directory"): which positions the entries of a
// bucket have, and of which bucket the entry at a position is.
#pragma once

#include <cstdint>
#include <optional>

#include "store/entry_layout.hpp"
#include "store/run.hpp"
#include "store/run_blocks.hpp"
#include "store/run_layout.hpp"

namespace nd::store {

// Threads: any number. `trailer` and `blocks` are those of an open run, and live longer.
class RunDirectory {
 public:
  struct Positions {
    uint64_t begin;
    uint64_t end;  // at most the number of entries
  };

  RunDirectory(const RunTrailer& trailer, const RunBlocks& blocks) noexcept
      : trailer_(trailer), blocks_(blocks) {}

  // Nothing, and a report, if the directory is damaged there.
  std::optional<Positions> positions_of(uint64_t bucket) const noexcept {
    const uint64_t offset = offset_of(bucket);
    if (!blocks_.ready(offset, uint64_t{2} * trailer_.position_bytes)) return positions_around_damage(bucket);
    const uint8_t* numbers = blocks_.data() + offset;
    return checked({load_number(numbers, trailer_.position_bytes),
                    load_number(numbers + trailer_.position_bytes, trailer_.position_bytes)},
                   bucket);
  }

  // Finds the bucket of a position, below the number of entries; false if damage hides it. `hint` then says
  // from where to where that is so.
  bool find_bucket(uint64_t position, RunHint& hint) const noexcept {
    const bool is_known = hint.begin <= position && position < hint.end;
    return is_known ? hint.readable : find_next_bucket(position, hint);
  }

  // A position that is not behind the entries of a bucket for which positions_of() returned nothing. Unless
  // the directory is out of order, it is that of the first entry whose bucket is unknown for the same reason.
  uint64_t damage_before(uint64_t bucket) const noexcept;

 private:
  std::optional<Positions> checked(Positions positions, uint64_t bucket) const noexcept {
    if (positions.begin <= positions.end && positions.end <= trailer_.entry_count) return positions;
    blocks_.report(offset_of(bucket), "the directory of the run is out of order");
    return {};
  }
  std::optional<Positions> positions_around_damage(uint64_t bucket) const noexcept;
  bool find_next_bucket(uint64_t position, RunHint& hint) const noexcept;
  bool search(uint64_t position, RunHint& hint) const noexcept;
  std::optional<uint64_t> known_between(uint64_t low, uint64_t high) const noexcept;
  uint64_t offset_of(uint64_t number) const noexcept {
    return trailer_.directory_offset + number * trailer_.position_bytes;
  }
  // The first number and the last are known without the file.
  bool is_known(uint64_t number) const noexcept {
    return number == 0 || number == trailer_.bucket_count ||
           blocks_.ready(offset_of(number), trailer_.position_bytes);
  }
  // Precondition: is_known().
  uint64_t read(uint64_t number) const noexcept {
    if (number == 0) return 0;
    if (number == trailer_.bucket_count) return trailer_.entry_count;
    return load_number(blocks_.data() + offset_of(number), trailer_.position_bytes);
  }

  const RunTrailer& trailer_;
  const RunBlocks& blocks_;
};

}  // namespace nd::store
