// The HTTP response inside of a WARC record (RFC 9112): its header, and its payload without transfer and
// content codings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "archives/header_fields.hpp"

namespace ndc {

struct HttpHeader {
  int status = 0;  // 0: none, or none of three digits, or of another protocol ("ICY 200 OK")
  HeaderFields fields;
  bool ended = true;  // by its empty line, or where the markup begins
};

// 2xx, but those that have no content: 204 and 205.
constexpr bool is_successful(int status) {
  return status >= 200 && status <= 299 && status != 204 && status != 205;
}

// Reads the header at the start of `message`, over line ends and interim (1xx) responses before it, and
// removes it from there. Where no status line begins the message, all of it is the body, as of HTTP/0.9.
HttpHeader parse_http_header(std::string_view& message);

// The outcome of decode_payload.
struct HttpPayload {
  std::string_view bytes;   // in `message` or in `storage`
  bool cut = false;         // an end is missing, damage hides the rest, or the limit was reached
  bool too_costly = false;  // the codings would give more than they may; there are no bytes
};

// The payload that follows the header, decoded. Archives often hold decoded payloads under headers that still
// name the coding; what does not begin like coded data is taken as it is. nullopt: nothing could be decoded,
// and `reason` says why. No coding gives more than `limit` bytes; `decodable_bytes` is what all of them
// together may give, and is reduced by what they gave. `storage`: memory for the result, reused.
std::optional<HttpPayload> decode_payload(const HttpHeader& header, std::string_view message, size_t limit,
                                          uint64_t& decodable_bytes, std::string& storage,
                                          std::string& reason);

// Removes the chunked transfer coding (RFC 9112, section 7.1).
enum class Dechunking {
  kComplete,
  kCut,         // the last chunk is missing or damaged; `out` has what came before
  kNotChunked,  // does not begin with a chunk
};
Dechunking decode_chunked(std::string_view data, std::string& out);

}  // namespace ndc
