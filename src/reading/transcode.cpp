// Decodes with tables taken from ICU where a charset has one or two bytes a character, and through ICU
// otherwise.
#include "reading/transcode.hpp"

#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>

#include <cstring>

#include "reading/ascii.hpp"
#include "reading/byte_structure.hpp"

namespace nd::text {
namespace {

constexpr char16_t kReplacementUnit = u'\uFFFD';

// Input is taken in segments, so that space in the output is reserved once per segment: no charset makes more
// than three bytes of UTF-8 from one byte, and one character may extend beyond the segment's end.
constexpr size_t kSegmentBytes = 4096;
constexpr size_t kSegmentRoom = 3 * kSegmentBytes + 64;

// ISO/IEC 8859-16:2001 from A0 on, which ICU does not carry; 80 to 9F are the C1 controls.
constexpr char16_t kIso8859_16[96] = {
    0x00A0, 0x0104, 0x0105, 0x0141, 0x20AC, 0x201E, 0x0160, 0x00A7, 0x0161, 0x00A9, 0x0218, 0x00AB,
    0x0179, 0x00AD, 0x017A, 0x017B, 0x00B0, 0x00B1, 0x010C, 0x0142, 0x017D, 0x201D, 0x00B6, 0x00B7,
    0x017E, 0x010D, 0x0219, 0x00BB, 0x0152, 0x0153, 0x0178, 0x017C, 0x00C0, 0x00C1, 0x00C2, 0x0102,
    0x00C4, 0x0106, 0x00C6, 0x00C7, 0x00C8, 0x00C9, 0x00CA, 0x00CB, 0x00CC, 0x00CD, 0x00CE, 0x00CF,
    0x0110, 0x0143, 0x00D2, 0x00D3, 0x00D4, 0x0150, 0x00D6, 0x015A, 0x0170, 0x00D9, 0x00DA, 0x00DB,
    0x00DC, 0x0118, 0x021A, 0x00DF, 0x00E0, 0x00E1, 0x00E2, 0x0103, 0x00E4, 0x0107, 0x00E6, 0x00E7,
    0x00E8, 0x00E9, 0x00EA, 0x00EB, 0x00EC, 0x00ED, 0x00EE, 0x00EF, 0x0111, 0x0144, 0x00F2, 0x00F3,
    0x00F4, 0x0151, 0x00F6, 0x015B, 0x0171, 0x00F9, 0x00FA, 0x00FB, 0x00FC, 0x0119, 0x021B, 0x00FF};

bool is_high_surrogate(uint32_t unit) noexcept {
  return (unit & 0xfc00) == 0xd800;
}
bool is_surrogate(uint32_t unit) noexcept {
  return (unit & 0xf800) == 0xd800;
}

// Room for four bytes must be there.
char* put(char* to, uint32_t c) noexcept {
  const auto byte = [&](uint32_t value) { *to++ = static_cast<char>(static_cast<uint8_t>(value)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xc0 | c >> 6);
    byte(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    byte(0xe0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3f));
    byte(0x80 | (c & 0x3f));
  } else {
    byte(0xf0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3f));
    byte(0x80 | (c >> 6 & 0x3f));
    byte(0x80 | (c & 0x3f));
  }
  return to;
}

// UTF-16 code units, `unit(i)` for i < count, to UTF-8. A high surrogate at the very end is cut, not
// malformed.
template <typename Unit>
size_t append_units(const Unit& unit, size_t count, Utf8Output& out) {
  size_t malformed = 0;
  for (size_t i = 0; i < count;) {
    const size_t segment_end = std::min(count, i + kSegmentBytes);
    char* to = out.reserve(kSegmentRoom);
    while (i < segment_end) {
      uint32_t c = unit(i++);
      if (c == 0) continue;
      if (is_surrogate(c)) {
        if (is_high_surrogate(c) && i == count) break;
        const uint32_t low = i < count ? unit(i) : 0;
        if (is_high_surrogate(c) && (low & 0xfc00) == 0xdc00) {
          c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
          ++i;
        } else {
          c = kReplacementUnit;
          ++malformed;
        }
      }
      to = put(to, c);
    }
    out.set_end(to);
  }
  return malformed;
}

size_t append_utf16(bool is_big_endian, std::span<const uint8_t> bytes, Utf8Output& out) {
  const uint8_t* const data = bytes.data();
  const size_t high = is_big_endian ? 0 : 1;
  const auto unit = [=](size_t i) {
    return static_cast<uint32_t>(data[2 * i + high] << 8 | data[2 * i + 1 - high]);
  };
  return append_units(unit, bytes.size() / 2, out);
}

void U_CALLCONV count_malformed(const void* context, UConverterToUnicodeArgs* arguments, const char*, int32_t,
                                UConverterCallbackReason reason, UErrorCode* status) {
  if (reason > UCNV_IRREGULAR) return;
  ++*static_cast<size_t*>(const_cast<void*>(context));
  *status = U_ZERO_ERROR;
  ucnv_cbToUWriteUChars(arguments, &kReplacementUnit, 1, 0, status);
}

}  // namespace

