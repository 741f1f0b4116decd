// Folds most characters by tables, and hands to ICU only the runs whose characters join.
#include "words/normalize.hpp"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>

#include "core/utf8.hpp"
#include "words/persian_affixes.hpp"
#include "words/spelling.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nd::text {
namespace {

constexpr uint64_t kOneInEachByte = 0x0101010101010101ULL;
constexpr uint64_t kHighBits = 0x8080808080808080ULL;

// A run that is passed to ICU ends at the first boundary behind this many bytes.
constexpr ptrdiff_t kRunBytes = 2048;
constexpr int kLongestSequence = 64;
// NFKC_Casefold makes at most 11 bytes of one (U+FDFA); a run is at most kRunBytes, one sequence of at most
// kLongestSequence characters behind them, and the character handed back to it.
constexpr size_t kScratchBytes = 32 * 1024;
static_assert((kRunBytes + (kLongestSequence + 2) * 4) * 11 <= kScratchBytes);

// ASCII folded: capitals small, white space and controls a space.
constexpr std::array<char, 128> kAscii = [] {
  std::array<char, 128> table{};
  for (size_t c = 0; c < table.size(); ++c) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    table[c] = c <= ' ' || c == 0x7f ? ' ' : static_cast<char>(is_capital ? c + ('a' - 'A') : c);
  }
  return table;
}();

// White space and controls that NFKC_Casefold leaves unchanged.
constexpr bool is_space(char32_t c) noexcept {
  return c <= ' ' || (c >= 0x7f && c <= 0x9f) || c == 0x1680 || c == 0x2028 || c == 0x2029;
}

constexpr char32_t kZeroWidthNonJoiner = 0x200c;

constexpr bool is_full_width_ascii(char32_t c) noexcept {
  return c >= 0xff01 && c <= 0xff5e;
}

// The high bit of each byte that is at least `low`; all bytes of `word` must be ASCII.
constexpr uint64_t bytes_at_least(uint64_t word, uint64_t low) noexcept {
  return (word + kOneInEachByte * (0x80 - low)) & kHighBits;
}

unsigned char byte_at(const char* at) noexcept {
  return static_cast<unsigned char>(*at);
}

char32_t three_bytes(const char* at) noexcept {
  return (byte_at(at) & 0xfU) << 12 | (byte_at(at + 1) & 0x3fU) << 6 | (byte_at(at + 2) & 0x3fU);
}

// The bytes of the code point that ends at `end`.
ptrdiff_t last_length(const char* begin, const char* end) noexcept {
  const char* at = end - 1;
  while (at > begin && (byte_at(at) & 0xc0) == 0x80)
    --at;
  return end - at;
}

}  // namespace

// "Simple" characters: they never join the character before them, and each becomes one character, whatever
// follows, unless what follows is not simple itself.
struct Normalizer::Tables {
  const icu::Normalizer2& nfkc_casefold;
  std::array<uint16_t, 0x780> two_bytes{};  // what U+0080..U+07FF becomes, below U+0800; 0: not simple
  std::array<uint64_t, 0x400> kept{};       // a bit for each of U+0800..U+FFFF: simple and unchanged

  explicit Tables(const icu::Normalizer2& normalizer);

  bool is_kept(char32_t c) const noexcept { return (kept[c >> 6] >> (c & 63) & 1) != 0; }
  bool is_simple(char32_t c) const noexcept {
    if (c < 0x80) return true;
    if (c < 0x800) return two_bytes[c - 0x80] != 0;
    return c < 0x10000 && (is_kept(c) || is_full_width_ascii(c) || c == 0x3000);
  }

 private:
  void add(char32_t c, const icu::UnicodeString& form);
};

void Normalizer::Tables::add(char32_t c, const icu::UnicodeString& form) {
  if (c >= 0x80 && c <= 0x9f) {
    two_bytes[c - 0x80] = ' ';
    return;
  }
  if (form.length() != 1 || is_space(c) || !nfkc_casefold.hasBoundaryBefore(static_cast<UChar32>(c))) return;
  const char32_t unit = spelling(form.charAt(0));
  if (c < 0x800) {
    // What is left out is not simple: what attaches to it is left out, too.
    if (unit < 0x800) two_bytes[c - 0x80] = static_cast<uint16_t>(unit);
  } else if (unit == c) {
    kept[c >> 6] |= uint64_t{1} << (c & 63);
  }
}

