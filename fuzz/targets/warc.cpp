// Any bytes as an archive, an HTTP response or what a store remembers of a run. Reading ends, stays within
// its limits, and does not depend on the pieces in which the bytes come.
//
// Input: a byte of what it is. An archive: the sizes of pieces, the limits, the bytes; with kMembers they are
// compressed here, one gzip member a record, and two bytes of that are changed: a fuzzer does not hit upon
// checksums.
#include <zlib.h>

#include <algorithm>
#include <string>
#include <vector>

#include "archives/header_fields.hpp"
#include "archives/http_message.hpp"
#include "archives/input_stream.hpp"
#include "archives/warc_date.hpp"
#include "archives/warc_reader.hpp"
#include "dedup_mark.hpp"
#include "fuzz/archive_reading.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/input_reader.hpp"

namespace {

using nd::fuzz::expect;
using nd::fuzz::InputReader;
using nd::fuzz::MemorySource;
using nd::fuzz::ReadingLimits;

enum Kind : uint8_t { kArchive, kMembers, kHttp, kTexts };

// All that a reader gives, printed.
std::vector<std::string> read_archive(std::string_view bytes, size_t piece, bool size_known,
                                      const ReadingLimits& limits) {
  MemorySource source(bytes, piece, size_known);
  ndc::InputStream stream(source);
  ndc::WarcReader reader(stream, limits.block_bytes);
  return nd::fuzz::print_all(reader, limits, bytes.size());
}

void deflate_member(std::string_view bytes, std::string& out) {
  z_stream stream{};
  expect(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK,
         "no memory for zlib");
  const size_t begin = out.size();
  out.resize(begin + deflateBound(&stream, bytes.size()) + 64);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data() + begin);
  stream.avail_out = static_cast<uInt>(out.size() - begin);
  expect(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib needs more than it said");
  out.resize(begin + stream.total_out);
  deflateEnd(&stream);
}

// One member for the bytes before the first record, and one for each record.
std::string compressed(std::string_view archive) {
  std::string out;
  while (!archive.empty()) {
    const size_t end = std::min(archive.find("WARC/1.", 1), archive.size());
    deflate_member(archive.substr(0, end), out);
    archive.remove_prefix(end);
  }
  return out;
}

void check_archive(InputReader& input, bool in_members) {
  const size_t piece = 1 + input.take_byte();
  const bool size_known = input.take_flag();
  const ReadingLimits limits = ReadingLimits::take(input);
  std::string bytes;
  if (in_members) {
    InputReader changes(input.take_bytes(6));
    bytes = compressed(InputReader::as_text(input.rest()));
    nd::fuzz::change_bytes(changes, bytes);
  } else {
    bytes = InputReader::as_text(input.rest());
  }
  const auto whole = read_archive(bytes, SIZE_MAX, size_known, limits);
  const auto pieces = read_archive(bytes, piece, size_known, limits);
  expect(whole == pieces, "an archive read in pieces is another one");
}

void check_http(InputReader& input) {
  const size_t limit = input.take_number(0, UINT16_MAX);
  const uint64_t decodable = input.take_number(0, UINT16_MAX);
  uint64_t left = decodable;
  const std::string bytes(InputReader::as_text(input.rest()));
  std::string_view message = bytes;
  std::string reason;
  std::string storage;
  const ndc::HttpHeader header = ndc::parse_http_header(message);
  expect(header.status >= 0 && header.status <= 999, "an impossible status");
  expect(header.ended || message.empty(), "a body behind a header without an end");
  const auto payload = ndc::decode_payload(header, message, limit, left, storage, reason);
  expect(left <= decodable, "the codings give more than they may");
  expect(payload.has_value() || !reason.empty(), "no payload, and no reason");
  if (!payload) return;
  expect(payload->bytes.size() <= limit, "a payload is longer than the limit");
}

void check_texts(InputReader& input) {
  const std::string text(InputReader::as_text(input.rest()));
  ndc::parse_warc_date(text);
  ndc::parse_decimal(text);
  if (const auto mark = ndc::parse_dedup_mark(text)) {
    const auto again = ndc::parse_dedup_mark(ndc::to_text(*mark));
    expect(again && ndc::to_text(*again) == ndc::to_text(*mark), "a mark changes when it is written");
  }
  if (const auto mark = ndc::parse_page_mark(text)) {
    const auto again = ndc::parse_page_mark(ndc::to_text(*mark));
    expect(again && ndc::to_text(*again) == ndc::to_text(*mark), "a mark changes when it is written");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  InputReader input(data, size);
  switch (input.take_number(kArchive, kTexts)) {
    case kArchive:
      check_archive(input, false);
      break;
    case kMembers:
      check_archive(input, true);
      break;
    case kHttp:
      check_http(input);
      break;
    default:
      check_texts(input);
      break;
  }
  return 0;
}
