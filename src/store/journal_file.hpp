// The journal's file: a header and the records of what came after a generation (docs/snapshot_format.md,
// "Journal").
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_system.hpp"
#include "store/run.hpp"

namespace nd::store {

inline constexpr uint64_t kJournalHeaderBytes = 64;
inline constexpr uint64_t kRecordBytesLimit = uint64_t{1} << 30;

struct JournalHeader {
  uint64_t generation = 0;
  uint64_t secret = 0;          // of the store's identity: journals of two stores are never mixed up
  uint64_t previous_bytes = 0;  // of the journal before this one, for good; 0 if there is none
  // The journal before this one has not all that the generation of this one has: it was written with a
  // durability without a journal.
  bool previous_incomplete = false;
  // Written with durability sync: only what a record's settled bytes cover was ever acknowledged. Else a bad
  // record is damage wherever right ones stand behind it, but for holes.
  bool synced = false;
};

// An empty journal.
Vector<uint8_t> encode_journal_header(const JournalHeader& header);
// Errors: kIo, and as check_preamble(), without the file's name.
Result<JournalHeader> read_journal_header(const File& file, uint64_t& fault_offset);

// What a record takes in the file; 0 if no record can be of that size.
uint64_t record_file_bytes(uint64_t record_bytes) noexcept;
// Puts the record that stands at `offset` in the journal into `out`. `settled_bytes`: what of the journal is
// on the disk for certain if this record is.
void encode_record(const JournalHeader& journal, uint64_t offset, uint64_t settled_bytes, Bytes record,
                   Vector<uint8_t>& out);

struct JournalEnd {
  uint64_t bytes = kJournalHeaderBytes;  // of the header and the whole records
  uint64_t torn_bytes = 0;               // behind them: a record that was never written to its end
  uint64_t record_count = 0;
};

// Reads on in pieces until the end of the file as it was at the beginning. A record that is not right is a
// torn end unless one behind it is right and says that what stands before it was settled. Errors: what
// apply() gives, as it is; kCorrupt with `fault_offset` and without the file's name; kIo.
Result<JournalEnd> read_journal(const File& file, const JournalHeader& header,
                                const std::function<Result<void>(Bytes record)>& apply,
                                uint64_t& fault_offset);

}  // namespace nd::store
