// The HTTP response inside of a WARC record (RFC 9112): its header, and its payload without transfer and
// content codings.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "header_fields.hpp"

namespace ndc {

struct HttpHeader {
  int status = 0;
  HeaderFields fields;
};

// Reads the header at the start of `message`, over any interim (1xx) responses before it, and removes it from
// there. nullopt: there is none, and `reason` says why.
std::optional<HttpHeader> parse_http_header(std::string_view& message, std::string& reason);

// The outcome of decode_payload.
struct HttpPayload {
  std::string_view bytes;  // in `message` or in `storage`
  bool cut = false;        // an end is missing, damage hides the rest, or the limit was reached
};

// The payload that follows the header, decoded. Archives often hold decoded payloads under headers that still
// name the coding; what does not begin like coded data is taken as it is. nullopt: nothing could be decoded,
// and `reason` says why. `storage`: memory for the result, reused. No stage gives more than `limit` bytes.
std::optional<HttpPayload> decode_payload(const HttpHeader& header, std::string_view message, size_t limit,
                                          std::string& storage, std::string& reason);

// Removes the chunked transfer coding (RFC 9112, section 7.1).
enum class Dechunking {
  kComplete,
  kCut,         // the last chunk is missing or damaged; `out` has what came before
  kNotChunked,  // does not begin with a chunk
};
Dechunking decode_chunked(std::string_view data, std::string& out);

}  // namespace ndc
