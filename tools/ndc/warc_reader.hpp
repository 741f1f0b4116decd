// The records of one WARC file (ISO 28500, WARC 1.0 and 1.1), in order, with damage stepped over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "header_fields.hpp"
#include "input_stream.hpp"
#include "record_reader.hpp"

namespace ndc {

// What WarcRecord has not of a record's bytes, for whoever copies them. What is taken of a record that turns
// out to be damaged is followed by the header of another one.
class RecordCopy {
 public:
  RecordCopy() = default;
  virtual ~RecordCopy() = default;
  RecordCopy(const RecordCopy&) = delete;
  RecordCopy& operator=(const RecordCopy&) = delete;

  // As it is, with its empty line.
  virtual void take_header(std::string_view header, const HeaderFields& fields) = 0;
  // Pieces of the block behind the reader's limit.
  virtual void take_rest(std::string_view piece) = 0;
};

// A record is given only when all of it was there: its header, as many bytes as its Content-Length says,
// something that ends it (an empty line, the next record, the end of the gzip member or of the file), and, if
// its gzip member ends with it, that member's checksum. Anything else is damage, after which reading
// continues at the next line, or gzip member, that begins with "WARC/1."; a wrong Content-Length costs one
// record, not its neighbours.
//
// One thread at a time. Memory: about twice `max_block_bytes` at most.
class WarcReader final : public RecordReader {
 public:
  // `stream` and `copy`, if there is one, must outlive the reader. Of longer blocks the first
  // `max_block_bytes` are given.
  WarcReader(InputStream& stream, size_t max_block_bytes, RecordCopy* copy = nullptr);

  Outcome next(WarcRecord& record, RecordDamage& damage) override;

 private:
  std::string_view ahead() const;
  bool fill();
  bool require(size_t count);
  std::optional<std::string> read_record(WarcRecord& record);
  std::optional<std::string> read_header(uint64_t& content_length);
  std::optional<std::string> read_block(uint64_t content_length, WarcRecord& record);
  bool read_terminator();
  void take_fields(WarcRecord& record) const;
  bool take_damage_before(uint64_t offset, RecordDamage& damage);
  std::optional<std::string> take_damage_of_record();
  void rewind();
  void find_next_record();

  InputStream& stream_;
  const size_t max_block_bytes_;
  RecordCopy* const copy_;
  uint64_t start_ = 0;           // of the record at hand
  std::optional<uint64_t> cut_;  // where a gzip member begins with another record
  uint64_t rescanned_bytes_ = 0;
  HeaderFields fields_;
};

}  // namespace ndc