struct Transcoder::Converter {
  ~Converter() { ucnv_close(handle); }

  // Converts a few separate bytes. Returns the number of code units, 0 if anything is malformed.
  template <size_t kCapacity>
  size_t convert(const uint8_t* bytes, size_t size, char16_t (&units)[kCapacity]) noexcept {
    ucnv_resetToUnicode(handle);
    malformed = 0;
    auto* source = reinterpret_cast<const char*>(bytes);
    char16_t* target = units;
    UErrorCode status = U_ZERO_ERROR;
    ucnv_toUnicode(handle, &target, units + kCapacity, &source, source + size, nullptr, true, &status);
    return U_FAILURE(status) || malformed > 0 ? 0 : static_cast<size_t>(target - units);
  }

  UConverter* handle = nullptr;
  size_t malformed = 0;
};

// Per byte the UTF-8 form in the low three bytes, its length in bits 24 and 25, bit 31 if it stands for a
// byte that means nothing. NUL has length 0.
struct Transcoder::SingleByteTable {
  static constexpr uint32_t kMalformed = 1U << 31;
  std::array<uint32_t, 256> entries{};
};

// Code units of the characters that are one unit; 0: ask ICU.
struct Transcoder::DoubleByteTable {
  static constexpr size_t kFirstLead = 0x81;
  static constexpr size_t kFirstTrail = 0x40;
  static constexpr size_t kTrails = 0x100 - kFirstTrail;
  std::array<char16_t, 128> singles{};  // from 0x80 on
  std::array<char16_t, (0xff - kFirstLead) * kTrails> pairs{};

  // The code unit of the two bytes at `at`, 0 if there is none.
  char16_t pair(const uint8_t* at, const uint8_t* end) const noexcept {
    if (end - at < 2 || *at < kFirstLead || *at == 0xff || at[1] < kFirstTrail) return 0;
    return pairs[(*at - kFirstLead) * kTrails + at[1] - kFirstTrail];
  }
};

Transcoder::Transcoder() = default;
Transcoder::~Transcoder() = default;

Result<Transcoder::Converter*> Transcoder::converter(Charset charset) {
  Owned<Converter>& kept = converters_[static_cast<size_t>(charset)];
  if (kept) return kept.get();
  Owned<Converter> opened = make_owned<Converter>();
  UErrorCode status = U_ZERO_ERROR;
  opened->handle = ucnv_open(icu_converter_name(charset), &status);
  if (U_SUCCESS(status)) {
    ucnv_setToUCallBack(opened->handle, count_malformed, &opened->malformed, nullptr, nullptr, &status);
  }
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status)) {
    return error(Status::kInternal, "ICU cannot convert from ", charset_name(charset), ": ",
                 u_errorName(status));
  }
  kept = std::move(opened);
  return kept.get();
}

