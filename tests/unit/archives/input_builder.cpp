#include "input_builder.hpp"

#include <zstd.h>

#include <cstdint>

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
