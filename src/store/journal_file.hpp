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

// The bytes that a record takes in the file; 0 if no record can have that size.
uint64_t record_file_bytes(uint64_t record_bytes) noexcept;
// Puts the record that stands at `offset` in the journal into `out`. `durable_bytes`: what of the journal is
// on the disk for certain if this record is.
void encode_record(const JournalHeader& journal, uint64_t offset, uint64_t durable_bytes, Bytes record,
                   Vector<uint8_t>& out);

// What stands behind the last whole record before the first fault.
enum class JournalTail {
  kNone,
  // The beginning of one record, as a process that died during a write leaves it. It was never acknowledged.
  kUnfinished,
  // Something else, with no whole record after it except such as a loss of power leaves when a later part of
  // the file was written first. Acknowledged changes may be lost.
  kUnreadable,
  // Whole records stand behind something else. Acknowledged changes are lost if they are not read.
  kDamaged,
};

struct JournalEnd {
  uint64_t bytes = kJournalHeaderBytes;  // of the header and the whole records
  uint64_t left_bytes = 0;               // behind them, to the end of the file
  uint64_t left_record_count = 0;        // whole records among them
  uint64_t record_count = 0;
  JournalTail tail = JournalTail::kNone;

  bool lost_nothing() const noexcept {
    return tail == JournalTail::kNone || tail == JournalTail::kUnfinished;
  }
};

// Reads on in pieces until the end of the file as it was at the beginning, or the first record that is not
// right; then looks for whole ones behind it. Errors: what apply() gives, as it is, with `fault_offset`; kIo.
// Cost: linear in the file, whatever its bytes.
Result<JournalEnd> read_journal(const File& file, const JournalHeader& header,
                                const std::function<Result<void>(Bytes record)>& apply,
                                uint64_t& fault_offset);

// What is left of a journal behind `end`: every whole record, from left to right. Errors: what visit() gives,
// as it is; kIo.
Result<void> read_journal_tail(const File& file, const JournalHeader& header, const JournalEnd& end,
                               const std::function<Result<void>(Bytes record)>& visit);

// kCorrupt, of a tail that is kUnreadable or kDamaged, without the file's name.
Error describe_tail(const JournalEnd& end);

}  // namespace nd::store
