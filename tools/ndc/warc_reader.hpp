// The records of one WARC file (ISO 28500, WARC 1.0 and 1.1), in order, with damage stepped over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "header_fields.hpp"
#include "input_stream.hpp"

namespace ndc {

struct WarcRecord {
  std::string type;          // WARC-Type as written; empty if missing
  std::string record_id;     // WARC-Record-ID without angle brackets; empty if missing
  std::string target_uri;    // without angle brackets; empty if missing
  std::string date;          // WARC-Date as written
  std::string content_type;  // of the record
  bool truncated = false;    // has a WARC-Truncated field
  std::string block;         // at most the reader's limit
  bool block_cut = false;    // the block was longer than the limit
  InputPosition position;
};

// Something that could not be read.
struct RecordDamage {
  InputPosition position;
  std::string reason;  // without a full stop
};

// A record is given only when all of it was there: its header, as many bytes as its Content-Length says,
// something that ends it (an empty line, the next record, the end of the gzip member or of the file), and, if
// its gzip member ends with it, that member's checksum. Anything else is damage, after which reading goes on
// at the next line, or gzip member, that begins with "WARC/1."; a wrong Content-Length costs one record, not
// its neighbours.
//
// One thread at a time. Memory: about twice `max_block_bytes` at most.
class WarcReader {
 public:
  enum class Outcome { kRecord, kDamaged, kEnd, kReadError };

  // `stream` must outlive the reader. Of longer blocks the first `max_block_bytes` are given.
  WarcReader(InputStream& stream, size_t max_block_bytes);

  // Reads on. `record` is set for kRecord (its strings' memory is reused), `damage` for kDamaged.
  Outcome next(WarcRecord& record, RecordDamage& damage);

 private:
  void skip_to_record();
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
  uint64_t start_ = 0;           // of the record at hand
  std::optional<uint64_t> cut_;  // where a gzip member begins with another record
  uint64_t rescanned_bytes_ = 0;
  HeaderFields fields_;
};

}  // namespace ndc
