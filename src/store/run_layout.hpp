// The bytes of a run file (docs/snapshot_format.md, "Runs"): head, values, entries, directory, filter, table
// of block checksums, trailer. Used in place, so the machine must be little-endian like the file.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_preamble.hpp"
#include "store/file_system.hpp"
#include "store/run.hpp"
#include "store/run_file.hpp"

namespace nd::store {

static_assert(std::endian::native == std::endian::little);

// log2 of the size of a block. Each block before the table of checksums has a checksum and is checked as a
// whole.
inline constexpr uint32_t kBlockShift = 14;
inline constexpr uint64_t kBlockBytes = uint64_t{1} << kBlockShift;
// Offsets have 56 bits. The limit also keeps all sums of sizes far from an overflow.
inline constexpr uint64_t kGreatestRunBytes = uint64_t{1} << 56;

// The first bytes of the file, and of its trailer.
struct RunHead {
  char magic[8] = {'N', 'D', 'R', 'U', 'N', '1', 0, 0};
  uint32_t version = kStoreFormat;
  uint32_t byte_order = kByteOrderMark;
};
static_assert(sizeof(RunHead) == 16);
inline constexpr uint64_t kValuesOffset = sizeof(RunHead);

// The last bytes of the file: what is known only after everything else is written.
struct RunTrailer {
  RunHead head;
  uint64_t file_bytes = 0;
  uint64_t entry_count = 0;
  uint64_t erased_count = 0;
  uint64_t least_key = 0;
  uint64_t greatest_key = 0;
  uint64_t entries_offset = 0;
  uint64_t directory_offset = 0;
  uint64_t checksums_offset = 0;
  uint64_t bucket_count = 0;
  uint32_t bucket_shift = 0;
  uint32_t position_bytes = 0;  // 4 or 8
  uint32_t key_bytes = 0;       // see EntryLayout
  uint32_t data_bytes = 0;
  uint32_t has_filter = 0;  // 0 or 1
  uint32_t reserved = 0;
  uint64_t checksums_checksum = 0;  // of the table of block checksums
  uint64_t checksum = 0;            // of the trailer up to here
};
static_assert(sizeof(RunTrailer) == 128);

// Precedes the bytes of a value out of line.
struct ValueHead {
  uint32_t size;
  uint32_t reserved;
};
static_assert(sizeof(ValueHead) == 8);

constexpr uint64_t round_up(uint64_t number, uint64_t multiple) noexcept {
  return (number + multiple - 1) / multiple * multiple;
}

inline uint64_t checksum_of(Bytes bytes) noexcept {
  return stable_hash({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

template <typename T>
Bytes bytes_of(std::span<T> values) noexcept {
  return {reinterpret_cast<const uint8_t*>(values.data()), values.size_bytes()};
}

inline uint64_t checksum_of(const RunTrailer& trailer) noexcept {
  return checksum_of(bytes_of(std::span(&trailer, 1)).first(sizeof trailer - sizeof trailer.checksum));
}

// The directory divides the range from the least to the greatest key into buckets of 2^shift keys. Their
// number is the greatest that does not exceed a quarter of the entries plus two, so that a shift of 63 bits
// is always enough.
constexpr uint64_t greatest_bucket_count(uint64_t entry_count) noexcept {
  return entry_count / 4 + 2;
}
constexpr uint32_t bucket_shift(uint64_t least_key, uint64_t greatest_key, uint64_t entry_count) noexcept {
  uint32_t shift = 0;
  while (((greatest_key - least_key) >> shift) >= greatest_bucket_count(entry_count))
    ++shift;
  return shift;
}

// The bucket of a key between the least and the greatest.
constexpr uint64_t bucket_of(const RunTrailer& trailer, uint64_t key) noexcept {
  return (key - trailer.least_key) >> trailer.bucket_shift;
}
constexpr uint64_t directory_end(const RunTrailer& trailer) noexcept {
  return trailer.directory_offset + (trailer.bucket_count + 1) * trailer.position_bytes;
}

// A part of the filter: 512 bits, a cache line, for the keys of eight buckets, some 32 to 64 of them if they
// are evenly distributed. Each key sets six bits. So a look-up reads one cache line, and a writer needs one
// in memory, because the parts follow each other in the order of the keys (a Bloom filter in blocks, as F.
// Putze, P. Sanders and J. Singler describe it in "Cache-, Hash- and Space-Efficient Bloom Filters", 2007).
class FilterPart {
 public:
  static constexpr uint64_t kBytes = 64;
  static constexpr uint64_t kBuckets = 8;

  void add(uint64_t key) noexcept {
    for_each_bit(key, [&](uint64_t word, uint64_t bit) {
      words_[word] |= bit;
      return true;
    });
  }
  // False if the key was not added; true if it was, and else for one key in some hundred.
  bool may_have(uint64_t key) const noexcept {
    return for_each_bit(key, [&](uint64_t word, uint64_t bit) { return (words_[word] & bit) != 0; });
  }
  friend bool operator==(const FilterPart&, const FilterPart&) = default;

 private:
  // Until `take` returns false.
  template <typename Take>
  static bool for_each_bit(uint64_t key, Take&& take) noexcept {
    constexpr uint32_t kBits = 6;
    uint64_t rest = key * 0x9e3779b97f4a7c15ULL >> 10;  // 2^64 divided by the golden ratio
    for (uint32_t i = 0; i < kBits; ++i, rest >>= 9) {
      if (!take(rest >> 6 & 7, uint64_t{1} << (rest & 63))) return false;
    }
    return true;
  }

  uint64_t words_[kBytes / sizeof(uint64_t)] = {};
};
static_assert(sizeof(FilterPart) == FilterPart::kBytes);

constexpr bool has_filter(const RunTrailer& trailer) noexcept {
  return trailer.has_filter != 0;
}
constexpr uint64_t directory_section_end(const RunTrailer& trailer) noexcept {
  return round_up(directory_end(trailer), 8);
}
constexpr uint64_t filter_offset(const RunTrailer& trailer) noexcept {
  return round_up(directory_end(trailer), FilterPart::kBytes);
}
constexpr uint64_t filter_part_count(const RunTrailer& trailer) noexcept {
  return (trailer.bucket_count + FilterPart::kBuckets - 1) / FilterPart::kBuckets;
}
// The part for a key between the least and the greatest.
constexpr uint64_t filter_part_of(const RunTrailer& trailer, uint64_t key) noexcept {
  return bucket_of(trailer, key) / FilterPart::kBuckets;
}
// Where the sections end that have block checksums.
constexpr uint64_t sections_end(const RunTrailer& trailer) noexcept {
  if (!has_filter(trailer)) return directory_section_end(trailer);
  return filter_offset(trailer) + filter_part_count(trailer) * FilterPart::kBytes;
}

// The blocks end where the table of their checksums begins.
constexpr uint64_t block_count(const RunTrailer& trailer) noexcept {
  return (trailer.checksums_offset + kBlockBytes - 1) >> kBlockShift;
}

// Reads and checks the end of a run file, by which everything else in the file is found.
//
// All errors here have a bare sentence; kCorrupt and kUnsupportedVersion set `fault_offset`.
//
// The trailer, checked against the description, the file's size and itself: the sections follow each other in
// the file and have the lengths that the counts give.
Result<RunTrailer> read_trailer(const File& file, const RunDescription& description, uint64_t& fault_offset);

// The table of block checksums, checked by its own checksum. Cost: reads 8 bytes for each 16 KiB of the file.
Result<Vector<uint64_t>> read_block_checksums(const File& file, const RunTrailer& trailer,
                                              uint64_t& fault_offset);

// The path of a run's file. The name comes from a manifest, so it must not lead out of the directory.
Result<String> run_path(std::string_view directory, std::string_view name);

struct OpenedRun {
  Owned<File> file;
  RunTrailer trailer;
};
// Opens the file of a run and reads its trailer. Errors: also those of the file system.
Result<OpenedRun> open_run_file(FileSystem& files, std::string_view directory,
                                const RunDescription& description, uint64_t& fault_offset);

}  // namespace nd::store
