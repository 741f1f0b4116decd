// The records of one ARC file (Internet Archive's ARC, versions 1.0, 1.1 and 2.0), in order, with damage
// stepped over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "archives/sized_record_reader.hpp"

namespace ndc {

// A record that holds an HTTP response is given as a WARC `response`, the file's own first record as
// `warcinfo`, any other as `resource`. It begins with a line (arc_line.hpp) and ends with a line end, or as
// SizedRecordReader says. After damage reading continues at the next line of that form.
class ArcReader final : public SizedRecordReader {
 public:
  // `stream` must outlive the reader. Of longer records the first `max_block_bytes` are given.
  ArcReader(InputStream& stream, size_t max_block_bytes);

 private:
  bool begins_record(size_t at, bool surely = false) override;
  std::optional<std::string> read_header(WarcRecord& record, uint64_t& length) override;
  void take_block(WarcRecord& record) override;
  void find_next_record(bool at_line_start) override;

  std::optional<size_t> line_end(size_t at);
};

}  // namespace ndc
