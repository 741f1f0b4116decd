// The records of one ARC file (Internet Archive's ARC, versions 1.0, 1.1 and 2.0), in order, with damage
// stepped over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "input_stream.hpp"
#include "record_reader.hpp"

namespace ndc {

// One line before each record says what it is:
//   version 1   URL IP-address Archive-date Content-type Archive-length
//   version 2   URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename
//   Archive-length
// A record that holds an HTTP response is given as a WARC `response`, the file's own first record as
// `warcinfo`, any other as `resource`. A record whose line cannot be read, or whose end is not where its
// length says, is damage, after which reading continues at the next line of that form.
//
// Memory: about twice `max_block_bytes` at most.
class ArcReader final : public RecordReader {
 public:
  // `stream` must outlive the reader. Of longer records the first `max_block_bytes` are given.
  ArcReader(InputStream& stream, size_t max_block_bytes);

  Outcome next(WarcRecord& record, RecordDamage& damage) override;

 private:
  struct Line;

  static std::optional<Line> parse_line(std::string_view text);
  friend bool begins_arc_record(std::string_view bytes);

  bool require(size_t count);
  std::optional<std::string> read_record(WarcRecord& record);
  std::optional<std::string> read_block(uint64_t length, WarcRecord& record);
  void find_next_record();

  InputStream& stream_;
  const size_t max_block_bytes_;
};

// Whether these bytes begin with the line of an ARC record.
bool begins_arc_record(std::string_view bytes);

}  // namespace ndc
