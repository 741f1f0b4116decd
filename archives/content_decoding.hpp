// Undoes content codings: gzip, deflate, brotli, zstd (RFC 9110, section 8.4.1; RFC 1952, 1950, 1951, 7932,
// 8878).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ndc {

enum class Decoding {
  kComplete,
  kCut,        // the data ends too early; `out` has what it gave
  kDamaged,    // the data is wrong from some point on; `out` has what came before
  kOverLimit,  // more than `limit` bytes; `out` has the first `limit`
};

// Each decodes all of `data` into `out` (replaced), at most `limit` bytes. Memory: the output and a fixed
// window, whatever the data claims. Several gzip members in a row are one content; what follows the last is
// ignored.
Decoding decode_gzip(std::string_view data, size_t limit, std::string& out);

// "deflate" means the zlib format, but many servers send raw deflate data: both are understood.
Decoding decode_deflate(std::string_view data, size_t limit, std::string& out);

Decoding decode_brotli(std::string_view data, size_t limit, std::string& out);

// Frames may ask for a window of up to 128 MiB.
Decoding decode_zstd(std::string_view data, size_t limit, std::string& out);

}  // namespace ndc