Normalizer::Tables::Tables(const icu::Normalizer2& normalizer) : nfkc_casefold(normalizer) {
  // All characters in one call: U+0001 between them keeps them separate.
  constexpr char16_t kSeparator = 1;
  icu::UnicodeString characters;
  const auto next = [](char32_t c) { return c == 0xd7ff ? char32_t{0xe000} : c + 1; };
  for (char32_t c = 0x80; c < 0x10000; c = next(c)) {
    characters.append(static_cast<char16_t>(c)).append(kSeparator);
  }
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString forms = nfkc_casefold.normalize(characters, status);
  if (U_FAILURE(status) || characters.isBogus() || forms.isBogus()) throw std::bad_alloc();
  int32_t begin = 0;
  for (char32_t c = 0x80; c < 0x10000; c = next(c)) {
    const int32_t end = forms.indexOf(kSeparator, begin);
    add(c, forms.tempSubStringBetween(begin, end));
    begin = end + 1;
  }
}

// One call of append(). Invariant: behind target_ there is room for every byte of the input that is left, and
// for a block of sixteen more; simple characters never grow.
class Normalizer::Pass {
 public:
  Pass(Normalizer& normalizer, std::string_view text, Range piece, String& out)
      : tables_(*normalizer.tables_),
        scratch_(normalizer.scratch_),
        icu_bytes_(normalizer.icu_bytes_),
        in_(text.data() + piece.begin),
        end_(text.data() + piece.end),
        readable_end_(text.data() + text.size()),
        simple_begin_(in_),
        out_(out),
        base_(out.size()) {
    out_.resize(base_ + piece.size() + kSlack);
    target_ = out_.data() + base_;
  }

  void run() {
    while (in_ < end_) {
      if (byte_at(in_) < 0x80) {
        has_arabic_ |= is_after_arabic();
        fold_ascii();
      } else if (!fold_wide()) {
        fold_by_icu();
      }
    }
    if (target_ > begin() && target_[-1] == ' ') --target_;
    if (has_arabic_ || is_after_arabic()) target_ = join_persian_affixes(begin(), target_);
    out_.resize(static_cast<size_t>(target_ - out_.data()));
  }

 private:
  static constexpr ptrdiff_t kBlock = 16;
  static constexpr size_t kSlack = kBlock;

  char* begin() const noexcept { return out_.data() + base_; }
  bool after_space() const noexcept { return target_ == begin() || target_[-1] == ' '; }
  void put_space() noexcept {
    has_arabic_ |= is_after_arabic();
    if (!after_space()) *target_++ = ' ';
  }

  void fold_ascii() noexcept;
  void fold_ascii_blocks() noexcept;
  void fold_ascii_words() noexcept;
  bool fold_wide() noexcept;
  void fold_kept() noexcept;
  bool is_after_arabic() const noexcept;
  const char* letter_behind_non_joiners(const char* at) const noexcept;
  void put_two_bytes(char32_t c) noexcept;
  const char* end_of_run(const char* at, const char*& behind) const noexcept;
  void fold_by_icu();
  void append_form(std::string_view form);

  const Tables& tables_;
  String& scratch_;
  uint64_t& icu_bytes_;
  const char* in_;
  const char* const end_;
  const char* const readable_end_;
  const char* simple_begin_;  // every character in [simple_begin_, in_) was simple
  String& out_;
  const size_t base_;
  char* target_;
  bool has_arabic_ = false;  // a word that ends in a letter of the Arabic script
};

// Eight bytes at a time, up to the first that holds more than letters, marks and single spaces.
void Normalizer::Pass::fold_ascii_words() noexcept {
  if constexpr (std::endian::native != std::endian::little) return;
  const char* in = in_;
  char* target = target_;
  uint64_t space_before = after_space() ? 0x80 : 0;
  while (end_ - in >= static_cast<ptrdiff_t>(sizeof(uint64_t))) {
    uint64_t word;
    std::memcpy(&word, in, sizeof word);
    if ((word & kHighBits) != 0) break;
    const uint64_t printable = bytes_at_least(word, ' ') & ~bytes_at_least(word, 0x7f);
    const uint64_t space = printable & ~bytes_at_least(word, ' ' + 1);
    if (printable != kHighBits || (space & (space << 8 | space_before)) != 0) break;
    const uint64_t capital = bytes_at_least(word, 'A') & ~bytes_at_least(word, 'Z' + 1);
    word |= capital >> 2;
    std::memcpy(target, &word, sizeof word);
    space_before = space >> 56;
    in += sizeof word;
    target += sizeof word;
  }
  in_ = in;
  target_ = target;
}

#if defined(__SSE2__)

