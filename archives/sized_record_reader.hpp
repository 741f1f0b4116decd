// What WARC and ARC have in common: a header, a block as long as the header says, and something that ends it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "archives/input_stream.hpp"
#include "archives/record_reader.hpp"
#include "archives/record_start.hpp"

namespace ndc {

// A record is given only when all of it was there: its header, as many bytes as its length says, something
// that ends it, and, if its gzip member ends with it, that member's checksum. Anything else is damage, after
// which reading continues at the next record; a wrong length costs one record, not its neighbours.
//
// What ends a record, tried in this order:
//   another record, or gzip member, exactly at its end, whatever is missing between the two;
//   line ends, as many as the format asks for;
//   another record up to kLengthSlack bytes before its end, or as many behind it and its line ends: writers
//   count line ends wrongly;
//   the end of the file, or another record's gzip member, with no more than that before it.
//
// One thread at a time. Memory: about twice `max_block_bytes` at most.
class SizedRecordReader : public RecordReader {
 public:
  Outcome next(WarcRecord& record, RecordDamage& damage) final;

 protected:
  // `stream` must outlive the reader. Of longer blocks the first `max_block_bytes` are given. `start`: how
  // records begin; `line_ends`: how many end one.
  SizedRecordReader(InputStream& stream, size_t max_block_bytes, RecordStart start, size_t line_ends);

  // Whether a record begins at byte `at` of what is ahead, which is read as far as needed. `surely`: and not
  // at the byte before or behind it.
  virtual bool begins_record(size_t at, bool surely = false) = 0;
  // Reads the header of a record and steps over it; else a reason, and steps at most to where another record
  // begins.
  virtual std::optional<std::string> read_header(WarcRecord& record, uint64_t& length) = 0;
  // What else the block says.
  virtual void take_block(WarcRecord&) {}
  // Pieces of the block behind the limit.
  virtual void take_rest(std::string_view) {}
  // Puts the cursor to the next record, or to the end. `at_line_start`: whether a line begins at the cursor.
  virtual void find_next_record(bool at_line_start) = 0;

  // What is left of the record at hand, as far as it has been read.
  std::string_view ahead() const;
  bool fill();
  bool require(size_t count);

  // Whether what is read of the member in which byte `at` lies shows no damage; reads 64 KiB more.
  bool shows_no_damage(size_t at);

  InputStream& stream_;

 private:
  std::optional<std::string> read_record(WarcRecord& record);
  std::optional<std::string> read_block(uint64_t length, WarcRecord& record);
  bool read_end(WarcRecord& record);
  size_t line_ends_ahead();
  bool step_back(WarcRecord& record);
  void release_read();
  bool take_damage_before(uint64_t offset, RecordDamage& damage);
  struct MemberDamage {
    std::string reason;
    bool is_inside = false;  // something else follows in what was taken for the record
  };
  std::optional<MemberDamage> take_damage_of_record();
  bool rewind();

  const size_t max_block_bytes_;
  const RecordStart record_start_;
  const size_t line_ends_;
  uint64_t start_ = 0;                   // of the record at hand
  uint64_t damaged_end_ = 0;             // of the damage that was reported
  std::optional<uint64_t> block_start_;  // once its header was read
  bool has_own_end_ = false;             // the line ends behind it that it should have
  std::optional<uint64_t> cut_;          // where a gzip member begins with another record
  uint64_t rescanned_bytes_ = 0;
};

}  // namespace ndc
