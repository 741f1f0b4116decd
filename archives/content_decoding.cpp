// Runs each decoder up to the limit of a page: a small body may be made to expand without end.
#include "archives/content_decoding.hpp"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

namespace ndc {
namespace {

constexpr size_t kDecodedPieceBytes = size_t{64} << 10;
constexpr int kGzipWindowBits = 16 + MAX_WBITS;
constexpr std::string_view kGzipStart = "\x1f\x8b";
constexpr std::string_view kZstdStart = "\x28\xb5\x2f\xfd";

// Appends at most up to the limit; true if something had to be left out.
bool append_up_to(size_t limit, std::string_view bytes, std::string& out) {
  const size_t room = limit - out.size();
  out.append(bytes.substr(0, room));
  return bytes.size() > room;
}

class Inflater {
 public:
  explicit Inflater(int window_bits) {
    if (inflateInit2(&stream_, window_bits) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Inflates one stream from the start of `data`, appends it to `out` and removes what was used from `data`.
  Decoding run(std::string_view& data, size_t limit, std::string& out) {
    char chunk[kDecodedPieceBytes];
    for (;;) {
      const uInt offered = static_cast<uInt>(std::min<size_t>(data.size(), std::numeric_limits<uInt>::max()));
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
      stream_.avail_in = offered;
      stream_.next_out = reinterpret_cast<Bytef*>(chunk);
      stream_.avail_out = sizeof chunk;
      const int outcome = inflate(&stream_, Z_NO_FLUSH);
      data.remove_prefix(offered - stream_.avail_in);
      const size_t count = sizeof chunk - stream_.avail_out;
      if (append_up_to(limit, {chunk, count}, out)) return Decoding::kOverLimit;
      if (outcome == Z_STREAM_END) {
        inflateReset(&stream_);
        return Decoding::kComplete;
      }
      if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
      if (outcome != Z_OK && outcome != Z_BUF_ERROR) return Decoding::kDamaged;
      if (data.empty() && count < sizeof chunk) return Decoding::kCut;
    }
  }

 private:
  z_stream stream_{};
};

}  // namespace

Decoding decode_gzip(std::string_view data, size_t limit, std::string& out) {
  out.clear();
  Inflater inflater(kGzipWindowBits);
  do {
    const Decoding outcome = inflater.run(data, limit, out);
    if (outcome != Decoding::kComplete) return outcome;
  } while (data.starts_with(kGzipStart));
  return Decoding::kComplete;
}

Decoding decode_deflate(std::string_view data, size_t limit, std::string& out) {
  out.clear();
  std::string_view rest = data;
  const Decoding as_zlib = Inflater(MAX_WBITS).run(rest, limit, out);
  if (as_zlib != Decoding::kDamaged || !out.empty()) return as_zlib;
  return Inflater(-MAX_WBITS).run(data, limit, out);
}

Decoding decode_brotli(std::string_view data, size_t limit, std::string& out) {
  out.clear();
  const std::unique_ptr<BrotliDecoderState, decltype(&BrotliDecoderDestroyInstance)> state(
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr), &BrotliDecoderDestroyInstance);
  if (!state) throw std::bad_alloc();
  const uint8_t* next_in = reinterpret_cast<const uint8_t*>(data.data());
  size_t available_in = data.size();
  char chunk[kDecodedPieceBytes];
  for (;;) {
    uint8_t* next_out = reinterpret_cast<uint8_t*>(chunk);
    size_t available_out = sizeof chunk;
    const BrotliDecoderResult outcome = BrotliDecoderDecompressStream(state.get(), &available_in, &next_in,
                                                                      &available_out, &next_out, nullptr);
    if (append_up_to(limit, {chunk, sizeof chunk - available_out}, out)) return Decoding::kOverLimit;
    if (outcome == BROTLI_DECODER_RESULT_SUCCESS) return Decoding::kComplete;
    if (outcome == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT) return Decoding::kCut;
    if (outcome == BROTLI_DECODER_RESULT_ERROR) return Decoding::kDamaged;
  }
}

Decoding decode_zstd(std::string_view data, size_t limit, std::string& out) {
  out.clear();
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_inBuffer in{data.data(), data.size(), 0};
  char chunk[kDecodedPieceBytes];
  for (;;) {
    ZSTD_outBuffer given{chunk, sizeof chunk, 0};
    const size_t result = ZSTD_decompressStream(context.get(), &given, &in);
    if (append_up_to(limit, {chunk, given.pos}, out)) return Decoding::kOverLimit;
    if (ZSTD_isError(result) != 0) return Decoding::kDamaged;
    if (result == 0 && !data.substr(in.pos).starts_with(kZstdStart)) return Decoding::kComplete;
    if (result != 0 && in.pos == in.size && given.pos < given.size) return Decoding::kCut;
  }
}

}  // namespace ndc
