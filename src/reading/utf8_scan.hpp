// Determines how far bytes are UTF-8, and repairs bytes that nearly are. "Well formed" is the Unicode
// Standard's table 3-7; a malformed sequence is a "maximal subpart" (Unicode 3.9, and the WHATWG decoder), so
// that the count equals the number of U+FFFD a browser would show.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "core/memory.hpp"

namespace nd::text {

// Text that grows at its end; clear() keeps its memory for the next page.
class Utf8Output {
 public:
  void clear() noexcept { size_ = 0; }

  // Reserves `count` more bytes; write there and then call set_end() with the end. Valid until the next call.
  char* reserve(size_t count) {
    if (memory_.size() - size_ < count) memory_.resize(std::max(size_ + count, memory_.size() * 2));
    return memory_.data() + size_;
  }
  void set_end(const char* end) noexcept { size_ = static_cast<size_t>(end - memory_.data()); }

  void append(std::string_view text) {
    if (text.empty()) return;
    std::memcpy(reserve(text.size()), text.data(), text.size());
    size_ += text.size();
  }

  std::string_view text() const noexcept { return {memory_.data(), size_}; }

  uint64_t memory_bytes() const noexcept { return memory_.capacity(); }

 private:
  Vector<char> memory_;
  size_t size_ = 0;
};

// What scan_utf8() found.
struct Utf8Scan {
  size_t sequence_count = 0;   // well-formed sequences of two to four bytes
  size_t malformed_count = 0;  // without the cut one at the end
  size_t cut_bytes = 0;        // 1..3 at the end that begin a sequence which the end cuts
  bool has_nul = false;
  bool gave_up = false;  // the counts are of the beginning only

  bool is_ascii() const noexcept { return sequence_count == 0 && malformed_count == 0 && cut_bytes == 0; }
};

// One pass; ASCII at memory speed, CJK text at about one byte a cycle. Gives up after 1,024 malformed
// sequences if these are more than the well-formed ones: text in another charset, which costs ten times as
// much as UTF-8, because nothing in it can be predicted.
Utf8Scan scan_utf8(std::span<const uint8_t> bytes) noexcept;

// Appends `bytes` to `out` with U+FFFD for each malformed sequence, without NULs and without a cut end.
void append_repaired_utf8(std::span<const uint8_t> bytes, Utf8Output& out);

}  // namespace nd::text
