// Pages in JSON lines: one object a line with "url", and "html" or "text".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "input_stream.hpp"
#include "record_reader.hpp"

namespace ndc {

// Each line becomes a `resource` record. "date" is the time of the fetch, as WARC writes it, "content_type"
// is taken in place of text/html or text/plain; all other members are ignored. A line that is no such object,
// that is longer than twice `max_block_bytes` and 1 MiB, or whose values are nested too deeply is damage, and
// costs nothing but itself.
//
// Memory: about three times the longest line.
class JsonLinesReader final : public RecordReader {
 public:
  // `stream` must outlive the reader.
  JsonLinesReader(InputStream& stream, size_t max_block_bytes);

  Outcome next(WarcRecord& record, RecordDamage& damage) override;

 private:
  enum class Line { kWhole, kTooLong, kNone };

  Line read_line(std::string_view& line);
  void skip_line();

  InputStream& stream_;
  const size_t max_block_bytes_;
  const size_t max_line_bytes_;
};

// Why the line holds no page, as half a sentence; empty: it holds one.
std::string json_line_fault(std::string_view line);

}  // namespace ndc