// Sixteen bytes at a time, each time up to the first that is not printable ASCII or is a second space; bytes
// beyond the end of the piece are read and written too, but do not count.
void Normalizer::Pass::fold_ascii_blocks() noexcept {
  const char* in = in_;
  char* target = target_;
  unsigned space_before = after_space() ? 1 : 0;
  while (in < end_ && readable_end_ - in >= kBlock) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
    // Signed: bytes above ASCII are below all.
    const auto bits = [](__m128i mask) { return static_cast<unsigned>(_mm_movemask_epi8(mask)); };
    const unsigned space = bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')));
    const unsigned other = bits(
        _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f))));
    const unsigned stop = other | (space & (space << 1 | space_before)) | 1U << kBlock;
    const __m128i capital = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('A' - 1)),
                                          _mm_cmplt_epi8(bytes, _mm_set1_epi8('Z' + 1)));
    const __m128i folded = _mm_or_si128(bytes, _mm_and_si128(capital, _mm_set1_epi8('a' - 'A')));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(target), folded);
    const ptrdiff_t taken = std::min<ptrdiff_t>(std::countr_zero(stop), end_ - in);
    in += taken;
    target += taken;
    space_before = (space << 1 | space_before) >> taken & 1;
    if (taken == kBlock || in == end_) continue;
    if (byte_at(in) >= 0x80) break;
    // White space: one blank for all of it.
    if (space_before == 0) *target++ = ' ';
    space_before = 1;
    while (in < end_ && byte_at(in) < 0x80 && kAscii[byte_at(in)] == ' ')
      ++in;
  }
  in_ = in;
  target_ = target;
}

#else

void Normalizer::Pass::fold_ascii_blocks() noexcept {}

#endif

void Normalizer::Pass::fold_ascii() noexcept {
  fold_ascii_blocks();
  if (in_ == end_ || byte_at(in_) >= 0x80) return;
  fold_ascii_words();
  const char* const stop = end_ - in_ > 8 ? in_ + 8 : end_;
  bool space_before = after_space();
  for (; in_ < stop && byte_at(in_) < 0x80; ++in_) {
    const char folded = kAscii[byte_at(in_)];
    *target_ = folded;
    target_ += folded != ' ' || !space_before;
    space_before = folded == ' ';
  }
}

void Normalizer::Pass::put_two_bytes(char32_t c) noexcept {
  if (c == ' ') {
    put_space();
  } else if (c < 0x80) {
    *target_++ = static_cast<char>(c);
  } else {
    *target_++ = static_cast<char>(0xc0 | (c >> 6));
    *target_++ = static_cast<char>(0x80 | (c & 0x3f));
  }
}

// Simple characters beyond ASCII. True at the end or at ASCII, false at a character that is not simple.
bool Normalizer::Pass::fold_wide() noexcept {
  while (in_ < end_) {
    fold_kept();
    if (in_ == end_) return true;
    const unsigned char lead = byte_at(in_);
    if (lead < 0x80) return true;
    if (lead < 0xe0) {
      if (lead < 0xc2 || end_ - in_ < 2) return false;
      const uint16_t form = tables_.two_bytes[(lead & 0x1fU) * 64 + (byte_at(in_ + 1) & 0x3fU) - 0x80];
      if (form == 0) return false;
      put_two_bytes(form);
      in_ += 2;
      continue;
    }
    if (lead >= 0xf0 || end_ - in_ < 3) return false;
    const char32_t c = three_bytes(in_);
    if (is_full_width_ascii(c)) {
      *target_++ = kAscii[c - 0xff01 + '!'];
    } else if (c == 0x3000) {
      put_space();
    } else if (c == kZeroWidthNonJoiner && is_after_arabic()) {
      // Between letters of the Arabic script it parts what most writers part by a blank (docs/spelling.md).
      // Elsewhere it shapes letters and is nothing, as NFKC_Casefold has it.
      const char* const letter = letter_behind_non_joiners(in_);
      if (letter == nullptr) return false;
      put_space();
      in_ = simple_begin_ = letter;
      continue;
    } else {
      return false;
    }
    in_ += 3;
  }
  return true;
}

// Characters of three bytes that stay as they are: nearly all of a Chinese text.
void Normalizer::Pass::fold_kept() noexcept {
  const char* in = in_;
  char* target = target_;
  while (end_ - in >= 3 && byte_at(in) - 0xe0U < 0x10U && tables_.is_kept(three_bytes(in))) {
    std::memcpy(target, in, 3);
    in += 3;
    target += 3;
  }
  in_ = in;
  target_ = target;
}

bool Normalizer::Pass::is_after_arabic() const noexcept {
  return target_ - begin() >= 2 && byte_at(target_ - 2) >= 0xd8 && byte_at(target_ - 2) <= 0xdb;
}

