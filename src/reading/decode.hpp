// Bytes of a page to UTF-8. Order of precedence: BOM, then the declarations (HTTP header, meta prescan)
// compared with the bytes, then UTF-8 validity, then ICU's detector. A declared charset in which the bytes do
// not decode loses to one in which they do, and an implausible double-byte charset loses to the plausible
// one. UTF-8 with at most one malformed sequence in 1,000 beats every declaration. A character cut by the end
// of the body is dropped and not counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/result.hpp"

namespace nd::text {

enum class CharsetSource : uint8_t { kByteOrderMark, kHttpHeader, kMeta, kValidity, kDetector, kFallback };

struct Decoded {
  // Well-formed UTF-8 without NUL bytes and without a BOM; borrowed from the decoder or from the body itself
  // (a valid UTF-8 page is not copied), valid until the next call or until the body is freed.
  std::string_view text;
  std::string_view charset;  // canonical WHATWG name, lower case, e.g. "gb18030"; static
  CharsetSource source = CharsetSource::kFallback;
  uint32_t replaced_count = 0;  // malformed sequences that became U+FFFD
  uint64_t read_bytes = 0;      // of the body, by all steps; bytes read twice count twice
};

// Threads: one object, one thread at a time; keep it and its buffers for many pages.
class Decoder {
 public:
  Decoder();
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  // `content_type`: the HTTP header's value, may be empty. `is_html`: look for a meta declaration in the
  // first 1,024 bytes. Fails only if ICU itself fails.
  Result<Decoded> decode(std::span<const uint8_t> body, std::string_view content_type, bool is_html);

  // The size of the output, without ICU's own memory and the tables of charsets (see Transcoder).
  uint64_t memory_bytes() const noexcept;
  // Frees the output's memory.
  void release() noexcept;

 private:
  struct State;
  Owned<State> state_;
};

}  // namespace nd::text
