// Checks and repairs with a fast path for whole sequences, since nearly all bytes of nearly all pages are
// right.
#include "reading/utf8_scan.hpp"

#include <cstring>

#include "reading/ascii.hpp"

namespace nd::text {
namespace {

constexpr size_t kMalformedToGiveUp = 1024;

enum class SequenceState : uint8_t { kWellFormed, kMalformed, kCut };

struct Sequence {
  uint8_t length;  // bytes to take
  SequenceState state;
};

// The sequence at `at`, whose first byte is not ASCII. Unicode Standard, table 3-7.
Sequence read_sequence(const uint8_t* at, const uint8_t* end) noexcept {
  const uint8_t lead = *at;
  if (lead < 0xc2 || lead > 0xf4) return {1, SequenceState::kMalformed};
  const ptrdiff_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  uint8_t least = 0x80;
  uint8_t most = 0xbf;
  if (lead == 0xe0) least = 0xa0;
  if (lead == 0xed) most = 0x9f;
  if (lead == 0xf0) least = 0x90;
  if (lead == 0xf4) most = 0x8f;
  for (ptrdiff_t i = 1; i < length; ++i) {
    if (at + i == end) return {static_cast<uint8_t>(i), SequenceState::kCut};
    if (at[i] < least || at[i] > most) return {static_cast<uint8_t>(i), SequenceState::kMalformed};
    least = 0x80;
    most = 0xbf;
  }
  return {static_cast<uint8_t>(length), SequenceState::kWellFormed};
}

// The same for well-formed sequences only, in one load and two or three tests; 0 for anything else. Four
// bytes must be readable.
size_t well_formed_length(const uint8_t* at) noexcept {
  uint32_t word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, at, sizeof word);
  } else {
    word = at[0] | static_cast<uint32_t>(at[1]) << 8 | static_cast<uint32_t>(at[2]) << 16 |
           static_cast<uint32_t>(at[3]) << 24;
  }
  if ((word & 0x00c0c0f0) == 0x008080e0) {
    const uint32_t choice = word & 0x0000200f;  // E0 80..9F is overlong, ED A0..BF a surrogate
    return choice != 0 && choice != 0x0000200d ? 3 : 0;
  }
  if ((word & 0x0000c0e0) == 0x000080c0) return (word & 0x1e) != 0 ? 2 : 0;
  if ((word & 0xc0c0c0f8) == 0x808080f0) {
    const uint32_t plane = (word & 0x07) << 2 | (word >> 12 & 0x03);
    return plane >= 1 && plane <= 0x10 ? 4 : 0;
  }
  return 0;
}

}  // namespace

Utf8Scan scan_utf8(std::span<const uint8_t> bytes) noexcept {
  Utf8Scan scan;
  const uint8_t* at = bytes.data();
  const uint8_t* const end = at + bytes.size();
  size_t sequences = 0;
  while ((at = skip_ascii(at, end, scan.has_nul)) != end) {
    while (end - at >= 4 && *at >= 0x80) {
      const size_t length = well_formed_length(at);
      if (length == 0) break;
      at += length;
      ++sequences;
    }
    if (at == end || *at < 0x80) continue;
    const Sequence sequence = read_sequence(at, end);
    at += sequence.length;
    switch (sequence.state) {
      case SequenceState::kWellFormed:
        ++sequences;
        break;
      case SequenceState::kMalformed:
        if (++scan.malformed_count >= kMalformedToGiveUp && scan.malformed_count > sequences) {
          scan.sequence_count = sequences;
          scan.gave_up = true;
          return scan;
        }
        break;
      case SequenceState::kCut:
        scan.cut_bytes = sequence.length;
        break;
    }
  }
  scan.sequence_count = sequences;
  return scan;
}

void append_repaired_utf8(std::span<const uint8_t> bytes, Utf8Output& out) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  const uint8_t* at = bytes.data();
  const uint8_t* const end = at + bytes.size();
  const uint8_t* kept = at;  // what lies between here and `at` is well formed and not yet copied
  const auto flush = [&] {
    out.append({reinterpret_cast<const char*>(kept), static_cast<size_t>(at - kept)});
  };
  while (at != end) {
    if (*at == 0) {
      flush();
      kept = ++at;
    } else if (*at < 0x80) {
      ++at;
    } else {
      const Sequence sequence = read_sequence(at, end);
      if (sequence.state != SequenceState::kWellFormed) {
        flush();
        kept = at + sequence.length;
        if (sequence.state == SequenceState::kMalformed) out.append(kReplacement);
      }
      at += sequence.length;
    }
  }
  flush();
}

}  // namespace nd::text