// The letter of the Arabic script behind the zero-width non-joiners at `at`; null if there is none.
const char* Normalizer::Pass::letter_behind_non_joiners(const char* at) const noexcept {
  while (end_ - at >= 3 && byte_at(at) == 0xe2 && three_bytes(at) == kZeroWidthNonJoiner)
    at += 3;
  return end_ - at >= 2 && is_arabic_letter(at) ? at : nullptr;
}

// The end of the run of other characters that starts at `at`; `behind` is where the input continues.
const char* Normalizer::Pass::end_of_run(const char* at, const char*& behind) const noexcept {
  const std::string_view rest(at, static_cast<size_t>(end_ - at));
  const auto has_boundary = [&](char32_t c) {
    return tables_.nfkc_casefold.hasBoundaryBefore(static_cast<UChar32>(c)) != 0;
  };
  int sequence = 0;
  bool at_arabic = is_after_arabic();  // and what is left out behind it
  const char* run_end = nullptr;
  for (size_t position = 0; position < rest.size();) {
    behind = at + position;
    const char32_t c = next_code_point(rest, position);
    if (behind > at && tables_.is_simple(c)) return run_end != nullptr ? run_end : behind;
    if (behind > at && c == kZeroWidthNonJoiner && at_arabic &&
        letter_behind_non_joiners(behind) != nullptr) {
      return run_end != nullptr ? run_end : behind;
    }
    at_arabic = spelling(c) == kLeftOut ? at_arabic : has_boundary(c) && is_arabic(c);
    if (has_boundary(c)) {
      if (run_end != nullptr) return run_end;
      if (behind - at >= kRunBytes) return behind;
      sequence = 0;
    } else if (++sequence > kLongestSequence && run_end == nullptr) {
      run_end = behind;
    }
  }
  behind = end_;
  return run_end != nullptr ? run_end : end_;
}

void Normalizer::Pass::fold_by_icu() {
  const char* behind = end_;
  const char* const run_end = end_of_run(in_, behind);
  // The last simple character may take what follows it: it is taken back. A space takes nothing.
  if (in_ > simple_begin_ && !after_space()) {
    in_ -= last_length(simple_begin_, in_);
    target_ -= last_length(begin(), target_);
  }
  icu::CheckedArrayByteSink sink(scratch_.data(), static_cast<int32_t>(scratch_.size()));
  UErrorCode status = U_ZERO_ERROR;
  tables_.nfkc_casefold.normalizeUTF8(0, icu::StringPiece(in_, static_cast<int32_t>(run_end - in_)), sink,
                                      nullptr, status);
  if (U_FAILURE(status) || sink.Overflowed()) throw std::bad_alloc();
  icu_bytes_ += static_cast<uint64_t>(behind - in_) + static_cast<uint64_t>(sink.NumberOfBytesWritten());
  in_ = simple_begin_ = behind;
  append_form(std::string_view(scratch_.data(), static_cast<size_t>(sink.NumberOfBytesWritten())));
}

void Normalizer::Pass::append_form(std::string_view form) {
  const size_t used = static_cast<size_t>(target_ - out_.data());
  const size_t needed = used + form.size() + static_cast<size_t>(end_ - in_) + kSlack;
  if (needed > out_.size()) {
    out_.resize(needed);
    target_ = out_.data() + used;
  }
  int sequence = 0;
  bool left_out = false;  // and what attaches to it, or it would attach to the character before the next time
  for (size_t position = 0; position < form.size();) {
    const size_t start = position;
    const char32_t c = next_code_point(form, position);
    if (is_space(c)) {
      put_space();
      sequence = 0;
      left_out = false;
      continue;
    }
    const char32_t spelt = spelling(c);
    const bool attaches =
        !tables_.is_simple(c) && !tables_.nfkc_casefold.hasBoundaryBefore(static_cast<UChar32>(c));
    left_out = spelt == kLeftOut || (left_out && attaches);
    sequence = attaches ? sequence + 1 : 0;
    if (left_out || sequence > kLongestSequence) continue;
    if (spelt != c) {
      put_two_bytes(spelt);
      continue;
    }
    std::memcpy(target_, form.data() + start, position - start);
    target_ += position - start;
  }
}

Normalizer::Normalizer(const Tables& tables) : tables_(&tables), scratch_(kScratchBytes, '\0') {}

Result<Normalizer> Normalizer::create() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc_casefold = icu::Normalizer2::getNFKCCasefoldInstance(status);
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status)) return error(Status::kInternal, "ICU has no NFKC_Casefold: ", u_errorName(status));
  static const Tables tables(*nfkc_casefold);
  return Normalizer(tables);
}

// [4] One normal form ...
void Normalizer::append(std::string_view text, Range piece, String& out) {
  Pass(*this, text, piece, out).run();
}

}  // namespace nd::text
