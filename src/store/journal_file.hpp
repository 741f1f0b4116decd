// The journal's file: a header, and the records of changes made after a generation (docs/snapshot_format.md,
// "Journal").
#pragma once

#include <cstdint>
#include <functional>
#include <span>
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
  uint64_t secret = 0;  // from the store's identity, so that journals of two stores are never mixed up
  uint64_t previous_bytes = 0;  // final size of the journal before this one; 0 if there is none
  // The previous journal lacks changes that this one's generation has: it was written with a durability that
  // keeps no journal.
  bool previous_incomplete = false;
  // Written with durability sync: only what a record's settled bytes cover was ever acknowledged. Otherwise a
  // bad record is damage wherever valid ones follow it, unless there is a hole between them.
  bool synced = false;
};

// Writes an empty journal.
Vector<uint8_t> encode_journal_header(const JournalHeader& header);
// Errors: kIo, and as check_preamble(), without the file's name.
Result<JournalHeader> read_journal_header(const File& file, uint64_t& fault_offset);

// The bytes that a record takes in the file; 0 if no record can have that size.
uint64_t record_file_bytes(uint64_t record_bytes) noexcept;
// A record as it stands in the file, in `out`, but for its checksum. `durable_bytes`: how much of the journal
// is certainly on the disk once this record is.
void begin_record(const JournalHeader& journal, uint64_t durable_bytes, Bytes record, Vector<uint8_t>& out);
// Gives it the checksum of the place where it begins. Cost: that of copying it.
void seal_record(const JournalHeader& journal, uint64_t offset, std::span<uint8_t> record) noexcept;

// What follows the last whole record before the first fault.
enum class JournalTail {
  kNone,
  // The beginning of one record, as left by a process that died during a write. It was never acknowledged.
  kUnfinished,
  // Other bytes, followed by no whole record except those that a loss of power leaves when a later part of
  // the file was written first. Acknowledged changes may be lost.
  kUnreadable,
  // Whole records follow other bytes. Acknowledged changes are lost if they are not read.
  kDamaged,
};

struct JournalEnd {
  uint64_t bytes = kJournalHeaderBytes;  // of the header and the whole records
  uint64_t left_bytes = 0;               // after those, to the end of the file
  uint64_t left_record_count = 0;        // whole records among them
  uint64_t record_count = 0;
  JournalTail tail = JournalTail::kNone;

  bool lost_nothing() const noexcept {
    return tail == JournalTail::kNone || tail == JournalTail::kUnfinished;
  }
};

// Reads in pieces up to the size that the file had at the beginning, or to the first invalid record; then
// looks for whole records after it. Errors: those of apply(), unchanged, with `fault_offset`; kIo. Cost:
// linear in the size of the file, whatever its bytes.
Result<JournalEnd> read_journal(const File& file, const JournalHeader& header,
                                const std::function<Result<void>(Bytes record)>& apply,
                                uint64_t& fault_offset);

// Salvages the rest of a journal after `end`: visits every whole record in order. Errors: those of visit(),
// unchanged; kIo.
Result<void> read_journal_tail(const File& file, const JournalHeader& header, const JournalEnd& end,
                               const std::function<Result<void>(Bytes record)>& visit);

// The kCorrupt error for a tail that is kUnreadable or kDamaged, without the file's name.
Error describe_tail(const JournalEnd& end);

}  // namespace nd::store
