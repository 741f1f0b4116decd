// Bytes of a known charset to UTF-8. NULs are dropped, and so is a character that the end of the bytes cuts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "reading/charset_labels.hpp"
#include "reading/utf8_scan.hpp"

namespace nd::text {

// Threads: one object, one thread at a time. Tables are built from ICU's converters at the first use of a
// charset and kept (1 KB for a single-byte one, 48 KB and about 5 ms for a double-byte one); after that ICU
// is asked only for rare characters.
class Transcoder {
 public:
  Transcoder();
  ~Transcoder();
  Transcoder(const Transcoder&) = delete;
  Transcoder& operator=(const Transcoder&) = delete;

  // Appends the text and returns the number of malformed sequences, each of which became U+FFFD. A sequence
  // is malformed if the WHATWG decoder calls it an error. `charset` is not UTF-8; x-user-defined and
  // replacement are read as windows-1252. Fails if ICU cannot open the converter (kInternal).
  Result<size_t> append(Charset charset, std::span<const uint8_t> bytes, Utf8Output& out);

 private:
  struct Converter;
  struct SingleByteTable;
  struct DoubleByteTable;
  Result<Converter*> converter(Charset charset);
  Result<const SingleByteTable*> single_byte_table(Charset charset);
  Result<const DoubleByteTable*> double_byte_table(Charset charset);
  Result<size_t> append_double_byte(Charset charset, std::span<const uint8_t> bytes, Utf8Output& out);
  Result<size_t> append_escaped(Charset charset, std::span<const uint8_t> bytes, Utf8Output& out);

  std::array<Owned<Converter>, kCharsetCount> converters_;
  std::array<Owned<SingleByteTable>, kCharsetCount> single_byte_tables_;
  std::array<Owned<DoubleByteTable>, kCharsetCount> double_byte_tables_;
};

}  // namespace nd::text
