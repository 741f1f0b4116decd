// A WARC file in zstd frames, one a record, made here with two of its bytes changed, or any bytes as such a
// file. Reading ends, stays within its limits, and does not depend on the pieces in which the bytes come.
//
// Input: the size of the pieces; whether the size is known; the limits; a byte of what it is. Frames: six
// bytes of changes; what the dictionary is (none, plain, compressed), its text up to NUL; the archive.
#include <zstd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "archives/input_stream.hpp"
#include "archives/warc_reader.hpp"
#include "fuzz/archive_reading.hpp"
#include "fuzz/expectation.hpp"

namespace {

using nd::fuzz::expect;
using nd::fuzz::InputReader;

enum Kind : uint8_t { kFrames, kBytes };
enum DictionaryForm : uint8_t { kNone, kPlain, kCompressed };

constexpr std::string_view kDictionaryMagic = "\x5d\x2a\x4d\x18";

std::string frame_of(std::string_view bytes, std::string_view dictionary) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  expect(context != nullptr, "no memory for zstd");
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size = ZSTD_compress_usingDict(context, out.data(), out.size(), bytes.data(), bytes.size(),
                                              dictionary.data(), dictionary.size(), 1);
  ZSTD_freeCCtx(context);
  // A dictionary that begins with zstd's own magic number may be refused.
  out.resize(ZSTD_isError(size) != 0 ? 0 : size);
  return out;
}

// The frame with which such a file begins.
std::string dictionary_frame(std::string_view dictionary, bool compressed) {
  const std::string content = compressed ? frame_of(dictionary, {}) : std::string(dictionary);
  std::string out(kDictionaryMagic);
  for (unsigned shift = 0; shift < 32; shift += 8)
    out += static_cast<char>(content.size() >> shift);
  return out + content;
}

std::string take_frames(InputReader& input) {
  InputReader changes(input.take_bytes(6));
  const auto form = static_cast<DictionaryForm>(input.take_number(kNone, kCompressed));
  const std::string_view dictionary = form == kNone ? std::string_view() : input.take_text();
  std::string_view archive = InputReader::as_text(input.rest());
  std::string bytes = form == kNone ? "" : dictionary_frame(dictionary, form == kCompressed);
  while (!archive.empty()) {
    const size_t end = std::min(archive.find("WARC/1.", 1), archive.size());
    bytes += frame_of(archive.substr(0, end), dictionary);
    archive.remove_prefix(end);
  }
  nd::fuzz::change_bytes(changes, bytes);
  return bytes;
}

std::vector<std::string> read_all(std::string_view bytes, size_t piece, bool size_known,
                                  const nd::fuzz::ReadingLimits& limits) {
  nd::fuzz::MemorySource source(bytes, piece, size_known);
  // A factor that small inputs reach, too, if more than 64 MiB come of them.
  ndc::InputStream stream(source, 0, {}, 2);
  ndc::WarcReader reader(stream, limits.block_bytes);
  return nd::fuzz::print_all(reader, limits, bytes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  InputReader input(data, size);
  const size_t piece = 1 + input.take_byte();
  const bool size_known = input.take_flag();
  const auto limits = nd::fuzz::ReadingLimits::take(input);
  const bool in_frames = input.take_number(kFrames, kBytes) == kFrames;
  const std::string bytes = in_frames ? take_frames(input) : std::string(InputReader::as_text(input.rest()));
  expect(read_all(bytes, SIZE_MAX, size_known, limits) == read_all(bytes, piece, size_known, limits),
         "an archive read in pieces is another one");
  return 0;
}