Result<const Transcoder::SingleByteTable*> Transcoder::single_byte_table(Charset charset) {
  Owned<SingleByteTable>& kept = single_byte_tables_[static_cast<size_t>(charset)];
  if (kept) return kept.get();
  char16_t units[256];
  for (size_t i = 0; i < 256; ++i)
    units[i] = static_cast<char16_t>(i);
  if (charset == Charset::kIso8859_16) {
    std::copy(std::begin(kIso8859_16), std::end(kIso8859_16), units + 0xa0);
  } else {
    const Result<Converter*> from = converter(charset);
    if (!from) return from.failure();
    for (size_t i = 0x80; i < 256; ++i) {
      const auto byte = static_cast<uint8_t>(i);
      char16_t converted[4];
      units[i] = (*from)->convert(&byte, 1, converted) == 1 ? converted[0] : kReplacementUnit;
    }
  }
  if (charset == Charset::kKoi8U) {  // the standard's index has the two Belarusian letters of KOI8-RU here
    units[0xae] = 0x045e;
    units[0xbe] = 0x040e;
  }
  kept = make_owned<SingleByteTable>();
  for (size_t i = 1; i < 256; ++i) {
    char utf8[4];
    const auto length = static_cast<uint32_t>(put(utf8, units[i]) - utf8);
    uint32_t entry = length << 24 | (units[i] == kReplacementUnit ? SingleByteTable::kMalformed : 0);
    for (uint32_t k = 0; k < length; ++k)
      entry |= static_cast<uint32_t>(static_cast<uint8_t>(utf8[k])) << (8 * k);
    kept->entries[i] = entry;
  }
  return kept.get();
}

Result<const Transcoder::DoubleByteTable*> Transcoder::double_byte_table(Charset charset) {
  Owned<DoubleByteTable>& kept = double_byte_tables_[static_cast<size_t>(charset)];
  if (kept) return kept.get();
  const Result<Converter*> from = converter(charset);
  if (!from) return from.failure();
  Owned<DoubleByteTable> table = make_owned<DoubleByteTable>();
  char16_t units[4];
  for (size_t i = 0; i < table->singles.size(); ++i) {
    const auto byte = static_cast<uint8_t>(0x80 + i);
    if (read_double_byte(charset, &byte, &byte + 1).length != 1) continue;
    if ((*from)->convert(&byte, 1, units) == 1) table->singles[i] = units[0];
  }
  size_t at = 0;
  for (size_t lead = DoubleByteTable::kFirstLead; lead < 0xff; ++lead) {
    for (size_t trail = DoubleByteTable::kFirstTrail; trail <= 0xff; ++trail, ++at) {
      const uint8_t bytes[] = {static_cast<uint8_t>(lead), static_cast<uint8_t>(trail)};
      if (read_double_byte(charset, bytes, bytes + 2).length != 2) continue;
      if ((*from)->convert(bytes, 2, units) == 1) table->pairs[at] = units[0];
    }
  }
  if (charset == Charset::kGb18030) {
    // Windows code page 936 and the standard's index against GB18030-2000: the euro sign, and a blank that
    // pages use.
    table->singles[0] = u'\u20AC';
    table->pairs[(0xa3 - DoubleByteTable::kFirstLead) * DoubleByteTable::kTrails + 0xa0 -
                 DoubleByteTable::kFirstTrail] = u'\u3000';
  }
  kept = std::move(table);
  return kept.get();
}

