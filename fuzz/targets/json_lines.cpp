// Any bytes as JSON lines. Reading ends, stays within its limits, and does not depend on the pieces in which
// the bytes come; each line is a page exactly if json_line_fault() finds none.
//
// Input: the size of the pieces, whether the size is known, the limits, the bytes.
#include <algorithm>
#include <string_view>

#include "archives/input_stream.hpp"
#include "archives/json_lines_reader.hpp"
#include "fuzz/archive_reading.hpp"
#include "fuzz/expectation.hpp"

namespace {

using nd::fuzz::expect;

std::vector<std::string> read_all(std::string_view bytes, size_t piece, bool size_known,
                                  const nd::fuzz::ReadingLimits& limits) {
  nd::fuzz::MemorySource source(bytes, piece, size_known);
  ndc::InputStream stream(source);
  ndc::JsonLinesReader reader(stream, limits.block_bytes);
  return nd::fuzz::print_all(reader, limits, bytes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nd::fuzz::InputReader input(data, size);
  const size_t piece = 1 + input.take_byte();
  const bool size_known = input.take_flag();
  const auto limits = nd::fuzz::ReadingLimits::take(input);
  const std::string bytes(nd::fuzz::InputReader::as_text(input.rest()));
  const auto whole = read_all(bytes, SIZE_MAX, size_known, limits);
  expect(whole == read_all(bytes, piece, size_known, limits), "lines read in pieces are other ones");
  // Of a single line, whose compression would make it something else.
  const bool is_line = bytes.starts_with('{') && bytes.find('\n') == std::string::npos;
  if (is_line && ndc::json_line_fault(bytes).empty())
    expect(whole.size() == 1 && whole[0].starts_with("record"), "a page was found, and is no record");
  return 0;
}
