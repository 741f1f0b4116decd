// Counts bytes and asks a few questions of the counts: Thai, strays, bytes that a charset does not use,
// escapes of ISO-2022-JP.
#include "reading/byte_statistics.hpp"

#include <cstring>

namespace nd::text {
namespace {

constexpr uint8_t kEscape = 0x1b;

// Where the characters of ISO-2022-JP come from after an escape sequence.
enum class Escaped : uint8_t { kNone, kPairs, kSingle };

// The three bytes at the escape; kNone: another sequence, which ISO-2022-JP does not have.
Escaped escaped_by(std::string_view sequence) noexcept {
  if (sequence == "\x1b$B" || sequence == "\x1b$@") return Escaped::kPairs;
  if (sequence == "\x1b(B" || sequence == "\x1b(J" || sequence == "\x1b(I") return Escaped::kSingle;
  return Escaped::kNone;
}

enum class ThaiPart : uint8_t { kNone, kConsonant, kMark, kVowelBefore };

constexpr ThaiPart thai_part(unsigned char c) noexcept {
  if (c >= 0xa1 && c <= 0xce) return ThaiPart::kConsonant;
  if (c == 0xd1 || (c >= 0xd4 && c <= 0xda) || (c >= 0xe7 && c <= 0xee)) return ThaiPart::kMark;
  if (c >= 0xe0 && c <= 0xe4) return ThaiPart::kVowelBefore;
  return ThaiPart::kNone;
}

struct ByteRange {
  unsigned char first;
  unsigned char last;
};

// Bytes that are no character in the tables of the Encoding Standard, or a control (C1); of the charsets that
// ICU's detector knows and that have many of them. A test compares this with the decoders.
constexpr ByteRange kUnusedIn8859_2_5[] = {{0x80, 0x9f}};
constexpr ByteRange kUnusedIn8859_6[] = {{0x80, 0x9f}, {0xa1, 0xa3}, {0xa5, 0xab}, {0xae, 0xba},
                                         {0xbc, 0xbe}, {0xc0, 0xc0}, {0xdb, 0xdf}, {0xf3, 0xff}};
constexpr ByteRange kUnusedIn8859_7[] = {{0x80, 0x9f}, {0xae, 0xae}, {0xd2, 0xd2}, {0xff, 0xff}};
constexpr ByteRange kUnusedIn8859_8[] = {
    {0x80, 0x9f}, {0xa1, 0xa1}, {0xbf, 0xde}, {0xfb, 0xfc}, {0xff, 0xff}};
constexpr ByteRange kUnusedInWindows1253[] = {{0x81, 0x81}, {0x88, 0x88}, {0x8a, 0x8a},
                                              {0x8c, 0x90}, {0x98, 0x98}, {0x9a, 0x9a},
                                              {0x9c, 0x9f}, {0xd2, 0xd2}, {0xff, 0xff}};
constexpr ByteRange kUnusedInWindows1255[] = {{0x81, 0x81}, {0x8a, 0x8a}, {0x8c, 0x90},
                                              {0x9a, 0x9a}, {0x9c, 0x9f}, {0xca, 0xca},
                                              {0xd9, 0xdf}, {0xfb, 0xfc}, {0xff, 0xff}};

std::span<const ByteRange> unused_in(Charset charset) noexcept {
  switch (charset) {
    case Charset::kIso8859_2:
    case Charset::kIso8859_5:
      return kUnusedIn8859_2_5;
    case Charset::kIso8859_6:
      return kUnusedIn8859_6;
    case Charset::kIso8859_7:
      return kUnusedIn8859_7;
    case Charset::kIso8859_8:
    case Charset::kIso8859_8_I:
      return kUnusedIn8859_8;
    case Charset::kWindows1253:
      return kUnusedInWindows1253;
    case Charset::kWindows1255:
      return kUnusedInWindows1255;
    default:
      return {};
  }
}

}  // namespace

bool is_iso_2022_jp(std::span<const uint8_t> bytes) noexcept {
  if (bytes.empty()) return false;
  constexpr size_t kLeastPairs = 4;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  size_t at = text.find(static_cast<char>(kEscape));
  if (at == std::string_view::npos) return false;
  Escaped state = Escaped::kNone;
  size_t pairs = 0;
  while (at < text.size()) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c == kEscape) {
      if (text.size() - at < 3) break;  // cut
      state = escaped_by(text.substr(at, 3));
      if (state == Escaped::kNone) return false;
      at += 3;
    } else if (state == Escaped::kPairs) {
      const bool is_cut = at + 1 == text.size();
      const auto trail = static_cast<unsigned char>(is_cut ? '!' : text[at + 1]);
      if (c == '\n' || c == '\r') {  // mailers and old editors end the line without leading back
        state = Escaped::kSingle;
        ++at;
        continue;
      }
      if (c < 0x21 || c > 0x7e || trail < 0x21 || trail > 0x7e) return false;
      ++pairs;
      at += 2;
    } else {
      at = text.find(static_cast<char>(kEscape), at);
    }
  }
  return pairs >= kLeastPairs;
}

