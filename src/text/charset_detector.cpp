#include "text/charset_detector.hpp"

#include <unicode/ucsdet.h>

#include <algorithm>
#include <new>

#include "text/ascii.hpp"
#include "text/english_text.hpp"

namespace nd::text {
namespace {

constexpr size_t kSampleBytes = 8192;
// ICU counts from 0 to 100; what it says below is noise.
constexpr int32_t kLeastConfidence = 10;

// The runs between '>' and '<' that hold a byte above ASCII. Runs of plain ASCII say nothing about the
// charset, and would make every language look English.
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

CharsetDetector::~CharsetDetector() {
  if (detector_ != nullptr) ucsdet_close(detector_);
}

Result<std::optional<Charset>> CharsetDetector::detect(std::span<const uint8_t> bytes) {
  collect_sample(bytes, sample_);
  if (sample_.empty()) return std::optional<Charset>{};
  if (is_english_windows_1252({sample_.data(), sample_.size()})) return std::optional(Charset::kWindows1252);
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
    if (charset && charset_form(*charset) == CharsetForm::kSingleByte) best = charset;
  }
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status))
    return error(Status::kInternal, "ICU cannot detect the charset: ", u_errorName(status));
  return best;
}

}  // namespace nd::text
