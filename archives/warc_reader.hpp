// The records of one WARC file (ISO 28500, WARC 1.0 and 1.1), in order, with damage stepped over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "archives/header_fields.hpp"
#include "archives/input_stream.hpp"
#include "archives/sized_record_reader.hpp"

namespace ndc {

// What WarcRecord has not of a record's bytes, for a caller that copies them. What is taken of a record that
// turns out to be damaged is followed by the header of another one.
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

// A record ends with an empty line, or as SizedRecordReader says. After damage reading continues at the next
// "WARC/1." with which a line or a gzip member begins, or behind which a field of a header stands.
class WarcReader final : public SizedRecordReader {
 public:
  // `stream` and `copy`, if there is one, must outlive the reader. Of longer blocks the first
  // `max_block_bytes` are given.
  WarcReader(InputStream& stream, size_t max_block_bytes, RecordCopy* copy = nullptr);

 private:
  bool begins_record(size_t at, bool surely = false) override;
  std::optional<std::string> read_header(WarcRecord& record, uint64_t& length) override;
  void take_rest(std::string_view piece) override;
  void find_next_record(bool at_line_start) override;
  void take_fields(WarcRecord& record) const;
  bool is_before_field(size_t at);

  RecordCopy* const copy_;
  HeaderFields fields_;
};

}  // namespace ndc