ByteStatistics::ByteStatistics(std::string_view text) noexcept {
  const auto byte_at = [&](size_t at) {
    return static_cast<unsigned char>(at < text.size() ? text[at] : '\0');
  };
  unsigned char before = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = byte_at(i);
    const unsigned char after = byte_at(i + 1);
    ++counts_[c];
    if (c >= 0x80) {
      ++high_;
      in_words_ += before >= 0x80 || after >= 0x80;
      const ThaiPart part = thai_part(c);
      thai_marks_ += part == ThaiPart::kMark || part == ThaiPart::kVowelBefore;
      const ThaiPart part_before = thai_part(before);
      if (part == ThaiPart::kMark) {
        thai_strays_ += part_before != ThaiPart::kConsonant && part_before != ThaiPart::kMark;
      } else if (part == ThaiPart::kVowelBefore) {
        thai_strays_ += thai_part(after) != ThaiPart::kConsonant;
      }
    }
    before = c;
  }
}

size_t ByteStatistics::count(unsigned char first, unsigned char last) const noexcept {
  size_t sum = 0;
  for (size_t c = first; c <= last; ++c)
    sum += counts_[c];
  return sum;
}

// The shares here and below were chosen with room on both sides: the texts of docs/html.md have one vowel or
// tone on two consonants and more, and not one stray in a hundred. Bytes that windows-874 does not have are
// strays, too.
bool ByteStatistics::is_thai() const noexcept {
  const size_t consonants = count(0xa1, 0xce);
  const size_t foreign =
      count(0x81, 0x84) + count(0x86, 0x90) + count(0x98, 0x9f) + count(0xdb, 0xde) + count(0xfc, 0xff);
  return thai_marks_ >= 4 && (thai_strays_ + foreign) * 20 <= thai_marks_ && thai_marks_ * 8 >= consonants;
}

// The smaller letters are at 0xA0 to 0xAF and 0xE0 to 0xEF; of the first range four are the most frequent
// vowels of all languages that are written so. Between the ranges are the lines of tables.
bool ByteStatistics::is_ibm866() const noexcept {
  const size_t first = count(0xa0, 0xaf);
  const size_t second = count(0xe0, 0xef);
  const size_t no_letters = count(0xb0, 0xdf) + count(0xf0, 0xff);
  const size_t vowels = counts_[0xa0] + counts_[0xa5] + counts_[0xa8] + counts_[0xae];
  return high_ >= 8 && in_words_ * 10 >= high_ * 8 && (first + second) * 10 >= high_ * 6 &&
         first * 10 >= high_ * 3 && second * 8 >= high_ && no_letters * 20 <= high_ && vowels * 6 >= high_;
}

bool ByteStatistics::may_be(Charset charset) const noexcept {
  size_t unused = 0;
  for (const ByteRange& range : unused_in(charset))
    unused += count(range.first, range.last);
  return unused * 50 <= high_;
}

}  // namespace nd::text
