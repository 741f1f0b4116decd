// Writes packed members, ZIP files and ARC records for the tests of inputs.
#include "input_builder.hpp"

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zip.h>
#include <zstd.h>

#include <cstdint>
#include <cstdlib>

namespace ndc::test {

std::string zstd(std::string_view bytes, std::string_view dictionary) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  if (!dictionary.empty()) ZSTD_CCtx_loadDictionary(context, dictionary.data(), dictionary.size());
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size()));
  ZSTD_freeCCtx(context);
  return out;
}

std::string bzip2(std::string_view bytes) {
  auto size = static_cast<unsigned>(bytes.size() + bytes.size() / 100 + 600);
  std::string out(size, '\0');
  BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(bytes.data()),
                           static_cast<unsigned>(bytes.size()), 9, 0, 0);
  out.resize(size);
  return out;
}

std::string xz(std::string_view bytes) {
  std::string out(lzma_stream_buffer_bound(bytes.size()), '\0');
  size_t size = 0;
  lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const uint8_t*>(bytes.data()),
                          bytes.size(), reinterpret_cast<uint8_t*>(out.data()), &size, out.size());
  out.resize(size);
  return out;
}

std::string lz4(std::string_view bytes) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string out(LZ4F_compressFrameBound(bytes.size(), &preferences), '\0');
  out.resize(LZ4F_compressFrame(out.data(), out.size(), bytes.data(), bytes.size(), &preferences));
  return out;
}

std::string zip_file(const std::vector<std::pair<std::string, std::string>>& entries, bool stored) {
  zip_error_t failure;
  zip_error_init(&failure);
  zip_source_t* const buffer = zip_source_buffer_create(nullptr, 0, 0, &failure);
  zip_t* const zip = zip_open_from_source(buffer, ZIP_TRUNCATE, &failure);
  if (zip == nullptr) abort();
  zip_source_keep(buffer);
  for (const auto& [name, content] : entries) {
    zip_source_t* const source = zip_source_buffer(zip, content.data(), content.size(), 0);
    const zip_int64_t index = zip_file_add(zip, name.c_str(), source, 0);
    if (index < 0) abort();
    zip_set_file_compression(zip, static_cast<zip_uint64_t>(index), stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE,
                             1);
  }
  if (zip_close(zip) != 0 || zip_source_open(buffer) != 0) abort();
  std::string bytes;
  char piece[4096];
  for (zip_int64_t count = 0; (count = zip_source_read(buffer, piece, sizeof piece)) > 0;)
    bytes.append(piece, static_cast<size_t>(count));
  zip_source_close(buffer);
  zip_source_free(buffer);
  return bytes;
}

std::string skippable_frame(unsigned kind, std::string_view data) {
  std::string out = {static_cast<char>(0x50 | kind), '\x2a', '\x4d', '\x18'};
  const auto size = static_cast<uint32_t>(data.size());
  for (int shift = 0; shift < 32; shift += 8)
    out += static_cast<char>(static_cast<unsigned char>(size >> shift));
  return out.append(data);
}

std::string arc_record(std::string_view url, std::string_view content_type, std::string_view block) {
  return std::string(url) + " 192.0.2.1 20080430204825 " + std::string(content_type) + " " +
         std::to_string(block.size()) + "\n" + std::string(block) + "\n";
}

std::string arc_start() {
  return arc_record("filedesc://test.arc", "text/plain",
                    "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n");
}

}  // namespace ndc::test
