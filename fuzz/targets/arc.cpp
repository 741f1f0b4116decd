// Any bytes as an ARC file, plain or in gzip members as they are. Reading ends, stays within its limits, and
// does not depend on the pieces in which the bytes come.
//
// Input: the size of the pieces, whether the size is known, the limits, the bytes.
#include <string_view>

#include "archives/arc_reader.hpp"
#include "archives/input_kind.hpp"
#include "archives/input_stream.hpp"
#include "fuzz/archive_reading.hpp"
#include "fuzz/expectation.hpp"

namespace {

using nd::fuzz::expect;

std::vector<std::string> read_all(std::string_view bytes, size_t piece, bool size_known,
                                  const nd::fuzz::ReadingLimits& limits) {
  nd::fuzz::MemorySource source(bytes, piece, size_known);
  ndc::InputStream stream(source);
  // As the program does: it takes what does not begin so for something else.
  const ndc::DetectedInput detected = ndc::detect_input(stream);
  ndc::ArcReader reader(stream, limits.block_bytes);
  auto all = nd::fuzz::print_all(reader, limits, bytes.size());
  all.push_back(detected.looks_like + std::to_string(static_cast<int>(detected.kind)));
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nd::fuzz::InputReader input(data, size);
  const size_t piece = 1 + input.take_byte();
  const bool size_known = input.take_flag();
  const auto limits = nd::fuzz::ReadingLimits::take(input);
  const std::string bytes(nd::fuzz::InputReader::as_text(input.rest()));
  expect(read_all(bytes, SIZE_MAX, size_known, limits) == read_all(bytes, piece, size_known, limits),
         "an archive read in pieces is another one");
  return 0;
}
