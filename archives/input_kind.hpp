// The kind of an input, recognised by its bytes and never by its name.
#pragma once

#include <string>
#include <string_view>

#include "archives/input_stream.hpp"
#include "archives/json_fields.hpp"

namespace ndc {

enum class InputKind {
  kEmpty,
  kWarc,
  kArc,
  kJsonLines,
  kHtml,
  kText,
  kPacked,  // compressed twice, or damaged at its beginning, so that nobody knows what it holds
  kOther,
};

struct DetectedInput {
  InputKind kind = InputKind::kOther;
  std::string looks_like;  // for kText, kPacked and kOther: "a PDF file"
};

// Reads as much as it needs, 64 KiB at most, and consumes nothing. What the bytes hold decides, damaged or
// not: where they do not begin with a record, a later line may. Damaged data that shows nothing is treated as
// a WARC file.
DetectedInput detect_input(InputStream& stream, const JsonFields& fields = {});

// The byte order mark of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
std::string_view without_byte_order_mark(std::string_view text);

// By the first bytes of a file: "a PDF file", "plain text", "binary data".
std::string describe_bytes(std::string_view start);

bool is_zip(std::string_view start);

// Text in UTF-8 or another superset of ASCII: no control characters but white space.
bool looks_like_text(std::string_view start);

// Behind white space and a byte order mark: an HTML document, or XML whose first element is html.
bool looks_like_html(std::string_view start);

// The name of the first element, in lower case, behind declarations, comments and white space; empty: there
// is none. "<rss version=..." gives "rss".
std::string first_element(std::string_view start);

}  // namespace ndc
