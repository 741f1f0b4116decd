// Judges UTF-16 by its units, English by its short words, and asks ICU's statistics about the text between
// tags.
#include "reading/charset_detector.hpp"

#include <unicode/ucsdet.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include "reading/ascii.hpp"
#include "reading/byte_statistics.hpp"

namespace nd::text {
namespace {

constexpr size_t kScannedBytes = 8192;

// Counts of the units, read in one of the two byte orders.
struct Units {
  size_t count = 0;
  size_t ascii = 0;      // U+0001..U+007F
  size_t cjk = 0;        // U+3000..U+9FFF, U+AC00..U+D7A3, full-width forms
  size_t malformed = 0;  // unpaired surrogates, zeros and noncharacters
};

bool is_cjk(uint32_t unit) noexcept {
  return (unit >= 0x3000 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xd7a3) ||
         (unit >= 0xff00 && unit <= 0xffef);
}

Units count_units(std::span<const uint8_t> bytes, bool is_big_endian) noexcept {
  Units units;
  bool awaits_low = false;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const uint32_t unit = is_big_endian ? static_cast<uint32_t>(bytes[i] << 8 | bytes[i + 1])
                                        : static_cast<uint32_t>(bytes[i + 1] << 8 | bytes[i]);
    ++units.count;
    const bool is_low = (unit & 0xfc00) == 0xdc00;
    if (awaits_low != is_low || unit == 0 || unit >= 0xfffe) ++units.malformed;
    awaits_low = (unit & 0xfc00) == 0xd800;
    if (unit != 0 && unit < 0x80) ++units.ascii;
    if (is_cjk(unit)) ++units.cjk;
  }
  return units;
}

bool is_well_formed(const Units& units) noexcept {
  return units.malformed * 100 <= units.count;
}

// ASCII shows the byte order best, since its zeros are all at the same parity; alphabets (Cyrillic 0430 is
// the ideograph 3004 in the other order) and ideographs (4E00 is the letter N) are ambiguous.
size_t score(const Units& units) noexcept {
  return 8 * units.ascii + units.cjk;
}

constexpr size_t kLeastWords = 20;

constexpr bool is_letter(unsigned char c) noexcept {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

// Quotes, dashes, dots, blanks and signs that the windows code pages of alphabets share, except 0x80 in
// 1251.
constexpr bool is_shared_mark(unsigned char c) noexcept {
  return c == 0x80 || c == 0x85 || (c >= 0x91 && c <= 0x97) || c == 0x99 || c == 0xa0 || c == 0xa9 ||
         c == 0xab || c == 0xae || c == 0xb0 || c == 0xb7 || c == 0xbb;
}

// The letters of a word of up to four, folded to small ones.
constexpr uint32_t packed(std::string_view word) noexcept {
  uint32_t letters = 0;
  for (const char c : word)
    letters = letters << 8 | (static_cast<unsigned char>(c) | 0x20U);
  return letters;
}

constexpr bool is_telling(uint32_t word) noexcept {
  return word == packed("the") || word == packed("and") || word == packed("of");
}

constexpr size_t kSampleBytes = 8192;
// ICU's confidence is 0 to 100; anything below this is noise.
constexpr int32_t kLeastConfidence = 10;

// The runs between '>' and '<' that hold a byte above ASCII. Runs of plain ASCII are no evidence of the
// charset, and would make every language look like English.
void collect_sample(std::span<const uint8_t> bytes, Vector<char>& sample) {
  sample.clear();
  const uint8_t* const begin = bytes.data();
  const uint8_t* const end = begin + bytes.size();
  const uint8_t* run = begin;
  while (run != end && sample.size() < kSampleBytes) {
    bool has_nul = false;
    const uint8_t* const high = skip_ascii(run, end, has_nul);
    if (high == end) return;
    const uint8_t* first = high;
    while (first != run && first[-1] != '>' && first[-1] != '<')
      --first;
    const uint8_t* const last = std::find(high, end, static_cast<uint8_t>('<'));
    const bool is_text = first == begin || first[-1] == '>';
    if (is_text) {
      const size_t size = std::min(static_cast<size_t>(last - first), kSampleBytes - sample.size());
      sample.insert(sample.end(), first, first + size);
      sample.push_back(' ');
    }
    run = last;
  }
}

}  // namespace

std::optional<Charset> detect_utf16(std::span<const uint8_t> bytes, bool is_declared,
                                    bool is_other_text) noexcept {
  const auto prefix = bytes.first(std::min(bytes.size(), kScannedBytes));
  const Units little = count_units(prefix, false);
  const Units big = count_units(prefix, true);
  const bool is_big = score(big) > score(little);
  const Units& best = is_big ? big : little;
  const Units& other = is_big ? little : big;
  const size_t least_permille = is_declared && !is_other_text ? 5 : 100;
  const size_t least = is_declared ? 1 : 4;
  if (!is_well_formed(best) || best.ascii < least || best.ascii * 1000 < best.count * least_permille) {
    return std::nullopt;
  }
  // Zeros at both parities are stray NULs.
  if (other.ascii * 2 > best.ascii && best.cjk * 100 < best.count * 80) return std::nullopt;
  return is_big ? Charset::kUtf16Be : Charset::kUtf16Le;
}

bool may_be_utf16(std::span<const uint8_t> bytes, Charset charset) noexcept {
  const auto prefix = bytes.first(std::min(bytes.size(), kScannedBytes));
  const Units units = count_units(prefix, charset == Charset::kUtf16Be);
  return units.ascii > 0 && is_well_formed(units);
}

bool is_english_windows_1252(std::string_view text) noexcept {
  size_t words = 0;
  size_t telling = 0;
  size_t foreign = 0;
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (!is_letter(first)) {
      foreign += first >= 0x80 && !is_shared_mark(first);
      ++i;
      continue;
    }
    // Letters further back fall out of the word: "bathe" differs from "the" by its length.
    const size_t begin = i;
    uint32_t word = 0;
    for (; i < text.size() && is_letter(static_cast<unsigned char>(text[i])); ++i)
      word = word << 8 | (static_cast<unsigned char>(text[i]) | 0x20U);
    ++words;
    telling += i - begin <= 3 && is_telling(word);
  }
  return words >= kLeastWords && telling * 20 >= words && foreign * 16 <= words;
}

