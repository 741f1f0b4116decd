// Pages in JSON lines: one object a line with a URL, and HTML or text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "archives/input_stream.hpp"
#include "archives/json_fields.hpp"
#include "archives/record_reader.hpp"

namespace ndc {

// Each line becomes a `resource` record. The date is the time of the fetch, as WARC writes it; a content type
// is taken in place of text/html or text/plain; other members are ignored. A line that is no such object,
// that is longer than twice `max_block_bytes` and 1 MiB, or whose values are nested too deeply is damage, and
// costs nothing but itself; several such objects on a line are as many pages. Where a gzip member is damaged,
// the lines that it gave whole are pages, unless its checksum is wrong and it has but one; the line that was
// cut and what is left of it behind are one damage.
//
// Memory: about three times the longest line.
class JsonLinesReader final : public RecordReader {
 public:
  // `stream` must outlive the reader.
  JsonLinesReader(InputStream& stream, size_t max_block_bytes, JsonFields fields = {});

  Outcome next(WarcRecord& record, RecordDamage& damage) override;

 private:
  // kCut: by damage, behind which something else follows.
  enum class Line { kWhole, kCut, kTooLong, kNone };

  Line read_line(std::string_view& line);
  std::optional<size_t> damage_ahead() const;
  void take_damage(RecordDamage& damage);
  bool is_damaged_member(uint64_t begin);
  void skip_rest_of_line();
  void skip_line();

  InputStream& stream_;
  const size_t max_block_bytes_;
  const size_t max_line_bytes_;
  const JsonFields fields_;
  uint64_t searched_ = 0;  // no line ends between the cursor and there
};

// Why the line does not begin with a page, as half a sentence; empty: it does.
std::string json_line_fault(std::string_view line, const JsonFields& fields = {});

}  // namespace ndc
