// Any bytes under any label: the decoder gives well-formed UTF-8 without NUL and without a byte order mark.
// The decoder believes few labels that the bytes do not bear out, so that flags also lead to the tables of
// each charset.
//
// Input: a byte of flags, with kTranscode the number of a charset, else the Content-Type up to a NUL; the
// bytes.
#include <string>

#include "fuzz/expectation.hpp"
#include "fuzz/input_reader.hpp"
#include "fuzz/well_formed_text.hpp"
#include "reading/charset_labels.hpp"
#include "reading/content_kind.hpp"
#include "reading/content_type.hpp"
#include "reading/decode.hpp"
#include "reading/transcode.hpp"

namespace {

using nd::fuzz::expect;
using nd::text::Charset;

enum Flags : unsigned {
  kHtml = 1 << 0,       // the page may declare its charset
  kTranscode = 1 << 1,  // by a charset, whatever the bytes are like
};

// Three bytes of UTF-8 for each byte (U+FFFD for a malformed one), four for two of Big5, and what is behind
// the end.
size_t most_output(size_t bytes) {
  return 3 * bytes + 4;
}

// Kept: the tables of a charset take longer to build than a page to decode.
nd::text::Transcoder& transcoder() {
  static nd::text::Transcoder kept;
  return kept;
}

nd::text::Decoder& decoder() {
  static nd::text::Decoder kept;
  return kept;
}

void transcode(nd::fuzz::InputReader& input) {
  const auto charset = static_cast<Charset>(
      input.take_number(static_cast<uint64_t>(Charset::kUtf8) + 1, nd::text::kCharsetCount - 1));
  const auto bytes = input.rest();
  nd::text::Utf8Output out;
  const auto malformed = transcoder().append(charset, bytes, out);
  expect(static_cast<bool>(malformed), "a charset cannot be read");
  expect(*malformed <= bytes.size(), "more is malformed than there are bytes");
  expect(nd::fuzz::is_clean_text(out.text()), "the output is no UTF-8, or has NULs");
  expect(out.text().size() <= most_output(bytes.size()), "too long an output");
}

void decode(nd::fuzz::InputReader& input, bool is_html) {
  const std::string content_type(input.take_text());
  const auto bytes = input.rest();
  nd::text::content_kind(bytes, content_type);
  const std::string_view label = nd::text::declared_charset(content_type);
  expect(label.empty() || (label.data() >= content_type.data() &&
                           label.data() + label.size() <= content_type.data() + content_type.size()),
         "a label is not of its header");
  const auto decoded = decoder().decode(bytes, content_type, is_html);
  expect(static_cast<bool>(decoded), "bytes cannot be decoded");
  const std::string text(decoded->text);
  expect(nd::fuzz::is_clean_text(text), "the output is no UTF-8, or has NULs");
  expect(!text.starts_with("\xEF\xBB\xBF"), "a byte order mark is left");
  expect(text.size() <= most_output(bytes.size()), "too long an output");
  expect(nd::text::find_charset(decoded->charset).has_value(), "no charset has that name");
  expect(decoded->replaced_count <= bytes.size(), "more is malformed than there are bytes");
  const uint32_t replaced_count = decoded->replaced_count;
  const auto again = decoder().decode(bytes, content_type, is_html);
  expect(again && again->text == text && again->replaced_count == replaced_count,
         "the same bytes are decoded in another way");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nd::fuzz::InputReader input(data, size);
  const unsigned flags = input.take_byte();
  if ((flags & kTranscode) != 0) {
    transcode(input);
  } else {
    decode(input, (flags & kHtml) != 0);
  }
  return 0;
}