CharsetDetector::~CharsetDetector() {
  if (detector_ != nullptr) ucsdet_close(detector_);
}

Result<std::optional<Charset>> CharsetDetector::detect(std::span<const uint8_t> bytes) {
  collect_sample(bytes, sample_);
  if (sample_.empty()) return std::optional<Charset>{};
  if (is_english_windows_1252({sample_.data(), sample_.size()})) return std::optional(Charset::kWindows1252);
  const ByteStatistics statistics({sample_.data(), sample_.size()});
  if (statistics.is_thai()) return std::optional(Charset::kWindows874);
  if (statistics.is_ibm866()) return std::optional(Charset::kIbm866);
  UErrorCode status = U_ZERO_ERROR;
  if (detector_ == nullptr) detector_ = ucsdet_open(&status);
  // ICU 72 gives neither a detector nor an error if there is no memory for it.
  if (detector_ == nullptr && U_SUCCESS(status)) throw std::bad_alloc();
  if (U_SUCCESS(status))
    ucsdet_setText(detector_, sample_.data(), static_cast<int32_t>(sample_.size()), &status);
  int32_t count = 0;
  const UCharsetMatch** const matches =
      U_SUCCESS(status) ? ucsdet_detectAll(detector_, &count, &status) : nullptr;
  std::optional<Charset> best;
  if (status == U_INVALID_CHAR_FOUND) return best;  // how ICU says that no charset fits at all
  for (int32_t i = 0; U_SUCCESS(status) && !best && i < count; ++i) {
    if (ucsdet_getConfidence(matches[i], &status) < kLeastConfidence) break;
    const char* const name = ucsdet_getName(matches[i], &status);
    if (U_FAILURE(status)) break;
    const std::optional<Charset> charset = find_charset(name);
    if (charset && charset_form(*charset) == CharsetForm::kSingleByte && statistics.may_be(*charset)) {
      best = charset;
    }
  }
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status))
    return error(Status::kInternal, "ICU cannot detect the charset: ", u_errorName(status));
  return best;
}

}  // namespace nd::text
