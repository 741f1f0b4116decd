// The last resort for bytes that are not UTF-8 and whose charset neither a declaration nor their structure
// tells: a test for English, and ICU's statistics, fed with text instead of mark-up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "text/charset_labels.hpp"

struct UCharsetDetector;

namespace nd::text {

// Threads: one object, one thread at a time.
class CharsetDetector {
 public:
  CharsetDetector() = default;
  ~CharsetDetector();
  CharsetDetector(const CharsetDetector&) = delete;
  CharsetDetector& operator=(const CharsetDetector&) = delete;

  // ICU's best guess that is a single-byte charset, or nothing if it is not confident: the Unicode forms and
  // the double-byte charsets have been excluded by better means before. Looks at up to 8 KB of the text
  // between tags that is not plain ASCII. Fails where ICU fails (kInternal). Cost: where that text is English
  // (see english_text.hpp) 2 ns a byte of the sample, else .3 us a byte (measured 2026-11-22).
  Result<std::optional<Charset>> detect(std::span<const uint8_t> bytes);

 private:
  UCharsetDetector* detector_ = nullptr;
  Vector<char> sample_;
};

}  // namespace nd::text