Result<size_t> Transcoder::append_double_byte(Charset charset, std::span<const uint8_t> bytes,
                                              Utf8Output& out) {
  using Table = DoubleByteTable;
  const Result<const Table*> found = double_byte_table(charset);
  if (!found) return found.failure();
  const Table& table = **found;
  Converter& rare = *converters_[static_cast<size_t>(charset)];
  size_t malformed = 0;
  const uint8_t* at = bytes.data();
  const uint8_t* const end = at + bytes.size();
  while (at != end) {
    const uint8_t* const segment_end = at + std::min<size_t>(static_cast<size_t>(end - at), kSegmentBytes);
    char* to = out.reserve(kSegmentRoom);
    while (at < segment_end) {
      if (*at < 0x80) {
        to = copy_ascii(to, at, segment_end);
        continue;
      }
      if (char16_t unit = table.pair(at, end); unit != 0) {
        do {
          to = put(to, unit);
          at += 2;
          unit = at < segment_end ? table.pair(at, end) : u'\0';
        } while (unit != 0);
        continue;
      }
      if (const char16_t unit = table.singles[*at & 0x7f]; unit != 0) {
        to = put(to, unit);
        ++at;
        continue;
      }
      const ByteUnit unit = read_double_byte(charset, at, end);
      if (unit.is_cut) {
        at = end;
        break;
      }
      char16_t units[4];
      const size_t count = unit.length == 0 ? 0 : rare.convert(at, unit.length, units);
      if (count == 0) {
        to = put(to, kReplacementUnit);
        ++malformed;
        // An ASCII byte behind a bad lead byte is kept: it may be the '<' of a tag.
        at += unit.length == 2 && at[1] >= 0x80 ? 2 : 1;
        continue;
      }
      for (size_t i = 0; i < count; ++i) {
        const bool is_pair = is_high_surrogate(units[i]) && i + 1 < count;
        const uint32_t c =
            is_pair ? 0x10000U + ((units[i] & 0x3ffU) << 10 | (units[i + 1] & 0x3ffU)) : units[i];
        to = put(to, c);
        i += is_pair ? 1 : 0;
      }
      at += unit.length;
    }
    out.set_end(to);
  }
  return malformed;
}

Result<size_t> Transcoder::append_escaped(Charset charset, std::span<const uint8_t> bytes, Utf8Output& out) {
  const Result<Converter*> from = converter(charset);
  if (!from) return from.failure();
  Converter& escaped = **from;
  ucnv_resetToUnicode(escaped.handle);
  escaped.malformed = 0;
  auto* source = reinterpret_cast<const char*>(bytes.data());
  const char* const source_end = source + bytes.size();
  UErrorCode status;
  do {
    char16_t units[1024];
    char16_t* target = units;
    status = U_ZERO_ERROR;
    ucnv_toUnicode(escaped.handle, &target, std::end(units), &source, source_end, nullptr, false, &status);
    append_units([&](size_t i) { return static_cast<uint32_t>(units[i]); },
                 static_cast<size_t>(target - units), out);
  } while (status == U_BUFFER_OVERFLOW_ERROR);
  if (U_FAILURE(status)) return error(Status::kInternal, "ICU conversion failed: ", u_errorName(status));
  return escaped.malformed;
}

// [2] All charsets but UTF-8, which utf8_scan.cpp repairs.
Result<size_t> Transcoder::append(Charset charset, std::span<const uint8_t> bytes, Utf8Output& out) {
  switch (charset_form(charset)) {
    case CharsetForm::kUtf16:
      return append_utf16(charset == Charset::kUtf16Be, bytes, out);
    case CharsetForm::kDoubleByte:
      return append_double_byte(charset, bytes, out);
    case CharsetForm::kEscaped:
      return append_escaped(charset, bytes, out);
    default:
      break;
  }
  const bool has_table = icu_converter_name(charset) != nullptr || charset == Charset::kIso8859_16;
  const Result<const SingleByteTable*> found = single_byte_table(has_table ? charset : Charset::kWindows1252);
  if (!found) return found.failure();
  const std::array<uint32_t, 256>& entries = (*found)->entries;
  size_t malformed = 0;
  const uint8_t* at = bytes.data();
  const uint8_t* const end = at + bytes.size();
  while (at != end) {
    const uint8_t* const segment_end = at + std::min<size_t>(static_cast<size_t>(end - at), kSegmentBytes);
    char* to = out.reserve(kSegmentRoom);
    while (at != segment_end) {
      to = copy_ascii(to, at, segment_end);
      for (; at != segment_end && *at >= 0x80; ++at) {
        const uint32_t entry = entries[*at];
        for (uint32_t k = 0; k < 3; ++k)
          to[k] = static_cast<char>(static_cast<uint8_t>(entry >> (8 * k)));
        to += entry >> 24 & 3;
        malformed += entry >> 31;
      }
    }
    out.set_end(to);
  }
  return malformed;
}

}  // namespace nd::text
