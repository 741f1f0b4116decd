// Writes the archives, codings and headers that the readers' tests are fed with.
#include "archive_builder.hpp"

#include <brotli/encode.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "archives/input_stream.hpp"

namespace ndc::test {
namespace {

constexpr size_t kMostDamages = 100'000;  // a reader that does not go on reports them without end

std::string deflate_with(std::string_view bytes, int window_bits) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    abort();
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) abort();
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

std::string gzip(std::string_view bytes) {
  return deflate_with(bytes, 16 + MAX_WBITS);
}
std::string zlib(std::string_view bytes) {
  return deflate_with(bytes, MAX_WBITS);
}
std::string raw_deflate(std::string_view bytes) {
  return deflate_with(bytes, -MAX_WBITS);
}

std::string brotli(std::string_view bytes) {
  std::string out(BrotliEncoderMaxCompressedSize(bytes.size()) + 64, '\0');
  size_t size = out.size();
  if (!BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, bytes.size(),
                             reinterpret_cast<const uint8_t*>(bytes.data()), &size,
                             reinterpret_cast<uint8_t*>(out.data()))) {
    abort();
  }
  out.resize(size);
  return out;
}

std::string chunked(std::string_view bytes, size_t chunk_size) {
  std::string out;
  while (!bytes.empty()) {
    const std::string_view chunk = bytes.substr(0, chunk_size);
    char size[32];
    std::snprintf(size, sizeof size, "%zx\r\n", chunk.size());
    out.append(size).append(chunk).append("\r\n");
    bytes.remove_prefix(chunk.size());
  }
  return out + "0\r\n\r\n";
}

std::string warc_record(std::string_view type, std::string_view uri, std::string_view block,
                        const std::vector<std::string>& fields, std::string_view version) {
  std::string out(version);
  out.append("\r\nWARC-Type: ").append(type);
  if (!uri.empty()) out.append("\r\nWARC-Target-URI: ").append(uri);
  for (const std::string& field : fields)
    out.append("\r\n").append(field);
  out.append("\r\nContent-Length: ").append(std::to_string(block.size())).append("\r\n\r\n");
  return out.append(block).append("\r\n\r\n");
}

std::string http_response(std::string_view body, const std::vector<std::string>& fields,
                          std::string_view status) {
  std::string out(status);
  for (const std::string& field : fields)
    out.append("\r\n").append(field);
  return out.append("\r\n\r\n").append(body);
}

std::string page_record(std::string_view uri, std::string_view body) {
  return warc_record("response", uri, http_response(body, {"Content-Type: text/html"}),
                     {"Content-Type: application/http; msgtype=response", "WARC-Date: 2024-05-06T07:08:09Z"});
}

std::vector<std::string> ReadAll::uris() const {
  std::vector<std::string> all;
  for (const WarcRecord& record : records)
    all.push_back(record.target_uri);
  return all;
}

ReadAll read_all(ByteSource& source, size_t max_block_bytes) {
  InputStream stream(source);
  WarcReader reader(stream, max_block_bytes);
  ReadAll all;
  WarcRecord record;
  RecordDamage damage;
  while (all.damages.size() < kMostDamages) {
    switch (reader.next(record, damage)) {
      case WarcReader::Outcome::kRecord:
        all.records.push_back(record);
        break;
      case WarcReader::Outcome::kDamaged:
        all.damages.push_back(damage);
        break;
      case WarcReader::Outcome::kReadError:
        all.failed = true;
        return all;
      case WarcReader::Outcome::kEnd:
        return all;
    }
  }
  ADD_FAILURE() << "damages without end";
  return all;
}

ReadAll read_all(const std::string& bytes, size_t max_block_bytes) {
  MemorySource source(bytes);
  return read_all(source, max_block_bytes);
}

}  // namespace ndc::test
