// Records of WARC 1.1 (ISO 28500:2017) with a block of named fields.
#pragma once

#include <zlib.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "output_file.hpp"

namespace ndc {

using UuidBytes = std::array<uint8_t, 16>;

// The name-based UUID, version 5 (RFC 9562, section 5.5), of a name in a namespace, as text: 36 characters in
// lower case. The same name always has the same one.
std::string name_uuid(const UuidBytes& name_space, std::string_view name);

// "Name: value" lines of UTF-8. In values what could end a line or steer a terminal (control characters,
// U+0080 to U+009F too) and bytes that are no UTF-8 are percent-encoded, all else is kept byte by byte: what
// comes from an archive cannot add a field.
class WarcFields {
 public:
  WarcFields& add(std::string_view name, std::string_view value);
  // "<urn:...>". Here whatever no URI has is percent-encoded as well.
  WarcFields& add_uri(std::string_view name, std::string_view uri);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Writes whole records, each a gzip member of its own if `compressed`. The same record gives the same bytes.
// One thread at a time.
class WarcWriter {
 public:
  // `output` must outlive it.
  WarcWriter(OutputFile& output, bool compressed);
  ~WarcWriter();
  WarcWriter(const WarcWriter&) = delete;
  WarcWriter& operator=(const WarcWriter&) = delete;

  // `header`: all fields but Content-Type and Content-Length.
  void write(const WarcFields& header, const WarcFields& block);

  // A record in pieces: whatever they are, they are copied.
  void begin_record();
  void append(std::string_view piece);
  void end_record();

 private:
  void compress(std::string_view record);
  void deflate_pieces(std::string_view piece, int flush);

  OutputFile& output_;
  const bool compressed_;
  z_stream deflater_{};
  std::string member_;
};

}  // namespace ndc
